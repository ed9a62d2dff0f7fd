"""Chess PGN toolkit ``arbiter``: validate, count, replay and adjudicate games.

Each function runs the binary of the package. Games come from a file, a folder, a list of them, or
an open file such as ``io.StringIO``. Options have the names of the command line, with ``_`` instead
of ``-``, and a list repeats an option: ``strict=True, where=["White=A*", "WhiteElo>=2500"]``.
``arbiter.toml`` is read only if ``config`` names it. An option that the command lacks, or that the
function sets itself, is a :class:`TypeError`. A run that fails raises :class:`ArbiterError`.
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
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow

__all__ = [
    "ArbiterError",
    "Finding",
    "Ruling",
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

File = str | os.PathLike[str]
Inputs = File | IO[str] | IO[bytes] | Iterable[File] | None
_Row = TypeVar("_Row")

_STDERR_BYTES, _STDERR_LINES = 4096, 5  # end of stderr in a message

# Options that no function takes, and those that one does not: it sets them, or has no use for them.
_OWNED = "codes color explain help list-rules no-config output progress quiet show-config version"
_REPAIRS = "diff fix fix-suggestions in-place keep-original write-fixed"
_OWNED_BY = {
    "validate": f"against csv-safe format statistics {_REPAIRS}",
    "claim": "claim claims contradictions csv-safe follow format part",
    "stats": "count csv-safe format",
    "games": "claim csv-safe follow format",
    "plies": "board board-dir csv-safe flip format keep",
    "findings": f"against csv-safe follow format statistics {_REPAIRS}",
    "run_part": "follow jobs part",
    "spark.stats": "count counts format jobs part",
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


def stats(paths: Inputs = None, **options: Any) -> dict[str, Any]:
    """Counts results; the object that ``arbiter stats --format json`` prints.

    >>> counts = stats("fixtures/famous.pgn", by=["year", "eco"])
    >>> counts["white"], counts["draws"], counts["by"][0]["value"]
    (3, 1, '1851')
    >>> stats(merge=["fixtures/famous.json", "fixtures/endings.json"])["games"]
    11
    """
    _check("stats", "stats", options)
    counts: dict[str, Any] = json.loads(_output("stats", paths, {**options, "format": "json"}))
    return counts


class Table:
    """Rows in a Parquet file, *path*, which is removed together with the table."""

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

    def arrow(self) -> pyarrow.Table:
        """The rows as a table of PyArrow."""
        from pyarrow import parquet

        return parquet.read_table(self.path)

    def polars(self) -> polars.DataFrame:
        """The rows as a data frame of Polars."""
        import polars

        return polars.read_parquet(self.path)

    def pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, which needs PyArrow."""
        import pandas

        return pandas.read_parquet(self.path)

    def duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> Any:
        """The rows as a relation of DuckDB: a temporary table of the (default) connection."""
        import duckdb

        if connection is None:
            connection = duckdb.default_connection()
        name = f'"{self.path.parent.name}"'
        query = f"CREATE OR REPLACE TEMP TABLE {name} AS FROM read_parquet(?)"
        connection.execute(query, [str(self.path)])
        return connection.table(name)


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
        if read := getattr(paths, "read", None):
            text = read()
            stdin.write(text.encode() if isinstance(text, str) else text)
            stdin.seek(0)
            paths = "-"
        inputs = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths or [])
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
