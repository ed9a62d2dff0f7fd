"""The functions of the package, the examples of its docstrings, and the recipes of its manual."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import doctest
import functools
import io
import itertools
import json
import os
import pickle
import pydoc
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import typing
import warnings
from collections import Counter
from pathlib import Path

import chess.engine
import chess.pgn
import duckdb
import options as help_text
import pandas
import polars
import pyarrow
import pytest
from conftest import BINARY, ROOT, arbiter, wait_for

import chess_arbiter
from chess_arbiter import ArbiterError, Finding, Ruling, Table

MANUAL = ROOT / "python/README.md"
FAMOUS = ROOT / "fixtures/famous.pgn"
BAD = ROOT / "fixtures/findings/E201.pgn"
FINDINGS = ROOT / "fixtures/findings"


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The binary of all tests, the root of the repository, and a folder for temporary files."""
    monkeypatch.setenv("ARBITER", str(BINARY))
    monkeypatch.chdir(ROOT)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))


def left(tmp_path: Path) -> list[Path]:
    """Temporary files and folders."""
    return list((tmp_path / "tmp").iterdir())


def script(folder: Path, commands: str) -> Path:
    path = folder / "script"
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(0o755)
    return path


def test_the_examples_of_docstrings() -> None:
    ran = doctest.testmod(chess_arbiter)
    assert ran.attempted >= 12
    assert ran.failed == 0
    functions = [getattr(chess_arbiter, name) for name in ("validate", "claim", "stats", "games")]
    functions += [chess_arbiter.plies, chess_arbiter.findings, chess_arbiter.run_part]
    assert all(">>>" in function.__doc__ for function in functions)


def test_the_package_is_typed() -> None:
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull]
    run = subprocess.run(
        [*mypy, "--config-file", "../pyproject.toml", "chess_arbiter"],
        cwd=ROOT / "python/src",
        env={**os.environ, "MYPYPATH": "."},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert (ROOT / "python/src/chess_arbiter/py.typed").exists()


def test_the_package_needs_no_other() -> None:
    program = (
        "import sys; import chess_arbiter\n"
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    path = str(ROOT / "python/src")
    words = [sys.executable, "-S", "-c", program]
    run = subprocess.run(words, env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert set(run.stdout.split()) == {"__main__", "chess_arbiter"}, run.stderr


def test_findings_are_those_of_json_lines() -> None:
    found = list(chess_arbiter.validate(FINDINGS, strict=True))
    lines = arbiter("validate", "--quiet", "--format=jsonl", "--strict", FINDINGS).splitlines()
    assert len(found) > 100
    for finding, line in zip(found, lines, strict=True):
        row = json.loads(line)
        assert dataclasses.asdict(finding) == {"fix": None, **row}


def test_a_finding_carries_its_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fix = {"safe": True, "edits": [{"byte_start": 3, "byte_end": 6, "text": "O-O"}]}
    row = {"code": "N246", "name": "a", "severity": "note", "message": "m", "file": "f"}
    (tmp_path / "rows").write_text(json.dumps({**row, "fix": fix, "later": 1}) + "\n")
    monkeypatch.setenv("ARBITER", str(script(tmp_path, f"cat '{tmp_path}/rows'")))
    assert list(chess_arbiter.validate("f")) == [Finding(**row, fix=fix)]


def test_fixes_applied_are_what_fix_writes() -> None:
    for name in sorted(path.name for path in FINDINGS.glob("N2*.pgn")):
        path = FINDINGS / name
        fixes = [finding.fix for finding in chess_arbiter.validate(path, strict=True)]
        edits = {
            (edit["byte_start"], edit["byte_end"], edit["text"].encode())
            for fix in fixes
            if fix and fix["safe"]
            for edit in fix["edits"]
        }
        text = path.read_bytes()
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        assert text == arbiter("validate", "--quiet", "--strict", "--fix", path), name


def test_options_become_arguments() -> None:
    passed = {"by": ["speed", "tag:Round"], "draws": True, "source": None, "csv_safe": False}
    expected = ["--no-config", "--by=speed", "--by=tag:Round", "--draws"]
    assert chess_arbiter._arguments(passed) == expected
    passed = {"where": "White=A*", "fail_on": "note", "nodes": 9, "config": Path("a.toml")}
    expected = ["--where=White=A*", "--fail-on=note", "--nodes=9", "--config=a.toml"]
    assert chess_arbiter._arguments(passed) == expected


def test_inputs_are_paths_and_open_files() -> None:
    plain = chess_arbiter.stats(FAMOUS)
    assert chess_arbiter.stats(str(FAMOUS)) == chess_arbiter.stats([FAMOUS]) == plain
    assert chess_arbiter.stats(io.StringIO(FAMOUS.read_text())) == plain
    with FAMOUS.open("rb") as file:
        assert chess_arbiter.stats(file) == plain
    assert chess_arbiter.stats([FAMOUS, FAMOUS])["games"] == 2 * plain["games"]


def test_settings_are_read_only_if_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arbiter.toml").write_text('ignore = ["E201"]\n')
    assert [finding.code for finding in chess_arbiter.validate(BAD)] == ["E201"]
    assert list(chess_arbiter.validate(BAD, config="arbiter.toml")) == []


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: list(chess_arbiter.validate("missing.pgn")), "missing.pgn"),
        (lambda: chess_arbiter.stats(FAMOUS, by="spee"), "no such key"),
        (lambda: chess_arbiter.games(FAMOUS, tags="a b"), "--tags"),
        (lambda: chess_arbiter.claim(FAMOUS, "threefold"), "games"),
        (lambda: chess_arbiter.plies(None), "no game"),
    ],
)
def test_errors_are_exceptions_with_stderr(
    tmp_path: Path, call: typing.Callable[[], object], told: str
) -> None:
    with pytest.raises(ArbiterError) as error:
        call()
    assert error.value.code == 2
    assert told in error.value.stderr
    assert told in str(error.value)
    assert left(tmp_path) == []
    # Dask, Ray and Airflow send it to another process.
    copy = pickle.loads(pickle.dumps(error.value))
    assert (str(copy), copy.stderr) == (str(error.value), error.value.stderr)


