"""What the workflow of a release publishes, and when. Its commands only record their words."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
import tomllib
import yaml
from conftest import ROOT
from shell import Shell

JOBS = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
PUBLISHING = {"release", "pypi", "npm", "pages", "crates"}
CHANGELOG = """# Changelog

## Unreleased (1.3.0)

- Three.

## 1.2.0 (2026-12-01)

- Two.
- More.

## 1.2.0-rc.1

- One.
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def before(job: str) -> set[str]:
    """The jobs that have succeeded when this one begins."""
    needs = JOBS[job].get("needs", [])
    needs = {needs} if isinstance(needs, str) else set(needs)
    return needs.union(*map(before, needs))


def test_a_tag_alone_publishes_and_only_what_is_built() -> None:
    writing = {name for name, job in JOBS.items() if "write" in job.get("permissions", {}).values()}
    assert writing == PUBLISHING
    for name, job in JOBS.items():
        if name in PUBLISHING:
            assert job["if"] == "github.event_name == 'push'"
            assert {"build", "web", "crate"} <= before(name)
        else:
            assert "secrets." not in yaml.safe_dump(job)


def test_a_pull_request_builds_the_first_of_the_systems() -> None:
    choice = JOBS["build"]["strategy"]["matrix"]["include"]
    first, systems = map(json.loads, re.findall(r"(?s)'(\[.*?\])'", choice))
    assert first == systems[:1]
    accepted = tomllib.loads((ROOT / ".github/about.toml").read_text())
    web = "wasm32-unknown-unknown"
    assert [system["target"] for system in systems] + [web] == accepted["targets"]


def notes(shell: Shell, version: str, code: int = 0) -> str:
    shell("mkdir", "-p", ".ci", ".github")
    shell("cp", ROOT / ".ci/notes", ".ci")
    shell.write(".github/CHANGELOG.md", CHANGELOG)
    return shell(".ci/notes", version, code=code)


def test_the_notes_are_the_section_of_the_version(shell: Shell) -> None:
    assert notes(shell, "1.2.0") == "- Two.\n- More.\n"
    assert notes(shell, "1.2.0-rc.1") == "- One.\n"


@pytest.mark.parametrize("version", ["1.3.0", "1.2", "2.0.0"])
def test_a_version_without_a_section_has_no_notes(shell: Shell, version: str) -> None:
    assert "has no section" in notes(shell, version, code=1)


def ran(shell: Shell, job: str, tool: str, known: str = "", **env: str) -> list[str]:
    """The words with which the last step of a job runs a tool, which answers `known` alone."""
    tools = shell.folder.parent / "tools"
    tools.mkdir()
    fake = f"""#!/usr/bin/env bash
case "$1 $2" in
  "info --registry") [[ " {known} " == *" $4 "* ]] ;;
  "view "* | "release view") [ -n "{known}" ] && echo "{known}" ;;
  *) echo "$@" >> "{tools}/ran" ;;
esac
"""
    (tools / tool).write_text(fake)
    (tools / tool).chmod(0o755)
    shell.env |= {"GITHUB_REF_NAME": "v1.2.0", **env}
    shell.env["PATH"] = f"{tools}{os.pathsep}{shell.env['PATH']}"
    step = next(step for step in reversed(JOBS[job]["steps"]) if "run" in step)
    shell("bash", "-e", "-c", step["run"])
    words = tools / "ran"
    return words.read_text().splitlines() if words.exists() else []


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ("", ["publish --workspace --locked"]),
        (
            "chess-arbiter-core@1.2.0",
            ["publish --workspace --locked --exclude chess-arbiter-core"],
        ),
        ("chess-arbiter-core@1.2.0 chess-arbiter@1.2.0", []),
    ],
)
def test_crates_are_published_once(shell: Shell, known: str, words: list[str]) -> None:
    assert ran(shell, "crates", "cargo", known) == words


def test_the_npm_package_is_published_once(shell: Shell) -> None:
    assert ran(shell, "npm", "npm", "1.2.0", NPM_TOKEN="") == []


@pytest.mark.parametrize("token", ["", "secret"])
def test_the_npm_package_takes_a_token_if_there_is_one(shell: Shell, token: str) -> None:
    shell.write("chess-arbiter-1.2.0.tgz", "")
    words = ran(shell, "npm", "npm", NPM_TOKEN=token)
    assert words.pop() == "publish --provenance --access public ./chess-arbiter-1.2.0.tgz"
    assert words == [f"config set //registry.npmjs.org/:_authToken {token}"] * bool(token)


@pytest.mark.parametrize(
    ("known", "verbs"),
    [("", ["create", "upload", "edit"]), ("true", ["upload", "edit"]), ("false", [])],
)
def test_a_release_is_a_draft_until_it_has_its_files(
    shell: Shell, known: str, verbs: list[str]
) -> None:
    notes(shell, "1.2.0")
    words = ran(shell, "release", "gh", known)
    assert [line.split()[:2] for line in words] == [["release", verb] for verb in verbs]
    assert known or "--draft --verify-tag" in words[0]
    assert known or (shell.folder / "notes.md").read_text() == "- Two.\n- More.\n"
