"""The command line, ``pulumi-slurm``: ``import``, ``diff``, ``check``, ``render`` and ``pools``."""

import argparse
import codecs
import json
import os
import sys
from collections.abc import Collection, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

import yaml

from pulumi_slurm.clouds.registry import CLOUDS
from pulumi_slurm.configuration.outside import outside_slurm_conf
from pulumi_slurm.configuration.outside_check import unmet
from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.importing import Accounting, UnreadableFileError, import_cluster, stack_yaml
from pulumi_slurm.importing.source import STANDARD_INPUT, Source, name_of
from pulumi_slurm.importing.stack_yaml import SCHEMA, settings_yaml
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.folder import write_objects
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.hooks import RESERVED_FILES, SLURM_FILES
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.providers import Provider, on_provider
from pulumi_slurm.providers.kubectl import KubectlError, nodes_of_cluster
from pulumi_slurm.providers.live_node import live_nodes
from pulumi_slurm.providers.live_pools import live_pools
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
    if not _write_any_text():
        return WRONG
    try:
        _check_inputs(options)
        commands = {"import": _import, "diff": _diff, "check": _check, "render": _render, "pools": _pools}
        code = commands[options.command](options)
        # What is still buffered would meet a closed pipe only when Python ends, out of reach.
        sys.stdout.flush()
        return code
    except (UnreadableFileError, KubectlError, ConfError, SpecError) as error:
        _print_line(error, sys.stderr)
    except BrokenPipeError:
        # Who reads the output has seen enough, as in `... diff a b | head`.
        _drop_output()
        return DIFFERENT
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _print_line(
            f"{error.filename or 'standard output'}: it can't be written: {reason}. {_OTHER_OUTPUT}", sys.stderr
        )
        if error.filename is None:
            _drop_output()
    return WRONG


_OTHER_OUTPUT = "Name a file that can be, with -o or after >."


