"""Apache Spark job: ``arbiter`` over large collections of chess games.

The inputs are cut into parts. Each part is one Spark task, which runs ``arbiter COMMAND --part
K/N``. The results equal those of one run over all inputs, byte for byte::

    python -m chess_arbiter.spark stats --by speed --by month games/ --out statistics/

The inputs and the output folder have the same path on the driver and on every worker, as on a
shared file system.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

from py4j.protocol import Py4JError
from pyspark import RDD, SparkContext, SparkFiles, TaskContext, cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructType

__all__ = ["ArbiterError", "rows", "stats"]

# Tasks carry their code, so that the workers need pyspark, but not this package.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

_PART_BYTES = 256 << 20  # default size of a part, as stored
_STDERR_BYTES, _STDERR_LINES = 4096, 5  # end of stderr in an error message
_Z = 1.959_963_984_540_054  # 97.5 % point of the normal distribution, as in the binary

_FORMATS = ("csv", "jsonl", "parquet")
_GROUPS = {"json": "json", "parquet": "csv"}  # formats of the result, and of each part

# Options of the binary that are passed on: action of argparse, placeholder, help.
_WHERE = ("append", "TAG=PATTERN", "select games by tag")
_CSV_SAFE = ("store_true", "", "escape CSV text that a spreadsheet would run as a formula")
_OPTIONS: dict[str, dict[str, tuple[str, str, str]]] = {
    "stats": {
        "by": ("append", "KEY", "group by this key; repeat for nested groups"),
        "draws": ("store_true", "", "count draws by kind"),
        "source": ("store", "SOURCE", "results to count: recorded or rules"),
        "rules": ("store", "NAME", "rule set"),
        "where": _WHERE,
    },
    "validate": {
        "strict": ("store_true", "", "check for the export format of the PGN standard"),
        "select": ("store", "CODES", "report these codes only"),
        "ignore": ("store", "CODES", "do not report these codes"),
        "fail_on": ("store", "SEVERITY", "least severity that makes the exit code 1"),
        "mainline": ("store_true", "", "skip variations"),
        "null_moves": ("store_true", "", "play null moves (--) in the main line"),
        "csv_safe": _CSV_SAFE,
        "where": _WHERE,
    },
    "adjudicate": {
        "rules": ("store", "NAME", "rule set, or two, separated by a comma, to compare"),
        "claims": ("store_true", "", "list the draws that could have been claimed"),
        "contradictions": ("store_true", "", "only games whose record contradicts the rules"),
        "tags": ("store", "NAMES", "columns of tags in front of the others"),
        "nodes": ("store", "N", "node limit for each mate or proof search"),
        "solver_memory": ("store", "MIB", "memory limit for each mate or proof search"),
        "csv_safe": _CSV_SAFE,
        "where": _WHERE,
    },
    "replay": {
        "at": ("store", "PLIES", "print only these plies"),
        "columns": ("append", "NAMES", "write only these columns, in this order"),
        "variations": ("store_true", "", "replay variations too"),
        "csv_safe": _CSV_SAFE,
        "where": _WHERE,
    },
}


class ArbiterError(Exception):
    """A failed run of ``arbiter``, or a failed Spark job.

    The message names the command, the part, the exit code or signal, and the last lines of
    stderr, which name the file.
    """


def stats(
    spark: SparkSession,
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    groups: str = "json",
    parts: int | None = None,
    binary: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Path:
    """Counts results, writes them to the folder *out* and returns the path of the result.

    With ``groups="json"`` the result is ``statistics.json``, the output of ``arbiter stats
    --format json``. It is merged in a tree, and must fit into the memory of one machine.

    With ``groups="parquet"`` the result is ``groups.parquet``, one row for each innermost group,
    summed by Spark SQL, for any number of groups. The columns are those of ``arbiter stats
    --format csv`` without the intervals of scores (``interval_95_*``, ``score_interval_95_*``).
    Unknown values of keys are null. The rows have no order.

    *options* are those of the command, such as ``by=["speed", "month"]`` and ``draws=True``, with
    ``_`` instead of ``-`` in their names.
    *parts* is the number of tasks, by default one for each 256 MiB of input and at least the
    default parallelism. *binary* is the path of ``arbiter``, by default that of the installed
    package or of the search path. It is copied to the workers.

    :raises ArbiterError: a task failed, or ``arbiter`` refuses an option
    :raises OSError: an input is missing, or *out* is neither new nor an empty folder
    """
    if groups not in _GROUPS:
        raise ValueError(f"groups must be one of {', '.join(_GROUPS)}, not {groups!r}")
    job = _prepare("stats", paths, out, _GROUPS[groups], parts, binary, options)
    return _write_statistics(spark, job)


def _write_statistics(spark: SparkSession, job: _Job) -> Path:
    with _output_folder(job.out):
        job, numbers = _start(job, spark)
        if job.format == "json":
            result = job.out / "statistics.json"
            texts = numbers.map(partial(_read_part, job, "stats", ("--format=json", *job.options)))
            merged = texts.treeReduce(partial(_merge_statistics, job))
            result.write_text(merged, encoding="utf-8", newline="")
        else:
            result = job.out / "groups.parquet"
            _write_groups(spark, job, numbers, result)
    return result


def rows(
    spark: SparkSession,
    command: str,
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    format: str = "csv",
    parts: int | None = None,
    binary: str | os.PathLike[str] | None = None,
    **options: Any,
) -> bool:
    """Runs ``validate``, ``adjudicate`` or ``replay``; returns whether a part has exit code 1.

    Each part is a file of the folder *out*: ``part-00001.csv`` and so on. The files of the
    formats ``csv`` and ``jsonl``, concatenated in order, are the output of one run over all
    inputs: only the first has the header of CSV, and games and lines are numbered throughout.
    The numbers need a first pass over the inputs. Messages on stderr are discarded.

    The other arguments and the exceptions are those of :func:`stats`.
    """
    if command == "stats" or command not in _OPTIONS:
        raise ValueError(f"no command with rows: {command!r}")
    if format not in _FORMATS:
        raise ValueError(f"format must be one of {', '.join(_FORMATS)}, not {format!r}")
    return _write_rows(spark, _prepare(command, paths, out, format, parts, binary, options))


def _write_rows(spark: SparkSession, job: _Job) -> bool:
    with _output_folder(job.out) as temporary:
        job, numbers = _start(job, spark)
        counts = temporary / "counts.jsonl"
        texts = numbers.map(partial(_read_part, job, "stats --count", ())).collect()
        counts.write_text("".join(texts), encoding="utf-8", newline="")
        codes = numbers.map(partial(_write_part, job, counts)).collect()
    return 1 in codes


@dataclass(frozen=True)
class _Job:
    """A command over parts of the inputs; every task gets a copy."""

    command: str
    format: str
    options: tuple[str, ...]
    paths: tuple[str, ...]
    binary: Path
    out: Path
    header: str
    """Output over no game: the column names, if the format is ``csv``."""
    parts: int | None
    threads: int = 1


def _prepare(
    command: str,
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    format: str,
    parts: int | None,
    binary: str | os.PathLike[str] | None,
    options: Mapping[str, Any],
) -> _Job:
    """Checks the arguments, with a run of the binary over an empty file."""
    if parts is not None and parts < 1:
        raise ValueError(f"parts must be positive, not {parts}")
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    inputs = tuple(str(_local(path)) for path in paths)
    if not inputs:
        raise ValueError("no input")
    for path in inputs:
        if not Path(path).exists():
            raise FileNotFoundError(f"no such file or folder: {path}")
    folder = _local(out)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(f"output exists, and is not an empty folder: {folder}")
    program = _find_binary(binary)
    passed = _option_arguments(command, options)
    with tempfile.TemporaryDirectory() as temporary:
        empty, output = Path(temporary, "empty.pgn"), Path(temporary, "output")
        empty.touch()
        arguments = [f"--format={format}", "--part=1/1", f"--output={output}", *passed]
        _run(program, [command, "--quiet", *arguments, str(empty)], f"arbiter {command}")
        header = output.read_text(encoding="utf-8") if format == "csv" else ""
    return _Job(command, format, passed, inputs, program, folder, header, parts)


def _local(path: str | os.PathLike[str]) -> Path:
    """The absolute path of a file or folder, which may be given as a ``file:`` URI."""
    text = os.fspath(path)
    uri = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]+):(?://([^/]*))?(/.*)", text, re.S)
    local = text
    if uri is not None:
        scheme, host, local = uri.groups()
        if scheme.lower() != "file" or host not in (None, "", "localhost"):
            raise OSError(f"neither a path nor a `file:` URI of this machine: {text}")
        local = url2pathname(local)
    if not local or "\0" in local:
        raise OSError(f"a path must not be empty or contain a NUL: {text!r}")
    return Path(local).absolute()


def _find_binary(binary: str | os.PathLike[str] | None) -> Path:
    if binary is not None:
        path = Path(binary).absolute()
        if not path.is_file():
            raise FileNotFoundError(f"no such file: {path}")
        return path
    scripts = sysconfig.get_path("scripts")
    found = shutil.which("arbiter", path=scripts) or shutil.which("arbiter")
    if found is None:
        raise FileNotFoundError(f"no `arbiter` in {scripts} or on the search path")
    return Path(found).absolute()


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _option_arguments(command: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Arguments of the binary for options such as ``by=["speed"]`` and ``draws=True``."""
    arguments = []
    for name, value in options.items():
        if name not in _OPTIONS[command]:
            raise TypeError(f"{command} has no option {name!r}")
        action, _, _ = _OPTIONS[command][name]
        if value is None or value is False:
            continue
        if action == "store_true":
            arguments.append(_flag(name))
        elif isinstance(value, str) or not isinstance(value, Iterable):
            arguments.append(f"{_flag(name)}={value}")
        elif action == "append":
            arguments += [f"{_flag(name)}={item}" for item in value]
        else:
            arguments.append(f"{_flag(name)}={','.join(map(str, value))}")
    for argument in arguments:
        if "\0" in argument:
            raise ValueError(f"an option must not contain a NUL: {argument!r}")
    return tuple(arguments)


