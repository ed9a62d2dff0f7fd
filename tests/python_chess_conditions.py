"""Compares the games that `arbiter replay --where` chooses with those that python-chess finds.

    python3 tests/python_chess_conditions.py ARBITER FILE [GAMES]

Reads the first GAMES games of a file, 5,000 by default, and plays them with python-chess. Each
condition below must choose the same games as its Python function. Prints how many conditions and games
agree, and exits with 1 at the first difference.
"""

import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

LINE = ["e2e4", "c7c5", "g1f3"]
QUEENS_GAMBIT = chess.Board("rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2")


def men(board, colour):
    """Letters of a side's pieces, the king first."""
    counts = [(p, len(board.pieces(p, colour))) for p in reversed(chess.PIECE_TYPES)]
    return "".join(chess.piece_symbol(p).upper() * n for p, n in counts)


def rook_ending(board):
    """Rook and pawn against rook, either colour."""
    return sorted([men(board, chess.WHITE), men(board, chess.BLACK)]) == ["KR", "KRP"]


def rook_and_pawns(board):
    """White has a rook and one pawn or more of any pieces, Black a rook."""
    return men(board, chess.BLACK) == "KR" and all(p in men(board, chess.WHITE) for p in "RP")


def maroczy(board):
    """White pawns on c4 and e4, and nothing else on the fourth rank."""
    rank = board.board_fen().split("/")[4]
    return rank == "2P1P3"


def fianchetto(board):
    """A black king on g8, pawns on f7, g6 and h7, and a bishop on g7."""
    at = {"g8": "k", "f7": "p", "g7": "b", "h7": "p", "g6": "p"}
    on = lambda square: board.piece_at(chess.parse_square(square))
    return all(on(square) and on(square).symbol() == piece for square, piece in at.items())


CONDITIONS = {
    "player=*an*": lambda g: any("an" in g.headers.get(c, "") for c in ("White", "Black")),
    "player!=*an*": lambda g: all("an" not in g.headers.get(c, "") for c in ("White", "Black")),
    "White=A*|Black=A*": lambda g: any(
        g.headers.get(c, "").startswith("A") for c in ("White", "Black")
    ),
    "plies>=120": lambda g: len(g.moves) >= 120,
    "plies=80|plies=81": lambda g: len(g.moves) in (80, 81),
    "moves=1. e4 c5 2. Nf3": lambda g: g.moves[:3] == LINE,
    "moves!=e2e4 c7c5 g1f3": lambda g: g.moves[:3] != LINE,
    "position=1. c4 d5 2. d4": lambda g: any(b.epd() == QUEENS_GAMBIT.epd() for b in g.boards),
    "position=*/*/*/*/2P1P3/*/*/*": lambda g: any(map(maroczy, g.boards)),
    "position=??????k?/?????pbp/??????p?/*/*/*/*/*": lambda g: any(map(fianchetto, g.boards)),
    "material=KRPvKR": lambda g: any(map(rook_ending, g.boards)),
    "material=KRP+kr": lambda g: any(map(rook_and_pawns, g.boards)),
    "ending=checkmate": lambda g: g.boards[-1].is_checkmate(),
    "ending=stalemate": lambda g: g.boards[-1].is_stalemate(),
}


def main(arbiter, path, most=5000):
    games = []
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
        while len(games) < int(most) and (game := chess.pgn.read_game(file)):
            board = game.board()
            game.boards = [board.copy(stack=False)]
            game.moves = []
            for move in game.mainline_moves():
                game.moves.append(board.uci(move))
                board.push(move)
                game.boards.append(board.copy(stack=False))
            games.append(game)
    with tempfile.NamedTemporaryFile("w", suffix=".pgn", errors="surrogateescape") as copy:
        for number, game in enumerate(games):
            tags = "".join(f'[{c} "{game.headers.get(c, "?")}"]\n' for c in ("White", "Black"))
            start = game.headers.get("FEN")
            tags += f'[SetUp "1"]\n[FEN "{start}"]\n' if start else ""
            copy.write(f'[Event "{number}"]\n{tags}\n{" ".join(game.moves)} *\n\n')
        copy.flush()
        for condition, function in CONDITIONS.items():
            words = [arbiter, "replay", "-q", "--format", "pgn", "--where", condition, copy.name]
            printed = subprocess.run(words, capture_output=True, text=True).stdout
            chosen = [int(number) for number in re.findall(r'^\[Event "(\d+)"\]', printed, re.M)]
            expected = [number for number, game in enumerate(games) if function(game)]
            if chosen != expected:
                differ = sorted(set(chosen) ^ set(expected))
                print(f"{condition}: {len(differ)} games differ, such as game {differ[0] + 1}")
                return 1
            print(f"{condition}: {len(expected)} games")
    print(f"{len(CONDITIONS)} conditions agree on {len(games)} games")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
