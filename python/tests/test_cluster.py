"""Results on clusters equal those of one plain run, whatever fails on the way."""

from __future__ import annotations

import csv
import datetime
import functools
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyspark
import pytest
from conftest import (
    BINARY,
    PARTS,
    ROOT,
    SUCCESS,
    Script,
    arbiter,
    executors,
    frames,
    rows_of,
    session,
    wait_for,
    wait_for_two,
)
from pyspark.sql import SparkSession

import chess_arbiter
from chess_arbiter.spark import ArbiterError, main, rows, stats

needs_connect = pytest.mark.skipif(
    pyspark.__version__ < "4", reason="the Connect server of Spark 3.5 is not in its wheel"
)

KEYS = ["speed", "month"]
BY = [f"--by={key}" for key in KEYS]


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """Sessions, one after the other: a process has one at a time."""
    if request.param == "local-cluster":
        spark = session("local-cluster[2,1,1024]")
    elif request.param == "standalone":
        # Low limits, so that a slow attempt gets a copy on the other host at once.
        conf = {
            "spark_speculation": "true",
            "spark_speculation_interval": "100ms",
            "spark_speculation_multiplier": "1.5",
            "spark_speculation_quantile": "0.5",
        }
        spark = session(request.getfixturevalue("master"), **conf)
    else:
        if pyspark.__version__ < "4":
            pytest.skip("the Connect server of Spark 3.5 is not in its wheel")
        url = request.getfixturevalue("connect")
        spark = SparkSession.builder.remote(url).getOrCreate()
    yield spark
    spark.stop()


def on(*names: str) -> pytest.MarkDecorator:
    """Runs a test on these clusters only."""
    return pytest.mark.parametrize("cluster", names, indirect=True, scope="module")


every = on("local-cluster", "standalone", "connect")
one = on("local-cluster")


def wait_until(file: Path) -> str:
    """Commands of a script that wait for a file, ten minutes at most."""
    return f"for n in $(seq 3000); do [ -e '{file}' ] && break; sleep 0.2; done"


@every
def test_statistics_are_those_of_one_run(
    cluster: SparkSession, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chess_arbiter.spark._MERGED", 4)  # of six
    result = stats(cluster, [games], tmp_path, by=KEYS, draws=True, parts=PARTS, binary=BINARY)
    assert result == tmp_path / "statistics.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == [SUCCESS, "statistics.json"]
    plain = arbiter("stats", "--quiet", "--format=json", *BY, "--draws", games)
    assert len(plain) > 1000
    assert result.read_bytes() == plain


def rows_are_those_of_one_run(
    cluster: SparkSession, games: Path, folder: Path, command: str, form: str, **options: object
) -> None:
    plain_options = chess_arbiter._arguments({**options, "format": form})
    plain = arbiter(command, "--quiet", *plain_options, games)
    assert plain.count(b"\n") > 1000
    settings = {"format": form, "parts": PARTS, "binary": BINARY}
    reported = rows(cluster, command, [games], folder, **settings, **options)
    assert rows_of(folder, form) == plain
    without_empty = [path for path in games.iterdir() if path.stat().st_size]
    words = [BINARY, command, "--quiet", *plain_options, *without_empty]
    assert reported == (subprocess.run(words, capture_output=True).returncode == 1)


@on("standalone", "connect")
def test_findings_are_those_of_one_run(cluster: SparkSession, games: Path, tmp_path: Path) -> None:
    options = {"ignore": "E2", "where": ["White=*"]}
    rows_are_those_of_one_run(cluster, games, tmp_path, "validate", "jsonl", **options)


@one
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("validate", {"strict": True}),
        ("adjudicate", {}),
        ("replay", {"at": "10-20", "columns": ["uci", "game"]}),
    ],
)
def test_rows_are_those_of_one_run(
    cluster: SparkSession, games: Path, tmp_path: Path, command: str, options: dict[str, object]
) -> None:
    rows_are_those_of_one_run(cluster, games, tmp_path, command, "csv", **options)


