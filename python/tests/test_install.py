"""The wheel in an empty virtual environment, and the Debian package in an empty system.

The environment variables ``ARBITER_WHEEL`` and ``ARBITER_DEB`` name them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest
from conftest import ROOT

WHEEL = os.environ.get("ARBITER_WHEEL")
DEB = os.environ.get("ARBITER_DEB")

needs_wheel = pytest.mark.skipif(WHEEL is None, reason="ARBITER_WHEEL names no wheel")
needs_deb = pytest.mark.skipif(
    DEB is None or shutil.which("dpkg") is None, reason="ARBITER_DEB names no package, or no dpkg"
)


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


def check_command(arbiter: Path) -> None:
    ambiguous = "fixtures/findings/E202.pgn"
    found = run(arbiter, "validate", "--format=concise", ambiguous, code=1)
    assert "error[E202]" in found
    assert run(arbiter, "validate", "fixtures/famous.pgn") == ""


@needs_wheel
def test_the_wheel_brings_the_command(scripts: Path) -> None:
    version = run(
        scripts / "python",
        "-c",
        "import chess_arbiter, importlib.metadata as m; print(m.version('chess-arbiter'))",
    )
    lines = run(scripts / "arbiter", "--version").splitlines()
    assert lines[0] == f"arbiter {version.strip()}"
    assert lines[1].endswith("; baseline"), "the binary needs a newer processor"
    check_command(scripts / "arbiter")


@needs_wheel
def test_the_wheel_brings_the_library(scripts: Path) -> None:
    program = (
        "import chess_arbiter\n"
        "(finding,) = chess_arbiter.validate('fixtures/findings/E202.pgn')\n"
        "print(finding.code, chess_arbiter.find_binary())"
    )
    environment = {name: value for name, value in os.environ.items() if name != "ARBITER"}
    words = [scripts / "python", "-c", program]
    ran = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.stdout.split() == ["E202", str(scripts / "arbiter")], ran.stderr
    version = [scripts / "python", "-m", "chess_arbiter", "--version"]
    assert run(*version) == run(scripts / "arbiter", "--version")


@needs_wheel
@pytest.mark.skipif(shutil.which("ldd") is None, reason="no ldd")
def test_the_binary_needs_no_library(scripts: Path) -> None:
    assert "-py3-none-manylinux2014_" in Path(WHEEL).name
    assert run("ldd", scripts / "arbiter").strip() == "statically linked"


@needs_deb
def test_the_package_is_installed_and_removed(tmp_path: Path) -> None:
    state = tmp_path / "var/lib/dpkg"
    (state / "info").mkdir(parents=True)
    (state / "updates").mkdir()
    (state / "status").touch()
    dpkg = ["dpkg", f"--root={tmp_path}", "--force-not-root", "--force-bad-path"]
    run(*dpkg, "--install", DEB)
    check_command(tmp_path / "usr/bin/arbiter")
    share = tmp_path / "usr/share"
    pages = {page.name for page in (share / "man/man1").iterdir()}
    assert {"arbiter.1.gz", "arbiter-validate.1.gz"} <= pages
    completions = share / "bash-completion/completions/arbiter"
    completed = run("bash", "-c", 'source "$0" && complete -p arbiter', completions)
    assert completed.endswith(" arbiter\n")
    assert (share / "zsh/vendor-completions/_arbiter").read_text().startswith("#compdef arbiter")
    assert "complete -c arbiter" in (share / "fish/vendor_completions.d/arbiter.fish").read_text()
    run(*dpkg, "--purge", "chess-arbiter")
    assert not list((tmp_path / "usr").rglob("*arbiter*"))