def _start(job: _Job, spark: SparkSession) -> tuple[_Job, RDD[int]]:
    """Copies the binary to the workers; returns the numbers of the parts, one a task."""
    context = spark.sparkContext
    parts = job.parts
    if parts is None:
        parts = max(-(-_stored_bytes(job.paths) // _PART_BYTES), context.defaultParallelism)
    context.addFile(str(job.binary))
    threads = int(context.getConf().get("spark.task.cpus", "1"))
    numbers = context.parallelize(range(1, parts + 1), parts)
    return replace(job, parts=parts, threads=threads), numbers


def _stored_bytes(paths: Iterable[str]) -> int:
    """Size of the inputs: files, and ``*.pgn``, ``*.pgn.*`` and ``*.zip`` in folders."""
    total = 0
    for path in map(Path, paths):
        files = path.rglob("*") if path.is_dir() else [path]
        total += sum(
            file.stat().st_size
            for file in files
            if file.is_file() and (file == path or re.search(r"\.(pgn|zip)(\.|$)", file.name, re.I))
        )
    return total


@contextmanager
def _output_folder(folder: Path) -> Iterator[Path]:
    """Creates the folder of the results; yields a folder in it for temporary files.

    At the end the folder gets the file ``_SUCCESS``; after an error it is empty.
    """
    temporary = folder / "_temporary"
    temporary.mkdir(parents=True)
    try:
        yield temporary
    except BaseException as error:
        _remove(temporary)
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if isinstance(error, (Py4JError, PySparkException)):
            raise ArbiterError(_reason(str(error))) from error
        raise
    _remove(temporary)
    (folder / "_SUCCESS").touch()


def _remove(folder: Path) -> None:
    """Removes a folder. Attempts that still run cannot create a file in it after its renaming."""
    removed = folder.rename(folder.with_name("_removed"))
    shutil.rmtree(removed)


def _reason(report: str) -> str:
    """The message of the task that failed, in Spark's report with the traces of both stacks."""
    own = re.search(rf"\b{ArbiterError.__name__}: (.+?)(?:\n\s*\n|\n\s+at |\Z)", report, re.S)
    if own is not None:
        return own[1]
    lines = [line for line in report.splitlines() if line.strip()]
    # A line with the exception of Java follows the one with the call that failed.
    telling = [line for line in lines if "Job aborted" in line or line.startswith(": ")]
    return (telling or lines or [report])[0].removeprefix(": ")


def _run(binary: str | Path, arguments: Sequence[str], name: str) -> int:
    """Runs the binary; returns the exit code, 0 or 1."""
    with tempfile.TemporaryFile() as errors:
        code = subprocess.run(
            [binary, *arguments, "--no-config"],  # settings would differ between machines
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            check=False,
        ).returncode
        if code in (0, 1):
            return code
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _STDERR_BYTES))
        lines = errors.read().decode(errors="replace").splitlines()
    how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
    # No blank lines: one ends the message in Spark's report.
    last = [line.strip() for line in lines if line.strip()][-_STDERR_LINES:]
    raise ArbiterError("\n".join([f"{name}: {how}", *last]))


