"""Lines that the copilot relies on in the files of a Slurm outside Kubernetes."""

from pulumi_slurm.ack_slurm.manifests.gres_conf import counters
from pulumi_slurm.ack_slurm.manifests.slurm_conf import COLOCATION_GRES, NODE_FEATURES_PLUGIN, SUBMIT_PLUGIN
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf


def outside_files(outside: OutsideSlurmSpec) -> dict[File, Conf]:
    """Return what slurm.conf and gres.conf have to hold; they will hold more.

    Where the key for tokens is, is the outside's own affair: without a path slurmctld looks for jwt_hs256.key in
    StateSaveLocation (src/plugins/auth/jwt/auth_jwt.c of SchedMD/slurm, from 23.02 to 26.05).
    """
    options = {
        "ClusterName": outside.name,
        "AuthAltTypes": "auth/jwt",
        "GresTypes": ",".join(COLOCATION_GRES),
        "NodeFeaturesPlugins": NODE_FEATURES_PLUGIN,
        "JobSubmitPlugins": SUBMIT_PLUGIN if outside.submit_plugin else None,
    }
    return {
        File.SLURM: Conf(File.SLURM, parse_options(File.SLURM, options)),
        File.GRES: Conf(File.GRES, entries=counters()),
    }
