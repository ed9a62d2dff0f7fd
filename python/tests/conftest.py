"""Inputs, the binary and scripts around it, for the tests of all modules."""

from __future__ import annotations

import gzip
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest
import zstandard
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("ARBITER", ROOT / "target/release/arbiter")).absolute()
PARTS = 6
# Snappy, the default, loads its library for musl if musl is installed beside glibc.
CODEC = {"spark.sql.parquet.compression.codec": "gzip"}
SUCCESS = "_SUCCESS"

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
# A JVM of these tests lives too briefly for the second compiler and threads of the collector.
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def frames(texts: list[bytes]) -> bytes:
    """One zstd frame for each text, each after a skippable frame with its size, as of pzstd."""
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    data = [compressor.compress(text) for text in texts]
    return b"".join(struct.pack("<III", 0x184D2A50, 4, len(frame)) + frame for frame in data)


@pytest.fixture(scope="session")
def text() -> bytes:
    """The games of all fixtures."""
    files = sorted((ROOT / "fixtures").glob("*.pgn"))
    return b"\n".join(file.read_bytes() for file in files) + b"\n"


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> Path:
    """A folder of inputs of all kinds."""
    assert BINARY.is_file(), f"no binary: {BINARY}"
    folder = tmp_path_factory.mktemp("games")
    (folder / "a.pgn.zst").write_bytes(frames([text] * 30))
    (folder / "b.pgn").write_bytes((text * 20).replace(b"\n", b"\r\n"))
    (folder / "c.pgn.zst").write_bytes(frames([text * 3] * 10))
    (folder / "d.pgn").touch()
    (folder / "e.pgn.gz").write_bytes(gzip.compress(text * 5))
    (folder / "f.pgn.zst").write_bytes(frames([text] * 20))
    return folder


def arbiter(*arguments: str | Path, exit_codes: tuple[int, ...] = (0, 1, 2)) -> bytes:
    """Output of the binary. The exit code is 2 over inputs with an empty file."""
    run = subprocess.run([BINARY, *arguments], capture_output=True, check=False)
    assert run.returncode in exit_codes, run.stderr.decode()
    return run.stdout


Script = Callable[[str, str], Path]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Scripts that run a command at the first attempt of part 2, then the binary.

    The folder of the script then holds the file ``attempted``.
    """

    def write(command: str, first: str) -> Path:
        # A name for each test: a session keeps files of other folders by name.
        path = tmp_path / f"{tmp_path.parent.name}-{tmp_path.name}-{command}"
        path.write_text(
            "#!/bin/sh\n"
            f'case "$*" in "{command} "*" --part=2/"*)\n'
            f"  if (set -C; echo $$ > '{tmp_path}/attempted') 2>/dev/null; then\n"
            f"    {first}\n"
            "  fi ;;\n"
            "esac\n"
            f"exec '{BINARY}' \"$@\"\n"
        )
        path.chmod(0o755)
        return path

    return write


def rows_of(folder: Path, form: str = "csv") -> bytes:
    """The parts of a folder, concatenated. The folder holds nothing else."""
    names = [f"part-{part:05}.{form}" for part in range(1, PARTS + 1)]
    assert sorted(path.name for path in folder.iterdir()) == [SUCCESS, *names]
    return b"".join((folder / name).read_bytes() for name in names)


def executors(spark: SparkSession) -> dict[str, tuple[bool, int]]:
    """Executors by id, also dead ones: whether each is alive, and its completed tasks."""
    found = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    every = [found.apply(number) for number in range(found.size())]
    return {
        executor.id(): (executor.isActive(), executor.completedTasks())
        for executor in every
        if executor.id() != "driver"
    }


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def session(master: str, **conf: str) -> SparkSession:
    """A session on a cluster with two executors."""
    builder = SparkSession.builder.master(master).appName("tests")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **CODEC,
        **{name.replace("_", "."): value for name, value in conf.items()},
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    wait_for_two(spark)
    return spark


def wait_for_two(spark: SparkSession) -> None:
    def alive() -> bool:
        return sum(is_alive for is_alive, _ in executors(spark).values()) == 2

    wait_for(alive, "two executors")


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a standalone master with two workers, on two addresses of the loopback interface."""
    folder = tmp_path_factory.mktemp("standalone")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    spark_class = Path(pyspark.__file__).parent / "bin/spark-class"
    deploy = "org.apache.spark.deploy"
    daemons = [[f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port)]]
    for host in ("127.0.0.1", "127.0.0.2"):
        size = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / host)]
        daemons.append([f"{deploy}.worker.Worker", "--host", host, *size, url])
    running = []
    try:
        for number, daemon in enumerate(daemons):
            with (folder / f"{number}.log").open("wb") as log:
                command = [spark_class, *daemon[:1], "--webui-port", "0", *daemon[1:]]
                running.append(subprocess.Popen(command, stdout=log, stderr=log))
            # Workers that find no master wait long before they try again.
            wait_for(lambda: listens(port), "the master")
        yield url
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()


@pytest.fixture(scope="session")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a Connect server with two executors."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["--master", "local-cluster[2,1,1024]"]
    words += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        **CODEC,
    }
    for name, value in settings.items():
        words += ["--conf", f"{name}={value}"]
    folder = tmp_path_factory.mktemp("connect")
    spark_submit = Path(pyspark.__file__).parent / "bin/spark-submit"
    with (folder / "server.log").open("wb") as log:
        command = [spark_submit, *words, "spark-internal"]
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        wait_for(lambda: listens(port) or server.poll() is not None, "the server")
        assert server.poll() is None, (folder / "server.log").read_text()
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()