@pytest.mark.parametrize(
    ("end", "code", "how"),
    [("exit 3", 3, "exit code 3"), ("kill -9 $$", -9, "killed by signal 9")],
)
def test_a_failed_part_is_reported_with_the_end_of_stderr(
    tmp_path: Path, end: str, code: int, how: str
) -> None:
    binary = script(tmp_path, f"for n in $(seq 9); do echo line $n; echo; done >&2\n{end}")
    with pytest.raises(ArbiterError) as error:
        chess_arbiter.run_part(2, 3, "stats", FAMOUS, tmp_path / "out", binary=binary)
    lines = [f"line {number}" for number in range(5, 10)]
    assert str(error.value).splitlines() == [f"arbiter stats, part 2/3: {how}", *lines]
    assert error.value.code == code
    assert error.value.stderr.startswith("line 1\n")


@pytest.mark.parametrize(
    ("call", "refused"),
    [
        (lambda: chess_arbiter.validate(BAD, stric=True), "validate() takes no option `stric`"),
        (lambda: chess_arbiter.validate(BAD, fix_suggestions=True), "`fix_suggestions`"),
        (lambda: chess_arbiter.findings(BAD, codes=True, output="a"), "`codes`, `output`"),
        (lambda: chess_arbiter.games(FAMOUS, taggs="all"), "games() takes no option `taggs`"),
        (lambda: chess_arbiter.plies(FAMOUS, format="csv", colum="san"), "`colum`, `format`"),
        (lambda: chess_arbiter.stats(FAMOUS, help=True), "stats() takes no option `help`"),
        (lambda: chess_arbiter.stats(FAMOUS, claim="fifty"), "`claim`"),
        (lambda: chess_arbiter.claim(FAMOUS, "fifty", list_rules=True), "`list_rules`"),
        (lambda: chess_arbiter.claim(FAMOUS, "fifty", **{"no-config": True}), "`no-config`"),
        (
            lambda: chess_arbiter.run_part(1, 1, "stats", FAMOUS, "out", strict=True),
            "run_part() takes no option `strict`",
        ),
    ],
)
def test_options_that_a_function_does_not_take_are_named(
    tmp_path: Path, call: typing.Callable[[], object], refused: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(refused)):
        call()
    assert left(tmp_path) == []


