"""Lines of slurm.conf that are ours and that users may write too: a list keeps our items, of all else theirs holds."""

from types import MappingProxyType
from typing import Any

import pytest

from pulumi_slurm.ack_slurm.manifests.slurm_conf import items_of, slurm_conf
from pulumi_slurm.model.slurm_conf import OPERATOR_KEYS
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.values import ValueType
from tests.unit.ack_slurm.examples import EVERYTHING, ack, cluster

LISTS = (ValueType.LIST, ValueType.SET)
MEANT_AS_A_WHOLE = MappingProxyType(
    {
        "SelectTypeParameters": "slurmctld exits with two of its units",
        "TaskPlugin": "whoever writes one for cgroups may want no other",
    }
)
"""Lists of ours in whose place a user's stands, and why."""
ANOTHER = MappingProxyType(
    {
        "AccountingStorageTRES": "gres/tmpdisk",
        "CommunicationParameters": "EnableIPv6",
        "DebugFlags": "Power",
        "GresTypes": "tmpdisk",
        "JobAcctGatherParams": "DisableGPUAcct",
        "JobSubmitPlugins": "require_timelimit",
        "NodeFeaturesPlugins": "node_features/helpers",
        "ReconfigFlags": "KeepPartInfo",
        "SlurmctldParameters": "idle_on_node_suspend",
        "SuspendExcNodes": "mine",
        "SuspendExcStates": "DOWN",
    }
)
"""An item of a user's in each of the others."""
NODE_SETS = [
    {"name": "cpu", "pool": "cpu", "replicas": 2},
    {"name": "gpu", "pool": "gpu", "autoscaling": {"kind": "hpa", "minReplicas": 1, "maxReplicas": 10}},
]
COPILOT = {key: value for key, value in EVERYTHING.items() if key != "workers"}
CLUSTERS: tuple[dict[str, Any], ...] = ({}, COPILOT)
"""Options of ack-slurm-operator with which all lines come, in one cluster or the other."""


def items(options: dict[str, Any], key: str, **extra: str) -> set[str]:
    spec, pools = cluster(nodeSets=NODE_SETS, slurmConf={"extra": extra}, configFiles=FILES)
    return {*items_of(slurm_conf(spec, pools, ack(**options)), key)} - {""}


FILES = {"helpers.conf": "Feature=a Helper=/usr/bin/a\n"}


def own_lists() -> set[str]:
    found = set()
    for options in CLUSTERS:
        spec, pools = cluster(nodeSets=NODE_SETS)
        for name in slurm_conf(spec, pools, ack(**options)).options:
            key = find(File.SLURM, name)
            if key and key.type in LISTS and name.lower() not in OPERATOR_KEYS:
                found.add(name)
    return found


def test_every_list_of_ours_is_known_here() -> None:
    assert own_lists() == {*ANOTHER, *MEANT_AS_A_WHOLE}


@pytest.mark.parametrize("key", ANOTHER)
def test_a_list_of_ours_keeps_its_items_beside_a_user_s(key: str) -> None:
    for options in CLUSTERS:
        assert items(options, key, **{key: ANOTHER[key]}) == items(options, key) | {ANOTHER[key].lower()}


def test_a_word_that_excludes_ours_stands_in_its_place() -> None:
    assert items({}, "JobAcctGatherParams", JobAcctGatherParams="NoShared") == {"noshared", "overmemorykill"}
    assert items({}, "JobAcctGatherParams", JobAcctGatherParams="overmemorykill") == {"usepss", "overmemorykill"}


def test_memory_that_cgroups_hold_is_left_to_them() -> None:
    """Slurmctld exits where both do."""
    files = {"cgroup.conf": "IgnoreSystemd=yes\nConstrainRAMSpace=yes\n"}
    spec, pools = cluster(slurmConf={"extra": {"TaskPlugin": "task/cgroup"}}, configFiles=files)
    assert [*items_of(slurm_conf(spec, pools, ack()), "JobAcctGatherParams")] == ["usepss"]
