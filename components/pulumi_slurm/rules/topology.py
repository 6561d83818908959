"""Rules on topologies: slurmctld starts with all of them, and partitions name those that exist.

Sources, in SchedMD/slurm at slurm-26-05-3-1: `topology_p_add_rm_node` in src/plugins/topology/{tree,block} takes a node
into a switch that it doesn't know and makes it, but into no unknown block; `block_record_validate` in
src/plugins/topology/block/block_record.c ends slurmctld without blocks or sizes.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.derived.topology import FLAT, slurm_topologies, topology_of
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec
from pulumi_slurm.model.releases.bridge_version import bridge_release
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.topology import TopologyKind, TopologySpec
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.topology import KEYWORDS, from_text, topology_conf_errors
from pulumi_slurm.slurmconf.topology.rules import SINCE, topology_issues
from pulumi_slurm.slurmconf.version import Series

_SIZES = "block_sizes"
_YAML, _CONF = _FILES = ("topology.yaml", "topology.conf")
_TOPOLOGY_NAME = re.compile(r"""^\s*-\s*topology:\s*["']?([^\s"'#]+)""", re.M)


def block_sizes_fit(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse sizes on which slurmctld exits, that no group of blocks has, and blocks that can't have enough nodes.

    "Each block must have at least the planning base block size count of nodes": BlockSizes in
    https://slurm.schedmd.com/topology.conf.html. The number of nodes is only known where every partition of the
    topology has a configured one.
    """
    for index, topology in enumerate(spec.topologies):
        at: Path = ("topologies", index, _SIZES)
        if topology.kind is not TopologyKind.BLOCK:
            continue
        blocks, (base, *larger) = len(topology.blocks), topology.block_sizes
        issues = {path[-1]: issue for path, issue in topology_issues([topology_of(topology)], SINCE) if _SIZES in path}
        for position, size in enumerate(larger, 1):
            if position in issues:
                yield FieldError((*at, position), size, issues[position].problem, issues[position].fix)
            elif size // 2 >= base * blocks:
                problem = "a group of half this size has every block already"
                yield FieldError((*at, position), size, problem, "Leave it out.")
        count = _most_nodes(spec, topology)
        if count is not None and base * blocks > count:
            needed = counted(base * blocks, "node")
            yield FieldError(
                (*at, 0),
                base,
                f"blocks of this size need {needed}, and partitions with this topology have {count}",
                f"Write {count // blocks} or less." if count >= blocks else "Write fewer blocks, or more nodes.",
                depends_on_fields=(("topologies", index, "blocks"), ("node_sets",), ("partitions",)),
            )


def topologies_have_names_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse two topologies of a name, and two defaults."""
    names = [topology.name for topology in spec.topologies]
    defaults = [index for index, topology in enumerate(spec.topologies) if topology.default]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield FieldError(("topologies", index, "name"), name, "another topology has this name", "Choose another.")
        elif name == FLAT and not defaults:
            problem = "without a default, partitions that name no topology get a flat one of this name"
            yield FieldError(
                ("topologies", index, "name"), name, problem, "Choose another name, or write default: true."
            )
    for index in defaults[1:]:
        problem = f'the topology "{names[defaults[0]]}" is the default already'
        yield FieldError(("topologies", index, "default"), True, problem, "Keep one of them.")


def topologies_reach_slurm(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse topologies that slurmctld doesn't read, and those into which no node would come."""
    if not spec.topologies:
        return
    at: Path = ("topologies",)
    names = [topology.name for topology in spec.topologies]
    if spec.controller.external:
        problem, fix = "slurmctld reads its topology.yaml outside the cluster", "Write it there, and leave this out."
        yield FieldError(at, names, problem, fix, (("controller", "external"),))
    if not spec.operator.passes_on_topology:
        problem = f"slurm-operator {spec.operator_version} does not tell Slurm where nodes are"
        yield FieldError(at, names, problem, "Write operatorVersion 1.1.0 or later.", (("operator_version",),))
    for name in _FILES:
        if name in spec.config_files:
            problem = "topologies makes a topology.yaml, and slurmctld reads one file"
            yield FieldError(("config_files", name), "...", problem, "Keep one of the two.", (at,))
    for key, value in spec.slurm_conf.extra.items():
        if key.lower() == "topologyplugin":
            problem = "slurmctld ignores it when there is a topology.yaml, which topologies makes"
            yield FieldError(("slurm_conf", "extra", key), value, problem, "Leave it out.", (at,))


def bridge_nodes_have_their_places(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse topologies of partitions into which the bridge doesn't put its external nodes.

    Source: AddNode and updateNodeTopology in internal/controller/node/slurmcontrol/slurmcontrol.go of
    https://github.com/SlinkyProject/slurm-bridge, v1.1.2 and v1.2.1.
    """
    release = bridge_release(spec.bridge.version, spec.operator) if spec.bridge else None
    if release is None or release.has_topology:
        return
    placed = {topology.name for topology in spec.topologies if topology.node_labels}
    default = next((topology.name for topology in spec.topologies if topology.default), None)
    of_bridge = bridge_nodes(spec)
    for index, partition in enumerate(spec.partitions):
        held = [name for name in partition.node_sets if name in of_bridge]
        if held and (partition.topology or default) in placed:
            yield FieldError(
                ("partitions", index, "topology"),
                partition.topology or FieldError.ABSENT,
                f'slurm-bridge {release.version} gives the nodes "{held[0]}" no place in it, and nodes without one get '
                "no job of several nodes",
                "Write a flat topology, or operatorVersion 1.2.0 or later.",
                (("bridge", "version"), ("operator_version",), ("topologies",)),
            )


def topology_conf_suits_its_plugin(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a topology.conf with which slurmctld exits though each of its lines can be read."""
    kind, series = _plugin_of_topology_conf(spec), Series.of(spec.slurm_version)
    if kind is None or not _reads_topology_conf(spec):
        return
    with suppress(ConfError):  # `slurm_supports_the_files` reports it.
        conf = parse(spec.config_files[_CONF], File.TOPOLOGY, series)
        for error in topology_conf_errors(conf, kind, series):
            problem = f"{error.location}: {error.issue.problem}"
            yield FieldError(("config_files", _CONF), error.text, problem, error.issue.fix, (("slurm_conf",),))


def blocks_in_files_have_sizes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse blocks without sizes: slurmctld exits when it starts for the first time, and no node has registered.

    Without sizes it takes the number of nodes in the first block that has some: `block_record_validate` in
    src/plugins/topology/block/block_record.c of Slurm 25.05 to 26.05.
    """
    series = Series.of(spec.slurm_version)
    if spec.controller.external or series < SINCE:
        return
    problem = "slurmctld exits without sizes of blocks, since no node is there when it starts for the first time"
    with suppress(ConfError):  # `slurm_supports_the_files` reports it.
        if _reads_topology_conf(spec) and _plugin_of_topology_conf(spec) == "block":
            conf = parse(spec.config_files[_CONF], File.TOPOLOGY, series)
            if conf.of("BlockName") and "BlockSizes" not in conf.options:
                fix = 'Add the line "BlockSizes=4" with the number of nodes of a block.'
                yield FieldError(("config_files", _CONF), "...", problem, fix)
        for topology in from_text(spec.config_files[_YAML], series) if _YAML in spec.config_files else ():
            if topology.block and not topology.block.block_sizes:
                fix = f'Add "block_sizes: [4]" to {topology.topology}, with the number of nodes of a block.'
                yield FieldError(("config_files", _YAML), topology.topology, problem, fix)


def _reads_topology_conf(spec: SlurmSpec) -> bool:
    other = spec.controller.external or spec.topologies or _YAML in spec.config_files
    return _CONF in spec.config_files and not other


def _plugin_of_topology_conf(spec: SlurmSpec) -> str | None:
    names = [text for key, text in spec.slurm_conf.extra.items() if key.lower() == "topologyplugin"]
    kind = names[0].removeprefix("topology/") if names else ""
    return kind if kind in KEYWORDS else None


def topologies_exist(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse the topology of a partition or of nodes that no topology.yaml has: slurmctld would end."""
    names = {topology.topology for topology in slurm_topologies(spec)}
    names |= set(_TOPOLOGY_NAME.findall(spec.config_files.get("topology.yaml", "")))
    names = names or {FLAT}
    named: list[tuple[Path, str, set[str]]] = [
        ((*at, "topology"), one.topology, {one.topology}) for at, _, one in all_partitions(spec) if one.topology
    ]
    for index, node_set in enumerate(spec.node_sets):
        for key, text in node_set.slurmd_options.items():
            if key.lower() == "topology" and "default" in text.split(",") and _default_has_units(spec):
                problem = (
                    "slurmd's node is drained, since the default topology is no flat one, and it names no unit of it"
                )
                yield FieldError(
                    ("node_sets", index, "slurmd_options", key),
                    text,
                    problem,
                    f'Write "{FLAT}:" and a unit.',
                    (("config_files",), ("topologies",), ("slurm_conf",)),
                )
            if key.lower() == "topology":
                # Nodes have units of several topologies; a partition has the name of one.
                units = {unit.partition(":")[0] for unit in text.split(",")} - {""}
                named.append((("node_sets", index, "slurmd_options", key), text, units))
    for at, value, wanted in named:
        if unknown := wanted - names:
            problem = f'slurmctld exits, since topology.yaml would have no topology "{min(unknown)}"'
            fix = f"Write one of: {', '.join(sorted(names))}."
            yield FieldError(at, value, problem, fix, (("config_files",), ("topologies",)))


def _default_has_units(spec: SlurmSpec) -> bool:
    """Return whether nodes have to name a block or a ring of the topology that is called default."""
    kinds = {topology.topology: topology for topology in slurm_topologies(spec)}
    with suppress(ConfError):  # `slurm_supports_the_files` reports it.
        if _YAML in spec.config_files:
            kinds |= {
                topology.topology: topology
                for topology in from_text(spec.config_files[_YAML], Series.of(spec.slurm_version))
            }
    if FLAT in kinds:
        return not (kinds[FLAT].flat or kinds[FLAT].tree)
    return _plugin_of_topology_conf(spec) in {"block", "ring"}


def _most_nodes(spec: SlurmSpec, topology: TopologySpec) -> int | None:
    """Return the number of nodes that the partitions with a topology have at most, or None if it is not known."""
    in_cluster = {node_set.name: node_set.max_replicas for node_set in spec.node_sets}
    counts = {**in_cluster, **{nodes.name: nodes.node_count for nodes in spec.external_nodes}}
    members: set[str] = set()
    lists: list[tuple[PartitionOptionsSpec, list[str]]] = [(one, one.node_sets) for one in spec.partitions]
    lists += [(node_set.partition, [node_set.name]) for node_set in spec.node_sets if node_set.partition]
    for options, names in lists:
        if options.topology == topology.name or (options.topology is None and topology.default):
            members.update(names)
    if ALL_NODE_SETS in members:
        members = members - {ALL_NODE_SETS} | set(counts)
    counts_of_members = [counts.get(name) for name in members]
    numbers = [count for count in counts_of_members if count is not None]
    return sum(numbers) if numbers and len(numbers) == len(counts_of_members) else None


RULES: tuple[Rule, ...] = (
    topologies_exist,
    block_sizes_fit,
    topologies_have_names_of_their_own,
    topologies_reach_slurm,
    topology_conf_suits_its_plugin,
    blocks_in_files_have_sizes,
    bridge_nodes_have_their_places,
)
