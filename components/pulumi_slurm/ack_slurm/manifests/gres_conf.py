"""gres.conf."""

from collections.abc import Sequence

from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.slurm_conf import COLOCATION_GRES
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry


def gres_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Conf:
    """Return gres.conf; a gres.conf in `configFiles` replaces it."""
    has_gpus = any(group.machine and group.machine.gpus for group in groups_of(spec, pools, ack))
    # Alibaba's image has NVML built in. On nodes without GPUs, where its library is missing, slurmd runs without it.
    conf_options = parse_options(File.GRES, {"AutoDetect": "nvml"}) if has_gpus else {}
    return Conf(File.GRES, conf_options, counters() if ack.copilot else ())


def counters() -> tuple[Entry, ...]:
    """Return the lines of the counters of colocation."""
    count_only = {"Flags": "CountOnly"}
    return tuple(Entry("Name", name, parse_options(File.GRES, count_only, "Name")) for name in COLOCATION_GRES)
