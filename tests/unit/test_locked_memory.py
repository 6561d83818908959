"""Jobs on machines with RDMA may lock memory: slurmd's limit is raised, and slurm.conf has jobs get that.

What real daemons make of it is in tests/slurmd/test_locked_memory.py.
"""

from typing import Any

import pytest
from hypothesis import given, settings

from pulumi_slurm import model as s
from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools as ack_pools
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools as gke_pools
from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeFabric
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.rules import check_pools
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets
from tests.unit.ack_slurm.examples import ack, cluster as ack_cluster
from tests.unit.strategies import specs

EXCEPT = "PropagateResourceLimitsExcept"
COMMAND = ["bash", "-c", 'ulimit -l unlimited && exec entrypoint.sh "$@"', "slurmd"]
RDMA = {"cpus": 4, "memory": "8Gi", "rdma": True}


def node_sets_of(spec: s.SlurmSpec, pools: list[s.NodePoolSpec]) -> dict[str, Any]:
    """Return the container of slurmd of each node set."""
    objects = (item for item in render(spec, pools) if item["kind"] == "NodeSet")
    return {item["metadata"]["name"]: item["spec"]["slurmd"] for item in objects}


def not_passed_on(conf: Conf) -> tuple[str, ...]:
    value = conf.options.get(EXCEPT, ())
    assert isinstance(value, tuple)
    return value


def conf_of(machine: dict[str, Any], **extra: str) -> Conf:
    node_set = {"name": "a", "machine": {"cpus": 4, "memory": "8Gi", **machine}}
    spec = s.SlurmSpec.model_validate({"name": "c", "nodeSets": [node_set], "slurmConf": {"extra": extra}})
    return slinky_files(spec)[File.SLURM]


@given(specs())
@settings(max_examples=50)
def test_any_cluster_has_both_or_none(drawn: tuple[s.SlurmSpec, list[s.NodePoolSpec]]) -> None:
    spec, pools = drawn
    machines = [machine_of(node_set, pools) for node_set in spec.node_sets]
    with_rdma = [bool(machine and machine.has_rdma) for machine in machines]
    commands = [container.get("command") for container in node_sets_of(spec, pools).values()]
    assert sorted(map(bool, commands)) == sorted(with_rdma)
    assert all(command in (None, COMMAND) for command in commands)
    conf = outside_slurm_conf(spec, pools) if spec.controller.external else slinky_files(spec, pools)[File.SLURM]
    propagated = conf.options.get("PropagateResourceLimits", ("ALL",))
    if propagated == ("ALL",):
        assert ("MEMLOCK" in not_passed_on(conf)) >= any(with_rdma)


@pytest.mark.parametrize(
    ("machine", "has_rdma"),
    [
        ({}, False),
        ({"rdma": True}, True),
        ({"resources": {"rdma/hca_shared_devices_a": "1"}}, True),
        ({"resources": {"vpc.amazonaws.com/efa": "4"}}, True),
        ({"resources": {"nvidia.com/sriov-rdma-vf": "8"}}, True),
        ({"resources": {"aliyun/erdma": "1"}}, True),
        ({"resources": {"rdma/hca": "1"}, "rdma": False}, False),
        ({"resources": {"hugepages-2Mi": "4Mi", "example.org/efa": "1"}}, False),
    ],
)
def test_resources_tell_of_rdma(machine: dict[str, Any], has_rdma: bool) -> None:
    assert s.MachineSpec.model_validate({"cpus": 4, "memory": "8Gi", **machine}).has_rdma is has_rdma
    assert not_passed_on(conf_of(machine)) == (("MEMLOCK",) if has_rdma else ())


def test_a_part_of_a_node_has_the_network_of_the_node() -> None:
    pool = s.NodePoolSpec.model_validate({"name": "p", "machine": RDMA, "nodeLabels": {"a": "b"}})
    for rdma, expected in ((None, COMMAND), (False, None)):
        machine = {"cpus": 2, "memory": "4Gi", "rdma": rdma}
        node_set = {"name": "a", "pool": "p", "machine": machine}
        spec = s.SlurmSpec.model_validate({"name": "c", "nodeSets": [node_set]})
        (container,) = node_sets_of(spec, [pool]).values()
        assert container.get("command") == expected


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({EXCEPT: "NOFILE,CORE"}, ("CORE", "MEMLOCK", "NOFILE")),
        ({EXCEPT.lower(): "RLIMIT_MEMLOCK"}, ("RLIMIT_MEMLOCK",)),
        ({EXCEPT: "ALL"}, ("ALL",)),
        ({EXCEPT: "NONE"}, ("MEMLOCK",)),
        ({"PropagateResourceLimits": "ALL"}, ("MEMLOCK",)),
        # Slurm would read the other key alone, and pass on all other limits.
        ({"PropagateResourceLimits": "NONE"}, ()),
        ({"propagateResourceLimits": "NOFILE,CORE"}, ()),
    ],
)
def test_lines_of_a_user_are_kept(extra: dict[str, str], expected: tuple[str, ...]) -> None:
    assert not_passed_on(conf_of({"rdma": True}, **extra)) == expected
    without = conf_of({}, **extra)
    assert EXCEPT not in without.options or EXCEPT.lower() in map(str.lower, extra)


FAST = [name for name, one in GkeCatalogueSpec.built_in_types().items() if one.fabric is not GkeFabric.NONE]


