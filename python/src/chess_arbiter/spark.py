"""Apache Spark job: ``arbiter`` over large collections of chess games.

The inputs are cut into parts. Each part is one Spark task, which runs ``arbiter COMMAND --part
K/N``. The results equal those of one run over all inputs, byte for byte::

    python -m chess_arbiter.spark stats --by speed --by month games/ --out statistics/

The inputs and the output folder have the same path on the driver and on every worker, as on a
shared file system. Only data frames are used, so that Spark Connect runs the job as well.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import pyarrow as pa
from pyarrow import csv as pyarrow_csv
from pyspark import cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

import chess_arbiter
from chess_arbiter import ArbiterError, File, _check, _output, find_binary, run_part

__all__ = ["ArbiterError", "rows", "stats"]

Results = tuple[int, int, int]

# Tasks carry their code, so that the workers need PyArrow, but not this package.
cloudpickle.register_pickle_by_value(chess_arbiter)
cloudpickle.register_pickle_by_value(sys.modules[__name__])

_PART_BYTES = 256 << 20  # default size of a part, as stored
_FEW, _FEW_BYTES = 64, 16 << 20  # smaller parts, up to this number
_MERGED = 500  # files merged at once

_FORMATS = ("csv", "jsonl", "parquet")
_GROUPS = {"json": "json", "parquet": "csv"}  # formats of the result, and of each part

# The error of a task, in a report of Spark with the traces of both stacks.
_OWN = re.compile(
    r"\bArbiterError: (.+?): (?:exit code|(killed by signal)) (\d+)"
    r"(?:\n(.+?))??(?:\n\s*\n|\n\s+at |\s+SQLSTATE: |\s*\Z)",
    re.S,
)

# Options of the command line that are passed on to the binary, which knows their commands.
_FLAGS = "draws strict mainline null-moves csv-safe claims contradictions variations"
_VALUES = (
    "by source rules where illegal select ignore fail-on tags nodes solver-memory at columns "
    "piece-letters"
)

# Rates and intervals: columns by results (won, drawn, lost), each with its name for White.
_SCORE = {"interval_95_low": "interval_95_low", "interval_95_high": "interval_95_high"}
_WHITE = ("white_score", "draw_rate", "draw_interval_95_low", "draw_interval_95_high")
_RATES = {
    ("white", "draws", "black"): {**_SCORE, **{name: name for name in _WHITE}},
    ("wins", "draws", "losses"): {
        "score": "white_score",
        **{f"score_{name}": name for name in _SCORE},
        **{name: name for name in ("elo", "elo_low", "elo_high")},
    },
    **{
        tuple(f"as_{side}_{name}" for name in ("wins", "draws", "losses")): {
            f"as_{side}_score": "white_score",
            f"as_{side}_draw_rate": "draw_rate",
        }
        for side in ("white", "black")
    },
}


def stats(
    spark: SparkSession,
    paths: Iterable[File] | File,
    out: File,
    *,
    groups: str = "json",
    parts: int | None = None,
    binary: File | None = None,
    **options: Any,
) -> Path:
    """Counts results, writes them to the folder *out* and returns the path of the result.

    With ``groups="json"`` the result is ``statistics.json``, the output of ``arbiter stats
    --format json``. It must fit into the memory of the driver.

    With ``groups="parquet"`` the result is ``groups.parquet``, one row for each innermost group,
    summed by Spark, for any number of groups. The columns are those of ``arbiter stats --format
    csv``. Unknown values of keys are null. The rows have no order.

    *options* are those of the command, such as ``by=["speed", "month"]`` and ``draws=True``, with
    ``_`` instead of ``-`` in their names.
    *parts* is the number of tasks, by default one for each 256 MiB of input, or up to 64 of 16 MiB.
    *binary* is the path of ``arbiter``, by default that of the installed package or of the search
    path. It is copied to the workers.

    :raises ArbiterError: a task failed, or ``arbiter`` refuses the value of an option
    :raises TypeError: the command lacks an option, or the job sets it
    :raises OSError: an input is missing, or *out* is neither new nor an empty folder
    """
    if groups not in _GROUPS:
        raise ValueError(f"groups must be one of {', '.join(_GROUPS)}, not {groups!r}")
    return _write_statistics(
        spark, _prepare("stats", paths, out, _GROUPS[groups], parts, binary, options)
    )


def _write_statistics(spark: SparkSession, job: _Job) -> Path:
    with _output_folder(job.out) as temporary:
        if job.format == "csv":
            result = job.out / "groups.parquet"
            _groups(spark, job).write.parquet(result.as_uri())
        else:
            result = job.out / "statistics.json"
            _run_parts(spark, job, temporary)
            merged = temporary / result.name
            files = job.files(temporary)
            for first in range(0, len(files), _MERGED):
                some = [merged] * (first > 0) + files[first : first + _MERGED]
                _merge(job.binary, some, merged, "json")
            merged.replace(result)
    return result


def rows(
    spark: SparkSession,
    command: str,
    paths: Iterable[File] | File,
    out: File,
    *,
    format: str = "csv",
    parts: int | None = None,
    binary: File | None = None,
    **options: Any,
) -> bool:
    """Runs ``validate``, ``adjudicate`` or ``replay``; returns whether a part has exit code 1.

    Each part is a file of the folder *out*: ``part-00001.csv`` and so on. The files of the
    formats ``csv`` and ``jsonl``, concatenated in order, are the output of one run over all
    inputs: only the first has the header of CSV, and games and lines are numbered throughout.
    The numbers need a first pass over the inputs. Messages on stderr are discarded.

    The other arguments and the exceptions are those of :func:`stats`.
    """
    if command not in ("validate", "adjudicate", "replay"):
        raise ValueError(f"no command with rows: {command!r}")
    if format not in _FORMATS:
        raise ValueError(f"format must be one of {', '.join(_FORMATS)}, not {format!r}")
    return _write_rows(spark, _prepare(command, paths, out, format, parts, binary, options))


def _write_rows(spark: SparkSession, job: _Job) -> bool:
    with _output_folder(job.out) as temporary:
        count = replace(job, command="stats", format="count", options={"count": True})
        _run_parts(spark, count, temporary)
        counts = temporary / "counts.jsonl"
        with counts.open("wb") as all_counts:
            for file in count.files(temporary):
                all_counts.write(file.read_bytes())
        options = {**job.options, "counts": counts}
        codes = _run_parts(spark, replace(job, options=options), temporary)
        for file in job.files(temporary):
            file.replace(job.out / file.name)
    return 1 in codes


@dataclass(frozen=True)
class _Job:
    """A command over parts of the inputs; every task gets a copy."""

    command: str
    format: str
    options: Mapping[str, Any]
    paths: Sequence[str]
    binary: Path
    out: Path
    header: Sequence[str]
    """Names of the columns, if the format is ``csv``."""
    parts: int

    def files(self, folder: Path) -> list[Path]:
        """The outputs of all parts."""
        width = max(5, len(str(self.parts)))
        numbers = range(1, self.parts + 1)
        return [folder / f"part-{number:0{width}}.{self.format}" for number in numbers]


def _prepare(
    command: str,
    paths: Iterable[File] | File,
    out: File,
    format: str,
    parts: int | None,
    binary: File | None,
    options: Mapping[str, Any],
) -> _Job:
    """Checks the arguments, with a run of the binary over an empty file."""
    if parts is not None and parts < 1:
        raise ValueError(f"parts must be positive, not {parts}")
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    inputs = [str(_local(path)) for path in paths]
    if not inputs:
        raise ValueError("no input")
    for path in inputs:
        if not Path(path).exists():
            raise FileNotFoundError(f"no such file or folder: {path}")
    folder = _local(out)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(f"output exists, and is not an empty folder: {folder}")
    program = find_binary() if binary is None else Path(binary).absolute()
    if not program.is_file():
        raise FileNotFoundError(f"no such file: {program}")
    _check("spark.stats" if command == "stats" else "spark.rows", command, options, program)
    options = {**options, "format": format}
    with tempfile.TemporaryDirectory() as temporary:
        empty, output = Path(temporary, "empty.pgn"), Path(temporary, "output")
        empty.touch()
        run_part(1, 1, command, empty, output, binary=program, **options)
        with output.open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file)) if format == "csv" else []
    if parts is None:
        size = _stored_bytes(inputs)
        parts = max(-(-size // _PART_BYTES), min(-(-size // _FEW_BYTES), _FEW), 1)
    return _Job(command, format, options, inputs, program, folder, header, parts)


def _local(path: File) -> Path:
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
        own = _OWN.search(str(error))
        if own is not None:
            name, killed, code, lines = own.groups()
            raise ArbiterError(name, -int(code) if killed else int(code), lines or "") from error
        raise
    _remove(temporary)
    (folder / "_SUCCESS").touch()


def _remove(folder: Path) -> None:
    """Removes a folder. Attempts that still run cannot create a file in it after its renaming."""
    removed = folder.rename(folder.with_name("_removed"))
    shutil.rmtree(removed)


def _numbers(spark: SparkSession, job: _Job) -> DataFrame:
    """Copies the binary to the workers; the numbers of the parts, one a task."""
    try:
        spark.addArtifacts(str(job.binary), file=True)
    except RuntimeError:  # Spark 3.5 has them in Connect only
        spark.sparkContext.addFile(str(job.binary))
    return spark.range(1, job.parts + 1, 1, job.parts)


def _run(job: _Job, part: int, output: Path) -> int:
    """Runs the command over one part, in a task; returns the exit code."""
    from pyspark import TaskContext

    task = TaskContext.get()
    assert task is not None
    attempt = output.with_name(f"attempt-{task.taskAttemptId()}-{output.name}")
    code = run_part(
        part,
        job.parts,
        job.command,
        job.paths,
        attempt,
        binary=_files() / job.binary.name,
        jobs=task.cpus(),
        **job.options,
    )
    attempt.replace(output)
    return code


def _run_parts(spark: SparkSession, job: _Job, folder: Path) -> list[int]:
    """Runs the command over all parts, which become files of the folder; the exit codes."""
    files = job.files(folder)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in _parts(batches):
            yield pa.RecordBatch.from_pydict({"code": [_run(job, part, files[part - 1])]})

    return [row.code for row in _numbers(spark, job).mapInArrow(run, "code long").collect()]


def _parts(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _files() -> Path:
    """Folder of the files that Spark has copied to the worker, in a task."""
    from pyspark import SparkFiles  # a client of Connect lacks it

    return Path(SparkFiles.getRootDirectory()).absolute()


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Temporary folder among the files of the application, which Spark removes at its end."""
    return tempfile.TemporaryDirectory(dir=_files())


