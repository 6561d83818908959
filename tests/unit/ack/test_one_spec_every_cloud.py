"""One Slurm specification on GKE, on ACK by Slinky, and there by ack-slurm-operator: equal and different results.

Pure functions only: neither cloud's SDK is needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools as ack_pools
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools as gke_pools
from pulumi_slurm.gke.plan.priorities import expand_priorities
from pulumi_slurm.gke.plan.slurm_spec import with_google_services
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import check_pools
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf

GKE: dict[str, Any] = {
    "project": "my-project",
    "region": "us-central1",
    "zones": ["us-central1-b"],
    "pools": [
        {"name": "cpu", "machineType": "n2-standard-16", "maxNodes": 8},
        {"name": "gpu", "machineType": "a2-highgpu-1g", "nodes": 2},
    ],
    "storage": [{"name": "home", "mountPath": "/home", "filestore": {}}],
    "database": {},
}
ACK: dict[str, Any] = {
    "region": "cn-hangzhou",
    "zones": ["cn-hangzhou-i"],
    "pools": [
        {"name": "cpu", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 8},
        {"name": "gpu", "instanceTypes": ["ecs.gn7-c12g1.3xlarge"], "nodes": 2},
    ],
    "storage": [{"name": "home", "mountPath": "/home"}],
    "database": {},
}
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [
        {"name": "cpu", "pool": "cpu", "replicas": 4, "features": ["fast", "avx"], "weight": 5},
        {
            "name": "gpu",
            "pool": "gpu",
            "replicas": 2,
            "extraGres": ["lic:4"],
            "partition": {"maxTime": "2-00:00:00", "qos": "high"},
        },
    ],
    "partitions": [
        {"name": "all", "nodeSets": ["ALL"], "default": True, "maxTime": "1-00:00:00", "defMemPerCpu": "2G"},
        {"name": "short", "nodeSets": ["cpu"], "maxTime": "1:00:00", "priorityTier": 10},
    ],
    "accounting": {
        "qos": [{"name": "high", "priority": 100, "maxTresPerUser": {"gres/gpu": 8}}],
        "accounts": [{"name": "research", "qos": ["normal", "high"], "users": ["alice"]}],
    },
    "slurmConf": {
        "priorityType": "priority/multifactor",
        "priorityWeights": {"QOS": 1000},
        "extra": {"MinJobAge": "60"},
    },
    "loginSets": [{"name": "login"}],
    "identity": {"directory": {}},
}

BETWEEN_CLOUDS = {
    "memory of cpu": "GKE and ACK keep different amounts of a machine's memory",
    "memory of gpu": "so they do, and the two machine types with one A100 don't have the same",
    "the database's host": "Cloud SQL or RDS, behind a Service of ours",
    "TaskProlog": "GKE mounts NVIDIA's driver where no job would look for it",
}
BETWEEN_OPERATORS = {
    "names of cpu": "ack-slurm-operator names nodes <cluster>-worker-<node set>-<number>",
    "names of gpu": "likewise",
    "SlurmctldHost": "ack-slurm-operator gives the controller the cluster's name as host name",
    "AccountingStorageHost": "each operator makes a Service of its own before slurmdbd",
    "SlurmdUser": "slurm-operator writes the default down",
    "SlurmctldLogFile": "the start scripts of Alibaba's image make this file",
    "SlurmdLogFile": "likewise",
    "SlurmSchedLogFile": "slurm-operator writes it to the same log",
    "AuthType": "Alibaba's image has Slurm 23.02: munge, and no auth/slurm, which is from 23.11",
    "CredType": "likewise",
    "AuthInfo": "an option of auth/slurm",
    "AuthAltParameters": "the place where each operator's pods mount the JWT key",
    "MetricsType": "Slurm offers metrics from 25.11 on",
    "ProctrackType": "ack-slurm-operator's pods have no cgroups to manage",
    "TaskPlugin": "likewise",
    "PrologFlags": "Contain needs cgroups",
    "JobAcctGatherType": "likewise",
    "JobAcctGatherParams": "without cgroups it is this that ends a job with too much memory",
    "LogTimeFormat": "slurm-operator's own log",
    "CommunicationParameters": "block_null_hash is slurm-operator's own",
    "SlurmctldParameters": "files come to ack-slurm-operator's pods by ConfigMap, not from slurmctld",
    "ResumeTimeout": "the wait for nodes from none; there it is part of power saving, where Slurm scales a node set",
    "LaunchParameters": "Slinky's images have nss_slurm",
    "SelectType": "dynamic nodes need cons_tres; slurm-operator leaves it to the default of the newer Slurm",
    "TreeWidth": "so that slurmctld talks to each node itself; slurm-operator leaves it to Slurm",
}


@dataclass(frozen=True)
class Built:
    """The results on one of the three platforms."""

    spec: SlurmSpec
    pools: Sequence[NodePoolSpec]
    conf: Conf
    nodes: Mapping[str, tuple[str, Mapping[str, Any]]]
    """By node set: the names of its nodes, and their options in Slurm."""

    @cached_property
    def equal_everywhere(self) -> dict[str, Any]:
        entries = [(entry.keyword, entry.name, entry.options) for entry in self.conf.entries]
        return {
            # Some stand there twice: as the operator's and as ours.
            "partitions and node sets": [entry for at, entry in enumerate(entries) if entry not in entries[:at]],
            "QoS": qos_script(self.spec),
            "accounts": accounts_script(self.spec),
            "nodes": {
                name: {key: value for key, value in options.items() if key != "RealMemory"}
                for name, (_, options) in self.nodes.items()
            },
            "mounts": [(volume.name, volume.mount_path) for volume in self.spec.shared_volumes],
        }

    @cached_property
    def all_else(self) -> dict[str, Any]:
        assert self.spec.accounting
        return {
            **self.conf.options,
            **{f"names of {name}": names for name, (names, _) in self.nodes.items()},
            **{f"memory of {name}": options["RealMemory"] for name, (_, options) in self.nodes.items()},
            "the database's host": self.spec.accounting.database.host,
        }


def stated() -> SlurmSpec:
    """Return the specification, which is valid with each cloud's pools."""
    spec, _ = load(CLUSTER, gke_pools(GkePlan.of(load_gke(GKE))))
    assert load(CLUSTER, ack_pools(AckPlan.of(load_ack(ACK))))[0] == spec
    return spec


