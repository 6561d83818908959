"""Every field of `NodeSetSpec` has its row, which says what it sets, and what it does with each operator."""

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Any, get_args

import pytest

from pulumi_slurm import model as s
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.manifests.node_set import node_set
from pulumi_slurm.model import NodeSetSpec, operator_version
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.node_set_fields import NODE_SET_FIELDS
from pulumi_slurm.model.releases.operator_version import RELEASES
from pulumi_slurm.rules import check_cluster
from pulumi_slurm_cli.review.pod_fields import pod_fields

POOL = s.NodePoolSpec.model_validate(
    {
        "name": "pool",
        "machine": {"cpus": 8, "memory": "32Gi", "gpus": {"count": 1}, "rdma": True},
        "nodeLabels": {"pool": "gpu"},
        "taints": [{"key": "gpu", "effect": "NoSchedule"}],
    }
)
HOST_PATH = {"name": "scratch", "path": "/mnt/scratch", "mountPath": "/scratch"}
CLAIM = {"name": "disk", "mountPath": "/disk", "size": "10Gi"}
BASE: dict[str, Any] = {
    "name": "a",
    "machine": {"cpus": 4, "memory": "16Gi", "gpus": {"count": 4, "type": "t4"}},
}
VALUES: dict[str, Any] = {
    "name": "b",
    "pool": "pool",
    "machine": {"cpus": 2, "memory": "8Gi", "rdma": True},
    "gpus": 1,
    "replicas": 3,
    "autoscaling": {"minReplicas": 0, "maxReplicas": 4, "prometheusAddress": "http://prometheus:9090"},
    "extra_gres": ["tmpdisk:100G"],
    "features": ["fast"],
    "slurmd_options": {"CoreSpecCount": "2"},
    "partition": {},
    "host_name_prefix": "x-",
    "volume_claims": [CLAIM],
    "claims_when_deleted": "Delete",
    "claims_when_scaled": "Delete",
    "host_paths": [HOST_PATH],
    "shared_memory": "1Gi",
    "extra_volumes": [{"name": "enroot", "configMap": {"name": "enroot"}}],
    "extra_volume_mounts": [{"name": "disk", "mountPath": "/enroot"}],
    "sidecars": [{"name": "cache", "image": "cache:1", "hostPaths": [HOST_PATH]}],
    "update_strategy": {"type": "RollingUpdate", "maxUnavailable": "1"},
    "ssh": {},
    "pod": {"labels": {"team": "a"}, "nodeSelector": {"disk": "ssd"}, "env": {"A": "b"}},
    "image": "slurmd:1",
    "overrides": {"slurmd": {"tty": True}},
}
"""A value of each field that differs from its default, where `value_of` can't tell."""
BESIDE: dict[str, dict[str, Any]] = {
    "pool": {"machine": None},
    "claims_when_deleted": {"volume_claims": [CLAIM]},
    "claims_when_scaled": {"volume_claims": [CLAIM]},
}
"""Values of other fields with which a field shows all that it sets."""
FURTHER_VALUES: dict[str, list[dict[str, Any]]] = {
    "update_strategy": [
        {"type": "OnDelete"},
        {"type": "ScheduledUpdate", "startTime": "2027-01-09T22:00:00Z", "flags": ["WEEKLY"]},
    ]
}
"""Further values, for fields of which one value doesn't change all paths."""


def value_of(name: str) -> Any:
    field = NodeSetSpec.model_fields[name]
    if name in VALUES:
        return VALUES[name]
    types = {field.annotation, *get_args(field.annotation)}
    if bool in types:
        return not field.default
    if int in types:
        return (field.default or 0) + 1
    if isinstance(field.default, StrEnum):
        return next(value for value in type(field.default) if value is not field.default)
    raise AssertionError(f"write a value of {name} into VALUES")


def rendered(options: NodeSetSpec) -> Any:
    """Return the NodeSet, for the newest release."""
    ref, sssd = ClusterRef(name="c", operator_version=RELEASES[-1]), s.SecretKeyRef(name="sssd", key="sssd.conf")
    pool = POOL if options.pool else None
    machine = machine_of(options, [POOL])
    return node_set(ref, options, machine=machine, pool=pool, sssd=sssd, bridge_scheduler="bridge")


def parsed(**fields: Any) -> NodeSetSpec:
    return NodeSetSpec.model_validate({**BASE, **fields})


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Return the paths at which two objects differ; a list counts as one value."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        if one != other:
            yield at
        return
    for key in one.keys() | other.keys():
        yield from differences(one.get(key, {}), other.get(key, {}), f"{at}.{key}" if at else key)


def covers(path: str, other: str) -> bool:
    return path == other or other.startswith(f"{path}.") or path.startswith(f"{other}.")


