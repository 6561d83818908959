"""Random valid specifications on real slurmctld of each release: none is refused, and each is understood.

No slurmd runs here. Nodes are made by `scontrol create`, with what slurmd would say of them.
"""

import math
import time

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, ScalingMode, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm.slurmconf import catalogue, hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.values import Value, ValueType, read
from pulumi_slurm.slurmconf.version import Series
from tests.e2e.random_specs import draw
from tests.slurmd.cluster import Cluster
from tests.slurmd.daemon import DaemonError
from tests.slurmd.host import CommandError, Host
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import (
    GANG_NEEDS_NO_PARTITION,
    here,
    rendered_files,
    with_our_slurmdbd,
    without_unknown_keys,
)
from tests.slurmd.sacctmgr import SacctmgrPod, with_named_qos
from tests.slurmd.scontrol import node_counts, show_config, show_partitions

COUNT = 200
PART = 25
MORE = pytest.mark.repeats("tests/slurmd/test_random_specs.py, with its first part")
OPERATOR = "1.1.0"
DAEMON_SET_NODES = 2


@ON_THE_NEWEST
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=MORE) for first in range(PART, COUNT, PART))])
def test_random_specs_are_accepted(
    accounted_cluster: Cluster,
    sacctmgr: SacctmgrPod,
    image: SlurmImage,
    seed: int,
    first: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    series = Series.of(image.version)
    # Some can't run here, and most drawings are of the first part alone.
    pairs = draw(OPERATOR, 2 * (COUNT if first else PART), seed)
    drawn = [pair for pair in pairs if can_run(pair[0], series)][first:][:PART]
    assert len(drawn) == PART
    started = time.monotonic()
    refused = []
    for number, (spec, pools) in enumerate(drawn, first):
        try:
            check(accounted_cluster, sacctmgr, here(spec), pools, series)
        except (DaemonError, CommandError, AssertionError, KeyError, ValueError) as error:
            refused.append(f"{number}: {type(error).__name__}: {error}")
    seconds = time.monotonic() - started
    with capsys.disabled():
        print(f"\n{PART - len(refused)} of {PART} random specifications, Slurm {image.version}, {seconds:.0f} s")
    assert not refused, "\n\n".join(refused[:10])


def can_run(spec: SlurmSpec, series: Series) -> bool:
    """Whether there is a slurmctld to run, and it can; specifications are for 25.11 and later."""
    crashes = "GANG" in (spec.slurm_conf.preempt_mode or "").upper() and not any(all_partitions(spec))
    return not spec.controller.external and not (crashes and series < GANG_NEEDS_NO_PARTITION)


def check(cluster: Cluster, sacctmgr: SacctmgrPod, spec: SlurmSpec, pools: list[NodePoolSpec], series: Series) -> None:
    host = cluster.controller.host
    if spec.accounting:
        sacctmgr.run_job(spec, "qos", qos_script(with_named_qos(spec)))
    files = with_our_slurmdbd(rendered_files(spec, series), spec)
    cluster.start_controller({**files, "gres.conf": gres_conf(spec, pools)})
    try:
        nodes = {node_set.name: create_nodes(host, node_set, pools) for node_set in spec.node_sets}
        if spec.accounting:
            sacctmgr.run_job(spec, "accounts", accounts_script(spec))
        assert node_counts(host) == wanted_counts(spec, nodes)
        compare_config(host, spec, series)
        compare_partitions(host, spec)
    finally:
        cluster.controller.kill()
        if spec.accounting:
            sacctmgr.run("sacctmgr", "--immediate", "delete", "cluster", "c")


def wanted_counts(spec: SlurmSpec, nodes: dict[str, int]) -> dict[str, int]:
    own = {node_set.slurm_name: nodes[node_set.name] for node_set in spec.node_sets if node_set.partition}
    inside = {p.name: list(nodes) if ALL_NODE_SETS in p.node_sets else p.node_sets for p in spec.partitions}
    # No bridge makes its external nodes here.
    return own | {name: sum(nodes.get(item, 0) for item in names) for name, names in inside.items()}


def gres_conf(spec: SlurmSpec, pools: list[NodePoolSpec]) -> str:
    """Return a gres.conf that states what slurmd would find: no driver can be asked about nodes that don't run."""
    lines = []
    for node_set in spec.node_sets:
        machine = machine_of(node_set, pools)
        gres = [*node_set.extra_gres, *([machine.gpus.gres] if machine and machine.gpus else [])]
        for name, *gres_type, count in (item.split(":") for item in gres):
            typed = f" Type={gres_type[0]}" if gres_type else ""
            amount = f"File=/dev/nvidia[0-{int(count) - 1}]" if name == "gpu" else f"Count={count}"
            if names_of(node_set):
                lines.append(f"NodeName={names_of(node_set)} Name={name}{typed} {amount}\n")
    return "".join(lines)


def names_of(node_set: NodeSetSpec) -> str:
    """Return the names of its nodes as a hostlist, which may be empty."""
    if node_set.scaling_mode is ScalingMode.DAEMON_SET:
        return f"{node_set.slurm_name}-x[1-{DAEMON_SET_NODES}]"
    return node_names(node_set)


def create_nodes(host: Host, node_set: NodeSetSpec, pools: list[NodePoolSpec]) -> int:
    """Make the node set's nodes and return how many there are."""
    names = names_of(node_set)
    if not names:
        return 0
    machine = machine_of(node_set, pools)
    assert machine
    options = {"CPUs": machine.cpus, "RealMemory": machine.memory_mib, **node_options(node_set, machine)}
    # The operator adds the node set's name to the features.
    options["Features"] = ",".join([node_set.slurm_name, *node_set.features])
    # Other states are for slurmd itself to ask for.
    host.run(
        [
            "scontrol",
            "create",
            f"NodeName={names}",
            "State=CLOUD",
            *(f"{key}={value}" for key, value in options.items()),
        ]
    )
    return hostlist.count(names)


def compare_config(host: Host, spec: SlurmSpec, series: Series) -> None:
    """Compare what we add to slurm.conf with what slurmctld says that it has."""
    config = show_config(host)
    for name, value in without_unknown_keys(additions(spec), series).options.items():
        key = catalogue.find(File.SLURM, name)
        assert key
        basic = name.startswith(("PriorityWeight", "PriorityMaxAge")) and config["prioritytype"] == "priority/basic"
        if name not in OF_THE_SITE and not basic:
            text = config[name.lower()].strip('"').removesuffix(" sec").removesuffix(" min")
            actual = _folded(key.type, read(key.type, OTHER_SPELLINGS.get((name, text), text)))
            expected = _folded(key.type, value)
            assert actual == expected or (name in ADDED_TO and expected < actual), name


def compare_partitions(host: Host, spec: SlurmSpec) -> None:
    """Compare the options of partitions."""
    partitions = show_partitions(host)
    for _, name, options in all_partitions(spec):
        partition = partitions[name]
        assert partition["State"] == str(options.state), name
        assert partition["Hidden"] == ("YES" if options.hidden else "NO"), name
        assert time_seconds(partition["MaxTime"]) == _whole_minutes(time_seconds(options.max_time)), name
        if options.allow_accounts:
            assert set(partition["AllowAccounts"].split(",")) == {account.lower() for account in options.allow_accounts}
        if options.qos:
            assert partition["QoS"].lower() == options.qos.lower(), name
        if options.priority_tier is not None:
            assert partition["PriorityTier"] == str(options.priority_tier), name


def _whole_minutes(seconds: int | None) -> int | None:
    """Return a time limit as Slurm keeps it."""
    return seconds if seconds is None else math.ceil(seconds / 60) * 60


def _folded(value_type: ValueType, value: Value) -> set[str]:
    """Return a value that equals others of other case and order."""
    if value_type is ValueType.DURATION and isinstance(value, int):
        value = math.ceil(value / 60) * 60
    items = value if isinstance(value, tuple) else str(value).split(",")
    return {item.lower() for item in items}


ADDED_TO = {"AccountingStorageEnforce"}
"""Limits and QoS are of associations, so Slurm enforces these too."""
OF_THE_SITE = {"AccountingStorageHost", "AccountingStoragePort"}
OTHER_SPELLINGS = {
    ("MpiDefault", "(null)"): "none",
    ("PreemptType", "(null)"): "preempt/none",
    ("InactiveLimit", "65535"): "UNLIMITED",
}
"""What `scontrol show config` has for some values, and the value."""
