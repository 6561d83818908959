"""`pulumi-slurm prove` on a cluster that is broken: the step that is about it tells, and no other does."""

import contextlib
import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.jobs.broken import DEFECTS, RUNNING, SLOW, Defect, tell_login_address, wait_until_mended
from tests.jobs.conftest import Proof, Settings
from tests.jobs.slurm import Slurm
from tests.programs import needs
from tests.waiting import eventually

pytestmark = needs("kubectl")

TOGETHER: Sequence[Sequence[str]] = (
    ("a drained node", "a partition without nodes", "a token that everybody reads", "a token that was never made"),
    ("a node without its feature", "a partition for short jobs", "a volume that is read-only on a worker"),
    ("a node that is down", "a partition for other people", "limits that nobody enforces"),
    ("a worker more", "a partition that isn't there", "a partition for fewer nodes", "a GPU that has gone"),
    ("GPUs of another number", "a partition that is down", "an operator too many", "a volume that isn't mounted"),
    ("more memory than there is", "a partition that takes no jobs", "policies that nobody enforces"),
    ("more CPUs than there are", "a user with two numbers", "slurmrestd that hangs"),
)
"""Defects that have nothing to do with each other: none may hide another."""


def told(proved: dict[str, list[dict[str, Any]]]) -> list[tuple[str, str, str]]:
    """Return the steps that fail or are slow, each once, with all that they say."""
    return [(one["verdict"], one["step"], str(one)) for verdict in ("FAIL", "SLOW") for one in proved[verdict]]


def tells(line: tuple[str, str, str], defect: Defect) -> bool:
    """Return whether a line of `told` is about a defect."""
    return line[:2] == (defect.verdict, defect.step) and defect.observed in line[2]


def assert_told(proof: Proof, slurm: Slurm, settings: Settings, defects: Sequence[Defect]) -> None:
    """Break the cluster, prove it, and mend it; each step that tells has to be that of a defect."""
    wanted = copy.deepcopy(settings)
    wanted["slurm:pools"][0]["maxNodes"] = 9
    with contextlib.ExitStack() as broken:
        broken.callback(wait_until_mended, slurm)
        broken.callback(slurm.cancel_all)
        for defect in defects:
            broken.enter_context(defect.there(slurm))
            defect.change(wanted)
        lines = told(proof(wanted, "--user", "alice"))
    for defect in defects:
        if not any(tells(line, defect) for line in lines):
            # As a message, pytest would leave out most of it.
            pytest.fail("\n".join((str(defect), *(line[2] for line in lines))))
    others = [line for line in lines if not any(tells(line, defect) for defect in defects)]
    assert others == [], "\n".join(line[2] for line in lines)


@pytest.mark.parametrize("names", TOGETHER, ids=", ".join)
def test_each_defect_is_told_by_its_step(proof: Proof, slurm: Slurm, settings: Settings, names: Sequence[str]) -> None:
    assert_told(proof, slurm, settings, [DEFECTS[name] for name in names])


def test_every_defect_is_tried() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(DEFECTS)


@pytest.mark.repeats("tests/jobs/test_prove_defects.py, with several defects at once")
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_alone_is_told_by_its_step(proof: Proof, slurm: Slurm, settings: Settings, name: str) -> None:
    assert_told(proof, slurm, settings, [DEFECTS[name]])


@pytest.mark.repeats("tests/jobs/test_prove_defects.py, with what takes a minute")
@pytest.mark.parametrize("name", SLOW)
def test_what_hangs_is_told_by_its_step(proof: Proof, slurm: Slurm, settings: Settings, name: str) -> None:
    tell_login_address(slurm)
    assert_told(proof, slurm, settings, [SLOW[name]])


def read_at(slurm: Slurm) -> list[str]:
    """Return since when slurmctld has its files; nothing while it doesn't answer."""
    return [line for line in slurm.said("scontrol", "show", "config").splitlines() if line.startswith("BOOT_TIME")]


@pytest.mark.repeats("tests/jobs/test_prove_defects.py, with updates in between")
@pytest.mark.parametrize("name", RUNNING)
def test_a_cluster_that_is_not_as_its_file_says_is_told_by_its_step(
    proof: Proof, slurm: Slurm, changed: Program, settings: Settings, name: str
) -> None:
    as_made = copy.deepcopy(settings)
    RUNNING[name].change(as_made)
    before = read_at(slurm)
    changed.up(as_made)
    # Slurm reads its files a moment after the update.
    eventually("the files", lambda: read_at(slurm), lambda times: times not in ([], before))
    # The file that is proven doesn't say so.
    assert_told(proof, slurm, settings, [replace(RUNNING[name], says=())])
