"""Arguments that are refused before Spark starts, and tasks without the package."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from conftest import BINARY
from pyspark import cloudpickle

import chess_arbiter
from chess_arbiter import spark as job


def test_a_misspelt_key_is_refused(games: Path, tmp_path: Path) -> None:
    with pytest.raises(job.ArbiterError, match=r"(?s)arbiter stats: exit code 2\n.*no such key"):
        job.stats(None, [games], tmp_path / "out", by=["spee"], binary=BINARY)
    assert not (tmp_path / "out").exists()


def test_an_unknown_option_is_refused(games: Path, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"spark\.rows\(\) takes no option `strickt`"):
        job.rows(None, "validate", [games], tmp_path / "out", strickt=True, binary=BINARY)
    with pytest.raises(TypeError, match=r"spark\.stats\(\) takes no option `format`, `jobs`"):
        job.stats(None, [games], tmp_path / "out", format="csv", jobs=2, binary=BINARY)
    with pytest.raises(ValueError, match="no command with rows: 'stats'"):
        job.rows(None, "stats", [games], tmp_path / "out", binary=BINARY)
    with pytest.raises(ValueError, match="groups must be one of json, parquet"):
        job.stats(None, [games], tmp_path / "out", groups="csv", binary=BINARY)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--stric", "unrecognized arguments: --stric"),
        ("--parts=x", "argument --parts: invalid int value: 'x'"),
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
    assert (prepared.paths, prepared.out) == ([str(games)], out)
    prepared = job._prepare("stats", str(games), out, "json", None, BINARY, {})
    assert prepared.paths == [str(games)]
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
    with pytest.raises(ValueError, match="embedded null byte"):
        job.stats(None, [games], out, binary=BINARY, where="White=\0")


PASSED = [
    "stats --by=speed --by=tag:Round --draws --source=rules --rules=fide --where=White=A*",
    "validate --strict --mainline --null-moves --csv-safe --select=E2 --ignore=E3 --fail-on=note",
    "adjudicate --claims --nodes=9 --solver-memory=9 --tags=ECO --piece-letters=german",
    "adjudicate --contradictions",
    "replay --variations --at=3 --columns=game --columns=san --illegal=play",
]


@pytest.mark.parametrize("words", PASSED)
@pytest.mark.parametrize("separator", ["=", " "])
def test_the_command_line_passes_options_on(
    games: Path, tmp_path: Path, words: str, separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, prepared = job._prepare, []

    def prepare(*arguments: object) -> None:
        prepared.append(real(*arguments))
        raise OSError("enough")

    monkeypatch.setattr(job, "_prepare", prepare)
    command, *options = words.split()
    given = [part for option in options for part in option.split("=", 1)]
    out = ["--out", str(tmp_path / "out"), "--binary", str(BINARY)]
    assert job.main([command, str(games), *out, *(options if separator == "=" else given)]) == 2
    (found,) = prepared
    passed = set(chess_arbiter._arguments(found.options))
    expected = "json" if command == "stats" else "csv"
    assert passed == {*options, "--no-config", f"--format={expected}"}


def test_all_options_are_passed_on() -> None:
    passed = {word.partition("=")[0] for words in PASSED for word in words.split()[1:]}
    assert passed == {f"--{name}" for name in f"{job._FLAGS} {job._VALUES}".split()}


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


def test_the_number_of_parts_follows_the_size(tmp_path: Path) -> None:
    file = tmp_path / "a.pgn"
    for mebibytes, parts in [(0, 1), (1, 1), (17, 2), (1024, 64), (20_000, 79)]:
        with file.open("wb") as empty:  # it takes no room
            empty.truncate(mebibytes << 20)
        prepared = job._prepare("stats", file, tmp_path / "out", "json", None, BINARY, {})
        assert prepared.parts == parts


def test_the_error_of_a_task_is_found_in_the_report() -> None:
    report = (
        "An exception was thrown from the Python worker:\n"
        "Traceback (most recent call last):\n"
        "    raise ArbiterError(name, code)\n"
        "chess_arbiter.ArbiterError: arbiter stats, part 2/3: exit code 2\n"
        "error: a.pgn: cannot read{end}"
    )
    for end in [
        "",
        "\n\n\tat org.apache.spark",
        "\n\tat org",
        "\n SQLSTATE: 38000",
        " SQLSTATE: 38000",
    ]:
        found = job._OWN.search(report.format(end=end))
        assert found is not None
        told = ("arbiter stats, part 2/3", None, "2", "error: a.pgn: cannot read")
        assert found.groups() == told, end
    killed = job._OWN.search("ArbiterError: arbiter stats: killed by signal 9\n\n\tat org")
    assert killed is not None
    assert killed.groups() == ("arbiter stats", "killed by signal", "9", None)
    lost = report.replace("ArbiterError: ", "OtherError: ")
    assert job._OWN.search(lost) is None


def test_a_failed_session_is_reported_in_a_line() -> None:
    report = (
        "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
        ": java.net.BindException: Cannot assign requested address\n"
        "\tat java.base/sun.nio.ch.Net.bind0(Native Method)\n"
    )
    expected = "java.net.BindException: Cannot assign requested address"
    assert job._reason(report) == expected
    report = ": org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 failed.\n"
    assert job._reason(report).endswith("Job aborted due to stage failure: Task 1 failed.")


def test_tasks_run_without_the_package(games: Path, tmp_path: Path) -> None:
    prepared = job._prepare("stats", [games], tmp_path / "out", "json", None, BINARY, {})
    task = cloudpickle.dumps(partial(job._run, prepared, 1, tmp_path / "part"))
    program = (
        "import pickle, sys\n"
        "sys.modules['chess_arbiter'] = None\n"
        "task = pickle.loads(sys.stdin.buffer.read())\n"
        "print(task.func.__name__, task.args[0].command)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=task, capture_output=True)
    assert run.stdout.decode() == "_run stats\n", run.stderr.decode()


def test_the_job_uses_data_frames_only() -> None:
    source = Path(job.__file__).read_text()
    for word in ("RDD", "_jvm", "_jsc", "parallelize", "py4j"):
        assert word not in source, word