@one
def test_parquet_parts_are_a_table_of_the_rows_of_one_run(
    cluster: SparkSession, games: Path, tmp_path: Path
) -> None:
    options = {"format": "parquet", "tags": "WhiteElo,UTCDate", "parts": PARTS, "binary": BINARY}
    rows(cluster, "adjudicate", [games], tmp_path, **options)
    names = ["WhiteElo", "game", "plies", "board", "file"]
    assert len(list(tmp_path.glob("part-*.parquet"))) == PARTS
    table = cluster.read.parquet(str(tmp_path))
    assert table.schema["WhiteElo"].dataType.typeName() == "short"
    assert table.schema["UTCDate"].dataType.typeName() == "date"
    found = [tuple(row) for row in table.select(names).collect()]
    tags = "--tags=WhiteElo,UTCDate"
    plain = arbiter("adjudicate", "--quiet", "--format=jsonl", tags, games)
    rows_of_all = [json.loads(line) for line in plain.splitlines()]
    expected = [tuple(row[name] for name in names) for row in rows_of_all]
    assert sorted(found, key=repr) == sorted(expected, key=repr)


@one
def test_parquet_parts_have_the_chosen_columns(
    cluster: SparkSession, games: Path, tmp_path: Path
) -> None:
    names = ["ply", "game", "san"]
    options = {"at": "10-12", "columns": names, "parts": PARTS, "binary": BINARY}
    rows(cluster, "replay", [games], tmp_path, format="parquet", **options)
    tables = [cluster.read.parquet(str(part)) for part in sorted(tmp_path.glob("part-*.parquet"))]
    assert [table.columns for table in tables] == [names] * PARTS
    found = [tuple(row) for table in tables for row in table.collect()]
    plain = arbiter("replay", "--quiet", "--format=jsonl", "--at=10-12", games)
    expected = [json.loads(line) for line in plain.splitlines()]
    assert found == [tuple(row[name] for name in names) for row in expected]


@one
@pytest.mark.parametrize("vectorized", ["true", "false"])
@pytest.mark.parametrize(
    ("command", "options"), [("replay", {"columns": "fen"}), ("adjudicate", {"tags": "movetext"})]
)
def test_both_readers_of_spark_read_texts(
    cluster: SparkSession,
    games: Path,
    tmp_path: Path,
    vectorized: str,
    command: str,
    options: dict[str, str],
) -> None:
    (name, column), *_ = options.items()
    rows(cluster, command, [games], tmp_path, format="parquet", parts=1, binary=BINARY, **options)
    reader = "spark.sql.parquet.enableVectorizedReader"
    cluster.conf.set(reader, vectorized)
    try:
        [part] = tmp_path.glob("part-*.parquet")
        found = [row[0] for row in cluster.read.parquet(str(part)).select(column).collect()]
    finally:
        cluster.conf.unset(reader)
    plain = arbiter(command, "--quiet", "--format=jsonl", f"--{name}={column}", games)
    assert found == [json.loads(line)[column] for line in plain.splitlines()]
    # Spark reads 4096 rows at a time.
    assert command != "replay" or len(found) > 3 * 4096


@one
def test_the_columns_beside_a_time_are_read_by_a_schema(
    cluster: SparkSession, tmp_path: Path
) -> None:
    options = {"format": "parquet", "tags": "lichess", "parts": 2, "binary": BINARY}
    rows(cluster, "adjudicate", [ROOT / "fixtures/tags.pgn"], tmp_path, **options)
    with pytest.raises(Exception, match=r"INT32 \(TIME\(MILLIS,false\)\)"):
        cluster.read.parquet(str(tmp_path))
    schema = "White STRING, UTCDate DATE, board STRING"
    (row,) = cluster.read.schema(schema).parquet(str(tmp_path)).collect()
    assert tuple(row) == ("anna", datetime.date(2024, 2, 29), "checkmate")


@one
def test_two_executors_take_part(cluster: SparkSession, games: Path, tmp_path: Path) -> None:
    before = executors(cluster)
    stats(cluster, [games], tmp_path, parts=PARTS, binary=BINARY)
    after = executors(cluster)
    done = [tasks - before[name][1] for name, (_, tasks) in after.items()]
    assert len(done) == 2
    assert min(done) > 0
    assert sum(done) >= PARTS


