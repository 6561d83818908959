"""``pulumi-slurm check-outside``: tell what the slurm.conf of a slurmctld outside lacks for a stack."""

import argparse
from pathlib import Path

from pulumi_slurm.commands.arguments import INPUT
from pulumi_slurm.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm.commands.output import print_line
from pulumi_slurm.commands.settings import KINDS_WITH_POOLS, OUTPUT, SETTINGS, read_config, specification
from pulumi_slurm.commands.slurm_file import read_conf
from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.outside_check import unmet
from pulumi_slurm.importing import UnreadableFileError
from pulumi_slurm.importing.source import Source
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.version import SERIES, Series

HELP = "tell what the slurm.conf of a slurmctld outside lacks for a stack"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf", help=INPUT)
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml, or a file with the stack's output outside"
    )


def run(options: argparse.Namespace) -> int:
    """Print what lacks; return whether anything does."""
    wanted, series = _wanted(options.settings)
    lines = [*unmet(wanted, read_conf(options.slurm_conf, File.SLURM, series), Source(options.slurm_conf).name)]
    for line in lines:
        print_line(line)
    return DIFFERENT if lines else SAME


def _wanted(path: Path) -> tuple[Conf, Series]:
    """Return what a stack relies on in the outside slurm.conf, from its settings or from its output `outside`."""
    config, name = read_config(path), Source(path).name
    if isinstance(config.get("slurmConf"), str):
        return parse(config["slurmConf"], File.SLURM, SERIES[-1], name=name), SERIES[-1]
    if config.get("slurm:cluster") is None:
        raise UnreadableFileError(f"{name}: there is neither slurm:cluster nor slurmConf. {SETTINGS}")
    if config.get("slurm:kind") not in KINDS_WITH_POOLS:
        raise UnreadableFileError(f"{name}: only a run of this stack knows its pools. {OUTPUT}")
    spec, pools = specification(config, name)
    if not spec.controller.external:
        raise UnreadableFileError(f"{name}: controller.external is not set, so the operator writes slurm.conf")
    return outside_slurm_conf(spec, pools), Series.of(spec.slurm_version)
