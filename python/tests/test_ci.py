"""The hooks of pre-commit, the GitHub action and the workflow, without their services."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml
from conftest import BINARY, ROOT
from shell import WHEEL, Shell

ACTION = ROOT / ".github/actions/validate/action.yml"
MIRROR = ROOT / ".github/pre-commit"
HOOKS = ".pre-commit-hooks.yaml"
README = (ROOT / "README.md").read_text()
needs_wheel = pytest.mark.skipif(WHEEL is None, reason="ARBITER_WHEEL names no wheel")

GOOD = (ROOT / "fixtures/famous.pgn").read_bytes()
BAD = (ROOT / "fixtures/findings/E201.pgn").read_bytes()
WARNED = (ROOT / "fixtures/findings/W207.pgn").read_bytes()


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def example(first: str) -> str:
    """The block of the manual that begins with this line."""
    manual = (ROOT / "src/commands/validate/README.md").read_text()
    return re.search(rf"(?s)```yaml\n({first}\n.*?)```\n", manual)[1]


def hook(folder: Path) -> dict[str, object]:
    """The hook of a repository."""
    (only,) = yaml.safe_load((folder / HOOKS).read_text())
    return only


def test_the_guides_have_one_example_of_the_hook() -> None:
    assert example("repos:") in (MIRROR / "README.md").read_text()
    assert example("repos:") in README


def test_the_files_follow_their_schemas(shell: Shell) -> None:
    shell.write("games.yml", example("name: Games"))
    for schema, path in [
        ("vendor.github-actions", ACTION),
        ("vendor.github-workflows", ROOT / ".github/workflows/ci.yml"),
        ("vendor.github-workflows", ROOT / ".github/workflows/release.yml"),
        ("vendor.github-workflows", "games.yml"),
    ]:
        shell("check-jsonschema", "--builtin-schema", schema, path)
    for folder in ROOT, MIRROR:
        shell("pre-commit", "validate-manifest", folder / HOOKS)
    shell.write("config.yaml", example("repos:"))
    shell("pre-commit", "validate-config", "config.yaml")


def test_the_examples_name_a_hook_and_inputs_that_exist() -> None:
    (repository,) = yaml.safe_load(example("repos:"))["repos"]
    assert repository["hooks"] == [{"id": hook(MIRROR)["id"]}]
    action = yaml.safe_load(ACTION.read_text())
    (used,) = yaml.safe_load(re.search(r"(?s)```yaml\n(- uses: .*?)```", README)[1])
    assert used["with"].keys() <= action["inputs"].keys()
    text = example("name: Games")
    (step,) = (step for step in steps(text) if "/actions/validate@" in step.get("uses", ""))
    assert step["with"].keys() <= action["inputs"].keys()
    outputs = re.findall(rf"steps\.{step['id']}\.outputs\.(\w+)", text)
    assert outputs and set(outputs) <= action["outputs"].keys()


def steps(workflow: str) -> list[dict[str, object]]:
    return yaml.safe_load(workflow)["jobs"]["games"]["steps"]


def test_hooks_differ_only_in_what_they_install() -> None:
    wheel, source = hook(MIRROR), hook(ROOT)
    assert (wheel.pop("language"), source.pop("language")) == ("python", "rust")
    assert (wheel.pop("id"), source.pop("id")) == ("arbiter-validate", "arbiter-validate-source")
    del wheel["description"], source["description"]
    assert wheel == source


def test_hooks_take_games_and_positions() -> None:
    files = re.compile(str(hook(MIRROR)["files"]))
    for name in ["a.pgn", "b/a b.pgn.zst", "a.pgn.gz", "a.fen", "a.epd", "a.PGN"]:
        assert files.search(name), name
    for name in ["a.pgn.txt", "pgn", "a.pgnx", "a.zst", "a.fen.md"]:
        assert not files.search(name), name


def commits(shell: Shell) -> int:
    return int(shell("git", "rev-list", "--count", "--all"))


def test_a_commit_with_a_bad_game_is_rejected(shell: Shell) -> None:
    """The entry of the hook from source, with the binary of all tests instead of a build."""
    shell.env["PATH"] = f"{BINARY.parent}{os.pathsep}{shell.env['PATH']}"
    local = {**hook(ROOT), "language": "system"}
    blocks_bad_games(shell, {"repo": "local", "hooks": [local]})


@needs_wheel
def test_the_hook_installs_the_wheel(shell: Shell, tmp_path: Path) -> None:
    """The files of the mirror, as a repository; another `arbiter` on the search path fails."""
    mirror = Shell(tmp_path / "mirror")
    shutil.copytree(MIRROR, mirror.folder, dirs_exist_ok=True)
    mirror("git", "init", "--quiet")
    mirror("git", "add", ".")
    mirror("git", "commit", "--quiet", "--message", "hook")
    rev = mirror("git", "rev-parse", "HEAD").strip()
    other = tmp_path / "other"
    other.mkdir()
    (other / "arbiter").write_text("#!/bin/sh\nexit 3\n")
    (other / "arbiter").chmod(0o755)
    shell.env["PATH"] = f"{other}{os.pathsep}{shell.env['PATH']}"
    repository = {"repo": str(mirror.folder), "rev": rev, "hooks": [{"id": "arbiter-validate"}]}
    blocks_bad_games(shell, repository)
    (installed,) = tmp_path.glob(".cache/pre-commit/*/py_env-*/bin/arbiter")
    assert shell(installed, "--version").startswith("arbiter ")


def blocks_bad_games(shell: Shell, repository: dict[str, object]) -> None:
    """Commits games to a new repository with the hook of another."""
    shell("git", "init", "--quiet")
    shell.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [repository]}))
    shell("pre-commit", "install")
    shell.write("good.pgn", GOOD)
    shell("git", "add", ".")
    assert "Passed" in shell("git", "commit", "--message", "good")
    shell.write("a bad.pgn", BAD)
    shell.write("notes.txt", "no game")
    shell("git", "add", ".")
    refused = shell("git", "commit", "--message", "bad", code=1)
    assert "a bad.pgn:9:24: error[E201] `Ke3` is illegal" in refused
    assert commits(shell) == 1
    # Settings hold for the hook as well.
    shell.write("arbiter.toml", '[per-file-ignores]\n"*bad.pgn" = ["illegal-move"]\n')
    shell("git", "add", ".")
    shell("git", "commit", "--message", "ignored")
    assert commits(shell) == 2


class Action:
    """Runs the steps of the action as a runner does: inputs in the environment, bash -e."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.action = yaml.safe_load(ACTION.read_text())
        self.output = shell.folder.parent / "output"
        self.summary = shell.folder.parent / "summary"
        shell.env["GITHUB_STEP_SUMMARY"] = str(self.summary)

    def step(self, number: int, code: int = 0, **inputs: str) -> str:
        step = self.action["runs"]["steps"][number]
        assert step["shell"] == "bash"
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        values = {name: input["default"] for name, input in self.action["inputs"].items()}
        assert given.keys() <= values.keys()
        values.update(given)
        for name, value in step.get("env", {}).items():
            self.shell.env[name] = re.sub(
                r"\$\{\{ inputs\.([\w-]+) \}\}", lambda input: values[input[1]], value
            )
        assert "${{" not in step["run"]
        self.output.write_text("")
        script = self.shell.folder.parent / "script.sh"
        script.write_text(step["run"])
        self.shell.env["GITHUB_OUTPUT"] = str(self.output)
        self.shell.env["GITHUB_ACTION_PATH"] = str(ACTION.parent)
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script]
        return self.shell(*bash, code=code)

    def outputs(self) -> dict[str, str]:
        found = dict(line.split("=", 1) for line in self.output.read_text().splitlines())
        value = re.compile(r"\$\{\{ steps\.validate\.outputs\.(\w+) \}\}")
        declared = self.action["outputs"].items()
        return {name: found[value.fullmatch(output["value"])[1]] for name, output in declared}


