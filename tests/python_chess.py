"""Compares `arbiter replay` with python-chess on games drawn at random.

    python3 tests/python_chess.py ARBITER GAMES SEED [FILE]...

Draws GAMES games from the plain PGN files, or without a file plays as many Chess960 games of random
moves. Both programs replay them; moves in UCI notation, and the FEN, Polyglot's hash and the other
columns of the position after every ply must agree, and so must the moves and the last position that
`arbiter adjudicate --moves full` writes, and the games of variations that `arbiter replay --variations
lines` writes. Prints how many games agree, and exits with 1 at the first difference. A game that one of the two cannot play to its end is compared as far as both play it.
"""

import io
import json
import random
import subprocess
import sys

import chess
import chess.pgn
import chess.polyglot


def games_of(path):
    """The games of a file, as text: each begins with its Event tag. Several empty lines become one,
    since python-chess takes the moves after two for another game."""
    games = []
    with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        for line in file:
            if line.startswith('[Event "'):
                games.append([])
            if games and (line.strip() or games[-1][-1].strip()):
                games[-1].append(line)
    return ["".join(lines) for lines in games]


def chess960_game(rng):
    """A game of random moves from one of the 960 positions, which often castles."""
    board = chess.Board.from_chess960_pos(rng.randrange(960))
    game = chess.pgn.Game()
    game.setup(board)
    node = game
    for _ in range(rng.randrange(20, 160)):
        moves = list(board.legal_moves)
        if not moves:
            break
        castling = [move for move in moves if board.is_castling(move)]
        move = rng.choice(castling if castling and rng.random() < 0.5 else moves)
        node = node.add_variation(move)
        board.push(move)
    return str(game)


COLUMNS = "uci fen hash position material piece promotion castling phase".split()
WEIGHTS = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}


def row_of(board, move):
    """The columns of a move, which is played."""
    piece = chess.piece_symbol(board.piece_type_at(move.from_square)).upper()
    promotion = chess.piece_symbol(move.promotion).upper() if move.promotion else None
    castling = ("O-O" if board.is_kingside_castling(move) else "O-O-O") if board.is_castling(move) else None
    uci = board.uci(move)
    board.push(move)
    fen = board.fen()
    letters = "".join(sorted((str(it) for it in board.piece_map().values()), key="KQRBNPkqrbnp".index))
    phase = min(24, sum(WEIGHTS.get(it.piece_type, 0) for it in board.piece_map().values()))
    key = f"{chess.polyglot.zobrist_hash(board):016x}"
    return [uci, fen, key, fen.rsplit(" ", 2)[0], letters, piece, promotion, castling, phase]


def by_python(text):
    """The rows and objects of the moves of a game, and whether it has been played to its end."""
    game = chess.pgn.read_game(io.StringIO(text))
    board = game.board()
    rows, objects = [], []
    for node in game.mainline():
        san = board.san(node.move)
        rows.append(row_of(board, node.move))
        score = node.eval().white() if node.eval() else None
        mate = score.mate() if score else None
        objects.append({
            "san": san,
            "uci": rows[-1][0],
            "clock": node.clock(),
            "eval_cp": score.score() if score else None,
            "eval_mate": mate,
            "nags": sorted(node.nags) or None,
        })
    return rows, objects, not game.errors


def run(arbiter, words, games):
    """The objects that the program prints, and what it says on stderr."""
    text = "".join(game.rstrip() + "\n\n" for game in games)
    done = subprocess.run(
        [arbiter, *words, "-q", "--format", "jsonl"],
        input=text.encode("utf-8", errors="surrogateescape"),
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode()
    assert done.returncode in (0, 1), said
    return [json.loads(line) for line in done.stdout.splitlines()], said


def by_arbiter(arbiter, games):
    """The rows of each game, its object, and the numbers of those that stopped."""
    columns = ",".join(["game", *COLUMNS])
    rows, said = run(arbiter, ["replay", "--columns", columns], games)
    stopped = {int(line.rsplit("(game ", 1)[1].split(",")[0].rstrip(")")) for line in said.splitlines()}
    played = [[] for _ in games]
    for row in rows:
        played[row["game"] - 1].append([row[column] for column in COLUMNS])
    words = ["adjudicate", "--nodes", "1", "--columns", "game,last_fen", "--moves", "full"]
    objects, _ = run(arbiter, words, games)
    return played, objects, stopped


def compare_objects(number, found, rows, theirs):
    """Compares the moves of an object. Comments without [%clk] and [%eval] are read by `arbiter` alone,
    and evaluations of the side that moves, in whole hundredths of a pawn."""
    if found["moves"] is None:
        return
    for ours, theirs in zip(found["moves"], theirs):
        for name, value in theirs.items():
            known = ours[name] if name != "nags" else sorted(set(ours[name] or [])) or None
            reads_alone = value is None and name in ("clock", "eval_cp", "eval_mate")
            # Of the side that moves, and in whole hundredths of a pawn.
            by_mover = name.startswith("eval") and known and value and abs(value) in (abs(known), abs(100 * known))
            assert known == value or reads_alone or by_mover, f"game {number}: {name} of {ours}, not {theirs}"
    if rows and len(found["moves"]) == len(rows):
        assert found["last_fen"] == rows[-1][1], f"game {number}: {found['last_fen']}"


def lines_of(node, before, lines):
    """Adds the moves of the line that begins with a node, and of its variations, in their order."""
    number, moves = len(lines), [*before, *([node.move] if node.move else [])]
    lines.append(moves)
    while node.variations:
        node, *others = node.variations
        for other in others:
            lines_of(other, moves, lines)
        moves = [*moves, node.move]
        lines[number] = moves
    return lines


def compare_lines(arbiter, number, game):
    """Compares the games of the variations; returns how many there are."""
    words = ["replay", "-q", "--format", "pgn", "--variations", "lines"]
    text = game.encode("utf-8", errors="surrogateescape")
    export = subprocess.run([arbiter, *words], input=text, capture_output=True, check=False).stdout
    export, found = io.StringIO(export.decode()), []
    while read := chess.pgn.read_game(export):
        found.append([node.move for node in read.mainline()])
    theirs = lines_of(chess.pgn.read_game(io.StringIO(game)), [], [])
    assert found == theirs, f"lines of game {number}: {found}, not {theirs}\n{game}"
    return len(found) - 1


def main():
    arbiter, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    if sys.argv[4:]:
        games = [game for path in sys.argv[4:] for game in games_of(path)]
        drawn = rng.sample(games, min(count, len(games)))
    else:
        drawn = [chess960_game(rng) for _ in range(count)]
    played, objects, stopped = by_arbiter(arbiter, drawn)
    plies = partial = castled = lines = 0
    for number, (game, rows, found) in enumerate(zip(drawn, played, objects), 1):
        their_rows, their_objects, whole = by_python(game)
        if len(rows) != len(their_rows):
            assert number in stopped or not whole, f"game {number}: {len(rows)} plies, not {len(their_rows)}\n{game}"
            partial += 1
        elif "(" in game and whole:
            lines += compare_lines(arbiter, number, game)
        compare_objects(number, found, their_rows, their_objects)
        for ply, ours, theirs in zip(range(1, 10**9), rows, their_rows):
            assert ours == theirs, f"game {number}, ply {ply}: {ours}, not {theirs}\n{game}"
            plies += 1
        castled += game.count("O-O")
    print(f"{len(drawn)} games agree, {plies} plies, {castled} times castled, {lines} variations; {partial} of the games only as far as both play them")


if __name__ == "__main__":
    main()
