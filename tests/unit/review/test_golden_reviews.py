"""What reviewers want to know of recorded changes, asked of the reviews that tests/e2e and tests/clouds compare."""

import pytest
import yaml

from devcluster.folders import CHECKOUT

FOLDER = CHECKOUT / "tests/e2e/reviews"
REPORTS = {file.stem: file.read_text() for file in FOLDER.glob("*.md")}
QUESTIONS = yaml.safe_load((FOLDER / "questions.yaml").read_text())


def test_every_report_has_questions() -> None:
    assert QUESTIONS.keys() == REPORTS.keys()
    assert len(REPORTS) >= 14


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_are_answered_by_the_text_alone(name: str) -> None:
    report = REPORTS[name]
    above, _, _ = report.partition("<details>")
    for texts, questions in ((above, QUESTIONS[name]["first"]), (report, QUESTIONS[name].get("then", {}))):
        assert [question for question, answer in questions.items() if answer not in texts] == []
