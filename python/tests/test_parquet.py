"""Parquet files of the binary and of the job, as DuckDB, pandas and Spark read them."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import duckdb
import pandas
import pytest
from conftest import ROOT, arbiter

TAGS = ROOT / "fixtures/tags.pgn"

# Columns of the games that lichess.org publishes as `Lichess/standard-chess-games`.
LICHESS = {
    "Event": "VARCHAR",
    "Site": "VARCHAR",
    "White": "VARCHAR",
    "Black": "VARCHAR",
    "Result": "VARCHAR",
    "WhiteTitle": "VARCHAR",
    "BlackTitle": "VARCHAR",
    "WhiteElo": "SMALLINT",
    "BlackElo": "SMALLINT",
    "WhiteRatingDiff": "SMALLINT",
    "BlackRatingDiff": "SMALLINT",
    "UTCDate": "DATE",
    "UTCTime": "TIME",
    "ECO": "VARCHAR",
    "Opening": "VARCHAR",
    "Termination": "VARCHAR",
    "TimeControl": "VARCHAR",
    "movetext": "VARCHAR",
}

COMMANDS = [
    ["validate", "--strict", ROOT / "fixtures/findings", ROOT / "fixtures/slips.pgn"],
    ["adjudicate", ROOT / "fixtures/endings.pgn", ROOT / "fixtures/claim.pgn"],
    ["replay", "--variations", ROOT / "fixtures/annotated.pgn", ROOT / "fixtures/famous.pgn"],
]


def write(path: Path, *arguments: str | Path) -> str:
    """Writes a Parquet file; returns its name in SQL."""
    arbiter(*arguments, "--quiet", "--format=parquet", f"--output={path}", exit_codes=(0, 1))
    return f"'{path}'"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_rows_and_their_order_are_those_of_json_lines(
    tmp_path: Path, command: list[str | Path]
) -> None:
    path = tmp_path / "rows.parquet"
    table = write(path, *command)
    lines = arbiter(*command, "--quiet", "--format=jsonl").splitlines()
    expected = [json.loads(line) for line in lines]
    for row in expected:
        if row.get("date"):
            row["date"] = datetime.date.fromisoformat(row["date"])
    columns = [name for name in expected[0] if name != "fix"]
    assert list(pandas.read_parquet(path).columns) == columns
    assert duckdb.sql(f"FROM {table}").columns == columns
    assert duckdb.sql(f"SELECT count(*) FROM {table}").fetchall() == [(len(expected),)]
    for name in columns:
        values = [row[0] for row in duckdb.sql(f'SELECT "{name}" FROM {table}').fetchall()]
        assert values == [row[name] for row in expected], name


def test_columns_of_lichess_have_its_types(tmp_path: Path) -> None:
    table = write(tmp_path / "games.parquet", "adjudicate", "--tags=lichess", TAGS)
    described = duckdb.sql(f"DESCRIBE SELECT * FROM {table}").fetchall()
    assert dict(row[:2] for row in described[:18]) == LICHESS
    assert [row[0] for row in described[:18]] == list(LICHESS)
    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in LICHESS.items())
    both = duckdb.sql(f"SELECT {columns} UNION ALL BY NAME SELECT * FROM {table}")
    types = dict(zip(both.columns, both.types, strict=True))
    assert {name: str(types[name]) for name in LICHESS} == LICHESS
    assert len(both.fetchall()) == 2
    names = "White, WhiteElo, BlackElo, WhiteRatingDiff, UTCDate, UTCTime, WhiteTitle, board"
    assert duckdb.sql(f"SELECT {names} FROM {table}").fetchall() == [
        (
            "anna",
            1512,
            1498,
            -6,
            datetime.date(2024, 2, 29),
            datetime.time(18, 6, 5),
            None,
            "checkmate",
        )
    ]


def test_types_of_plies(tmp_path: Path) -> None:
    path = tmp_path / "plies.parquet"
    table = write(path, "replay", ROOT / "fixtures/famous.pgn")
    kinds = dict(row[:2] for row in duckdb.sql(f"DESCRIBE SELECT * FROM {table}").fetchall())
    assert kinds["game"] == kinds["ply"] == kinds["repetition"] == "BIGINT"
    assert kinds["check"] == kinds["capture"] == "BOOLEAN"
    plies = pandas.read_parquet(path)
    assert plies.loc[0, "san"] == "e4"
    assert plies["game"].is_monotonic_increasing
    lines = arbiter("replay", "--quiet", "--format=jsonl", ROOT / "fixtures/famous.pgn")
    rows = [json.loads(line) for line in lines.splitlines()]
    known = [name for name, value in rows[0].items() if value is not None]
    assert plies[known].to_dict("records") == [{name: row[name] for name in known} for row in rows]


def test_clocks_evaluations_and_glyphs(tmp_path: Path) -> None:
    table = write(tmp_path / "plies.parquet", "replay", TAGS)
    names = "clock, move_time, eval_cp, eval_mate, nags"
    kinds = [row[1] for row in duckdb.sql(f"DESCRIBE SELECT {names} FROM {table}").fetchall()]
    assert kinds == ["DOUBLE", "DOUBLE", "BIGINT", "BIGINT", "SMALLINT[]"]
    assert duckdb.sql(f"SELECT {names} FROM {table}").fetchall() == [
        (180.0, None, -26, None, None),
        (180.0, None, -25, None, None),
        (178.5, None, None, -1, [4]),
        (179.0, None, None, None, None),
    ]


def test_lists_and_nulls(tmp_path: Path) -> None:
    table = write(tmp_path / "endings.parquet", "adjudicate", ROOT / "fixtures/endings.pgn")
    lists = duckdb.sql(f"SELECT claimable, line, ended_at_ply FROM {table}").fetchall()
    assert any(claims and claims[0]["claim"] == "threefold-repetition" for claims, _, _ in lists)
    assert any(claims == [] for claims, _, _ in lists)
    assert any(line is None for _, line, _ in lists)
    assert any(ply is None for _, _, ply in lists)
