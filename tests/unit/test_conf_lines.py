"""The lines of slurm.conf and the items of `slurmd --conf` that a specification becomes."""

from typing import Any

import pytest

from pulumi_slurm.manifests.conf import extra_conf, partition_line, slurmd_conf
from pulumi_slurm.spec import Machine, NodeSet, Partition, SlurmSpec

MACHINE: dict[str, Any] = {"cpus": 8, "memory": "32Gi"}


def spec(**fields: Any) -> SlurmSpec:
    node_sets = fields.pop("nodeSets", [{"name": "cpu", "machine": MACHINE}])
    return SlurmSpec.model_validate({"name": "hpc", "nodeSets": node_sets, **fields})


def line(**fields: Any) -> str:
    sets = [NodeSet.model_validate({"name": "cpu", "machine": MACHINE, "hostNamePrefix": "c-x-"})]
    return partition_line(Partition.model_validate({"name": "p", "nodeSets": ["cpu"], **fields}), sets)


def test_a_plain_partition() -> None:
    assert line() == "PartitionName=p Nodes=c-x State=UP Default=NO MaxTime=UNLIMITED"


def test_all_node_sets() -> None:
    assert line(nodeSets=["ALL"]).startswith("PartitionName=p Nodes=ALL ")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"default": True}, "Default=YES"),
        ({"maxTime": 90}, "MaxTime=90"),
        ({"maxTime": "2-00:00:00", "defaultTime": "1:00:00"}, "MaxTime=2-00:00:00 DefaultTime=1:00:00"),
        ({"defMemPerCpu": "4G"}, "DefMemPerCPU=4096"),
        ({"overSubscribe": "FORCE", "overSubscribeJobs": 4}, "OverSubscribe=FORCE:4"),
        ({"qos": "normal", "allowAccounts": ["a", "b"]}, "QOS=normal AllowAccounts=a,b"),
        ({"tresBillingWeights": {"GRES/gpu": 12, "CPU": 1}}, 'TRESBillingWeights="CPU=1,GRES/gpu=12"'),
        ({"disableRootJobs": False}, "DisableRootJobs=NO"),
        ({"extra": {"PowerDownOnIdle": True}}, "PowerDownOnIdle=YES"),
        ({"priorityTier": 0}, "PriorityTier=0"),
    ],
)
def test_options(fields: dict[str, Any], expected: str) -> None:
    assert expected in line(**fields)


def test_gres_comes_from_the_machine() -> None:
    machine = Machine.model_validate({**MACHINE, "gpus": {"type": "h100", "count": 8}})
    node_set = NodeSet.model_validate(
        {"name": "gpu", "machine": MACHINE, "features": ["nvlink"], "weight": 0, "extraGres": ["tmpdisk:100G"]}
    )
    assert slurmd_conf(node_set, machine) == "Features=nvlink Gres=gpu:h100:8,tmpdisk:100G Weight=0"


def test_items_are_separated_by_single_spaces_since_the_operator_panics_otherwise() -> None:
    node_set = NodeSet.model_validate({"name": "cpu", "machine": MACHINE, "slurmdOptions": {"CoreSpecCount": 2}})
    assert slurmd_conf(node_set, None) == "CoreSpecCount=2"


def test_more_nodes_than_the_operator_allows_raise_max_node_count() -> None:
    many = [{"name": "cpu", "machine": MACHINE, "replicas": 2000}]
    assert "MaxNodeCount=2000" in extra_conf(spec(nodeSets=many))
    assert "MaxNodeCount" not in extra_conf(spec())


def test_gres_types_name_what_node_sets_have_beside_gpus() -> None:
    sets = [{"name": "cpu", "machine": MACHINE, "extraGres": ["tmpdisk:100G"]}]
    assert "GresTypes=gpu,tmpdisk" in extra_conf(spec(nodeSets=sets))


def test_an_external_slurmdbd_is_named_by_its_own_host() -> None:
    keys = {name: {"existing": {"name": name, "key": "k"}} for name in ("slurm", "jwt")}
    text = extra_conf(spec(accounting={"external": {"host": "db.example.org", "port": 6819}}, keys=keys))
    assert "AccountingStorageHost=db.example.org\nAccountingStoragePort=6819" in text


def test_a_line_of_the_users_wins_over_a_derived_one() -> None:
    sets = [{"name": "cpu", "machine": MACHINE, "replicas": 2000}]
    text = extra_conf(spec(nodeSets=sets, slurmConf={"extra": {"MaxNodeCount": 4000}}))
    assert text.splitlines() == ["MaxNodeCount=4000"]