def _run_part(job: _Job, part: int, output: Path, command: str, *options: str) -> int:
    """Runs a command over one part, in a task; returns the exit code, 0 or 1."""
    number = f"{part}/{job.parts}"
    arguments = [f"--jobs={job.threads}", f"--part={number}", f"--output={output}", *options]
    return _run(
        SparkFiles.get(job.binary.name),
        [*command.split(), "--quiet", *arguments, *job.paths],
        f"arbiter {command}, part {number}",
    )


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Temporary folder among the files of the application, which Spark removes at its end."""
    return tempfile.TemporaryDirectory(dir=SparkFiles.getRootDirectory())


def _read_part(job: _Job, command: str, options: Sequence[str], part: int) -> str:
    """The output of a command over one part: its statistics, or its games and lines."""
    with _scratch() as folder:
        output = Path(folder, "output.json")
        _run_part(job, part, output, command, *options)
        return output.read_text(encoding="utf-8")


def _merge_statistics(job: _Job, first: str, second: str) -> str:
    """Sum of two statistics; commutative and associative, to the byte."""
    with _scratch() as folder:
        inputs = [Path(folder, "first.json"), Path(folder, "second.json")]
        for path, text in zip(inputs, (first, second), strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        output = Path(folder, "merged.json")
        arguments = ["stats", "--quiet", "--format=json", f"--output={output}", "--merge", *inputs]
        _run(SparkFiles.get(job.binary.name), [*map(str, arguments)], "arbiter stats --merge")
        return output.read_text(encoding="utf-8")


def _write_part(job: _Job, counts: Path, part: int) -> int:
    """Writes the rows of one part; returns the exit code."""
    name = f"part-{part:0{max(5, len(str(job.parts)))}}.{job.format}"
    task = TaskContext.get()
    assert task is not None
    output = counts.with_name(f"attempt-{task.taskAttemptId()}-{name}")
    options = [f"--format={job.format}", f"--counts={counts}", *job.options]
    code = _run_part(job, part, output, job.command, *options)
    output.replace(job.out / name)
    return code


def _read_groups(job: _Job, keys: Sequence[str], counts: Sequence[str], part: int) -> Iterator[Any]:
    """The groups of one part: values of the keys, then counts."""
    csv.field_size_limit(sys.maxsize)
    with _scratch() as folder:
        output = Path(folder, "groups.csv")
        _run_part(job, part, output, "stats", "--format=csv", *job.options)
        with output.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield (*(row[key] or None for key in keys), *(int(row[name]) for name in counts))


def _write_groups(spark: SparkSession, job: _Job, numbers: RDD[int], result: Path) -> None:
    """Sums the groups of all parts and writes them as Parquet."""
    header = next(csv.reader(job.header.splitlines()))
    keys = [name for name in header if name.startswith("by_")]
    rates = {name: rate for name, rate in _rates().items() if name in header}
    counts = [name for name in header if name not in (*keys, *rates) and "interval_95_" not in name]
    schema = StructType()
    for name in keys:
        schema.add(name, StringType())
    for name in counts:
        schema.add(name, LongType())
    groups = numbers.flatMap(partial(_read_groups, job, keys, counts))
    frame = spark.createDataFrame(groups, schema, verifySchema=False)
    sums = frame.groupBy(*map(_column, keys)).agg(
        *(F.sum(_column(name)).alias(name) for name in counts)
    )
    columns = [
        rates[name].alias(name) if name in rates else _column(name)
        for name in header
        if name in (*keys, *counts, *rates)
    ]
    sums.select(*columns).write.parquet(result.as_uri())


def _rates() -> dict[str, Column]:
    """Rates from sums of counts, by the arithmetic of the binary: equal to the last bit."""
    low, high = _wilson("draws", "white", "draws", "black")
    rates = {
        "white_score": _points("white", "draws", "black"),
        "draw_rate": _share("draws", "white", "draws", "black"),
        "draw_interval_95_low": low,
        "draw_interval_95_high": high,
        "score": _points("wins", "draws", "losses"),
    }
    for side in ("as_white", "as_black"):
        results = [f"{side}_{name}" for name in ("wins", "draws", "losses")]
        rates[f"{side}_score"] = _points(*results)
        rates[f"{side}_draw_rate"] = _share(results[1], *results)
    return rates


def _column(name: str) -> Column:
    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


def _games(results: Iterable[str]) -> Column:
    """Games with a result; null instead of zero, as no rate is known."""
    games = sum(map(_column, results), F.lit(0))
    return F.when(games > 0, games)


def _points(won: str, drawn: str, lost: str) -> Column:
    """Points a game; a draw counts one half."""
    points = _column(won) + _column(drawn) / F.lit(2.0)
    return _rounded(points / _games((won, drawn, lost)))


def _share(part: str, *results: str) -> Column:
    return _rounded(_column(part) / _games(results))


def _wilson(part: str, *results: str) -> tuple[Column, Column]:
    """Wilson's score interval of 95 % for a share of games."""
    games = _games(results)
    value = _column(part) / games
    square = F.lit(_Z * _Z) / games
    centre = value + square / 2.0
    reach = F.sqrt(square * (value * (1.0 - value) + square / 4.0))
    low, high = (limit / (square + 1.0) for limit in (centre - reach, centre + reach))
    low = F.when(value > 0.0, F.least(F.greatest(low, F.lit(0.0)), value)).otherwise(value)
    high = F.when(value < 1.0, F.least(F.greatest(high, value), F.lit(1.0))).otherwise(value)
    return _rounded(low), _rounded(high)


