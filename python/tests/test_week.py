"""The first week of a user: the tasks of the guides, with the wheel alone, in an empty folder."""

from __future__ import annotations

import venv
from pathlib import Path

import pytest
from conftest import ROOT
from shell import WHEEL, Shell

pytestmark = pytest.mark.skipif(WHEEL is None, reason="ARBITER_WHEEL names no wheel")

FIXTURES = ROOT / "fixtures"


def test_the_tasks_of_a_week(tmp_path: Path) -> None:
    shell = Shell(tmp_path)

    # Monday: install it, and check a folder.
    venv.create(tmp_path / "venv", with_pip=True)
    pip = tmp_path / "venv/bin/pip"
    shell(pip, "install", "--quiet", "--no-index", WHEEL)
    arbiter = tmp_path / "venv/bin/arbiter"
    games = shell.folder / "games"
    games.mkdir()
    for name in ["famous.pgn", "slips.pgn", "karpov_miles.pgn"]:
        shell.write(f"games/{name}", (FIXTURES / name).read_bytes())
    assert "validate games" in shell(arbiter, "games", code=2)
    checked = shell(arbiter, "validate", "games", code=1)
    assert "did you mean `2.Nf3` earlier" in checked
    assert " --> games/slips.pgn:102:47 (game 9, 5.O-O)" in checked

    # Tuesday: a summary, the old faults recorded, and the rules of the folder.
    summary = shell(arbiter, "validate", "--quiet", "--format", "markdown", "games", code=1)
    assert "E201" in summary
    known = ["--fail-on", "never", "--write-baseline", "known.jsonl"]
    shell(arbiter, "validate", "--quiet", "--format", "concise", *known, "games")
    shell.write("arbiter.toml", 'baseline = "known.jsonl"\n')
    assert "0 error" in shell(arbiter, "validate", "games")

    # Wednesday: a hook rejects a commit with a bad game.
    shell("git", "init", "--quiet")
    hook = (
        "repos: [{repo: local, hooks: [{id: arbiter, name: arbiter, language: system,"
        f" entry: {arbiter} validate --quiet --format concise, files: '[.]pgn$'}}]}}]\n"
    )
    shell.write(".pre-commit-config.yaml", hook)
    shell("pre-commit", "install")
    shell("git", "add", ".")
    shell("git", "commit", "--quiet", "--message", "games")
    shell.write("games/new.pgn", (FIXTURES / "findings/E201.pgn").read_bytes())
    shell("git", "add", ".")
    rejected = shell("git", "commit", "--message", "a bad game", code=1)
    assert "games/new.pgn:" in rejected
    assert "error[E201]" in rejected
    assert shell("git", "rev-list", "--count", "--all").strip() == "1"

    # Thursday: statistics, and a chart.
    shell(arbiter, "stats", "--quiet", "--by", "year", "--chart", "years.svg", "games/famous.pgn")
    assert (shell.folder / "years.svg").read_bytes().startswith(b"<svg ")
    assert "Anderssen" in shell(arbiter, "stats", "--quiet", "--by", "player", "games")

    # Friday: a ruling.
    claim = ["--claim", "threefold", "--move", "26.Nb5", "games/karpov_miles.pgn"]
    assert "The claim is rejected." in shell(arbiter, "adjudicate", *claim, code=1)
