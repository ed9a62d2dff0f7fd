"""Chess PGN toolkit ``arbiter``: validate, count, replay and adjudicate games.

Each function runs the binary of the package. Games come from a file, a folder, a list of them, an
open file such as ``io.StringIO``, or games of python-chess. Options have the names of the command
line, with ``_`` instead of ``-``, and a list repeats an option: ``strict=True, where=["White=A*",
"WhiteElo>=2500"]``. ``arbiter.toml`` is read only if ``config`` names it. An option that the
command lacks, or that the function sets itself, is a :class:`TypeError`. A run that fails raises
:class:`ArbiterError`.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeVar

from chess_arbiter._options import OPTIONS

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow

__all__ = [
    "ArbiterError",
    "Finding",
    "Ruling",
    "Statistics",
    "Table",
    "claim",
    "find_binary",
    "findings",
    "games",
    "plies",
    "run_part",
    "stats",
    "validate",
]


class Game(Protocol):
    """A game of python-chess, whose text is its PGN."""

    def accept(self, visitor: Any) -> Any: ...


File = str | os.PathLike[str]
Inputs = File | IO[str] | IO[bytes] | Game | Iterable[File] | Iterable[Game] | None
_Row = TypeVar("_Row")

__version__: str  # that of the binary, which is asked for it

_STDERR_BYTES, _STDERR_LINES = 4096, 5  # end of stderr in a message
_HEAD_ROWS, _REPR_WIDTH = 5, 100  # of a table in `repr`

# Options that no function takes, and those that one does not: it sets them, or has no use for them.
_OWNED = "codes color explain help list-rules no-config output progress quiet show-config version"
_REPAIRS = "diff fix fix-suggestions in-place keep-original write-fixed"
_OWNED_BY = {
    "validate": f"against csv-safe format statistics {_REPAIRS}",
    "claim": "claim claims contradictions csv-safe follow format part",
    "stats": "count csv-safe follow format",
    "games": "at by claim csv-safe fallen fen follow format move move-letters",
    "plies": "board board-dir csv-safe flip format keep",
    "findings": f"against csv-safe follow format statistics {_REPAIRS}",
    "run_part": "follow jobs part",
    "spark.stats": "count counts follow format jobs part",
    "spark.rows": "counts follow format jobs part",
}
# Names of options by binary and command, as far as they have been asked for.
_names: dict[tuple[File, str], set[str]] = {}


class ArbiterError(Exception):
    """A failed run: the command and part, the exit code (negative: a signal), and stderr."""

    def __init__(self, name: str, code: int, stderr: str, output: bytes = b"") -> None:
        super().__init__(name, code, stderr, output)
        self.name, self.code, self.stderr, self.output = name, code, stderr, output

    def __str__(self) -> str:
        how = f"killed by signal {-self.code}" if self.code < 0 else f"exit code {self.code}"
        # No blank lines: one ends the message in reports of Spark.
        lines = [line.strip() for line in self.stderr[-_STDERR_BYTES:].splitlines()]
        last = [line for line in lines if line][-_STDERR_LINES:]
        return "\n".join([f"{self.name}: {how}", *last])


@dataclass(frozen=True)
class Finding:
    """A fault. Lines, columns, games and plies count from 1, bytes from 0.

    *reason* is why a move is illegal, in one word.
    *fix* has ``safe`` and ``edits``: bytes to replace, ``byte_start``, ``byte_end`` and ``text``.
    """

    code: str
    name: str
    severity: str
    message: str
    file: str
    help: str | None = None
    line: int | None = None
    column: int | None = None
    byte_start: int | None = None
    byte_end: int | None = None
    game: int | None = None
    ply: int | None = None
    move: str | None = None
    fen: str | None = None
    text: str | None = None
    reason: str | None = None
    fix: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Ruling:
    """Decision on a claim; *upheld* is ``None`` if it cannot be decided."""

    claim: str
    rules: str
    upheld: bool | None
    ground: str
    reason: str
    result: str
    ply: int
    moment: str
    by: str | None = None
    fallen: str | None = None
    article: str | None = None
    move: str | None = None
    occurrences: Sequence[int] = ()
    line: Sequence[str] | None = None
    details: Sequence[str] = ()
    follows: Sequence[str] = ()
    otherwise: Sequence[str] = ()
    rules_applied: str | None = None
    note: str | None = None
    white: str | None = None
    black: str | None = None
    event: str | None = None
    round: str | None = None
    date: str | None = None
    fen: str | None = None


def validate(paths: Inputs, **options: Any) -> Iterator[Finding]:
    """Yields the faults of games or positions, while they are found.

    >>> for finding in validate("fixtures/findings/E202.pgn"):
    ...     print(finding.code, finding.move, finding.help)
    E202 3.Nd2 did you mean `Nbd2` or `Nfd2`?
    """
    _check("validate", "validate", options)
    return _validate(paths, {**options, "format": "jsonl"})


def _validate(paths: Inputs, options: Mapping[str, Any]) -> Iterator[Finding]:
    with _process("validate", paths, options) as run:
        for line in run.stdout:
            if line.endswith(b"\n"):  # else the binary was killed
                yield _known(Finding, line)


def claim(game: Inputs, what: str, **options: Any) -> Ruling:
    """Decides the claim *what* (``threefold``, ``fifty``, ``flag``, …) at the end of a game.

    The option ``at`` names another moment, and ``fen`` a position instead of a *game* (``None``).

    >>> ruling = claim("fixtures/karpov_miles.pgn", "threefold", move="26.Nb5")
    >>> ruling.upheld, ruling.article
    (False, 'FIDE 2009 art. 9.2')
    >>> claim(None, "flag", rules="uscf", fen="3N2nk/4p3/5pKp/6p1/8/8/8/8 b - - 14 36").result
    '1-0'
    """
    _check("claim", "adjudicate", options)
    try:
        text = _output("adjudicate", game, {**options, "claim": what, "format": "jsonl"})
    except ArbiterError as error:
        if error.code != 2 or not error.output:  # that of a claim that cannot be decided
            raise
        text = error.output
    return _known(Ruling, text)


class Statistics(dict[str, Any]):
    """The object that ``arbiter stats --format json`` prints."""

    # Inputs and options, if the object lacks groups of the table.
    _again: tuple[Inputs, Mapping[str, Any]] | None = None

    def table(self) -> Table:
        """One row a group, rated player or match, as of ``arbiter stats --format parquet``.

        With ``top`` and ``min_games``, which leave out groups, and with ``anchor`` the games are
        read again.

        >>> stats("fixtures/famous.pgn", by="year").table().polars()["games"].to_list()
        [1, 1, 1, 1, 1]
        """
        if self._again:
            paths, options = self._again
            if seek := getattr(paths, "seek", None):
                seek(0)
            return Table("stats", paths, options)
        with tempfile.TemporaryDirectory(prefix="arbiter-") as folder:
            file = Path(folder, "statistics.json")
            file.write_text(json.dumps(self), encoding="utf-8")
            return Table("stats", None, {"merge": file})


def stats(paths: Inputs = None, **options: Any) -> Statistics:
    """Counts results; the object that ``arbiter stats --format json`` prints, and a table.

    >>> counts = stats("fixtures/famous.pgn", by=["year", "eco"])
    >>> counts["white"], counts["draws"], counts["by"][0]["value"]
    (3, 1, '1851')
    >>> stats(merge=["fixtures/famous.json", "fixtures/endings.json"])["games"]
    11
    """
    _check("stats", "stats", options)
    if isinstance(paths, Iterator) and not hasattr(paths, "read"):
        paths = list(paths)  # they may be read again
    counts = Statistics(json.loads(_output("stats", paths, {**options, "format": "json"})))
    if {name.replace("_", "-") for name in options} & {"anchor", "min-games", "top"}:
        counts._again = paths, options
    return counts


class Table:
    """Rows in a Parquet file, *path*, which is removed with the table or at the end of ``with``.

    ``len``, ``columns`` and ``repr`` need PyArrow, Polars or DuckDB. All three take the table
    itself as a stream of Arrow, which PyArrow reads.

    >>> with games("fixtures/famous.pgn") as table:
    ...     len(table), table.columns[:3]
    (5, ['game', 'white', 'black'])
    """

    def __init__(self, command: str, paths: Inputs, options: Mapping[str, Any]) -> None:
        folder = tempfile.mkdtemp(prefix="arbiter-")
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder, "rows.parquet")
        try:
            passed = {**options, "format": "parquet", "output": self.path}
            with _process(command, paths, passed, reads=False, quiet=command != "replay") as run:
                pass
            self._said = run.stderr
        except BaseException:
            self._remove()
            raise

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *error: object) -> None:
        self._remove()
        _read_later.discard(self)

    def __len__(self) -> int:
        return self._summary()[0]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._summary()[1])

    def __repr__(self) -> str:
        if not self.path.exists():
            return "Table: removed"
        try:
            rows, types, head = self._summary()
        except ImportError:
            return f"Table: {self.path}"
        types = {name: re.sub(r"[<(].*", "", kind) for name, kind in types.items()}
        names, kinds = max(map(len, types)), max(map(len, types.values()))
        values = zip(*head, strict=True) if head else [()] * len(types)
        lines = [f"Table: {rows} rows, {len(types)} columns"]
        for (name, kind), cells in zip(types.items(), values, strict=True):
            line = f"{name:{names}}  {kind:{kinds}}  {', '.join(map(repr, cells))}".rstrip()
            lines.append(line if len(line) <= _REPR_WIDTH else f"{line[: _REPR_WIDTH - 1]}…")
        return "\n".join(lines)

    def _summary(self) -> tuple[int, dict[str, str], list[tuple[Any, ...]]]:
        """Number of rows, types of the columns, and first rows, by a library that is installed."""
        with suppress(ImportError):
            from pyarrow import dataset

            data = dataset.dataset(self.path)
            types = zip(data.schema.names, map(str, data.schema.types), strict=True)
            columns = [column.to_pylist() for column in data.head(_HEAD_ROWS).columns]
            return data.count_rows(), dict(types), list(zip(*columns, strict=True))
        with suppress(ImportError):
            import polars

            frame = polars.scan_parquet(self.path)
            schema = frame.collect_schema()
            types = zip(schema.names(), map(str, schema.dtypes()), strict=True)
            rows = frame.select(polars.len()).collect().item()
            return rows, dict(types), frame.head(_HEAD_ROWS).collect().rows()
        import duckdb

        with duckdb.connect() as connection:
            relation = connection.read_parquet(str(self.path))
            types = zip(relation.columns, map(str, relation.types), strict=True)
            return len(relation), dict(types), relation.limit(_HEAD_ROWS).fetchall()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        import pyarrow
        from pyarrow import parquet

        file = parquet.ParquetFile(self.path)
        reader = pyarrow.RecordBatchReader.from_batches(file.schema_arrow, self._batches(file))
        return reader.__arrow_c_stream__(requested_schema)

    def _batches(self, file: Any) -> Iterator[Any]:
        """The rows, whose file stays as long as this iterator has a table."""
        yield from file.iter_batches()

    def write(self, path: File) -> None:
        """Copies the Parquet file to a path that ends with ``.parquet``."""
        path = Path(path)
        if path.suffix.lower() != ".parquet":
            raise ValueError(f"a table is written as Parquet, which `{path}` does not end with")
        copy = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            shutil.copyfile(self.path, copy)
            copy.replace(path)
        finally:
            copy.unlink(missing_ok=True)

    def arrow(self) -> pyarrow.Table:
        """The rows as a table of PyArrow."""
        from pyarrow import parquet

        return parquet.read_table(self.path)

    def polars(self) -> polars.DataFrame:
        """The rows as a data frame of Polars."""
        import polars

        return polars.read_parquet(self.path)

    def pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, which needs PyArrow.

        Dates are ``datetime64``; integers and truth values have the nullable types of pandas.
        """
        import pandas
        import pyarrow

        rows = self.arrow()
        dates = {pyarrow.date32(): pyarrow.timestamp("s")}
        fields = [field.with_type(dates.get(field.type, field.type)) for field in rows.schema]
        types = {
            pyarrow.int64(): pandas.Int64Dtype(),
            pyarrow.int16(): pandas.Int16Dtype(),
            pyarrow.bool_(): pandas.BooleanDtype(),
        }
        return rows.cast(pyarrow.schema(fields)).to_pandas(types_mapper=types.get)

    def duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> Any:
        """The rows as a relation of DuckDB, on the (default) connection: a view of the file.

        The file stays until the end of Python, or of ``with``.
        """
        import duckdb

        _read_later.add(self)
        return (connection or duckdb.default_connection()).read_parquet(str(self.path))


