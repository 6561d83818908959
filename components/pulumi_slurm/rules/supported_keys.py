"""Keys and values that the cluster's Slurm series accepts, in additional lines and in whole configuration files."""

from collections import deque
from collections.abc import Iterator
from pathlib import PurePosixPath
from types import MappingProxyType

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.issue import Issue
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.slurmconf.catalogue import File, find, key_issue
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.plugstack import PLUGSTACK, read_plugstack
from pulumi_slurm.slurmconf.statements import Reader
from pulumi_slurm.slurmconf.topology import from_text
from pulumi_slurm.slurmconf.values import UnreadableError
from pulumi_slurm.slurmconf.version import SERIES, Series

_KEY_BY_FIELD = MappingProxyType(
    {
        "scheduler_parameters": "SchedulerParameters",
        "select_type_parameters": "SelectTypeParameters",
        "preempt_mode": "PreemptMode",
        "mpi_default": "MpiDefault",
        "accounting_storage_enforce": "AccountingStorageEnforce",
        "slurmctld_debug": "SlurmctldDebug",
        "slurmd_debug": "SlurmdDebug",
    }
)
"""Fields of slurmConf whose values only the catalogue can check, and their keys."""
_PARTITION = "PartitionName"
_TOPOLOGY_YAML = "topology.yaml"
_ONLY_INCLUDES = ("acct_gather.conf", "job_container.conf", "mpi.conf", "oci.conf")
"""Files without a table of keys, of which only the files that they include are looked at."""
_ETC_SLURM = PurePosixPath("/etc/slurm")


def slurm_supports_the_lines(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse additional lines with a key or value that Slurm would refuse, or that would have no effect."""
    for at, lines, file, entry in lines_of(spec):
        series = Series.of(_version_of_slurmdbd(spec) if file is File.SLURMDBD else spec.slurm_version)
        # An image of the user's may have plugins of its own.
        image = spec.accounting.image if file is File.SLURMDBD and spec.accounting else spec.controller.image
        own_plugins = image is not None
        for key, text in lines.items():
            issue = line_issue(file, entry, key, text, series)
            if issue and not (own_plugins and _is_about_plugin(file, entry, key, text, series)):
                other_series_accepts = any(line_issue(file, entry, key, text, other) is None for other in SERIES)
                depends_on_fields: tuple[Path, ...] = (("slurm_version",),) if other_series_accepts else ()
                yield FieldError((*at, key), text, issue.problem, issue.fix, depends_on_fields)
    series = Series.of(spec.slurm_version)
    for field, key in _KEY_BY_FIELD.items():
        value: str | list[str] | None = getattr(spec.slurm_conf, field)
        text = value if isinstance(value, str) else ",".join(value or ())
        if text and (issue := line_issue(File.SLURM, None, key, text, series)):
            yield FieldError(("slurm_conf", field), value, issue.problem, issue.fix)


def slurm_knows_the_keys_of_fields(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse fields that are written as a key which the series doesn't have: at an unknown one slurmctld exits."""
    series = Series.of(spec.slurm_version)
    models: list[tuple[Path, Model, str | None]] = [(("slurm_conf",), spec.slurm_conf, None)]
    models += [(at, options, _PARTITION) for at, _, options in all_partitions(spec)]
    for at, model, entry in models:
        for field, info in type(model).model_fields.items():
            name, value = key_of_field(field, entry), getattr(model, field)
            if name and value != info.default and (issue := key_issue(File.SLURM, name, series, entry)):
                yield FieldError((*at, field), value, issue.problem, issue.fix, (("slurm_version",),))


def key_of_field(field: str, entry: str | None) -> str | None:
    """Return the key of slurm.conf, or of its lines that begin with ``entry``, that a field by its name is; or None."""
    key = find(File.SLURM, field.replace("_", ""), entry)
    return key.name if key and not key.begins_entry else None


def lines_of(spec: SlurmSpec) -> Iterator[tuple[Path, dict[str, str], File, str | None]]:
    """Yield additional lines by key, each group with its path, its file, and the entry that it belongs to."""
    yield ("slurm_conf", "extra"), spec.slurm_conf.extra, File.SLURM, None
    for at, _, options in all_partitions(spec):
        yield (*at, "extra"), options.extra, File.SLURM, _PARTITION
    for index, node_set in enumerate(spec.node_sets):
        yield ("node_sets", index, "slurmd_options"), node_set.slurmd_options, File.SLURM, "NodeName"
    if spec.accounting:
        yield ("accounting", "extra_conf"), spec.accounting.extra_conf, File.SLURMDBD, None


def _version_of_slurmdbd(spec: SlurmSpec) -> str:
    return (spec.accounting.slurm_version if spec.accounting else None) or spec.slurm_version


def line_issue(file: File, entry: str | None, name: str, text: str, series: Series) -> Issue | None:
    """Return the issue with a line by itself, or None."""
    if issue := key_issue(file, name, series, entry):
        return issue
    key = find(file, name, entry)
    assert key is not None
    if key.begins_entry:
        return Issue(f"a {key.name} line has several options, and a line here can have only one", "Leave it out.")
    try:
        key.read(text, series)
    except UnreadableError as error:
        return error.issue
    return key.plugin_issue(text, series)


def _is_about_plugin(file: File, entry: str | None, name: str, text: str, series: Series) -> bool:
    key = find(file, name, entry)
    return key is not None and key.known_in(series) and key.plugin_issue(text, series) is not None


def slurm_supports_the_files(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse configuration files that Slurm could not parse; errors name the line of each error."""
    for name in spec.config_files:
        errors = _line_errors(spec, name, Series.of(spec.slurm_version))
        others = [_line_errors(spec, name, other) for other in SERIES] if errors else []
        for error in errors:
            yield FieldError(
                ("config_files", name),
                error.text,
                f"{error.location}: {error.issue.problem}",
                error.issue.fix,
                depends_on_fields=(("slurm_version",),) if any(error not in other for other in others) else (),
            )


def _line_errors(spec: SlurmSpec, name: str, series: Series) -> tuple[LineError, ...]:
    text = spec.config_files[name]

    def included(path: str) -> str:
        return _included(spec, path)

    try:
        if name == _TOPOLOGY_YAML:
            from_text(text, series)
        elif name == PLUGSTACK:
            return tuple(read_plugstack(text, included)[1])
        elif name in set(File):
            parse(text, File(name), series, include=included)
        elif name in _ONLY_INCLUDES:
            reader = Reader(included)
            deque(reader.read(text, name), maxlen=0)
            return tuple(error for error in reader.errors if error.text.startswith("Include "))
    except ConfError as error:
        return error.errors
    return ()


def _included(spec: SlurmSpec, path: str) -> str:
    """Return the text of a file that another includes, "" for one elsewhere on the machines, which nobody knows here.

    slurmctld hands included files of its folder to workers and login nodes, by their names alone, and these have no
    such folder: slurmd looks for a minute and exits. `_parse_include_directive` in src/common/parse_config.c of Slurm.
    """
    file = _ETC_SLURM / path
    if not file.is_relative_to(_ETC_SLURM):
        return ""
    if str(file.relative_to(_ETC_SLURM)) != path:
        add = "" if file.name in spec.config_files else ", and add it to configFiles"
        raise LookupError(f"workers have no {_ETC_SLURM}, so write {file.name} alone{add}")
    if path not in spec.config_files:
        raise LookupError("it is not in configFiles")
    return spec.config_files[path]


RULES: tuple[Rule, ...] = (
    slurm_supports_the_lines,
    slurm_knows_the_keys_of_fields,
    slurm_supports_the_files,
)