def on_gke() -> Built:
    gke, spec = load_gke(GKE), stated()
    return by_slinky(
        with_google_services(GkePlan.of(gke), expand_priorities(GkePlan.of(gke), spec), spec.name),
        gke_pools(GkePlan.of(gke)),
    )


def on_ack(slurm_operator: str) -> tuple[AckSpec, SlurmSpec, list[NodePoolSpec]]:
    ack, spec = load_ack({**ACK, "slurmOperator": slurm_operator}), stated()
    return ack, with_alibaba_services(AckPlan.of(ack), spec, spec.name), ack_pools(AckPlan.of(ack))


def on_ack_by_slinky() -> Built:
    _, spec, pools = on_ack("slinky")
    return by_slinky(spec, pools)


def on_ack_by_its_own_operator() -> Built:
    ack, spec, pools = on_ack("ack-slurm-operator")
    # Alibaba's own image looks up no users.
    options = ack.slurm.model_copy(update={"image": "registry.example.org/slurm:23.02"})
    assert not list(check_ack_slurm(spec, pools, options))
    groups = groups_of(spec, pools, options)
    nodes = {group.name: (group.nodes(group.max_nodes), group.options) for group in groups}
    return Built(spec, pools, slurm_conf(spec, pools, options), nodes)


def by_slinky(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Built:
    assert not list(check_pools(spec, pools))
    nodes: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for node_set in spec.node_sets:
        machine = machine_of(node_set, pools)
        assert machine
        options: dict[str, Any] = {"CPUs": machine.cpus, "RealMemory": machine.memory_mib}
        options |= node_options(node_set, machine)
        # slurm-operator adds the node set's name, by which partitions find its nodes.
        options["Features"] = ",".join([node_set.slurm_name, *node_set.features])
        nodes[node_set.name] = node_names(node_set), options
    return Built(spec, pools, slinky_files(spec)[File.SLURM], nodes)


def differences(fields: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    return {key for key in {**fields, **other} if fields.get(key) != other.get(key)}


@pytest.mark.parametrize("other", [on_ack_by_slinky, on_ack_by_its_own_operator], ids=["slinky", "ack-slurm-operator"])
def test_partitions_qos_accounts_and_nodes_are_equal(other: Any) -> None:
    assert other().equal_everywhere == on_gke().equal_everywhere


def test_they_are_as_configured() -> None:
    equal_parts = on_ack_by_its_own_operator().equal_everywhere
    assert [name for keyword, name, _ in equal_parts["partitions and node sets"] if keyword == "PartitionName"] == [
        "gpu",
        "all",
        "short",
    ]
    assert equal_parts["nodes"] == {
        "cpu": {"CPUs": 14, "Features": "cpu,fast,avx", "Weight": 5},
        "gpu": {"CPUs": 10, "Features": "gpu", "Gres": "gpu:a100:1,lic:4", "Weight": 100},
    }
    assert "add account research" in equal_parts["accounts"]
    assert equal_parts["mounts"] == [("home", "/home")]


def test_differences_between_the_clouds() -> None:
    assert differences(on_gke().all_else, on_ack_by_slinky().all_else) == BETWEEN_CLOUDS.keys()


def test_differences_between_the_operators() -> None:
    different_parts = differences(on_ack_by_slinky().all_else, on_ack_by_its_own_operator().all_else)
    assert different_parts == BETWEEN_OPERATORS.keys()


def test_the_specification_only_differs_in_the_clouds_services() -> None:
    def fields(spec: SlurmSpec, other: SlurmSpec) -> set[str]:
        return {name for name in SlurmSpec.model_fields if getattr(spec, name) != getattr(other, name)}

    spec = stated()
    own_operator = on_ack_by_its_own_operator().spec
    assert fields(spec, own_operator) == {"accounting", "shared_volumes"}
    assert fields(on_ack_by_slinky().spec, own_operator) == {"node_sets", "slurm_conf"}
    # NVIDIA's driver: a TaskProlog, its file, and the environment of slurmd.
    of_the_driver = {"slurm_conf", "config_files", "node_sets"}
    # Of the two networks only Google's is known to enforce policies.
    assert fields(on_gke().spec, on_ack_by_slinky().spec) == {"accounting", "network_policies", *of_the_driver}
