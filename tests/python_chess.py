"""Compares `arbiter replay` with python-chess on games drawn at random.

    python3 tests/python_chess.py ARBITER GAMES SEED [FILE]...

Draws GAMES games from the plain PGN files, or without a file plays as many Chess960 games of random
moves. Both programs replay them; moves in UCI notation and the FEN after every ply must agree. Prints
how many games agree, and exits with 1 at the first difference. A game that one of the two cannot play
to its end is compared as far as both play it.
"""

import io
import json
import random
import subprocess
import sys

import chess
import chess.pgn


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


def by_python(text):
    """The moves and FENs of a game, and whether it has been played to its end."""
    game = chess.pgn.read_game(io.StringIO(text))
    board = game.board()
    moves, fens = [], []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
        fens.append(board.fen())
    return moves, fens, not game.errors


def by_arbiter(arbiter, games):
    """The moves and FENs of each game, and the numbers of those that stopped."""
    text = "".join(game.rstrip() + "\n\n" for game in games)
    run = subprocess.run(
        [arbiter, "replay", "-q", "--format", "jsonl"],
        input=text.encode("utf-8", errors="surrogateescape"),
        capture_output=True,
        check=False,
    )
    said = run.stderr.decode()
    assert run.returncode in (0, 1), said
    stopped = {int(line.rsplit("(game ", 1)[1].split(",")[0].rstrip(")")) for line in said.splitlines()}
    played = [([], []) for _ in games]
    for line in run.stdout.splitlines():
        row = json.loads(line)
        moves, fens = played[row["game"] - 1]
        moves.append(row["uci"])
        fens.append(row["fen"])
    return played, stopped


def main():
    arbiter, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    if sys.argv[4:]:
        games = [game for path in sys.argv[4:] for game in games_of(path)]
        drawn = rng.sample(games, min(count, len(games)))
    else:
        drawn = [chess960_game(rng) for _ in range(count)]
    played, stopped = by_arbiter(arbiter, drawn)
    plies = partial = castled = 0
    for number, (game, (moves, fens)) in enumerate(zip(drawn, played), 1):
        their_moves, their_fens, whole = by_python(game)
        if len(moves) != len(their_moves):
            assert number in stopped or not whole, f"game {number}: {len(moves)} plies, not {len(their_moves)}\n{game}"
            partial += 1
        for ply, ours, theirs in zip(range(1, 10**9), zip(moves, fens), zip(their_moves, their_fens)):
            assert ours == theirs, f"game {number}, ply {ply}: {ours}, not {theirs}\n{game}"
            plies += 1
        castled += game.count("O-O")
    print(f"{len(drawn)} games agree, {plies} plies, {castled} times castled; {partial} of the games only as far as both play them")


if __name__ == "__main__":
    main()