def _rounded(rate: Column) -> Column:
    """Six places, half away from zero in binary arithmetic; SQL's `round` is decimal."""
    scaled = rate * 1e6
    whole = F.floor(scaled)
    return (whole + F.when(scaled - whole >= 0.5, 1).otherwise(0)) / 1e6


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m chess_arbiter.spark",
        description="Run arbiter over parts of the inputs, each in a Spark task.",
        epilog="Exit code 0: done; 1: a part of validate, adjudicate or replay has exit code 1; "
        "2: failed.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command, options in _OPTIONS.items():
        description = f"Run `arbiter {command}`. See `arbiter {command} --help` for its options."
        sub = commands.add_parser(command, description=description, allow_abbrev=False)
        sub.add_argument("paths", nargs="+", metavar="PATH", help="file or folder of games")
        sub.add_argument("--out", required=True, metavar="DIR", help="new or empty folder")
        if command == "stats":
            sub.add_argument(
                "--groups",
                choices=_GROUPS,
                default="json",
                help="json: one object; parquet: rows, for any number of groups",
            )
        else:
            sub.add_argument("--format", choices=_FORMATS, default="csv", help="output format")
        sub.add_argument(
            "--parts",
            type=_positive,
            metavar="N",
            help="number of tasks [default: one for each 256 MiB, at least the parallelism]",
        )
        sub.add_argument(
            "--binary", metavar="FILE", help="arbiter [default: installed, or on the search path]"
        )
        for name, (action, metavar, text) in options.items():
            shown: dict[str, Any] = {} if action == "store_true" else {"metavar": metavar}
            sub.add_argument(_flag(name), action=action, help=text, **shown)
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"not a positive number: {text!r}")
    return number


