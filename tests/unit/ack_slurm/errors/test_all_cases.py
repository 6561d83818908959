"""All tables of cases together, and a cluster without errors or with several."""

import base64

import pytest

from tests.unit.ack_slurm.errors.harness import SUBJECTS, errors_of
from tests.unit.refused.cases import cases_of


@pytest.mark.parametrize("number", sorted({*SUBJECTS} - {16, 20}))
def test_every_subject_has_a_case(number: int) -> None:
    """16 is the component's, and 20 has its cases in `tests.unit.ack.errors`."""
    assert any(f" {number}: " in f" {name}" and case["errors"] for name, case in cases_of("ack_slurm").items())


def test_a_sound_cluster_and_sound_secrets_are_taken() -> None:
    assert errors_of({}) == []
    assert errors_of({"ack": {"copilot": {}}, "more": {"kubernetes_version": "1.30.1-aliyun.1"}}) == []
    assert errors_of({"munge": base64.b64encode(bytes(range(256)) * 2).decode()}) == []
    assert errors_of({"jwt": "k" * 32}) == []
    assert errors_of({"token": "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJzbHVybSJ9.c2ln"}) == []
    assert errors_of({"password": "of-the-database_1"}) == []


def test_every_error_is_told_in_one_go() -> None:
    options = {"copilot": {}, "slurmrestd": False, "powerSaving": {"groups": {"no": 1}}, "controllerHosts": ["head"]}
    extra = {"SlurmctldParameters": "enable_configless,cloud_dns"}
    assert len(errors_of({"ack": options, "cluster": {"slurmConf": {"extra": extra}}})) == 4
