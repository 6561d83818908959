"""A preview warns of known errors of the operator's release, where they concern the specification."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import DEFAULT_OPERATOR
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import RELEASES, next_release_without, operator_version

NODE_SET = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "scalingMode": "DaemonSet"}
TOKEN = {"name": "api", "username": "slurm"}


def shown(release: str, **cluster: Any) -> list[str]:
    with collected_warnings() as errors:
        load({"name": "hpc", "operatorVersion": release, **cluster})
    return [str(error) for error in errors if error.code == "operator-release-has-no-known-defects"]


@pytest.mark.parametrize(
    ("release", "mended"),
    [("1.0.0", "1.0.5"), ("1.0.4", "1.0.5"), ("1.0.5", None), ("1.1.1", "1.1.2"), ("1.1.2", None), ("1.2.0", None)],
)
def test_a_slurmctld_that_can_hang_is_warned_of_in_one_line(release: str, mended: str | None) -> None:
    texts = shown(release)
    assert len(texts) == (1 if mended else 0)
    if mended:
        assert f'operatorVersion = "{release}": in this release slurmctld can hang' in texts[0]
        assert f'Write operatorVersion "{mended}".' in texts[0]


@pytest.mark.parametrize(
    ("release", "mended"),
    [("1.0.5", None), ("1.1.2", "1.1.3"), ("1.1.3", None), ("1.2.1", "1.2.2"), ("1.2.999", None), ("1.3.0", None)],
)
def test_tokens_that_can_expire_are_warned_of(release: str, mended: str | None) -> None:
    assert shown(release) == []
    assert shown(release, tokens=[{**TOKEN, "refresh": False}]) == []
    texts = shown(release, tokens=[TOKEN])
    assert len(texts) == (1 if mended else 0)
    assert all("tokens" in text and f'Write operatorVersion "{mended}".' in text for text in texts)


@pytest.mark.parametrize(
    ("release", "mended"),
    [
        *(("1.0.4", "1.0.5"), ("1.0.5", None), ("1.1.0", "1.1.2"), ("1.1.1", "1.1.2"), ("1.1.2", None)),
        *(("1.2.0", "1.2.1"), ("1.2.1", None), ("1.3.0", None)),
    ],
)
def test_rolling_updates_that_drain_all_workers_are_warned_of(release: str, mended: str | None) -> None:
    node_set = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}
    texts = [text for text in shown(release, nodeSets=[node_set]) if "drains a whole node set" in text]
    assert len(texts) == (1 if mended else 0)
    assert all(f'Write operatorVersion "{mended}", or updateStrategy' in text for text in texts)
    other = {**node_set, "updateStrategy": {"type": "OnDelete"}}
    assert "drains a whole" not in str(shown(release, nodeSets=[other]))


@pytest.mark.parametrize(("release", "warned"), [("1.1.3", True), ("1.2.2", True), ("1.3.0", False)])
def test_rolling_updates_that_can_stop_are_warned_of(release: str, *, warned: bool) -> None:
    texts = [text for text in shown(release, nodeSets=[NODE_SET]) if "rolling update" in text and "can stop" in text]
    assert len(texts) == warned
    assert all('Write updateStrategy: {type: "OnDelete"} in these node sets.' in text for text in texts)
    on_delete = {**NODE_SET, "image": "slurmd:1", "updateStrategy": {"type": "OnDelete"}}
    assert shown(release, nodeSets=[on_delete]) == []


@pytest.mark.parametrize(("release", "warned"), [("1.1.3", False), ("1.2.2", False), ("1.3.0", True)])
def test_workers_that_register_without_their_limits_are_warned_of(release: str, *, warned: bool) -> None:
    node_set = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}
    texts = shown(release, nodeSets=[node_set])
    assert len(texts) == warned
    assert all("INVALID_REG" in text and 'an earlier operatorVersion such as "1.2.2"' in text for text in texts)
    assert all('slurmdOptions: {Topology: "default"} in all node sets' in text for text in texts)
    assert shown(release, nodeSets=[{**node_set, "image": "slurmd:1"}]) == []
    assert shown(release, nodeSets=[{**node_set, "slurmdOptions": {"Topology": "default"}}]) == []


def test_a_node_set_that_follows_nodes_gets_no_worker_on_a_cordoned_one() -> None:
    cordoned = [release for release in RELEASES if OperatorDefect.CORDONED_NODES_GET_NO_WORKER in defects(release)]
    assert cordoned == [release for release in RELEASES if operator_version(release).has("NodeSet", "scalingMode")]


@pytest.mark.parametrize("release", RELEASES)
def test_no_release_is_recommended_that_is_worse(release: str) -> None:
    for defect in defects(release):
        better = next_release_without(defect, operator_version(release))
        assert better is None or defects(better) < defects(release)
        assert better != "1.3.0"


def defects(release: str) -> frozenset[OperatorDefect]:
    return operator_version(release).defects


def test_a_field_of_a_release_with_errors_says_so() -> None:
    with pytest.raises(SpecError) as refused:
        load({"name": "c", "operatorVersion": "1.2.2", "controller": {"ha": {}, "state": {"existingClaim": "a"}}})
    (error,) = (error for error in refused.value.errors if error.path == ("controller", "ha"))
    assert error.fix == (
        'Leave this out. Release 1.3.0 and later have it; the page "Operator versions" lists their known errors.'
    )


def test_there_is_one_line_for_each() -> None:
    assert len(shown("1.1.0", tokens=[TOKEN, {**TOKEN, "name": "b"}], nodeSets=[NODE_SET])) == 4


def test_there_is_nothing_to_say_of_the_default_release() -> None:
    """But for rolling updates of a DaemonSet, which can stop in every release that has none of the worse errors."""
    external = [{"name": "x", "nodeSelector": {"pool": "x"}}]
    bridge = {"partition": "pods", "namespaces": [{"name": "jobs"}], "externalNodes": external}
    partitions = [{"name": "pods", "nodeSets": ["x"]}]
    with collected_warnings() as warnings:
        load({"name": "hpc", "tokens": [TOKEN], "bridge": bridge, "partitions": partitions})
    assert list(map(str, warnings)) == []
    bridged = {**NODE_SET, "bridged": True, "updateStrategy": {"type": "OnDelete"}}
    bridge["externalNodes"] = []
    partitions = [{"name": "pods", "nodeSets": ["cpu"], "defMemPerCpu": "1G"}]
    with collected_warnings() as warnings:
        load({"name": "hpc", "tokens": [TOKEN], "bridge": bridge, "partitions": partitions, "nodeSets": [bridged]})
    assert list(map(str, warnings)) == []
    assert shown(DEFAULT_OPERATOR) == []
