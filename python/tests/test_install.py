"""What a release holds: the wheel in an empty virtual environment, the archive in an empty folder,
and the Debian package in an empty system.

The environment variable ``ARBITER_WHEEL`` names the wheel, ``ARBITER_PACKAGES`` the folder of the
others.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
import tomllib
from conftest import ROOT

WHEEL = os.environ.get("ARBITER_WHEEL")
PACKAGES = os.environ.get("ARBITER_PACKAGES")

needs_wheel = pytest.mark.skipif(WHEEL is None, reason="ARBITER_WHEEL names no wheel")
needs_packages = pytest.mark.skipif(PACKAGES is None, reason="ARBITER_PACKAGES names no folder")


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
    line = run(scripts / "arbiter", "--version")
    assert line.split(" (")[0] == f"arbiter {version.strip()}"
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
    name = Path(WHEEL).name
    assert ".manylinux_2_17_" in name and ".musllinux_1_1_" in name
    assert run("ldd", scripts / "arbiter").strip() == "statically linked"


@needs_wheel
def test_the_wheel_names_its_crates_and_no_folder_of_the_build() -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".cyclonedx.json"))
        crates = wheel.read(name).decode()
    assert "pgn-reader" in {crate["name"] for crate in json.loads(crates)["components"]}
    assert set(re.findall(r'path\+file://[^#"]*', crates)) == {"path+file:///chess-arbiter"}


@needs_packages
def test_the_archive_is_where_binstall_looks(tmp_path: Path) -> None:
    (archive,) = Path(PACKAGES).glob("*.tgz")
    digest = Path(f"{archive}.sha256").read_text().split()
    assert digest == [hashlib.sha256(archive.read_bytes()).hexdigest(), archive.name]
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    package = manifest["package"] | manifest["workspace"]["package"]
    metadata = package["metadata"]["binstall"]
    values = {"bin": "arbiter", "binary-ext": "", "archive-suffix": ".tgz"}
    values |= {"version": package["version"], "repo": package["repository"]}
    values["target"] = archive.name.removeprefix(f"arbiter-{package['version']}-")[: -len(".tgz")]

    def filled(template: str) -> str:
        return re.sub(r"{ ([a-z-]+) }", lambda key: values[key[1]], template)

    assert filled(metadata["pkg-url"]).endswith(f"/v{package['version']}/{archive.name}")
    with tarfile.open(archive) as files:
        files.extractall(tmp_path, filter="data")
    check_command(tmp_path / filled(metadata["bin-dir"]))
    (folder,) = tmp_path.iterdir()
    for name in ["README.md", "LICENSE", "CHANGELOG.md", "man/arbiter-validate.1"]:
        assert (folder / name).stat().st_size > 0, name
    assert len(list((folder / "complete").iterdir())) == 4


def test_links_of_the_guide_lead_to_files_from_the_index() -> None:
    text = (ROOT / "python/README.md").read_text()
    links = re.findall(r"\]\(([^)#]+)", text)
    assert len(links) > 5
    base = "https://github.com/chess-arbiter/arbiter/blob/main/"
    for link in links:
        assert link.startswith("https://")
        assert not link.startswith(base) or (ROOT / link.removeprefix(base)).exists(), link


def test_every_crate_has_a_licence_that_the_notices_accept() -> None:
    accepted = tomllib.loads((ROOT / ".github/about.toml").read_text())["accepted"]
    words = "cargo tree --workspace --locked --edges=normal,no-proc-macro --target=all"
    listed = run(*words.split(), "--prefix=none", "--format={p}|{l}")
    crates = {line.removesuffix(" (*)") for line in listed.splitlines() if line}
    assert len(crates) > 100
    for crate in crates:
        name, licence = crate.split("|")
        # Each part of an expression offers a choice; the notices take one that is accepted.
        for part in licence.replace("/", " OR ").split(" AND "):
            assert set(part.strip("() ").split(" OR ")) & set(accepted), f"{name}: {licence}"


@needs_packages
@pytest.mark.skipif(shutil.which("dpkg") is None, reason="no dpkg")
def test_the_package_is_installed_and_removed(tmp_path: Path) -> None:
    (package,) = Path(PACKAGES).glob("*.deb")
    state = tmp_path / "var/lib/dpkg"
    (state / "info").mkdir(parents=True)
    (state / "updates").mkdir()
    (state / "status").touch()
    dpkg = ["dpkg", f"--root={tmp_path}", "--force-not-root", "--force-bad-path"]
    run(*dpkg, "--install", package)
    check_command(tmp_path / "usr/bin/arbiter")
    share = tmp_path / "usr/share"
    pages = {page.name for page in (share / "man/man1").iterdir()}
    assert {"arbiter.1.gz", "arbiter-validate.1.gz"} <= pages
    assert (share / "doc/chess-arbiter/CHANGELOG.md").exists()
    completions = share / "bash-completion/completions/arbiter"
    completed = run("bash", "-c", 'source "$0" && complete -p arbiter', completions)
    assert completed.endswith(" arbiter\n")
    assert (share / "zsh/vendor-completions/_arbiter").read_text().startswith("#compdef arbiter")
    assert "complete -c arbiter" in (share / "fish/vendor_completions.d/arbiter.fish").read_text()
    run(*dpkg, "--purge", "chess-arbiter")
    assert not list((tmp_path / "usr").rglob("*arbiter*"))