@pytest.fixture
def action(shell: Shell) -> Action:
    shell.env["PATH"] = f"{BINARY.parent}{os.pathsep}{shell.env['PATH']}"
    return Action(shell)


def counts(errors: int, warnings: int, notes: int) -> dict[str, str]:
    return {"errors": str(errors), "warnings": str(warnings), "notes": str(notes)}


def test_the_action_counts_and_annotates(action: Action) -> None:
    action.shell.write("good.pgn", GOOD)
    action.step(1)
    assert action.outputs() == counts(0, 0, 0)
    action.shell.write("a bad.pgn", BAD)
    action.shell.write("warned.pgn", WARNED)
    found = action.step(1, code=1)
    assert re.search(r"(?m)^::error file=a bad\.pgn,line=9,", found)
    assert action.outputs() == counts(1, 1, 0)
    assert "| error | E201 | 1 |" in action.summary.read_text()


def test_the_inputs_of_the_action(action: Action) -> None:
    shell = action.shell
    shell.write("a bad.pgn", BAD)
    shell.write("warned.pgn", WARNED)
    shell.write("good.pgn", GOOD)
    files = "good.pgn\n\nwarned.pgn\n"
    action.step(1, files=files)
    assert action.outputs() == counts(0, 1, 0)
    action.step(1, code=1, files=files, fail_on="warning")
    action.step(1, files=files, fail_on="warning", args="--ignore W207  --mainline")
    assert action.outputs() == counts(0, 0, 0)
    shell.write("arbiter.toml", 'fail-on = "never"\n')
    action.step(1, files="a bad.pgn")
    action.step(1, code=1, files="a bad.pgn", fail_on="error")

    write = ["--write-baseline", "known.jsonl", "--fail-on=never", "a bad.pgn"]
    shell(BINARY, "validate", "--quiet", *write)
    action.step(1, fail_on="error", baseline="known.jsonl", sarif="log.sarif")
    assert action.outputs() == counts(0, 1, 0)
    log = yaml.safe_load((shell.folder / "log.sarif").read_text())
    # Of a run with a baseline, SARIF has the new results.
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["W207"]