# Tables whose file a relation of DuckDB reads.
_read_later: set[Table] = set()


def games(paths: Inputs, **options: Any) -> Table:
    """One row a game: players, results, how it ended, and ``tags``, as of ``adjudicate``.

    >>> table = games("fixtures/famous.pgn", tags=["ECO", "Opening"])
    >>> table.arrow().column_names[:4]
    ['ECO', 'Opening', 'game', 'white']
    >>> table.duckdb().filter("board = 'checkmate'").aggregate("count(*)").fetchall()
    [(4,)]
    """
    _check("games", "adjudicate", options)
    return Table("adjudicate", paths, options)


def plies(paths: Inputs, **options: Any) -> Table:
    """One row a ply: move, position, clock time and evaluation, as of ``replay``.

    Games that stop before their last move have the rows up to there; a warning counts them.

    >>> plies("fixtures/famous.pgn", columns=["game", "san"]).polars().row(0)
    (1, 'e4')
    """
    _check("plies", "replay", options)
    table = Table("replay", paths, options)
    if stopped := re.search(r" = \d+ .* \+ (\d+) stopped early \+ (\d+) unreadable", table._said):
        early, unreadable = map(int, stopped.groups())
        if early + unreadable > 0:
            games = "1 game stops" if early == 1 else f"{early} games stop"
            more = f", {unreadable} cannot be read" if unreadable else ""
            first = [line for line in table._said.splitlines() if " (game " in line][:_STDERR_LINES]
            message = "\n".join([f"{games} early{more}", *first])
            warnings.warn(message, stacklevel=2)
    return table


