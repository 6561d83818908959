"""Every file as the daemons of a Slinky cluster read it: the operator's lines, the node sets', and our additions."""

from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import WRITTEN_BY_OPERATOR, config_files, parsed
from pulumi_slurm.configuration.operator_lines import written_by_operator
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.configuration.typed import options, slurm_entry
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.version import Series


def slinky_files(spec: SlurmSpec) -> dict[File, Conf]:
    """Return slurm.conf, cgroup.conf, gres.conf and what else of `configFiles` has Slurm's own syntax.

    This is a prediction of what the operator will write, for reviews and tests; nothing of it is sent anywhere. The
    slurmdbd.conf is missing, because the operator puts the database's password into it.
    """
    ours = additions(spec)
    written = options(File.SLURM, written_by_operator(spec)) | _hooks(spec)
    entries = tuple(
        entry
        for node_set in sorted(spec.node_sets, key=lambda node_set: node_set.name)
        for entry in (
            slurm_entry("NodeSet", node_set.slurm_name, {"Feature": node_set.slurm_name}),
            *_own_partition(node_set),
        )
    )
    beside = {**WRITTEN_BY_OPERATOR, **config_files(spec)}
    slurm_conf = Conf(File.SLURM, {**written, **ours.options}, (*entries, *ours.entries))
    return {File.SLURM: slurm_conf, **parsed(beside, Series.of(spec.slurm_version))}


def _own_partition(node_set: NodeSetSpec) -> list[Entry]:
    options = node_set.partition
    return [partition_entry(node_set.slurm_name, [node_set.slurm_name], options)] if options else []


def _hooks(spec: SlurmSpec) -> dict[str, tuple[str, ...]]:
    hooks = spec.hooks
    scripts = {
        "PrologSlurmctld": [f"/etc/slurm/{name}" for name in sorted(hooks.prolog_slurmctld)],
        "EpilogSlurmctld": [f"/etc/slurm/{name}" for name in sorted(hooks.epilog_slurmctld)],
        "Prolog": sorted(hooks.prolog),
        "Epilog": sorted(hooks.epilog),
    }
    return {name: tuple(files) for name, files in scripts.items() if files}