def test_a_value_is_copied_to_a_field_right_below_spec() -> None:
    """The renderer writes it there, and a longer path as one key."""
    dotted = {name for name, field in NODE_SET_FIELDS.items() if "." in field.path}
    assert dotted == set(), "write the path into `sets` of the row, and render it in manifests/node_set.py"


def test_every_field_has_a_row() -> None:
    assert NODE_SET_FIELDS.keys() == NodeSetSpec.model_fields.keys()


@pytest.mark.parametrize("name", NODE_SET_FIELDS)
def test_a_row_names_fields_of_the_crd_or_says_why_not(name: str) -> None:
    row = NODE_SET_FIELDS[name]
    assert bool(row.paths) != bool(row.sets_nothing)
    newest = operator_version(RELEASES[-1])
    assert all(newest.has("NodeSet", path) for path in row.paths)


@pytest.mark.parametrize("name", NODE_SET_FIELDS)
def test_a_field_sets_what_its_row_says_and_nothing_else(name: str) -> None:
    row = NODE_SET_FIELDS[name]
    beside, paths = BESIDE.get(name, {}), (*row.paths, *row.sets_where_it_can)
    before = rendered(parsed(**beside))
    changes: set[str] = set()
    for after in others(name, beside):
        changes |= {*differences(before["spec"], after["spec"])}
    if name in {"name", "overrides"}:
        assert changes, "through the names of other fields, or as it is written"
        return
    assert {change for change in changes if not any(covers(path, change) for path in paths)} == set()
    assert {path for path in paths if not any(covers(path, change) for change in changes)} == set()


def others(name: str, beside: dict[str, Any]) -> Iterator[Any]:
    """Yield NodeSets with other values of a field."""
    for value in (value_of(name), *FURTHER_VALUES.get(name, ())):
        yield rendered(parsed(**{**beside, name: value}))


@pytest.mark.parametrize("name", sorted(NODE_SET_FIELDS.keys() - {"name", "overrides"}))
def test_a_review_says_that_workers_are_replaced_where_the_row_says_so(name: str) -> None:
    """Another name is another node set, and what overrides do depends on what is in them."""
    beside = BESIDE.get(name, {})
    before, operator = rendered(parsed(**beside)), operator_version(RELEASES[-1])
    replaced = any(pod_fields(before, after, operator) for after in others(name, beside))
    assert replaced == NODE_SET_FIELDS[name].replaces_workers


@pytest.mark.parametrize("name", NODE_SET_FIELDS)
def test_a_field_is_refused_with_releases_before_the_first_that_has_it(name: str) -> None:
    row = NODE_SET_FIELDS[name]
    refused = {release: {*refusals(name, release)} for release in RELEASES}
    for earlier, later in pairwise(RELEASES):
        if row.since == later and operator_version(earlier).minor != operator_version(later).minor:
            assert "operator-supports-the-fields" in refused[earlier]
            assert "operator-supports-the-fields" not in refused[later]
    assert "operator-supports-the-fields" not in refused[RELEASES[-1]]
    assert ("operator-supports-the-fields" in refused[RELEASES[0]]) == (row.since not in {"", RELEASES[0]})


@pytest.mark.parametrize("name", NODE_SET_FIELDS)
def test_a_field_has_an_effect_with_ack_slurm_operator_or_is_refused(name: str) -> None:
    spec = s.SlurmSpec(name="c", node_sets=[parsed(**{name: value_of(name)})])
    errors = check_ack_slurm(spec, [POOL], AckSlurmSpec())
    refused = {error.path[-1] for error in errors if error.code == "ack-slurm-everything-has-an-effect"}
    assert refused == ({name} if NODE_SET_FIELDS[name].on_ack else set())


def refusals(name: str, release: str) -> Iterator[str]:
    """Return the codes of rules that refuse a value of a field with a release."""
    spec = s.SlurmSpec(name="c", operator_version=release, node_sets=[parsed(**{name: value_of(name)})])
    for error in check_cluster(spec):
        if error.path == ("node_sets", 0, name):
            yield str(error.code)


@pytest.mark.parametrize("more", [{}, {"adopted": {}}])
def test_a_gpu_of_a_machine_is_no_gres_beside_it(more: dict[str, Any]) -> None:
    """A chart that was adopted may have one in place of a machine."""
    node_set = {"name": "a", "extraGres": ["gpu:2"], "machine": {"cpus": 4, "memory": "8Gi"}}
    (error,) = check_cluster(
        s.SlurmSpec.model_validate({"name": "c", "nodeSets": [{**node_set, "partition": {}}], **more})
    )
    assert error.path == ("node_sets", 0, "extra_gres", 0)