def findings(paths: Inputs, **options: Any) -> Table:
    """One row a finding, as of :func:`validate`.

    >>> findings("fixtures/findings/E202.pgn").pandas()["code"].tolist()
    ['E202']
    """
    _check("findings", "validate", options)
    return Table("validate", paths, options)


def run_part(
    part: int,
    parts: int,
    command: str,
    paths: Inputs,
    output: File,
    *,
    binary: File | None = None,
    jobs: int = 1,
    **options: Any,
) -> int:
    """Runs a command over one part of the inputs, from 1; writes *output*, complete or not at all.

    Returns 1 if there is something to report, otherwise 0. The outputs of all parts are those of
    one run: statistics merged, rows of ``csv`` and ``jsonl`` concatenated (with ``counts``).

    >>> folder = tempfile.mkdtemp()
    >>> names = [f"{folder}/{part}.json" for part in (1, 2)]
    >>> for part, name in enumerate(names, start=1):
    ...     code = run_part(part, 2, "stats", "fixtures/famous.pgn", name, format="json")
    >>> stats(merge=names) == stats("fixtures/famous.pgn")
    True
    """
    _check("run_part", command, options, binary)
    output = Path(output).absolute()  # `-` too is a file
    passed = {**options, "part": f"{part}/{parts}", "output": output, "jobs": jobs}
    with _process(command, paths, passed, binary, reads=False) as run:
        pass
    return run.code


