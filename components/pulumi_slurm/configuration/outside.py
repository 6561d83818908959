"""Settings of daemons outside the Kubernetes cluster: lines of their files, and their commands."""

from collections.abc import Mapping, Sequence

from pulumi_slurm.configuration.additions import partitions
from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.operator_lines import MAX_NODE_COUNT, OptionTexts, key_lines
from pulumi_slurm.derived.slurm_conf_lines import nodes_that_can_come, option_texts
from pulumi_slurm.model import ExternalNodesSpec, NodePoolSpec, SlurmSpec
from pulumi_slurm.model.ports import SLURMCTLD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.values import Value, as_set


def outside_slurm_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Conf:
    """Return what the slurm.conf of a slurmctld outside the cluster has to hold; it will hold more."""
    endpoint = spec.controller.external
    assert endpoint is not None
    has_gpus = any(machine.gpus for node_set in spec.node_sets if (machine := machine_of(node_set, pools)))
    pods_rely_on: OptionTexts = {
        "ClusterName": spec.slurm_name,
        "SlurmctldHost": endpoint.host,
        "SlurmctldPort": endpoint.port,
        # slurmds have no files of their own, and take them from slurmctld.
        "SlurmctldParameters": "enable_configless",
        "CredType": "cred/slurm",
        **key_lines(spec),
        "AccountingStorageType": "accounting_storage/slurmdbd" if spec.accounting else None,
        "GresTypes": "gpu" if has_gpus else None,
    }
    # Workers register by themselves, for which slurmctld keeps so much room beside its own nodes.
    texts = {**option_texts(spec, pools), "MaxNodeCount": nodes_that_can_come(spec, pools) or MAX_NODE_COUNT}
    options = _united(parse_options(File.SLURM, pods_rely_on), parse_options(File.SLURM, texts))
    node_sets = [slurm_entry("NodeSet", item.slurm_name, {"Feature": item.slurm_name}) for item in spec.node_sets]
    of_node_sets = [
        partition_entry(item.slurm_name, [item.slurm_name], item.partition) for item in spec.node_sets if item.partition
    ]
    return Conf(File.SLURM, options, (*node_sets, *partitions(spec), *of_node_sets))


def outside_slurmdbd_conf(spec: SlurmSpec) -> Conf:
    """Return what slurmdbd.conf has to contain in addition to host and database if slurmdbd is outside the cluster."""
    assert spec.accounting is not None
    assert spec.accounting.external is not None
    texts: OptionTexts = {"DbdPort": spec.accounting.external.port, **key_lines(spec)}
    return Conf(File.SLURMDBD, parse_options(File.SLURMDBD, texts))


def slurmctld_address(spec: SlurmSpec) -> str | None:
    """Return where machines outside the cluster find slurmctld, as `--conf-server` takes it; None if they don't."""
    external = spec.controller.external
    host, port = (external.host, external.port) if external else (spec.controller.address, SLURMCTLD_PORT)
    if not host:
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def external_slurmd_conf(nodes: ExternalNodesSpec) -> str:
    """Return the value of ``slurmd --conf`` on a machine outside."""
    values = {
        "Features": ",".join([nodes.name, *nodes.features]),
        "CPUs": nodes.cpus,
        "RealMemory": nodes.memory_mib,
        "Gres": ",".join(nodes.gres),
        "Weight": nodes.weight,
    }
    return " ".join(f"{key}={value}" for key, value in values.items() if value not in (None, ""))


def _united(options: Mapping[str, Value], more: Mapping[str, Value]) -> dict[str, Value]:
    """Return options with those of a specification, which add words where each word counts."""
    united = {**options, **more}
    for key in options.keys() & more.keys():
        one, other = options[key], more[key]
        if isinstance(one, tuple) and isinstance(other, tuple):
            united[key] = as_set((*one, *other))
    return united
