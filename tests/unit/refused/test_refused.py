"""Each specification in the YAML files beside this one is refused with its errors: path, value, problem, fix."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import check_slurm as check_slurm_on_ack, checked_ack
from pulumi_slurm.errors import Severity
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules import check_slurm as check_slurm_on_gke
from tests.unit.ack.errors import harness as ack
from tests.unit.ack_slurm.errors import harness as ack_slurm
from tests.unit.gke.errors import harness as gke
from tests.unit.refused.cases import ROOMS, cases_of
from tests.unit.spec_errors import harness as slurm

pytestmark = pytest.mark.usefixtures("spelled_as_in_files")

ERRORS_OF: dict[str, Callable[[Any], list[str]]] = {
    "slurm": slurm.errors_of,
    "gke": gke.errors_of,
    "ack": ack.errors_of,
    "ack_slurm": ack_slurm.errors_of,
}


def errors_of(room: str, case: dict[str, Any]) -> list[str]:
    """Return the errors of a case; those with a ``cluster`` are errors of that, on the cloud that they describe."""
    if "cluster" not in case:
        return ERRORS_OF[room](case["config"])
    if room == "gke":
        found = check_slurm_on_gke(GkePlan.of(load_gke(gke.with_base(case["gke"]))), gke.slurm_spec(case["cluster"]))
        return [str(error) for error in found if error.severity is Severity.ERROR]
    plan = AckPlan.of(checked_ack(AckSpec.model_validate(ack.with_base(case["ack"]))))
    found = check_slurm_on_ack(plan, ack.slurm_spec(case["cluster"]))
    return [str(error) for error in found if error.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("room", "case"),
    [pytest.param(room, case, id=f"{room}/{name}") for room in ROOMS for name, case in cases_of(room).items()],
)
def test_errors_have_path_value_problem_and_fix(room: str, case: dict[str, Any]) -> None:
    assert errors_of(room, case) == case["errors"]


@pytest.mark.parametrize("room", ROOMS)
def test_of_one_thing_no_message_speaks_as_of_several(room: str) -> None:
    """The messages are those of the cases, which the test above compares."""
    several = re.compile(r"(?<![\w.,-])1 (?:addresses|CPUs|GPUs|jobs|machines|nodes|pods|workers)\b")
    assert [error for case in cases_of(room).values() for error in case["errors"] if several.search(error)] == []