def find_binary() -> Path:
    """The binary: ``$ARBITER``, that of the installed package, or that of the search path."""
    if named := os.environ.get("ARBITER"):
        return Path(named).absolute()
    user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    target = Path(__file__).absolute().parents[1] / "bin"  # of `pip install --target`
    places = [sysconfig.get_path("scripts"), str(target), user, os.environ.get("PATH", "")]
    found = shutil.which("arbiter", path=os.pathsep.join(places))
    if found is None:
        raise FileNotFoundError(f"no `arbiter` in {places[0]} or on the search path")
    return Path(found).absolute()


def _known(kind: type[_Row], line: bytes) -> _Row:
    """A row of JSON without the fields that only later versions of the binary have."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in json.loads(line).items() if name in names})


def _arguments(options: Mapping[str, Any]) -> list[str]:
    """Arguments of the binary for options such as ``by=["speed"]`` and ``draws=True``."""
    arguments = [] if options.get("config") else ["--no-config"]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            arguments.append(flag)
        elif isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
            arguments += [] if value is None or value is False else [f"{flag}={value}"]
        else:
            arguments += [f"{flag}={item}" for item in value]
    return arguments


def _check(
    function: str, command: str, options: Mapping[str, Any], binary: File | None = None
) -> None:
    """Refuses options that the command lacks, or that the function does not take."""
    names = {name.replace("_", "-"): name for name in options}
    if not names:
        return
    refused = names.keys() & f"{_OWNED} {_OWNED_BY[function]}".split()
    refused |= names.keys() - _options(binary or find_binary(), command, names)
    if refused:
        named = ", ".join(f"`{names[name]}`" for name in sorted(refused))
        raise TypeError(f"{function}() takes no option {named}")


def _options(binary: File, command: str, default: Iterable[str]) -> Iterable[str]:
    """Names of the options of a command, as its help lists them."""
    if (binary, command) not in _names:
        words = [binary, command, "--color=never", "--help"]
        text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).stdout
        found = re.findall(r"(?m)^ (?: -\w,|    ) --([\w-]+)", text.decode(errors="replace"))
        _names[binary, command] = set(found)
    return _names[binary, command] or default


@dataclass
class _Run:
    """A run of the binary; the exit code and stderr are those of its end."""

    stdout: IO[bytes]
    code: int = 0
    stderr: str = ""


def _dies_with_parent() -> Callable[[], None] | None:
    """What a new process calls, so that the system ends it together with this one: on Linux."""
    # Threads of gRPC, as Spark Connect has them, may abort a fork that runs Python.
    if sys.platform != "linux" or "grpc" in sys.modules:
        return None
    import ctypes

    prctl, parent, set_death_signal = ctypes.CDLL(None).prctl, os.getpid(), 1

    def call() -> None:
        prctl(set_death_signal, int(signal.SIGTERM))
        if os.getppid() != parent:
            os._exit(1)

    return call


@contextmanager
def _started(words: Sequence[File], **files: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a process, in a thread that lasts as long: the system ends it with its thread."""
    started: Future[subprocess.Popen[bytes]] = Future()
    ended = threading.Event()

    def start() -> None:
        try:
            started.set_result(subprocess.Popen(words, preexec_fn=_dies_with_parent(), **files))
        except BaseException as error:
            started.set_exception(error)
        ended.wait()

    threading.Thread(target=start, daemon=True).start()
    try:
        with started.result() as process:
            yield process
    finally:
        ended.set()