def test_the_options_that_are_refused_exist() -> None:
    commands = {"claim": "adjudicate", "games": "adjudicate", "plies": "replay"}
    for function, own in chess_arbiter._OWNED_BY.items():
        command = commands.get(function, "stats" if "stats" in function else "validate")
        known = set(chess_arbiter._options(BINARY, command, ()))
        of_one = {"codes", "explain", "list-rules"}
        assert set(chess_arbiter._OWNED.split()) - known <= of_one, function
        assert set(own.split()) <= known, function


def test_a_binary_that_is_killed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"code": "E201", "name": "a", "severity": "error", "message": "m", "file": "f"}
    (tmp_path / "rows").write_text(json.dumps(row) + "\n" + json.dumps(row)[:20])
    killed = script(tmp_path, f"cat '{tmp_path}/rows'; kill -9 $$")
    monkeypatch.setenv("ARBITER", str(killed))
    found = chess_arbiter.validate("f")
    assert next(found) == Finding(**row)
    for call in (
        lambda: list(found),
        lambda: chess_arbiter.claim("f", "fifty"),
        lambda: chess_arbiter.stats("f"),
        lambda: chess_arbiter.games("f"),
        lambda: chess_arbiter.run_part(1, 1, "stats", "f", tmp_path / "out"),
    ):
        with pytest.raises(ArbiterError, match="killed by signal 9"):
            call()


def test_a_part_waits_for_no_pipe(tmp_path: Path) -> None:
    # A process that it leaves behind keeps stdout and stderr open.
    commands = f"cat; head -c 1000000 /dev/zero; sleep 60 & echo $! > '{tmp_path}/left'; exit 1"
    talks = script(tmp_path, commands)
    begin = time.monotonic()
    assert chess_arbiter.run_part(1, 1, "stats", FAMOUS, tmp_path / "out", binary=talks) == 1
    assert time.monotonic() - begin < 30
    os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL)


def test_the_output_of_a_part_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chess_arbiter.run_part(1, 1, "stats", FAMOUS, "-", format="json")
    assert json.loads(Path("-").read_text())["games"] == 5


def test_games_that_stop_early_are_counted_in_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chess_arbiter.plies(FAMOUS)
    one = r"^1 game stops early\n.*E201.*\(game 1, 3\.Ke3\)$"
    with pytest.warns(UserWarning, match=one) as told:
        assert chess_arbiter.plies([FAMOUS, BAD]).arrow().num_rows > 100
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match=r"^\d\d games stop early, \d cannot be read\n"):
        chess_arbiter.plies(FINDINGS)


def test_an_error_after_findings_comes_last() -> None:
    found = chess_arbiter.validate([BAD, "missing.pgn"])
    assert next(found).code == "E201"
    with pytest.raises(ArbiterError, match=r"missing\.pgn"):
        list(found)


def test_claims_are_decided() -> None:
    ruling = chess_arbiter.claim("fixtures/karpov_miles.pgn", "threefold", move="26.Nb5")
    words = ["--claim=threefold", "--move=26.Nb5", "--format=jsonl", "fixtures/karpov_miles.pgn"]
    row = json.loads(arbiter("adjudicate", *words, exit_codes=(1,)))
    assert dataclasses.asdict(ruling) == row
    assert {field.name for field in dataclasses.fields(Ruling)} == row.keys()
    game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
    assert chess_arbiter.claim(io.StringIO(game), "threefold").upheld is True


def test_a_claim_that_cannot_be_decided_is_a_ruling() -> None:
    fen = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1"
    ruling = chess_arbiter.claim(None, "dead", nodes=1, fen=fen)
    assert ruling.upheld is None
    assert "raise it" in ruling.reason


def test_statistics_are_those_of_json() -> None:
    by = ["player", "year"]
    plain = arbiter("stats", "--quiet", "--format=json", "--by=player", "--by=year", FAMOUS)
    assert chess_arbiter.stats(FAMOUS, by=by) == json.loads(plain)