@pytest.mark.parametrize("machine_type", sorted(FAST))
def test_pools_of_google_cloud(machine_type: str) -> None:
    for fabric in (True, False):
        pool = {"name": "fast", "machineType": machine_type, "capacity": "spot", "maxNodes": 2, "fabric": fabric}
        slow = {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 1}
        spec = GkeSpec.model_validate(
            {"project": "p-123456", "region": "us-central1", "zones": ["us-central1-a"], "pools": [pool, slow]}
        )
        by_name = {pool.name: pool for pool in gke_pools(GkePlan.of(spec))}
        assert {name: pool.machine.has_rdma for name, pool in by_name.items()} == {"fast": fabric, "cpu": False}


def test_pools_of_alibaba_cloud() -> None:
    fast = {"name": "fast", "instanceTypes": ["ecs.g8i.4xlarge"], "nodes": 2}
    for erdma in (True, False):
        pools = [{**fast, "erdma": erdma}]
        spec = load_ack({"region": "cn-hangzhou", "zones": ["cn-hangzhou-i"], "pools": pools})
        (pool,) = ack_pools(AckPlan.of(spec))
        assert pool.machine.has_rdma is erdma


@pytest.mark.usefixtures("kubeconfig_with_a_context")
@pytest.mark.parametrize("name", ["ack", "bridge", "gke", "gke-a3", "kubernetes", "local"])
def test_shipped_stacks_have_both_or_none(name: str) -> None:
    config: Any = read_with_secrets(shipped(name))[0]
    spec = getattr(config, "slurm", config.cluster)
    commands = {container.get("command") is not None for container in node_sets_of(spec, config.pools).values()}
    line = not_passed_on(slinky_files(spec, config.pools)[File.SLURM])
    assert (line, True in commands) == ((("MEMLOCK",), True) if name == "gke-a3" else ((), False))


def with_erdma(**worker: Any) -> tuple[Any, Any, list[str]]:
    """Return the group of workers, slurm.conf and all warnings of a cluster that ack-slurm-operator runs."""
    machine = {"cpus": 4, "memory": "8Gi", "resources": {"aliyun/erdma": "1"}}
    node_sets = [{"name": "cpu", "machine": machine}, {"name": "slow", "machine": {"cpus": 4, "memory": "8Gi"}}]
    spec, pools = ack_cluster(nodeSets=node_sets, partitions=None, accounting=None)
    options = ack(workers={"cpu": worker} if worker else {})
    groups = slurm_cluster(spec, pools, options, "image")["spec"]["workerGroupSpecs"]
    warnings = [str(error) for error in check_ack_slurm(spec, pools, options) if "locked" in str(error)]
    return groups, slurm_conf(spec, pools, options), warnings


def test_ack_slurm_operator_starts_workers_without_the_limit() -> None:
    (fast, slow), conf, warnings = with_erdma()
    assert not_passed_on(conf) == ("MEMLOCK",)
    assert fast["initBash"].startswith("#!/bin/bash\nulimit -l unlimited || exit\n")
    assert "ulimit" not in slow["initBash"]
    container, other = (group["template"]["spec"]["containers"][0] for group in (fast, slow))
    assert container["securityContext"] == {"capabilities": {"add": ["SYS_RESOURCE"]}}
    assert "securityContext" not in other
    assert warnings == []
    (fast, _), _, _ = with_erdma(securityContext={"capabilities": {"add": ["IPC_LOCK"], "drop": ["CHOWN"]}})
    container = fast["template"]["spec"]["containers"][0]
    assert container["securityContext"] == {"capabilities": {"add": ["IPC_LOCK", "SYS_RESOURCE"], "drop": ["CHOWN"]}}


def test_a_start_script_of_ones_own_has_to_raise_the_limit() -> None:
    _, _, (warning,) = with_erdma(initBash="exec slurmd -D\n")
    assert warning == (
        'ack.slurm.workers.cpu.init_bash = "...": the script doesn\'t raise the limit of locked memory, with which '
        "users' jobs may lock 64 KiB, so NCCL and MPI fail over RDMA or fall back to TCP. Begin with "
        '"ulimit -l unlimited".'
    )
    assert with_erdma(initBash="ulimit -l unlimited\nexec slurmd -D\n")[2] == []


def test_a_line_and_a_command_that_take_it_back() -> None:
    node_set = {"name": "a", "machine": RDMA, "overrides": {"slurmd": {"command": ["slurmd", "-D"]}}}
    extra = {"PropagateResourceLimits": "RLIMIT_MEMLOCK,NOFILE"}
    spec = s.SlurmSpec.model_validate({"name": "c", "nodeSets": [node_set], "slurmConf": {"extra": extra}})
    told = [str(error) for error in check_pools(spec, []) if error.code == "jobs-may-lock-memory-for-rdma"]
    assert told == [
        'slurm_conf.extra.PropagateResourceLimits = "RLIMIT_MEMLOCK,NOFILE": jobs may lock as little memory as login '
        "nodes allow, so over RDMA NCCL, UCX and libfabric fail for users, or fall back to TCP. Leave MEMLOCK out.",
        'node_sets[0].overrides.slurmd.command = ["slurmd", "-D"]: it replaces the command that lets jobs lock memory, '
        "so over RDMA NCCL, UCX and libfabric fail for users, or fall back to TCP. Leave it out, or have a shell run "
        '"ulimit -l unlimited" before.',
    ]
