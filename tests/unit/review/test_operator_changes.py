"""What an offline review answers a reviewer of changes whose effects the operator's source says."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_slurm_cli.__main__ import main
from tests.unit.review.test_cloud_changes import base_and_head

DATA = yaml.safe_load(Path(__file__).with_name("operator_changes.yaml").read_text())


@pytest.mark.parametrize("case", DATA["cases"].values(), ids=DATA["cases"])
def test_questions_are_answered_above_the_first_fold(
    case: Mapping[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["review", "--offline", *base_and_head({"config": DATA["base"]}, case, tmp_path)])
    report, _, _ = capsys.readouterr().out.partition("<details>")
    assert [question for question, answer in case["questions"].items() if answer not in report] == [], report
