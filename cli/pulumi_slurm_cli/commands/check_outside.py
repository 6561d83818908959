"""``pulumi-slurm check-outside``: tell what slurm.conf of a slurmctld outside, or gres.conf beside it, lacks."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from pulumi_slurm.ack_slurm.manifests.outside_files import OutsideNeeds, needs_of_output, outside_needs
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.ack_slurm.rules.outside_check import unmet_by_copilot
from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.outside_check import unmet
from pulumi_slurm.loading import load_model
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.version import SERIES, Series
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.settings import KINDS_WITH_POOLS, OUTPUT, SETTINGS, parsed, read_config, specification
from pulumi_slurm_cli.commands.slurm_file import add_include_from, parse_conf, read_conf
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT, Source, refuse_another


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf", help=INPUT)
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml, or a file with the stack's output outside"
    )
    add_include_from(command)


def run(options: argparse.Namespace) -> int:
    """Print what lacks; return whether anything does."""
    source = Source(options.slurm_conf, include_from=options.include_from)
    refuse_another(source, File.SLURM, _SLURM_CONF)
    wanted, series = _wanted(options.settings)
    slurm_conf = read_conf(source, File.SLURM, series, _SLURM_CONF)
    if isinstance(wanted, OutsideNeeds):
        lines = [*_unmet_by_copilot(wanted, source, slurm_conf, series)]
    else:
        lines = [*unmet(wanted, slurm_conf, source.name)]
    for line in lines:
        print_line(line)
    return DIFFERENT if lines else SAME


_SLURM_CONF = "Name the slurm.conf that slurmctld reads; gres.conf is looked for beside it"


def _unmet_by_copilot(needs: OutsideNeeds, source: Source, slurm_conf: Conf, series: Series) -> Iterator[str]:
    """Yield what lacks in slurm.conf, and in gres.conf in its folder."""
    files, names = {File.SLURM: slurm_conf}, {File.SLURM: source.name, File.GRES: source.path_of(File.GRES)}
    if source.path == STANDARD_INPUT:
        print_line("not compared: gres.conf. Name slurm.conf by its path, with gres.conf beside it", sys.stderr)
    else:
        text = source.beside(File.GRES) or ""
        files[File.GRES] = parse_conf(source, text, names[File.GRES], File.GRES, series)
    yield from unmet_by_copilot(needs, files, names)


def _wanted(path: Path) -> tuple[Conf | OutsideNeeds, Series]:
    """Return what a stack relies on in files outside, from its settings or from its output `outside`."""
    config, name = read_config(path), Source(path).name
    if needs := needs_of_output(config, name):
        return needs, SERIES[-1]
    if (outside := parsed(config.get("slurm:outsideSlurm"), f"{name}: slurm:outsideSlurm")) is not None:
        if not isinstance(outside, dict):
            raise UnreadableFileError(f"{name}: slurm:outsideSlurm is not a mapping. Write name, addresses and nodes")
        return outside_needs(load_model(OutsideSlurmSpec, outside, name, at=("slurm:outsideSlurm",))), SERIES[-1]
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