def _drop_output() -> None:
    """Let what is still buffered go nowhere: Python would try to write it once more when it ends, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _import(options: argparse.Namespace) -> int:
    imported = import_cluster(options.slurm_conf, options.slurm_version, options.accounting)
    text = stack_yaml(imported)
    if options.output and options.output != STANDARD_INPUT:
        _write(options.output, text)
        counts = f"{len(imported.left_out)} not carried over, {len(imported.to_do)} to do"
        _print_line(f"{options.output}: {len(imported.data.get('nodeSets', []))} node sets; {counts}", sys.stderr)
    else:
        sys.stdout.write(text)
    for error in imported.errors:
        _print_line(error, sys.stderr)
    return SAME if imported.spec else DIFFERENT


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        # That of a device that is full doesn't name it.
        raise OSError(error.errno, error.strerror, str(path)) from None


def _write_any_text() -> bool:
    """Have YAML in UTF-8, as YAML is by default, and no letter that a terminal doesn't have end the command.

    Return whether there is an output at all: as in `... >&-`, there need be none.
    """
    outputs: tuple[TextIO | None, ...] = (sys.stdout, sys.stderr)
    if None in outputs:
        if sys.stderr is not None:
            _print_line(f"standard output: it is closed. {_OTHER_OUTPUT}", sys.stderr)
        return False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encodes_all = codecs.lookup(stream.encoding).name.startswith("utf")
            stream.reconfigure(encoding=None if encodes_all else "utf-8", errors="backslashreplace")
    return True


def _check_inputs(options: argparse.Namespace) -> None:
    """Refuse files that the command would read twice, not know, or write over."""
    inputs: list[Path] = [
        path for name in ("slurm_conf", "old", "new", "settings", "nodes") if (path := vars(options).get(name))
    ]
    if inputs.count(STANDARD_INPUT) > 1:
        raise UnreadableFileError("-: standard input can be read once. Write one of the two into a file")
    output: Path | None = vars(options).get("output")
    if output and options.command == "render":
        if output.exists() and not output.is_dir():
            raise UnreadableFileError(f"{output}: this is a file. Write -o and the name of a new folder")
        if output.is_dir() and any(output.iterdir()):
            problem = "the folder has files already, and one of an object that has gone would stay among them"
            raise UnreadableFileError(f"{output}: {problem}. Name a new folder, or an empty one")
    elif output and output.exists() and (output.name in _FILES_OF_SLURM or output.samefile(options.slurm_conf)):
        problem = "this is a file of the old cluster, and would be written over"
        raise UnreadableFileError(f"{output}: {problem}. Write -o and another name, such as Pulumi.hpc.yaml")


_FILES_OF_SLURM = {*File, *SLURM_FILES, *RESERVED_FILES}


def _diff(options: argparse.Namespace) -> int:
    by_name = [options.file] if options.file else [_file_of(options.new), _file_of(options.old)]
    file = next(filter(None, by_name), File.SLURM)
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
    lines = [*unmet(wanted, _conf(options.slurm_conf, File.SLURM, series), Source(options.slurm_conf).name)]
    for line in lines:
        _print_line(line)
    return DIFFERENT if lines else SAME


def _render(options: argparse.Namespace) -> int:
    name, config = Source(options.settings).name, _config(options.settings, "Name a Pulumi.<stack>.yaml")
    if config.get("slurm:cluster") is None:
        raise UnreadableFileError(f"{name}: there is no slurm:cluster. Name a Pulumi.<stack>.yaml")
    if config.get("slurm:kind") not in _KINDS_WITH_POOLS or any(f"slurm:{row.key}" in config for row in CLOUDS):
        raise UnreadableFileError(f"{name}: only a run of this stack knows its pools. Run `pulumi preview --diff`")
    spec, pools = _specification(config, name)
    count = write_objects(render(spec, pools), spec.namespace, options.output)
    _print_line(f"{options.output}: {count} objects, without the namespace and Secrets", sys.stderr)
    return SAME


def _pools(options: argparse.Namespace) -> int:
    if options.nodes and (options.context or options.kubeconfig):
        raise UnreadableFileError(f"{name_of(options.nodes)}: write a file of nodes, or the context of a cluster")
    if options.nodes:
        data, name = _data(options.nodes, _NODES), name_of(options.nodes)
    else:
        data, name = nodes_of_cluster(options.context, options.kubeconfig), "kubectl get nodes"
    nodes, unread = live_nodes(data)
    if not nodes:
        raise UnreadableFileError(f"{name}: there are no nodes with what is allocatable on them. {_NODES}")
    found = live_pools(nodes)
    notes = [*found.notes, *(f"Left out: {item}; it doesn't say what is allocatable." for item in unread)]
    config: dict[str, Any] = {"slurm:kind": "kubernetes", "slurm:provider": str(found.provider)}
    config |= {f"slurm:{key}": str(value) for key in ("context", "kubeconfig") if (value := vars(options)[key])}
    config["slurm:pools"] = found.pools
    sys.stdout.write(settings_yaml(config, [SCHEMA, "#", *(f"# {' '.join(note.split())}" for note in notes)]))
    return SAME if found.pools else DIFFERENT


_NODES = "Write what `kubectl get nodes -o json` prints into a file, and name that."

_KINDS_WITH_POOLS = (None, "local", "kubernetes")
"""Of stacks of these kinds, the settings have the pools."""


def _specification(config: Mapping[str, Any], name: str) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the cluster of a stack's settings, and its pools; errors have the paths of the settings."""
    cluster, pools = (_parsed(config.get(key), f"{name}: {key}") for key in ("slurm:cluster", "slurm:pools"))
    if not isinstance(cluster, dict):
        raise UnreadableFileError(f"{name}: slurm:cluster is not a mapping. Write name, nodeSets and so on below it")
    if not isinstance([] if pools is None else pools, list):
        raise UnreadableFileError(f"{name}: slurm:pools is not a list. Write a list of node pools")
    with collected_warnings() as warned:
        loaded = load(cluster, pools or [], at=("slurm:cluster",), pools_at=("slurm:pools",))
        if (provider := config.get("slurm:provider")) is not None:
            if provider not in [*Provider]:
                raise UnreadableFileError(f"{name}: slurm:provider is none of {', '.join(Provider)}")
            loaded = on_provider(Provider(provider), *loaded, at=("slurm:cluster",)), loaded[1]
    if warned and config.get("slurm:warningsAsErrors") is True:
        raise SpecError(warned, "The stack's configuration")
    for warning in warned:
        _print_line(warning.line, sys.stderr)
    return loaded


def _parsed(value: Any, name: str) -> Any:
    """Return what a key of settings holds: `pulumi config set` writes mappings and lists as text."""
    if isinstance(value, dict) and value.keys() == {"secure"}:
        raise UnreadableFileError(f"{name} is encrypted, and only a run of the stack can read it")
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _config(path: Path, fix: str = "") -> dict[str, Any]:
    """Return what a stack's settings or an output have, by key; ``fix`` says what to name in place of another file."""
    data = _data(path, fix or _SETTINGS)
    config = data.get("config", data) if isinstance(data, dict) else {}
    return config if isinstance(config, dict) else {}


