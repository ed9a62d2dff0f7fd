"""Arguments that are refused before Spark starts, and tasks without the package."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from conftest import BINARY, arbiter
from pyspark import cloudpickle

from chess_arbiter import spark as job


def test_a_misspelt_key_is_refused(games: Path, tmp_path: Path) -> None:
    with pytest.raises(job.ArbiterError, match=r"(?s)arbiter stats: exit code 2\n.*no such key"):
        job.stats(None, [games], tmp_path / "out", by=["spee"], binary=BINARY)
    assert not (tmp_path / "out").exists()


def test_an_unknown_option_is_refused(games: Path, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="validate has no option 'strickt'"):
        job.rows(None, "validate", [games], tmp_path / "out", strickt=True, binary=BINARY)
    with pytest.raises(ValueError, match="no command with rows: 'stats'"):
        job.rows(None, "stats", [games], tmp_path / "out", binary=BINARY)
    with pytest.raises(ValueError, match="groups must be one of json, parquet"):
        job.stats(None, [games], tmp_path / "out", groups="csv", binary=BINARY)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--stric", "unrecognized arguments: --stric"),
        ("--parts=0", "argument --parts: not a positive number: '0'"),
        ("--parts=x", "argument --parts: not a positive number: 'x'"),
        ("--format=xml", "argument --format: invalid choice: 'xml'"),
    ],
)
def test_the_command_line_refuses(
    argument: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_code:
        job.main(["validate", "games.pgn", "--out", "out", argument])
    assert exit_code.value.code == 2
    assert message in capsys.readouterr().err


def test_an_output_folder_with_files_is_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept").write_text("kept")
    arguments = ["stats", str(games), "--out", str(tmp_path), "--binary", str(BINARY)]
    assert job.main(arguments) == 2
    expected = f"error: output exists, and is not an empty folder: {tmp_path}\n"
    assert capsys.readouterr().err == expected
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_missing_files_are_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "out")]
    missing = tmp_path / "missing"
    assert job.main(["stats", str(games), str(missing), *out]) == 2
    assert capsys.readouterr().err == f"error: no such file or folder: {missing}\n"
    assert job.main(["stats", str(games), *out, "--binary", str(missing)]) == 2
    assert capsys.readouterr().err == f"error: no such file: {missing}\n"
    with pytest.raises(SystemExit):
        job.main(["stats", *out])
    assert "the following arguments are required: PATH" in capsys.readouterr().err
    with pytest.raises(ValueError, match="no input"):
        job.stats(None, [], tmp_path / "out", binary=BINARY)
    with pytest.raises(ValueError, match="parts must be positive, not 0"):
        job.rows(None, "replay", [games], tmp_path / "out", parts=0, binary=BINARY)
    assert not (tmp_path / "out").exists()


def test_files_are_named_by_paths_or_file_uris(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "with blank"
    prepared = job._prepare("stats", [games.as_uri()], out.as_uri(), "json", None, BINARY, {})
    assert (prepared.paths, prepared.out) == ((str(games),), out)
    prepared = job._prepare("stats", str(games), out, "json", None, BINARY, {})
    assert prepared.paths == (str(games),)
    assert job._local("file://localhost/a%20b#c?d") == Path("/a b#c?d")
    for uri in ("hdfs://host/games.pgn", "s3a://bucket/games.pgn", "file://host/games.pgn"):
        with pytest.raises(OSError, match=f"neither a path nor a `file:` URI .*: {uri}"):
            job.stats(None, [uri], out, binary=BINARY)
        with pytest.raises(OSError, match=uri):
            job.stats(None, [games], uri, binary=BINARY)
    for path in ("", "a\0b", "file:///a%00b"):
        with pytest.raises(OSError, match="a path must not be empty or contain a NUL"):
            job.stats(None, [path], out, binary=BINARY)
        with pytest.raises(OSError, match="a path must not be empty or contain a NUL"):
            job.stats(None, [games], path, binary=BINARY)
    with pytest.raises(ValueError, match="an option must not contain a NUL"):
        job.stats(None, [games], out, binary=BINARY, where="White=\0")


def test_options_become_arguments() -> None:
    passed = {"by": ["speed", "tag:Round"], "draws": True, "source": None, "rules": "auto"}
    expected = ("--by=speed", "--by=tag:Round", "--draws", "--rules=auto")
    assert job._option_arguments("stats", passed) == expected
    assert job._option_arguments("replay", {"variations": False, "where": "White=A*"}) == (
        "--where=White=A*",
    )
    passed = {"columns": ["game", "san"], "csv_safe": True}
    expected = ("--columns=game", "--columns=san", "--csv-safe")
    assert job._option_arguments("replay", passed) == expected
    passed = {"select": ["E201", "W2"], "fail_on": "note"}
    expected = ("--select=E201,W2", "--fail-on=note")
    assert job._option_arguments("validate", passed) == expected


@pytest.mark.parametrize("command", job._OPTIONS)
def test_the_binary_has_all_options(command: str) -> None:
    known = arbiter(command, "--help", exit_codes=(0,)).decode().split()
    assert {job._flag(name) for name in job._OPTIONS[command]} <= set(known)


def test_an_unknown_column_is_refused(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["replay", str(games), "--out", str(out), "--binary", str(BINARY)]
    assert job.main([*arguments, "--columns", "game,colour"]) == 2
    assert "invalid value 'colour' for '--columns <NAMES>'" in capsys.readouterr().err
    assert not out.exists()


def test_folders_count_with_their_games(games: Path, tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper/a.PGN.zst").write_bytes(b"12345")
    (tmp_path / "b.zip").write_bytes(b"123")
    (tmp_path / "c.txt").write_bytes(b"1")
    assert job._stored_bytes([str(tmp_path)]) == 8
    assert job._stored_bytes([str(tmp_path / "c.txt"), str(tmp_path)]) == 9


def test_the_message_of_a_task_is_found_in_the_report() -> None:
    report = (
        "An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.\n"
        ": org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 failed.\n"
        "Traceback (most recent call last):\n"
        "    raise ArbiterError(message)\n"
        "chess_arbiter.spark.ArbiterError: arbiter stats, part 2/3: exit code 2\n"
        "error: a.pgn: cannot read\n"
        "\n"
        "\tat org.apache.spark.api.python.BasePythonRunner\n"
    )
    assert job._reason(report) == (
        "arbiter stats, part 2/3: exit code 2\nerror: a.pgn: cannot read"
    )
    lost = report.replace("ArbiterError: ", "OtherError: ")
    assert job._reason(lost).endswith("Job aborted due to stage failure: Task 1 failed.")
    no_session = (
        "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
        ": java.net.BindException: Cannot assign requested address\n"
        "\tat java.base/sun.nio.ch.Net.bind0(Native Method)\n"
    )
    expected = "java.net.BindException: Cannot assign requested address"
    assert job._reason(no_session) == expected


@pytest.mark.parametrize(
    ("end", "how"), [("exit 3", "exit code 3"), ("kill -9 $$", "killed by signal 9")]
)
def test_a_failed_run_is_reported_with_the_end_of_stderr(
    tmp_path: Path, end: str, how: str
) -> None:
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\nfor n in $(seq 9); do echo line $n; echo; done >&2\n{end}\n")
    script.chmod(0o755)
    with pytest.raises(job.ArbiterError) as error:
        job._run(script, [], "arbiter stats, part 2/3")
    lines = [f"line {number}" for number in range(5, 10)]
    assert str(error.value).splitlines() == [f"arbiter stats, part 2/3: {how}", *lines]


def test_tasks_run_without_the_package(games: Path, tmp_path: Path) -> None:
    prepared = job._prepare("stats", [games], tmp_path / "out", "json", None, BINARY, {})
    task = cloudpickle.dumps(partial(job._read_part, prepared, "stats", ()))
    program = (
        "import pickle, sys\n"
        "sys.modules['chess_arbiter'] = None\n"
        "task = pickle.loads(sys.stdin.buffer.read())\n"
        "print(task.func.__name__, task.args[0].command)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=task, capture_output=True)
    assert run.stdout.decode() == "_read_part stats\n", run.stderr.decode()
