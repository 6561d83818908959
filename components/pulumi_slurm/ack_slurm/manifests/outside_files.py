"""What the copilot relies on in the files of a Slurm outside Kubernetes, and the form of it as an output."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pulumi_slurm.ack_slurm.manifests.gres_conf import counters
from pulumi_slurm.ack_slurm.manifests.slurm_conf import COLOCATION_GRES, NODE_FEATURES_PLUGIN, SUBMIT_PLUGIN
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse, render
from pulumi_slurm.slurmconf.version import SERIES

_KEYS = MappingProxyType({File.SLURM: "slurmConf", File.GRES: "gresConf"})


@dataclass(frozen=True)
class OutsideNeeds:
    """What the copilot relies on in the files outside; they will hold more."""

    files: Mapping[File, Conf]
    """slurm.conf and gres.conf."""
    nodes: str
    """The shared nodes by their names in Slurm, as a hostlist."""

    def output(self) -> dict[str, str]:
        """Return it in the form of a stack's output."""
        return {**{key: render(self.files[file]) for file, key in _KEYS.items()}, "nodes": self.nodes}


def outside_needs(outside: OutsideSlurmSpec) -> OutsideNeeds:
    """Return what a Slurm outside has to hold.

    Where the key for tokens is, is its own affair: without a path slurmctld looks for jwt_hs256.key in
    StateSaveLocation (src/plugins/auth/jwt/auth_jwt.c of SchedMD/slurm, from 23.02 to 26.05).
    """
    options = {
        "AuthAltTypes": "auth/jwt",
        "GresTypes": ",".join(COLOCATION_GRES),
        "NodeFeaturesPlugins": NODE_FEATURES_PLUGIN,
        "JobSubmitPlugins": SUBMIT_PLUGIN if outside.submit_plugin else None,
    }
    files = {
        File.SLURM: Conf(File.SLURM, parse_options(File.SLURM, options)),
        File.GRES: Conf(File.GRES, entries=counters()),
    }
    return OutsideNeeds(files, hostlist.compress(outside.aliases().values()))


def needs_of_output(output: Mapping[str, Any], name: str) -> OutsideNeeds | None:
    """Return what an output asks for; None for another one. ``name`` is the file's that it was read from.

    Raises:
        ConfError: for lines that no slurm.conf or gres.conf can have.
    """
    texts = {file: output.get(key) for file, key in _KEYS.items()}
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    files = {file: parse(str(text), file, SERIES[-1], name=name) for file, text in texts.items()}
    return OutsideNeeds(files, _hostlist(output.get("nodes")))


def _hostlist(value: Any) -> str:
    """Return a hostlist; an empty one for what is none, since a file may have been changed by hand."""
    try:
        return value if isinstance(value, str) and hostlist.count(value) <= hostlist.MAX_NAMES else ""
    except ValueError:
        return ""