@one
def test_the_order_of_merging_is_of_no_account(
    cluster: SparkSession, games: Path, tmp_path: Path
) -> None:
    parts = []
    for part in range(1, PARTS + 1):
        parts.append(tmp_path / f"{part}.json")
        options = [f"--part={part}/{PARTS}", f"--output={parts[-1]}"]
        arbiter("stats", "--quiet", "--format=json", *BY, *options, games, exit_codes=(0,))
    plain = arbiter("stats", "--quiet", "--format=json", *BY, games)
    for order in (parts, parts[::-1], parts[5:] + parts[:5]):
        merged = arbiter("stats", "--quiet", "--format=json", "--merge", *order)
        assert merged == plain


@on("local-cluster", "connect")
def test_groups_of_players_as_parquet(cluster: SparkSession, games: Path, tmp_path: Path) -> None:
    groups_are_those_of_the_merged_parts(cluster, games, tmp_path, by=["player"], draws=True)


@one
@pytest.mark.parametrize("options", [{"by": KEYS, "source": "rules"}, {"by": "tag:a`b"}, {}])
def test_groups_as_parquet(
    cluster: SparkSession, games: Path, tmp_path: Path, options: dict[str, object]
) -> None:
    groups_are_those_of_the_merged_parts(cluster, games, tmp_path, **options)


def groups_are_those_of_the_merged_parts(
    cluster: SparkSession, games: Path, folder: Path, **options: object
) -> None:
    """The parts as a table of Spark equal those that the binary merges, to the last bit."""
    passed = chess_arbiter._arguments(options)
    parts = []
    for part in range(1, PARTS + 1):
        parts.append(folder / f"{part}.json")
        numbers = [f"--part={part}/{PARTS}", f"--output={parts[-1]}"]
        arbiter("stats", "--quiet", "--format=json", *passed, *numbers, games, exit_codes=(0,))
    merged = arbiter("stats", "--quiet", "--format=csv", "--merge", *parts).decode()
    out = folder / "out"
    settings = {"groups": "parquet", "parts": PARTS, "binary": BINARY}
    result = stats(cluster, [games], out, **settings, **options)
    table = csv.DictReader(io.StringIO(merged, newline=""))
    names = list(table.fieldnames or [])
    keys = [name for name in names if name.startswith("by_")]
    ends = ("score", "rate", "_low", "_high")
    rates = [name for name in names if name.endswith(ends) or name == "elo"]
    assert len(rates) >= 6

    def value(name: str, field: str) -> object:
        if name in keys or not field:
            return field or None
        return float(field) if name in rates else int(field)

    expected = [{name: value(name, row[name]) for name in names} for row in table]
    frame = cluster.read.parquet(str(result))
    assert frame.columns == names
    assert {kind for name, kind in frame.dtypes if name in rates} == {"double"}
    found = [row.asDict() for row in frame.collect()]
    assert len(found) == len(expected) >= 1

    def order(row: dict[str, object]) -> list[str]:
        return [row[key] or "" for key in keys]

    assert sorted(found, key=order) == sorted(expected, key=order)
    assert all(isinstance(row["games"], int) for row in found)


@on("standalone", "connect")
@pytest.mark.parametrize(
    ("killed", "command"), [("$PPID", "stats"), ("$$", "replay")], ids=["worker", "binary"]
)
def test_a_killed_attempt_is_repeated(
    cluster: SparkSession, games: Path, tmp_path: Path, script: Script, killed: str, command: str
) -> None:
    binary = script(command, f"kill -9 {killed}")
    out = tmp_path / "out"
    plain = arbiter(
        command, "--quiet", f"--format={'json' if command == 'stats' else 'csv'}", games
    )
    if command == "stats":
        assert stats(cluster, [games], out, parts=PARTS, binary=binary).read_bytes() == plain
    else:
        rows(cluster, command, [games], out, parts=PARTS, binary=binary)
        assert rows_of(out) == plain
    assert (tmp_path / "attempted").exists()


def executor_of(process: int) -> int:
    """The executor among the ancestors of a process."""
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        stat = Path(f"/proc/{process}/stat").read_text()
        process = int(stat.rpartition(")")[2].split()[1])
        assert process > 1
    return process