@pytest.mark.parametrize(
    ("make", "command", "paths", "options"),
    [
        (chess_arbiter.games, "adjudicate", "fixtures/endings.pgn", {"tags": "White,WhiteElo"}),
        (chess_arbiter.plies, "replay", "fixtures/annotated.pgn", {"variations": True}),
        (chess_arbiter.findings, "validate", "fixtures/findings", {"strict": True}),
    ],
)
def test_tables_have_the_rows_of_json_lines(
    tmp_path: Path,
    make: typing.Callable[..., Table],
    command: str,
    paths: str,
    options: dict[str, object],
) -> None:
    passed = chess_arbiter._arguments(options)
    lines = arbiter(command, "--quiet", "--format=jsonl", *passed, paths).splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row.pop("fix", None)  # not in the columns
        if row.get("date"):
            row["date"] = datetime.date.fromisoformat(row["date"])
    table = make(paths, **options)
    assert table.arrow().to_pylist() == rows
    assert table.polars().to_dicts() == rows
    relation = table.duckdb()
    names = list(rows[0])
    assert relation.columns == names
    assert [dict(zip(names, row, strict=True)) for row in relation.fetchall()] == rows
    frame = table.pandas()
    assert list(frame.columns) == names
    assert len(frame) == len(rows)
    kept = [name for name in names if not any(isinstance(row[name], list) for row in rows)]
    found = [row.to_dict() for _, row in frame[kept].iterrows()]
    for row, expected in zip(found, rows, strict=True):
        if expected.get("date"):
            row["date"] = row["date"].date()
        assert all(row[name] == expected[name] for name in kept if expected[name] is not None)
    assert (len(table), table.columns) == (len(rows), names)
    assert pyarrow.table(table).to_pylist() == rows
    assert polars.DataFrame(table).to_dicts() == rows
    stream = table
    assert duckdb.sql("SELECT count(*) FROM stream").fetchall() == [(len(rows),)]
    del stream
    # The relation reads the file, which stays when the table goes.
    del table
    assert len(left(tmp_path)) == 1
    assert relation.count("*").fetchall() == [(len(rows),)]


def test_a_table_is_removed_with_its_last_user(tmp_path: Path) -> None:
    table = chess_arbiter.games(FAMOUS)
    batches = pyarrow.RecordBatchReader.from_stream(table)
    del table
    assert len(left(tmp_path)) == 1
    assert batches.read_all().num_rows == 5
    del batches
    assert left(tmp_path) == []
    with chess_arbiter.games(FAMOUS) as table:
        table.duckdb()
        assert len(left(tmp_path)) == 1
    assert left(tmp_path) == []
    assert repr(table) == "Table: removed"