def _groups(spark: SparkSession, job: _Job) -> DataFrame:
    """The sums of the groups of all parts."""
    given = {name for rates in _RATES.values() for name in rates}
    keys = [name for name in job.header if name.startswith("by_")]
    counts = [name for name in job.header if name not in keys and name not in given]
    types = {name: pa.string() for name in keys} | {name: pa.int64() for name in counts}
    # Spark cannot map columns with a backquote in their name, as a tag may have.
    plain = [f"c{number}" for number in range(len(types))]

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in _parts(batches):
            with _scratch() as folder:
                output = Path(folder, "groups.csv")
                _run(job, part, output)
                for batch in pyarrow_csv.open_csv(
                    output,
                    parse_options=pyarrow_csv.ParseOptions(newlines_in_values=True),
                    convert_options=pyarrow_csv.ConvertOptions(
                        column_types=types,
                        include_columns=list(types),
                        null_values=[""],
                        strings_can_be_null=True,
                    ),
                ):
                    yield pa.RecordBatch.from_arrays(batch.columns, plain)

    def fill(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = dict(zip(types, batch.columns, strict=True))
            results = {
                names: list(zip(*(columns[name].to_pylist() for name in names), strict=True))
                for names in _RATES
                if columns.keys() >= set(names)
            }
            rates = _rates(job, set().union(*results.values()))
            for names, rows in results.items():
                for name, of in _RATES[names].items():
                    columns[name] = pa.array([rates[row][of] for row in rows], pa.float64())
            yield pa.RecordBatch.from_pydict({name: columns[name] for name in job.header})

    def schema(names: Iterable[str], kinds: Iterable[str]) -> StructType:
        of = {name: StringType() for name in keys} | {name: DoubleType() for name in given}
        types = [of.get(kind, LongType()) for kind in kinds]
        return StructType(list(map(StructField, names, types)))

    groups = _numbers(spark, job).mapInArrow(read, schema(plain, types))
    by, summed = plain[: len(keys)], plain[len(keys) :]
    sums = groups.groupBy(*by).agg(*(F.sum(name).alias(name) for name in summed))
    return sums.mapInArrow(fill, schema(job.header, job.header))


def _rates(job: _Job, results: Iterable[Results]) -> dict[Results, dict[str, float | None]]:
    """Rates and intervals of the binary for results: games won, drawn and lost.

    The results are players, always White against an opponent, in statistics that the binary reads.
    """
    results = list(results)
    none = {"games": 0, "unfinished": 0, "other": 0, "unreadable": 0}
    idle = {**none, "wins": 0, "draws": 0, "losses": 0}

    def groups(number: int, row: Results) -> Iterator[dict[str, Any]]:
        games = {**none, "games": sum(row), "draws": row[1]}
        counts = {**games, "white": row[0], "black": row[2]}
        for name, (won, lost) in {"player": (row[0], row[2]), "opponent": (row[2], row[0])}.items():
            own = {"wins": won, "losses": lost}
            sides = [{**games, **own}, idle]
            white, black = sides if name == "player" else reversed(sides)
            key = {"key": "player", "value": f"{name}{number}"}
            yield {**key, **counts, **own, "as_white": white, "as_black": black}

    names = ("games", "white", "draws", "black")
    whole = map(sum, zip(*((sum(row), *row) for row in results), strict=True))
    statistics = {
        **none,
        "keys": ["player"],
        **dict(zip(names, whole, strict=True)),
        "by": [group for number, row in enumerate(results) for group in groups(number, row)],
    }
    with _scratch() as folder:
        file = Path(folder, "results.json")
        file.write_text(json.dumps(statistics), encoding="utf-8")
        table = Path(folder, "rates.csv")
        _merge(_files() / job.binary.name, [file], table, "csv")
        with table.open(encoding="utf-8", newline="") as lines:
            return {
                results[int(player)]: {
                    name: float(value) if value else None for name, value in row.items()
                }
                for row in csv.DictReader(lines)
                if (player := row.pop("by_player").removeprefix("player")).isdigit()
            }


def _merge(binary: File, files: Sequence[Path], output: Path, format: str) -> None:
    """Sum of statistics; commutative and associative, to the byte."""
    _output("stats", None, {"merge": files, "format": format, "output": output}, binary)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m chess_arbiter.spark",
        description="Run arbiter over parts of the inputs, each in a Spark task.",
        epilog="Exit code 0: done; 1: a part of validate, adjudicate or replay has exit code 1; "
        "2: failed.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in ("stats", "validate", "adjudicate", "replay"):
        description = f"Run `arbiter {command}`, which explains all options that are not here."
        sub = commands.add_parser(command, description=description, allow_abbrev=False)
        add = sub.add_argument
        add("paths", nargs="+", metavar="PATH", help="file or folder of games")
        add("--out", required=True, metavar="DIR", help="new or empty folder")
        if command == "stats":
            text = "json: one object; parquet: rows, for any number of groups"
            add("--groups", choices=_GROUPS, default="json", help=text)
        else:
            add("--format", choices=_FORMATS, default="csv", help="output format")
        text = "number of tasks [default: one for each 256 MiB, or up to 64 of 16 MiB]"
        add("--parts", type=int, metavar="N", help=text)
        text = "arbiter [default: installed, or on the search path]"
        add("--binary", metavar="FILE", help=text)
        for name in _FLAGS.split():
            add(f"--{name}", action="store_true", help=argparse.SUPPRESS)
        for name in _VALUES.split():
            add(f"--{name}", action="append", help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Command line; returns the exit code."""
    given = {name: value for name, value in vars(_parser().parse_args(argv)).items() if value}
    command = given.pop("command")
    format = _GROUPS[given.pop("groups")] if command == "stats" else given.pop("format")
    names = ("paths", "out", "parts", "binary")
    paths, out, parts, binary = (given.pop(name, None) for name in names)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # not started by spark-submit
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        job = _prepare(command, paths, out, format, parts, binary, given)
        spark = SparkSession.builder.appName(f"arbiter {command}").getOrCreate()
        try:
            with suppress(AttributeError):  # Connect: a server has its own log
                spark.sparkContext.setLogLevel("OFF")  # stack traces of failed attempts
            if command == "stats":
                _write_statistics(spark, job)
                return 0
            return int(_write_rows(spark, job))
        finally:
            spark.stop()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
    except (ArbiterError, OSError, TypeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
    except Exception as error:
        if not isinstance(error, PySparkException) and "Py4J" not in type(error).__name__:
            raise
        print(f"error: {_reason(str(error))}", file=sys.stderr)
    return 2


def _reason(report: str) -> str:
    """The line of Spark's report that names what failed."""
    lines = [line for line in report.splitlines() if line.strip()]
    # A line with the exception of Java follows the one with the call that failed.
    telling = [line for line in lines if "Job aborted" in line or line.startswith(": ")]
    return (telling or lines or [report])[0].removeprefix(": ")


if __name__ == "__main__":
    # The time limit of a cluster ends the job as Ctrl-C does, which empties the output folder.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