def _silence(context: SparkContext) -> None:
    """Turns off the loggers that print a stack trace for each failed attempt."""
    jvm = context._jvm
    assert jvm is not None
    log4j = jvm.org.apache.logging.log4j
    for name in ("executor.Executor", "scheduler.TaskSetManager"):
        logger = f"org.apache.spark.{name}"
        log4j.core.config.Configurator.setLevel(logger, log4j.Level.OFF)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line; returns the exit code."""
    given = vars(_parser().parse_args(argv))
    command = given.pop("command")
    format = _GROUPS[given.pop("groups")] if command == "stats" else given.pop("format")
    names = ("paths", "out", "parts", "binary")
    paths, out, parts, binary = (given.pop(name) for name in names)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # not started by spark-submit
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        job = _prepare(command, paths, out, format, parts, binary, given)
        spark = SparkSession.builder.appName(f"arbiter {command}").getOrCreate()
        try:
            _silence(spark.sparkContext)
            if command == "stats":
                _write_statistics(spark, job)
                return 0
            return int(_write_rows(spark, job))
        finally:
            spark.stop()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
    except (ArbiterError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
    except (Py4JError, PySparkException) as error:
        print(f"error: {_reason(str(error))}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    # The time limit of a cluster ends the job as Ctrl-C does, which empties the output folder.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
