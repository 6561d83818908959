"""An update whose workers don't come fails in its time, with the reasons of their pods."""

from typing import Any

from tests.e2e.program import Program
from tests.e2e.stack_settings import CPU_POOL, Settings, small

NAME = "missing"
OFF = {**CPU_POOL, "name": "off", "nodeLabels": {"pulumi-slurm/pool": "nowhere"}, "readyWithin": "15s"}


def settings(*node_sets: dict[str, Any]) -> Settings:
    return {**small(NAME, nodeSets=[*node_sets]), "slurm:pools": [CPU_POOL, OFF]}


def test_workers_that_no_node_takes_fail_the_update(module_program: Program) -> None:
    """The preview has said what would be waited for; the next update doesn't wait if it is told not to."""
    missing = {"name": "off", "pool": "off", "replicas": 2}
    here = {"name": "cpu", "pool": "cpu", "replicas": 2}
    stack = settings(here, missing)
    preview = module_program.preview(stack)
    assert "`pulumi up` waits for a worker of cpu (20m at most), a worker of off (15s at most)." in preview.output
    run = module_program.up(None, check=False)
    assert run.code != 0
    assert "the update waited 15s for a worker of off, in vain." in run.output
    assert f"{NAME}-worker-off-0: no node takes it: 0/" in run.output
    assert "node(s) didn't match Pod's node affinity/selector" in run.output
    assert "Traceback" not in run.output
    assert module_program.up(settings(here, {**missing, "wait": False})).code == 0
    assert module_program.preview().changes == {}