def test_the_action_fails_if_arbiter_does(action: Action) -> None:
    assert "cannot open" in action.step(1, code=2, files="missing.pgn")
    assert "unexpected argument" in action.step(1, code=2, args="--nonsense")
    action.shell.write("good.pgn", GOOD)
    assert "missing/log" in action.step(1, code=2, sarif="missing/log")


def test_inputs_are_not_run_as_commands(action: Action) -> None:
    hostile = "$(touch ran);`touch ran`;'; touch ran; '*"
    for name in action.action["inputs"]:
        action.step(1, code=2, **{name.replace("-", "_"): hostile})
    assert not (action.shell.folder / "ran").exists()


@needs_wheel
def test_the_action_installs_the_wheel(shell: Shell) -> None:
    action = Action(shell)
    scripts = shell.folder.parent / "bin"
    # No other `arbiter` is on the search path.
    tools = shell.folder.parent / "tools"
    tools.mkdir()
    for tool in "bash", "pipx":
        (tools / tool).symlink_to(shutil.which(tool))
    shell.env["PATH"] = str(tools)
    shell.env["PIPX_HOME"] = str(shell.folder.parent / "pipx")
    shell.env["PIPX_BIN_DIR"] = str(scripts)
    action.step(0)
    assert shell(scripts / "arbiter", "--version").startswith("arbiter ")
    shell.env["PATH"] += f"{os.pathsep}{scripts}"
    assert action.step(0).strip() == str(scripts / "arbiter")