LIBRARIES = ["pyarrow", "polars", "duckdb"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_shows_its_head_and_types(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in LIBRARIES:
        if other != library:
            monkeypatch.setitem(sys.modules, other, None)
    table = chess_arbiter.games(FAMOUS)
    lines = repr(table).splitlines()
    assert lines[0] == "Table: 5 rows, 24 columns"
    assert len(table) == 5
    assert len(lines) == 1 + len(table.columns)
    white = next(line for line in lines if line.startswith("white "))
    assert "'Anderssen, Adolf', 'Anderssen, Adolf', 'Morphy, Paul'" in white
    assert max(map(len, lines)) == 100
    plies = next(line for line in lines if line.startswith("plies "))
    assert plies.split()[1].lower() in ("int64", "bigint")
    assert plies.endswith("  45, 47, 33, 36, 82")
    assert repr(chess_arbiter.findings(FAMOUS)).startswith("Table: 0 rows, 16 columns\ncode  ")
    monkeypatch.setitem(sys.modules, library, None)
    assert repr(table) == f"Table: {table.path}"


def test_a_table_is_written_as_parquet(tmp_path: Path) -> None:
    table = chess_arbiter.games(FAMOUS)
    path = tmp_path / "games.parquet"
    path.write_text("old")
    table.write(path)
    assert polars.read_parquet(path).equals(table.polars())
    with pytest.raises(ValueError, match=r"games\.csv"):
        table.write(tmp_path / "games.csv")
    assert sorted(found.name for found in tmp_path.iterdir()) == ["games.parquet", "tmp"]


def test_types_of_pandas() -> None:
    text = FAMOUS.read_text().replace('"1956.10.17"', '"1056.10.17"')
    frame = chess_arbiter.games(io.StringIO(text), tags="WhiteElo,TimeControl").pandas()
    assert str(frame["date"].dtype) == "datetime64[s]"
    assert frame["date"].iloc[-1].year == 1056
    assert (str(frame["WhiteElo"].dtype), str(frame["plies"].dtype)) == ("Int16", "Int64")
    assert frame["WhiteElo"].isna().all()
    plies = chess_arbiter.plies("fixtures/tags.pgn").pandas()
    assert (str(plies["check"].dtype), str(plies["clock"].dtype)) == ("boolean", "float64")
    assert plies["eval_cp"].tolist()[:2] == [-26, -25]
    assert plies["eval_cp"].isna().tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("paths", "options"),
    [
        (FAMOUS, {"by": ["year", "white"]}),
        (FAMOUS, {"by": "player", "top": 2}),
        ("fixtures/endings.pgn", {"by": "eco", "draws": True, "source": "rules"}),
        ("fixtures/endings.pgn", {"ratings": True}),
        ("fixtures/endings.pgn", {"ratings": True, "anchor": "Anna=3000"}),
        ("fixtures/match.pgn", {"pairs": True, "sprt": "0,10"}),
        (None, {"merge": ["fixtures/famous.json", "fixtures/endings.json"]}),
    ],
)
def test_statistics_have_the_table_of_csv(paths: typing.Any, options: dict[str, object]) -> None:
    words = [*chess_arbiter._arguments(options), *([paths] if paths else [])]
    csv = arbiter("stats", "--quiet", "--format=csv", *words)
    expected = pandas.read_csv(io.BytesIO(csv), dtype_backend="pyarrow")
    counts = chess_arbiter.stats(paths, **options)
    frame = counts.table().pandas()
    assert list(frame.columns) == list(expected.columns)
    for name in frame.columns:
        found = [None if pandas.isna(value) else value for value in frame[name]]
        shown = [None if pandas.isna(value) else value for value in expected[name]]
        assert found == [
            str(value) if isinstance(it, str) else value
            for value, it in zip(shown, found, strict=True)
        ], name
    if paths:
        with Path(paths).open() as file:
            assert chess_arbiter.stats(file, **options).table().pandas().equals(frame)
        assert chess_arbiter.stats(iter([paths]), **options).table().pandas().equals(frame)


def test_games_of_python_chess() -> None:
    with FAMOUS.open() as file:
        first, second = chess.pgn.read_game(file), chess.pgn.read_game(file)
    rows = chess_arbiter.games([first, second]).polars().drop("file").rows()
    assert rows == chess_arbiter.games(FAMOUS, games="1-2").polars().drop("file").rows()
    assert chess_arbiter.claim(second, "threefold").upheld is False
    assert list(chess_arbiter.validate(first)) == []
    with pytest.raises(TypeError):
        chess_arbiter.games([first, FAMOUS])


def test_the_version_is_that_of_the_binary() -> None:
    assert arbiter("--version").split()[1].decode() == chess_arbiter.__version__
    with pytest.raises(AttributeError, match="__revision__"):
        chess_arbiter.__revision__  # noqa: B018


def test_help_lists_the_options() -> None:
    assert help_text.FILE.read_text() == help_text.listed(), (
        "python tests/options.py writes it anew"
    )
    shown = pydoc.plain(pydoc.render_doc(chess_arbiter.stats))
    assert "min_games: Show only groups with at least N games" in shown
    assert "format:" not in shown
    for name, command in [("validate", "validate"), ("games", "adjudicate"), ("plies", "replay")]:
        function = getattr(chess_arbiter, name)
        listed = re.findall(r"(?m)^      (\w+): ", function.__doc__.partition("Options:")[2])
        taken = set(chess_arbiter._options(BINARY, command, ()))
        taken -= set(f"{chess_arbiter._OWNED} {chess_arbiter._OWNED_BY[name]}".split())
        assert {word.replace("_", "-") for word in listed} == taken


def test_relations_join_those_of_their_connection() -> None:
    byrne = chess_arbiter.games(FAMOUS).duckdb().filter("white LIKE 'Byrne%'").set_alias("byrne")
    plies = chess_arbiter.plies(FAMOUS).duckdb().set_alias("plies")
    joined = byrne.join(plies, "byrne.file = plies.file AND byrne.game = plies.game")
    assert joined.count("*").fetchall() == [(82,)]
    assert duckdb.sql("SELECT count(*) FROM byrne").fetchall() == [(1,)]
    with duckdb.connect() as connection:
        relation = chess_arbiter.games(FAMOUS).duckdb(connection)
        assert relation.count("*").fetchall() == [(5,)]
        assert connection.sql("SELECT count(*) FROM relation").fetchall() == [(5,)]


def test_a_table_that_is_not_made_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ArbiterError):
        chess_arbiter.games([FAMOUS, "missing.pgn"])
    assert left(tmp_path) == []


