"""The options with which the slurmds of a node set register."""

from pulumi_slurm.model import MachineSpec, NodeSetSpec

WEIGHT_WITHOUT_GPUS = 1
"""Slurm's default: https://slurm.schedmd.com/slurm.conf.html#OPT_Weight."""
WEIGHT_WITH_GPUS = 100
"""So that jobs take nodes without GPUs first, which cost less, and autoscalers start no others for them."""


def default_weight(*, gpus: bool) -> int:
    """Return the weight of nodes where a specification states none."""
    return WEIGHT_WITH_GPUS if gpus else WEIGHT_WITHOUT_GPUS


def node_options(node_set: NodeSetSpec, machine: MachineSpec | None) -> dict[str, str | int | None]:
    """Return the options of a NodeName line other than those for CPUs and memory."""
    gres = [machine.gpus.gres] if machine and machine.gpus else []
    values = {
        "Features": ",".join(node_set.features),
        "Gres": ",".join([*gres, *node_set.extra_gres]),
        "Weight": node_set.weight if node_set.weight is not None or not gres else default_weight(gpus=True),
        **node_set.slurmd_options,
    }
    return {key: value for key, value in values.items() if value not in (None, "")}


def slurmd_conf(node_set: NodeSetSpec, machine: MachineSpec | None) -> str:
    """Return the value of ``slurmd --conf``: options separated by single spaces, at which the operator splits it."""
    return " ".join(f"{key}={value}" for key, value in node_options(node_set, machine).items())
