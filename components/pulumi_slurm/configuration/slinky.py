"""All files as the daemons of a Slinky cluster read them: the operator's lines, node sets, and our additions."""

from collections.abc import Sequence

from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import all_files, parse_files
from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.operator_lines import lines_operator_writes, slurmctld_hosts
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, render
from pulumi_slurm.slurmconf.version import Series


def slinky_files(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[File, Conf]:
    """Return slurm.conf, cgroup.conf, gres.conf and all other files of `configFiles` that have Slurm's own syntax.

    This is a prediction of what the operator will write, for reviews and tests; none of it is deployed. slurmdbd.conf
    is missing, because the operator writes the database's password into it.
    """
    our_lines = additions(spec, pools)
    operator_options = parse_options(File.SLURM, lines_operator_writes(spec)) | _hooks(spec)
    operator_options["SlurmctldHost"] = slurmctld_hosts(spec)
    entries = tuple(
        entry
        for node_set in sorted(spec.node_sets, key=lambda node_set: node_set.name)
        for entry in (
            slurm_entry("NodeSet", node_set.slurm_name, {"Feature": node_set.slurm_name}),
            *_own_partition(node_set),
        )
    )
    slurm_conf = Conf(File.SLURM, {**operator_options, **our_lines.options}, (*entries, *our_lines.entries))
    return {File.SLURM: slurm_conf, **parse_files(all_files(spec, pools), Series.of(spec.slurm_version))}


def slinky_texts(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[str, str]:
    """Return all files that daemons read, by name, as `slinky_files` predicts them; those of the user as they stand.

    With slurmctld outside of the cluster slurm.conf is what the one there has to hold.
    """
    conf = outside_slurm_conf(spec, pools) if spec.controller.external else slinky_files(spec, pools)[File.SLURM]
    return {**all_files(spec, pools), File.SLURM.value: render(conf)}


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