def process_of(folder: Path) -> int:
    """The process of the script that `waiting` makes."""
    file = folder / "process"
    wait_for(lambda: file.exists() and file.read_text().endswith("\n"), "the binary")
    return int(file.read_text())


def waiting(folder: Path) -> Path:
    # By then, Python waits for it.
    return script(folder, f"sleep 1; echo $$ > '{folder}/process'; exec sleep 600")


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    "call",
    [
        "list(chess_arbiter.validate('a.pgn'))",
        "chess_arbiter.stats('a.pgn')",
        "chess_arbiter.games('a.pgn')",
        "chess_arbiter.run_part(1, 1, 'stats', 'a.pgn', 'out')",
    ],
)
def test_ctrl_c_ends_the_binary(tmp_path: Path, call: str) -> None:
    program = f"import chess_arbiter\ntry: {call}\nexcept KeyboardInterrupt: print('interrupted')\n"
    environment = {
        **os.environ,
        "ARBITER": str(waiting(tmp_path)),
        "PYTHONPATH": str(ROOT / "python/src"),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    words = [sys.executable, "-c", program]
    # The signal reaches Python only, not its process group.
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as python:
        binary = process_of(tmp_path)
        python.send_signal(signal.SIGINT)
        output, _ = python.communicate()
    assert output == "interrupted\n"
    assert not is_running(binary)
    assert left(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not end it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_python_ends_the_binary(tmp_path: Path, number: signal.Signals) -> None:
    call = "list(chess_arbiter.validate('a.pgn'))"
    # Threads of Python are no processes, and a thread that has ended ends nothing.
    program = f"import chess_arbiter, threading\nthreading.Thread(target=lambda: {call}).start()\n"
    environment = {
        **os.environ,
        "ARBITER": str(waiting(tmp_path)),
        "PYTHONPATH": str(ROOT / "python/src"),
    }
    with subprocess.Popen([sys.executable, "-c", program], env=environment) as python:
        binary = process_of(tmp_path)
        assert is_running(binary)
        python.send_signal(number)
    wait_for(lambda: not is_running(binary), "the end of the binary")


def test_an_iterator_outlives_the_thread_that_begins_it() -> None:
    found = chess_arbiter.validate(FINDINGS, strict=True)
    thread = threading.Thread(target=next, args=(found,))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert len(list(found)) > 100


def test_an_iterator_that_is_closed_ends_the_binary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"code": "E201", "name": "a", "severity": "error", "message": "m", "file": "f"}
    (tmp_path / "row").write_text(json.dumps(row) + "\n")
    binary = script(
        tmp_path, f"echo $$ > '{tmp_path}/process'; cat '{tmp_path}/row'; exec sleep 600"
    )
    monkeypatch.setenv("ARBITER", str(binary))
    found = chess_arbiter.validate("f")
    # It comes while the binary still runs.
    assert next(found) == Finding(**row)
    process = process_of(tmp_path)
    assert is_running(process)
    found.close()
    assert not is_running(process)


def module(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src")}
    words = [sys.executable, "-m", "chess_arbiter", *arguments]
    return subprocess.run(words, env=environment, capture_output=True)


def test_the_module_runs_the_command() -> None:
    run = module("validate", "--format=concise", "--quiet", BAD)
    assert run.returncode == 1
    assert run.stdout == arbiter("validate", "--format=concise", "--quiet", BAD)
    assert module("validate", "missing.pgn").returncode == 2
    assert module("--version").stdout == arbiter("--version")


def test_a_missing_binary_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARBITER")
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    with pytest.raises(FileNotFoundError, match="no `arbiter` in "):
        chess_arbiter.stats(FAMOUS)


@pytest.mark.parametrize("command", ["validate", "replay"])
def test_parts_are_concatenated(tmp_path: Path, command: str) -> None:
    inputs = [FINDINGS, *sorted((ROOT / "fixtures").glob("*.pgn"))]
    parts = range(1, 5)
    counts = [tmp_path / f"{part}.count" for part in parts]
    rows = [tmp_path / f"{part}.csv" for part in parts]
    for part, output in zip(parts, counts, strict=True):
        chess_arbiter.run_part(part, len(parts), "stats", inputs, output, count=True)
    for part, output in zip(parts, rows, strict=True):
        options = {"format": "csv", "counts": counts}
        codes = chess_arbiter.run_part(part, len(parts), command, inputs, output, **options)
        assert codes in (0, 1)
    plain = arbiter(command, "--quiet", "--format=csv", *inputs)
    assert plain.count(b"\n") > 50
    assert b"".join(output.read_bytes() for output in rows) == plain


def blocks(manual: str) -> list[str]:
    return re.findall(r"(?s)```python\n(.*?)```", manual)


def recipe(word: str) -> str:
    (block,) = (block for block in blocks(MANUAL.read_text()) if word in block)
    assert len([line for line in block.splitlines() if line]) <= 10
    return block


def in_a_folder_of_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = folder / "games"
    games.mkdir()
    for name in ("famous", "endings", "karpov_miles"):
        (games / f"{name}.pgn").write_bytes((ROOT / f"fixtures/{name}.pgn").read_bytes())
    monkeypatch.chdir(folder)


def test_the_first_steps_of_the_manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_folder_of_games(tmp_path, monkeypatch)
    (tmp_path / "game.pgn").write_bytes((ROOT / "fixtures/karpov_miles.pgn").read_bytes())
    names: dict[str, object] = {}
    exec(recipe("import chess_arbiter as arbiter"), names)
    assert names["counts"]["games"] == 12
    assert names["ruling"].upheld is False
    assert names["endings"].columns == ["board", "count_star()"]


PLAYERS = ["Anna", "Boris", "Clara", "Dora"]


def random_games(count: int) -> list[chess.pgn.Game]:
    """Games of random moves with clock times, evaluations and ratings; some begin alike."""
    found = []
    for number in range(count):
        draw = random.Random(number)
        white, black = draw.sample(PLAYERS, 2)
        game = chess.pgn.Game()
        game.headers.update(White=white, Black=black, Date=f"2024.0{1 + number % 3}.05")
        game.headers.update(WhiteElo=str(draw.randrange(1500, 2000)), BlackElo="1750")
        game.headers.update(
            ECO=f"B{10 + number % 7}", Result=draw.choice(["1-0", "0-1", "1/2-1/2"])
        )
        game.headers["Termination"] = draw.choice(["Normal", "Time forfeit"])
        node, opening = game, random.Random(number % 7)
        for ply in range(30 + 3 * number):
            moves = sorted(node.board().legal_moves, key=str)
            if not moves or node.board().is_game_over():
                break
            node = node.add_variation((opening if ply < 20 else draw).choice(moves))
            node.set_clock(600 - ply)
            if draw.random() < 0.9:
                node.set_eval(chess.engine.PovScore(chess.engine.Cp(draw.randrange(999)), True))
        found.append(game)
    return found


def test_the_ten_questions_of_the_manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has at most two lines; python-chess gives the answers."""
    games = random_games(35)
    (tmp_path / "games").mkdir()
    (tmp_path / "games/a.pgn").write_text("\n\n".join(map(str, games)) + "\n")
    monkeypatch.chdir(tmp_path)
    (block,) = (block for block in blocks(MANUAL.read_text()) if "# 10. " in block)
    _, *questions = re.split(r"(?m)^# \d+\. .*\n", block)
    assert [len(question.split()) > 0 for question in questions] == [True] * 10
    assert all(len(question.strip().splitlines()) <= 2 for question in questions)
    names: dict[str, typing.Any] = {}
    exec(block, names)
    headers = [game.headers for game in games]
    nodes = [list(game.mainline()) for game in games]

    def mean(numbers: typing.Iterable[float]) -> object:
        every = list(numbers)
        return pytest.approx(sum(every) / len(every), abs=1e-6)

    worth = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
    for eco, count, score in names["best"].rows():
        results = [worth[header["Result"]] for header in headers if header["ECO"] == eco]
        assert (count, score) == (len(results), mean(results))
    ecos = {header["ECO"] for header in headers}
    scores = [[worth[it["Result"]] for it in headers if it["ECO"] == eco] for eco in ecos]
    assert names["best"]["white_score"][0] == pytest.approx(
        max(sum(score) / len(score) for score in scores), abs=1e-6
    )
    left = dict(names["left"].fetchall())
    assert left["white"] == mean(game[78].clock() for game in nodes if len(game) > 78)
    assert left["black"] == mean(game[79].clock() for game in nodes if len(game) > 79)
    assert names["longest"]["plies"] == max(map(len, nodes))
    assert names["on_time"] == mean(it["Termination"] == "Time forfeit" for it in headers)
    positions = Counter(game[19].board().board_fen() for game in nodes)
    found = {fen.split()[0]: count for fen, count in names["frequent"].rows()}
    assert found.items() <= positions.items()
    assert sorted(found.values()) == sorted(n for _, n in positions.most_common(5))
    evals = [[node.eval() and node.eval().white().score() for node in game] for game in nodes]
    swings = sorted(
        abs(now - before)
        for game in evals
        for before, now in itertools.pairwise(game)
        if before is not None and now is not None
    )
    assert sorted(names["blunders"]["swing"]) == swings[-5:]
    differences = names["scores"].fetchall()
    assert sum(count for _, count, _ in differences) == len(games)
    assert len(differences) > 3
    assert sum(names["draws"].values()) == sum(it["Result"] == "1/2-1/2" for it in headers)
    ends = [(it["White"], it["Result"]) for it in headers]
    ends += [(it["Black"], it["Result"][::-1]) for it in headers]
    assert len(names["lost_games"]) == ends.count(("Anna", "0-1"))
    assert names["months"].to_dict() == {"2024-01": 12, "2024-02": 12, "2024-03": 11}


def test_the_query_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With DuckDB on the command line and in Python, both as shown."""
    text = (ROOT / "README.md").read_text()
    _, text = text.split("## Query games")
    fences = r"(?s)```sh\npip .*?\n(.*?)```.*?```python\n(.*?)```.*?```text\n(.*?)```"
    shell, program, table = re.search(fences, text).groups()
    exec(program, {})
    assert capfd.readouterr().out == table + "\n"
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    tools = [str(BINARY.parent), str(Path(sys.executable).parent)]
    monkeypatch.setenv("PATH", os.pathsep.join([*tools, os.environ["PATH"]]))
    subprocess.run(["bash", "-ec", shell], check=True)
    assert capfd.readouterr().out == table


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_the_recipe_for_dask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str
) -> None:
    import dask

    in_a_folder_of_games(tmp_path, monkeypatch)
    names: dict[str, object] = {}
    with dask.config.set(scheduler=scheduler):
        exec(recipe("import dask"), names)
    assert len(list(tmp_path.glob("part-*.json"))) == 8
    assert names["counts"] == chess_arbiter.stats("games", by="year")


def test_the_recipe_for_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray is replaced by calls in this process."""
    in_a_folder_of_games(tmp_path, monkeypatch)
    ray = types.SimpleNamespace(
        remote=lambda function: types.SimpleNamespace(remote=function), get=list
    )
    monkeypatch.setitem(sys.modules, "ray", ray)
    names: dict[str, object] = {}
    exec(recipe("import ray"), names)
    assert names["counts"] == chess_arbiter.stats("games", by="year")


def test_the_recipe_for_airflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Airflow is replaced by calls in this process, one after the other."""
    in_a_folder_of_games(tmp_path, monkeypatch)

    results = []

    class Task:
        def __init__(self, function: typing.Callable[..., object]) -> None:
            self.function = function

        def expand(self, part: list[int]) -> Task:
            for number in part:
                self.function(number)
            return self

        def __call__(self, **arguments: object) -> Task:
            return Task(functools.partial(self.function, **arguments))

        def __rshift__(self, after: Task) -> None:
            results.append(after.function())

    sdk = types.SimpleNamespace(DAG=contextlib.nullcontext, task=Task)
    monkeypatch.setitem(sys.modules, "airflow", types.ModuleType("airflow"))
    monkeypatch.setitem(sys.modules, "airflow.sdk", sdk)
    exec(recipe("airflow").replace("/shared", str(tmp_path)), {})
    assert results == [chess_arbiter.stats(tmp_path / "games", by="year")]