def _wanted(path: Path) -> tuple[Conf, Series]:
    """Return what a stack relies on in the outside slurm.conf, from its settings or from its output `outside`."""
    config, name = _config(path), Source(path).name
    if isinstance(config.get("slurmConf"), str):
        return parse(config["slurmConf"], File.SLURM, SERIES[-1], name=name), SERIES[-1]
    if config.get("slurm:cluster") is None:
        raise UnreadableFileError(f"{name}: there is neither slurm:cluster nor slurmConf. {_SETTINGS}")
    if config.get("slurm:kind") not in _KINDS_WITH_POOLS:
        raise UnreadableFileError(f"{name}: only a run of this stack knows its pools. {_OUTPUT}")
    spec, pools = _specification(config, name)
    if not spec.controller.external:
        raise UnreadableFileError(f"{name}: controller.external is not set, so the operator writes slurm.conf")
    return outside_slurm_conf(spec, pools), Series.of(spec.slurm_version)


def _data(path: Path, fix: str) -> Any:
    """Return what a file of YAML or JSON holds; no message repeats what stands there."""
    source = Source(path)
    text = source.text()
    try:
        return _json_or_yaml(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UnreadableFileError(f"{source.name}: this is neither YAML nor JSON{where}. {fix}") from None
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, UnreadableFileError):
            raise
        raise UnreadableFileError(f"{source.name}: this is neither YAML nor JSON. {fix}") from None
    except RecursionError:
        problem = "there are hundreds of levels of mappings and lists"
        raise UnreadableFileError(f"{source.name}: {problem}, so this is no stack's file. {fix}") from None


def _json_or_yaml(text: str) -> Any:
    try:
        # Of a thousand nodes, PyYAML takes minutes.
        return json.loads(text)
    except ValueError:
        return yaml.safe_load(text)


_OUTPUT = "Write `pulumi stack output outside --json` into a file, and name that."
_SETTINGS = f"Name a Pulumi.<stack>.yaml. {_OUTPUT}"


def _conf(path: Path, file: File, series: Series) -> Conf:
    source = Source(path)
    # Of these files, slurm.conf alone may not be empty.
    text = source.text() if file is File.SLURM else source.text_or_nothing()
    passed_over: list[LineError] = []
    conf = parse(text, file, series, name=source.name, include=source.included, passed_over=passed_over)
    for line in passed_over:
        _print_line(f"not compared: {line}", sys.stderr)
    return conf


def _file_of(path: Path) -> File | None:
    if path.name in _FILES_OF_SLURM - {*File} or path.suffix in {".yaml", ".yml", ".json", ".lua"}:
        known = ", ".join(sorted(File))
        problem = "diff knows no file of this kind"
        raise UnreadableFileError(f"{path}: {problem}. Compare {known}; say by --file which one of them it is")
    return File(path.name) if path.name in set(File) else None


_INPUT = "a file, or - for standard input"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pulumi-slurm", description="Work with Slurm's files, and with a stack's settings."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="import|diff|check|render|pools")
    command = commands.add_parser("import", help="turn a slurm.conf, and the files beside it, into a stack's settings")
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf", help=_INPUT)
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
    command.add_argument("old", type=Path, help=_INPUT)
    command.add_argument("new", type=Path, help=_INPUT)
    command.add_argument("--file", type=File, choices=list(File), help="which file they are, when not by their names")
    command.add_argument(
        "--slurm-version", type=_series, default=SERIES[-1], help=f"the Slurm that reads them; {SERIES[-1]} by default"
    )
    command = commands.add_parser("check", help="tell what the slurm.conf of a slurmctld outside lacks for a stack")
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf", help=_INPUT)
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml, or a file with the stack's output outside"
    )
    command = commands.add_parser("render", help="write the objects of a stack's cluster into a folder")
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml of kind local or kubernetes"
    )
    command.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="a new folder, or an empty one"
    )
    command = commands.add_parser("pools", help="write slurm:pools that fit the nodes of a Kubernetes cluster")
    command.add_argument(
        "nodes", type=Path, nargs="?", metavar="nodes.json", help=f"what `kubectl get nodes -o json` prints: {_INPUT}"
    )
    command.add_argument("--context", help="the cluster to ask in place of a file; the current one by default")
    command.add_argument("--kubeconfig", type=Path, metavar="FILE", help="where the context is")
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
