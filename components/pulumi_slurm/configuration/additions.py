"""The lines that we add to the operator's slurm.conf: options, then partitions of node sets."""

from collections.abc import Sequence

from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.derived.operator_lines import (
    OptionTexts,
    lines_operator_omits,
    user_claim_lines,
    with_words_of_operator,
)
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.model import NodePoolSpec, PartitionSpec, SlurmSpec
from pulumi_slurm.model.cluster_volumes import HEALTH_CHECK_FOLDER
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry

HEALTH_CHECK_SECONDS = 300
"""Slurm's own default, 0, runs no check."""


def additions(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Conf:
    """Return the lines to append to the operator's slurm.conf; Slurm uses the last value of a key."""
    node_sets = (slurm_entry("NodeSet", name, {"Feature": name}) for name in _with_a_line_of_ours(spec))
    texts = {
        **lines_operator_omits(spec),
        **user_claim_lines(spec.keys),
        **_health_check(spec),
        **_names_of_users(spec),
        **option_texts(spec, pools),
    }
    options = parse_options(File.SLURM, with_words_of_operator(spec, texts))
    return Conf(File.SLURM, options, (*node_sets, *partitions(spec)))


def partitions(spec: SlurmSpec) -> list[Entry]:
    """Return the partitions of node sets."""
    return [partition_entry(p.name, _node_sets(spec, p), p) for p in spec.partitions]


def _health_check(spec: SlurmSpec) -> OptionTexts:
    paths = [f"{HEALTH_CHECK_FOLDER}/{name}" for name in spec.hooks.health_check]
    if not paths:
        return {}
    # Not on all nodes at the same second: each check asks slurmctld.
    lines: dict[str, str | int] = {"HealthCheckInterval": HEALTH_CHECK_SECONDS, "HealthCheckNodeState": "ANY,CYCLE"}
    return {"HealthCheckProgram": paths[0], **lines}


def _names_of_users(spec: SlurmSpec) -> OptionTexts:
    """Return the line by which a job knows its user by name on workers, which have no SSSD unless they have SSH.

    Slinky's images of slurmd have nss_slurm, and are to name it in nsswitch.conf; those of June 2026 write that file
    anew afterwards, see docs/ldap.md: schedmd/slurm/26.05/ubuntu26.04/Dockerfile of SlinkyProject/containers,
    profiles/sssd/nsswitch.conf of authselect. https://slurm.schedmd.com/nss_slurm.html
    """
    return {"LaunchParameters": "enable_nss_slurm"} if spec.identity else {}


def _with_a_line_of_ours(spec: SlurmSpec) -> list[str]:
    """Return the node sets that need a line of ours: external ones, and those that a partition of ours names or makes.

    The operator writes a line for each NodeSet that exists. A first slurmctld starts before they do, and one that does
    not know a partition's node set ends, leaving a state with which none starts any more ("No Assoc usage file"). A
    second line of a name has no effect: nodespec_to_hostlist() in src/slurmctld/read_config.c of SchedMD/slurm.
    """
    named = [name for partition in spec.partitions for name in _node_sets(spec, partition) if name != ALL_NODE_SETS]
    return list(dict.fromkeys([*(nodes.name for nodes in spec.external_nodes), *named]))


def _node_sets(spec: SlurmSpec, partition: PartitionSpec) -> list[str]:
    """Return what a partition has as Nodes. ALL leaves out the bridge's external nodes, which only pods get.

    The bridge's controllers give a node the names of its partitions as features, and nothing else, so these nodes are
    the node set of the partition's name: docs/config.md of https://github.com/SlinkyProject/slurm-bridge at v1.2.1.
    """
    names = {node_set.name: node_set.slurm_name for node_set in spec.node_sets}
    of_bridge = bridge_nodes(spec)
    if of_bridge and ALL_NODE_SETS in partition.node_sets:
        return [*names.values(), *(nodes.name for nodes in spec.external_nodes)]
    node_sets = [names.get(name, name) for name in partition.node_sets if name not in of_bridge]
    return [*node_sets, *([partition.name] if len(node_sets) < len(partition.node_sets) else [])]
