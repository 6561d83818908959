"""The command line: ``python -m pulumi_slurm import``, ``diff`` and ``check``."""

import argparse
import os
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TextIO

import yaml

from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.outside_check import unmet
from pulumi_slurm.errors import SpecError
from pulumi_slurm.importing import Accounting, UnreadableFileError, import_cluster, stack_yaml
from pulumi_slurm.importing.source import Source
from pulumi_slurm.loading import load
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.diff import compare, takes
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES, SERIES, Series, is_release

SAME, DIFFERENT, WRONG = 0, 1, 2
"""Exit codes, as diff(1) has them."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; print what is wrong, without a traceback, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        code = {"import": _import, "diff": _diff, "check": _check}[options.command](options)
        # What is still buffered would meet a closed pipe only when Python ends, out of reach.
        sys.stdout.flush()
        return code
    except (UnreadableFileError, ConfError, SpecError) as error:
        _print_line(error, sys.stderr)
    except BrokenPipeError:
        # Who reads the output has seen enough, as in `... diff a b | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIFFERENT
    except OSError as error:
        _print_line(f"{error.filename}: {(error.strerror or str(error)).lower()}", sys.stderr)
    return WRONG


def _import(options: argparse.Namespace) -> int:
    imported = import_cluster(options.slurm_conf, options.slurm_version, options.accounting)
    text = stack_yaml(imported)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
        counts = f"{len(imported.left_out)} not carried over, {len(imported.to_do)} to do"
        _print_line(f"{options.output}: {len(imported.data.get('nodeSets', []))} node sets; {counts}", sys.stderr)
    else:
        sys.stdout.write(text)
    for error in imported.errors:
        _print_line(error, sys.stderr)
    return SAME if imported.spec else DIFFERENT


def _diff(options: argparse.Namespace) -> int:
    file = options.file or _file_of(options.new) or _file_of(options.old) or File.SLURM
    old, new = (_conf(path, file, options.slurm_version) for path in (options.old, options.new))
    differences = compare(old, new, options.slurm_version)
    for difference in differences:
        _print_line(difference)
    if differences:
        count = "1 difference" if len(differences) == 1 else f"{len(differences)} differences"
        _print_line(f"{count}; what it takes: {takes(differences)}")
    return DIFFERENT if differences else SAME


def _check(options: argparse.Namespace) -> int:
    wanted, series = _wanted(options.settings)
    lines = [*unmet(wanted, _conf(options.slurm_conf, File.SLURM, series), str(options.slurm_conf))]
    for line in lines:
        _print_line(line)
    return DIFFERENT if lines else SAME


def _wanted(path: Path) -> tuple[Conf, Series]:
    """Return what a stack relies on in the outside slurm.conf, from its settings or from its output `outside`."""
    try:
        data = yaml.safe_load(Source(path).text())
    except yaml.YAMLError as error:
        raise UnreadableFileError(f"{path}: this is neither YAML nor JSON: {' '.join(str(error).split())}") from None
    config = data.get("config", data) if isinstance(data, dict) else {}
    if isinstance(config.get("slurmConf"), str):
        return parse(config["slurmConf"], File.SLURM, SERIES[-1], name=str(path)), SERIES[-1]
    if not isinstance(config.get("slurm:cluster"), dict):
        raise UnreadableFileError(f"{path}: there is neither slurm:cluster nor slurmConf. {_SETTINGS}")
    if config.get("slurm:kind") not in (None, "local", "kubernetes"):
        raise UnreadableFileError(f"{path}: only a run of this stack knows its pools. {_OUTPUT}")
    spec, pools = load(config["slurm:cluster"], config.get("slurm:pools", ()))
    if not spec.controller.external:
        raise UnreadableFileError(f"{path}: controller.external is not set, so the operator writes slurm.conf")
    return outside_slurm_conf(spec, pools), Series.of(spec.slurm_version)


_OUTPUT = "Write `pulumi stack output outside --json` into a file, and name that."
_SETTINGS = f"Name a Pulumi.<stack>.yaml. {_OUTPUT}"


def _conf(path: Path, file: File, series: Series) -> Conf:
    source = Source(path)
    # Of these files, slurm.conf alone may not be empty.
    text = source.text() if file is File.SLURM else source.text_or_nothing()
    passed_over: list[LineError] = []
    conf = parse(text, file, series, name=str(path), include=source.included, passed_over=passed_over)
    for line in passed_over:
        _print_line(f"not compared: {line}", sys.stderr)
    return conf


def _file_of(path: Path) -> File | None:
    return File(path.name) if path.name in set(File) else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pulumi_slurm", description="Work with Slurm's configuration files."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="import|diff|check")
    command = commands.add_parser("import", help="turn a slurm.conf, and the files beside it, into a stack's settings")
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf")
    command.add_argument(
        "--slurm-version",
        type=_spec_version,
        default=str(DEFAULT_SERIES),
        help=f"the Slurm of the new cluster; {DEFAULT_SERIES} by default",
    )
    command.add_argument(
        "--accounting",
        type=Accounting,
        choices=list(Accounting),
        default=Accounting.EXTERNAL,
        help="keep the slurmdbd that slurm.conf names (external), or make a new one (new)",
    )
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to the terminal")
    command = commands.add_parser("diff", help="tell what differs between two files, and what the change takes")
    command.add_argument("old", type=Path)
    command.add_argument("new", type=Path)
    command.add_argument("--file", type=File, choices=list(File), help="which file they are, when not by their names")
    command.add_argument(
        "--slurm-version", type=_series, default=SERIES[-1], help=f"the Slurm that reads them; {SERIES[-1]} by default"
    )
    command = commands.add_parser("check", help="tell what the slurm.conf of a slurmctld outside lacks for a stack")
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf")
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml, or a file with the stack's output outside"
    )
    return parser


def _print_line(line: object, stream: TextIO | None = None) -> None:
    (stream or sys.stdout).write(f"{line}\n")


def _spec_version(text: str) -> str:
    _check_release(text, OS_BY_SERIES)
    return text


def _series(text: str) -> Series:
    _check_release(text, SERIES)
    return Series.of(text)


def _check_release(text: str, series: Collection[Series]) -> None:
    if not is_release(text, series):
        raise argparse.ArgumentTypeError(f"{text} is not one of {', '.join(map(str, series))}, or a release of it")


if __name__ == "__main__":
    sys.exit(main())