@contextmanager
def _process(
    command: str,
    paths: Inputs,
    options: Mapping[str, Any],
    binary: File | None = None,
    *,
    reads: bool = True,
    quiet: bool = True,
) -> Iterator[_Run]:
    """Runs the binary. An exception, such as one of Ctrl-C, ends it; exit code 2 raises one.

    Only stdout is a pipe, and only for a caller that *reads* it to its end.
    """
    part = options.get("part", "1/1")
    name = f"arbiter {command}" + (f", part {part}" if part != "1/1" else "")
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        inputs = _inputs(paths, stdin)
        more = ["--quiet"] if quiet else []
        words = [binary or find_binary(), command, *more, *_arguments(options), "--", *inputs]
        stdout = subprocess.PIPE if reads else subprocess.DEVNULL
        with _started(words, stdin=stdin, stdout=stdout, stderr=stderr) as process:
            run = _Run(process.stdout or io.BytesIO())
            try:
                yield run
                run.code = process.wait()
            except BaseException:
                process.terminate()
                process.wait()
                raise
        stderr.seek(0)
        run.stderr = stderr.read().decode(errors="replace")
        if run.code not in (0, 1):
            raise ArbiterError(name, run.code, run.stderr)


def _inputs(paths: Inputs, stdin: IO[bytes]) -> list[Any]:
    """The arguments for inputs; the text of those that have no path becomes *stdin*."""
    text: Any = None
    if read := getattr(paths, "read", None):
        text = read()
    elif isinstance(paths, (str, os.PathLike)):
        return [paths]
    else:
        inputs: list[Any] = [paths] if hasattr(paths, "accept") else list(paths or [])
        if not inputs or not all(hasattr(game, "accept") for game in inputs):
            return inputs
        text = "\n\n".join(map(str, inputs)) + "\n"
    stdin.write(text.encode() if isinstance(text, str) else text)
    stdin.seek(0)
    return ["-"]


def _output(
    command: str, paths: Inputs, options: Mapping[str, Any], binary: File | None = None
) -> bytes:
    output = b""
    try:
        with _process(command, paths, options, binary) as run:
            output = run.stdout.read()
    except ArbiterError as error:
        raise ArbiterError(error.name, error.code, error.stderr, output) from None
    return output


if not TYPE_CHECKING:  # it would give the module any attribute

    def __getattr__(name: str) -> str:
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        words = [find_binary(), "--version"]
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return run.stdout.split()[1]


def _list_options() -> None:
    """Appends the options of a command to the docstrings of its functions."""
    for function, command in {
        validate: "validate",
        claim: "adjudicate",
        stats: "stats",
        games: "adjudicate",
        plies: "replay",
        findings: "validate",
    }.items():
        refused = f"{_OWNED} {_OWNED_BY[function.__name__]}".split()
        taken = {name: use for name, use in OPTIONS[command].items() if name not in refused}
        lines = [f"      {name.replace('-', '_')}: {use}" for name, use in taken.items()]
        function.__doc__ = "\n".join([f"{function.__doc__}", "    Options:", *lines])


_list_options()
