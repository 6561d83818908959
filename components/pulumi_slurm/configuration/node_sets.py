"""Node sets: what each slurmd says of itself when it registers."""

from pulumi_slurm.model import MachineSpec, NodeSetSpec


def node_options(node_set: NodeSetSpec, machine: MachineSpec | None) -> dict[str, str | int | None]:
    """Return the keys of a NodeName line that don't describe the machine's CPUs and memory."""
    gres = [machine.gpus.gres] if machine and machine.gpus else []
    values = {
        "Features": ",".join(node_set.features),
        "Gres": ",".join([*gres, *node_set.extra_gres]),
        "Weight": node_set.weight,
        **node_set.slurmd_options,
    }
    return {key: value for key, value in values.items() if value not in (None, "")}


def slurmd_conf(node_set: NodeSetSpec, machine: MachineSpec | None) -> str:
    """Return the items of ``slurmd --conf``, separated by single spaces, as the operator splits them."""
    return " ".join(f"{key}={value}" for key, value in node_options(node_set, machine).items())
