"""Reports of `validate` for CI, read by the tools of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT, arbiter
from junitparser import Failure, JUnitXml, Skipped
from sarif import loader

FAULTY = """[Event "x"]
[White "{white}"]
[Black "B"]
[Date "2024.05.01"]
[Round "3"]
[Result "*"]

1. e4 e5 2. {move} ) *

"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    file = tmp_path / "faulty.pgn"
    moves = ["Ke3", "Kd3", "Nd4", "Bb4"]
    file.write_text("".join(FAULTY.format(white=move, move=move) for move in moves))
    return file


def report(form: str, *inputs: Path) -> bytes:
    return arbiter("validate", "--quiet", "--strict", "--format", form, *inputs)


def test_sarif_tools_group_by_code(tmp_path: Path, faulty: Path) -> None:
    log = tmp_path / "a.sarif"
    log.write_bytes(report("sarif", faulty))
    groups = loader.load_sarif_file(str(log)).get_report()
    errors = groups.get_issue_type_histogram_for_severity("error")
    ((name, count),) = errors.items()
    assert name.startswith("E201 illegal move: ")
    assert count == 4
    assert groups.get_issue_count_for_severity("warning") >= 4


def test_sarif_tools_read_all_fixtures(tmp_path: Path) -> None:
    log = tmp_path / "a.sarif"
    log.write_bytes(report("sarif", ROOT / "fixtures"))
    groups = loader.load_sarif_file(str(log)).get_report()
    for severity in ("error", "warning", "note"):
        assert groups.get_issue_count_for_severity(severity) > 20


def test_junitparser_counts_what_the_suites_say(faulty: Path) -> None:
    document = JUnitXml.fromstring(report("junit", faulty, ROOT / "fixtures"))
    suites = list(document)
    for suite in suites:
        said = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        assert said == (suite.tests, suite.failures, suite.errors, suite.skipped), suite.name
    cases = {case.name: case for case in suites[0]}
    assert len(cases) == suites[0].tests
    failed = cases["Ke3 - B, 2024.05.01, round 3, 2.Ke3: E201 illegal-move"]
    assert isinstance(failed.result[0], Failure)
    skipped = cases["Ke3 - B, 2024.05.01, round 3: W207 stray-parenthesis"]
    assert isinstance(skipped.result[0], Skipped)