@on("standalone")
def test_a_killed_executor_is_replaced(
    cluster: SparkSession, games: Path, tmp_path: Path, script: Script
) -> None:
    # The attempt on this executor cannot end before the job.
    released = tmp_path / "released"
    binary = script("adjudicate", wait_until(released))
    arguments = (cluster, "adjudicate", [games], tmp_path / "out")
    thread = threading.Thread(
        target=rows, args=arguments, kwargs={"parts": PARTS, "binary": binary}
    )
    thread.start()
    attempted = tmp_path / "attempted"
    wait_for(lambda: attempted.exists() and attempted.read_text().endswith("\n"), "part 2")
    os.kill(executor_of(int(attempted.read_text())), signal.SIGKILL)
    thread.join()
    released.touch()
    assert rows_of(tmp_path / "out") == arbiter("adjudicate", "--quiet", "--format=csv", games)
    wait_for(lambda: not all(alive for alive, _ in executors(cluster).values()), "a dead executor")
    wait_for_two(cluster)


@on("standalone", "connect")
def test_a_corrupt_frame_fails_the_job(cluster: SparkSession, text: bytes, tmp_path: Path) -> None:
    # Two frames for each part; the corrupt one is the second of part 3.
    healthy = frames([text * 12])
    corrupt = bytearray(healthy)
    corrupt[len(corrupt) // 2] ^= 0x55
    for command in ("stats", "validate") if cluster.version < "4" else ("stats",):
        folder = tmp_path / command
        folder.mkdir()
        check_failure(cluster, command, healthy * 5 + corrupt + healthy * 4, folder)


@one
def test_a_corrupt_frame_at_the_beginning_of_a_part_fails_the_job(
    cluster: SparkSession, text: bytes, tmp_path: Path
) -> None:
    healthy = frames([text])
    corrupt = bytearray(healthy)
    corrupt[len(corrupt) // 2] ^= 0x55
    # The last game of part 2 ends in the frame as well.
    data = healthy * 4 + corrupt + healthy * 5
    check_failure(cluster, "stats", data, tmp_path, parts="[23]")


def check_failure(
    cluster: SparkSession, command: str, data: bytes, folder: Path, parts: str = "3"
) -> None:
    """The job over a file that is corrupt in part 3 of 5 fails."""
    file = folder / "corrupt.pgn.zst"
    file.write_bytes(data)
    out = folder / "out"
    with pytest.raises(ArbiterError) as error:
        if command == "stats":
            stats(cluster, [file], out, parts=5, binary=BINARY)
        else:
            rows(cluster, command, [file], out, parts=5, binary=BINARY)
    message = str(error.value)
    assert re.match(f"arbiter stats, part {parts}/5: exit code 2\n", message)
    assert str(file) in message
    assert len(message.splitlines()) <= 6
    assert list(out.iterdir()) == []


@on("standalone")
def test_a_slow_attempt_leaves_no_file(
    cluster: SparkSession, games: Path, tmp_path: Path, script: Script
) -> None:
    released, ended = tmp_path / "released", tmp_path / "ended"
    # The attempt that is too late goes on after the end of the job, and then ends with an error.
    late = f"{wait_until(released)}; '{BINARY}' \"$@\"; echo $? > '{ended}'; exit 2"
    binary = script("validate", late)
    out = tmp_path / "out"
    rows(cluster, "validate", [games], out, parts=PARTS, binary=binary)
    plain = arbiter("validate", "--quiet", "--format=csv", games)
    assert rows_of(out) == plain
    assert (tmp_path / "attempted").exists()
    assert not ended.exists()
    released.touch()
    wait_for(lambda: ended.exists() and ended.read_text().endswith("\n"), "the late attempt")
    assert ended.read_text() == "2\n"
    assert rows_of(out) == plain


COMMAND = [sys.executable, "-m", "chess_arbiter.spark"]


def command_line(
    *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *arguments, "--binary", BINARY]
    # A session of Connect in this process has set the variable.
    inherited = {k: v for k, v in os.environ.items() if k != "SPARK_CONNECT_MODE_ENABLED"}
    variables = {**inherited, **(environment or {})}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=variables)


def test_the_command_line_ends_with_exit_code_1(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = command_line("validate", games, "--out", out, "--parts", str(PARTS))
    assert run.returncode == 1, run.stderr
    assert rows_of(out) == arbiter("validate", "--quiet", "--format=csv", games)


@needs_connect
def test_a_client_of_connect_imports_the_job() -> None:
    """The package `pyspark-client` has no core and no Py4J."""
    program = (
        "import sys; sys.modules['pyspark.core'] = sys.modules['py4j'] = None\n"
        "import pyspark.util, chess_arbiter.spark\n"
        "print(pyspark.util.is_remote_only())\n"
    )
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True)
    assert run.stdout == b"True\n", run.stderr.decode()


@needs_connect
def test_the_command_line_runs_on_connect(
    games: Path, text: bytes, tmp_path: Path, connect: str
) -> None:
    out = tmp_path / "out"
    arguments = ["stats", "--by", "year", "--draws", games, "--out", out, "--parts", "3"]
    run = command_line(*arguments, environment={"SPARK_REMOTE": connect})
    assert run.returncode == 0, run.stderr
    plain = arbiter("stats", "--quiet", "--format=json", "--by=year", "--draws", games)
    assert (out / "statistics.json").read_bytes() == plain
    corrupt = tmp_path / "corrupt.pgn.zst"
    corrupt.write_bytes(frames([text * 12] * 10)[:-9])
    arguments = ["validate", corrupt, "--out", tmp_path / "other", "--parts", "5"]
    run = command_line(*arguments, environment={"SPARK_REMOTE": connect})
    assert run.returncode == 2
    lines = run.stderr.splitlines()
    assert "error: arbiter stats, part 5/5: exit code 2" in lines
    assert str(corrupt) in lines[-1]


@one
def test_the_command_line_ends_with_a_short_message(
    cluster: SparkSession,
    text: bytes,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In this process, with its session."""
    monkeypatch.setattr(SparkSession, "stop", lambda session: None)
    corrupt = tmp_path / "corrupt.pgn.zst"
    corrupt.write_bytes(frames([text * 12] * 10)[:-9])
    words = ["stats", corrupt, "--out", tmp_path / "out", "--parts", "5", "--binary", BINARY]
    assert main([str(word) for word in words]) == 2
    message = capfd.readouterr().err
    lines = message[message.index("error: arbiter") :].splitlines()
    assert lines[0] == "error: arbiter stats, part 5/5: exit code 2"
    assert str(corrupt) in lines[1]
    assert "Traceback" not in message
    assert "\tat " not in message


def test_a_job_without_a_session_has_failed(games: Path, tmp_path: Path) -> None:
    # An address that no machine has (RFC 5737).
    environment = {"SPARK_LOCAL_IP": "192.0.2.1"}
    out = tmp_path / "out"
    run = command_line("stats", games, "--out", out, environment=environment)
    assert run.returncode == 2
    assert "error: " in run.stderr
    assert "BindException" in run.stderr
    assert "Traceback" not in run.stderr


def test_sigterm_ends_the_command_line_with_exit_code_2(
    games: Path, tmp_path: Path, script: Script
) -> None:
    signal_ends_the_command_line(games, tmp_path, script, signal.SIGTERM, os.environ)


@needs_connect
def test_ctrl_c_ends_the_command_line_on_connect(
    games: Path, tmp_path: Path, script: Script, connect: str
) -> None:
    environment = {**os.environ, "SPARK_REMOTE": connect}
    signal_ends_the_command_line(games, tmp_path, script, signal.SIGINT, environment)


def signal_ends_the_command_line(
    games: Path,
    tmp_path: Path,
    script: Script,
    number: signal.Signals,
    environment: Mapping[str, str],
) -> None:
    out = tmp_path / "out"
    binary = script("stats", "sleep 20")
    command = [*COMMAND, "stats", games, "--out", out, "--parts", str(PARTS), "--binary", binary]
    # A shell lets the jobs that it runs in the background ignore Ctrl-C.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=heed
    ) as job:
        wait_for((tmp_path / "attempted").exists, "part 2")
        job.send_signal(number)
        _, message = job.communicate()
    assert job.returncode == 2, message
    # The signal can also be met by the gateway to Java, whose error is named then.
    assert "error: " in message
    assert list(out.iterdir()) == []
