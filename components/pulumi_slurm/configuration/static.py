"""The configuration for a specification with nodes listed one by one, as on a cluster without Kubernetes.

It is used to compare an imported configuration with its original, and one backend with another.
"""

from collections.abc import Sequence

from pulumi_slurm.configuration.files import parse_files
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.version import Series


def static_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[File, Conf]:
    """Return slurm.conf with a NodeName line for each node set, and the other configuration files.

    Settings that depend on the deployment are omitted: hosts, ports, paths and keys of daemons. Node sets without a
    fixed number of nodes (DaemonSet) and those with 0 nodes have no line.
    """
    host_lists = {node_set.name: host_list for node_set in spec.node_sets if (host_list := node_names(node_set))}
    entries: list[Entry] = []
    for node_set in spec.node_sets:
        if node_set.name in host_lists:
            machine = machine_of(node_set, pools)
            texts = _hardware(machine) | node_options(node_set, machine)
            if node_set.autoscaling:
                texts["State"] = "CLOUD"
            entries.append(slurm_entry("NodeName", host_lists[node_set.name], texts))
    for node_set in spec.node_sets:
        if node_set.partition and node_set.name in host_lists:
            entries.append(partition_entry(node_set.slurm_name, [host_lists[node_set.name]], node_set.partition))
    for partition in spec.partitions:
        node_set_names = list(host_lists) if ALL_NODE_SETS in partition.node_sets else partition.node_sets
        partition_nodes = hostlist.compress(
            host for name in node_set_names for host in hostlist.expand(host_lists.get(name, ""))
        )
        entries.append(partition_entry(partition.name, [partition_nodes], partition))
    cluster_options = parse_options(File.SLURM, {"ClusterName": spec.slurm_name, **option_texts(spec)})
    slurm_conf = Conf(File.SLURM, cluster_options, tuple(entries))
    return {File.SLURM: slurm_conf, **parse_files(spec.config_files, Series.of(spec.slurm_version))}


def _hardware(machine: MachineSpec | None) -> dict[str, str | int | None]:
    return {"CPUs": machine.cpus, "RealMemory": machine.memory_mib} if machine else {}
