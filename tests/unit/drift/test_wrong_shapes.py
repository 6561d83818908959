"""What kubectl and slurmrestd print in another shape than is read: told by path, and no traceback."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm_cli.drift import LiveList, of_objects, of_slurm
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.shapes import shape_errors
from tests.unit.drift.test_command import Seen, file, seen
from tests.unit.drift.test_objects import POOLS, SPEC, world
from tests.unit.drift.test_settings import READ, with_lines
from tests.unit.drift.worlds import look, stated
from tests.unit.importing.command_line import run
from tests.unit.wrong_shapes import WRONG, Steps, paths, put

__all__ = ["file", "seen"]


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (3, "items[0] = 3: this is not a mapping"),
        ({"kind": "NodeSet"}, "items[0].metadata: this field is required"),
        ({"kind": "NodeSet", "metadata": {"name": ["a"]}}, 'items[0].metadata.name = ["a"]: this is not text'),
        ({"kind": "NodeSet", "metadata": {"name": "a", "managedFields": 3}}, "items[0].metadata.managedFields = 3: "),
    ],
)
def test_an_object_of_a_wrong_shape_is_told(
    file: Any, seen: Seen, monkeypatch: pytest.MonkeyPatch, item: Any, told: str
) -> None:
    seen(look())
    monkeypatch.setattr(Kubectl, "objects", lambda *_: [item])
    done = run("drift", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"kubectl: it printed something else than a List of objects: {told}")


EDITED: dict[str, Any] = {"manager": "me", "time": "2026", "fieldsV1": {"f:spec": {"f:replicas": {}, "f:template": {}}}}
OBJECTS = world()
for one in OBJECTS:
    one["metadata"]["managedFields"].append(EDITED)


@given(st.sampled_from([steps for steps in paths(OBJECTS) if steps]), WRONG)
@settings(deadline=None, max_examples=60)
def test_no_shape_of_objects_ends_in_a_traceback(steps: Steps, value: Any) -> None:
    objects = copy.deepcopy(OBJECTS)
    put(objects, steps, value)
    if not shape_errors(LiveList, {"items": objects}):
        assert all(found.line for found in of_objects(SPEC, POOLS, objects))


SETTINGS = {
    "KillWait": 45,
    "PriorityFlags": "MAX_TRES",
    "DebugFlags": "Gres",
    "EpilogTimeout": 5,
    "MpiParams": "ports=12000-12999",
    "SrunPortRange": "60001-63000",
    "PriorityDecayHalfLife": "7-0",
    "DisableRootJobs": "YES",
    "SlurmSchedLogLevel": 1,
}
LINES = stated(with_lines(f"extra: {SETTINGS}"))


@pytest.mark.parametrize("value", [None, True, 3, 1.5, "x", "", [], [3], [[1]], [{}], {}, {"a": 3}, {"minimum": 3}])
@pytest.mark.parametrize("key", SETTINGS)
def test_no_setting_in_memory_ends_in_a_traceback(key: str, value: Any) -> None:
    assert all(found.line for found in of_slurm(*LINES, look(configuration={**READ, key: value})))
