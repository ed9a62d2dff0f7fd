"""The wheel that ``ARBITER_WHEEL`` names, in an empty virtual environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest
from conftest import ROOT

WHEEL = os.environ.get("ARBITER_WHEEL")

pytestmark = pytest.mark.skipif(WHEEL is None, reason="ARBITER_WHEEL names no wheel")


def run(*words: str | Path, code: int = 0) -> str:
    """Output of a command that ends with this exit code, in the root of the repository."""
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that holds nothing but the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    venv.create(folder, with_pip=True)
    run(folder / "bin/pip", "install", "--quiet", "--no-index", WHEEL)
    return folder / "bin"


def test_the_command_runs(scripts: Path) -> None:
    version = run(
        scripts / "python",
        "-c",
        "import chess_arbiter, importlib.metadata as m; print(m.version('chess-arbiter'))",
    )
    assert run(scripts / "arbiter", "--version").split()[:2] == ["arbiter", version.strip()]
    ambiguous = "fixtures/findings/E202.pgn"
    found = run(scripts / "arbiter", "validate", "--format=concise", ambiguous, code=1)
    assert "error[E202]" in found
    assert run(scripts / "arbiter", "validate", "fixtures/famous.pgn") == ""


@pytest.mark.skipif(shutil.which("ldd") is None, reason="no ldd")
def test_the_binary_needs_no_library(scripts: Path) -> None:
    assert "-py3-none-manylinux2014_" in Path(WHEEL).name
    assert run("ldd", scripts / "arbiter").strip() == "statically linked"
