"""Rules on files that plugins of slurm.conf read: each has its plugin, and scripts in Lua have what their plugin calls.

Source: `req_fxns` in src/plugins/{job_submit,cli_filter,burst_buffer,jobcomp}/lua/ of Slurm, 23.02 to 26.05.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from types import MappingProxyType

from pulumi_slurm.derived.operator_lines import OptionTexts
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.access import USERS_OF_IMAGE
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.lua import lua_issues
from pulumi_slurm.slurmconf.version import Series

_HELPERS = "helpers.conf"
_READ_BY = MappingProxyType(
    {
        "burst_buffer.conf": ("BurstBufferType", ("burst_buffer/datawarp", "burst_buffer/lua")),
        "burst_buffer.lua": ("BurstBufferType", ("burst_buffer/lua",)),
        "cli_filter.lua": ("CliFilterPlugins", ("cli_filter/lua",)),
        _HELPERS: ("NodeFeaturesPlugins", ("node_features/helpers",)),
        "job_submit.lua": ("JobSubmitPlugins", ("job_submit/lua",)),
        "jobcomp.lua": ("JobCompType", ("jobcomp/lua",)),
        "topology.conf": ("TopologyPlugin", ("topology/tree", "topology/block", "topology/ring")),
    }
)
"""Files, and the key of slurm.conf that has a plugin read each, with these values."""
_FEATURE = re.compile(r"[A-Za-z_=][A-Za-z0-9_.=]*", re.ASCII)
_RESOURCES_SINCE = Series(25, 5)
_TEST_FUNCTIONS = ("slurm_bb_test_data_in", "slurm_bb_test_data_out")
_TEST_FUNCTIONS_SINCE = Series(24, 5)
_FUNCTIONS = MappingProxyType(
    {
        "burst_buffer.lua": tuple(
            f"slurm_bb_{name}"
            for name in (
                *("job_process", "pools", "job_teardown", "setup", "data_in", "real_size", "paths", "pre_run"),
                *("post_run", "data_out", "get_status"),
            )
        ),
        "cli_filter.lua": ("slurm_cli_setup_defaults", "slurm_cli_pre_submit", "slurm_cli_post_submit"),
        "job_submit.lua": ("slurm_job_submit", "slurm_job_modify"),
        "jobcomp.lua": ("slurm_jobcomp_log_record",),
    }
)
"""Scripts, and the functions that each has to define."""
_OTHER_PATHS = MappingProxyType({"cli_filter.lua": ("CliFilterParameters", "cli_filter_lua_path=")})
"""Scripts in whose place a parameter of slurm.conf can name another: its key, and how the parameter begins."""


@warns
def files_have_their_plugins(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Warn of files that only a plugin reads which slurm.conf doesn't have: what they say never happens."""
    if spec.controller.external:
        return
    for name, (key, plugins) in _READ_BY.items():
        hidden = name == "topology.conf" and (spec.topologies or "topology.yaml" in spec.config_files)
        if name in spec.config_files and not hidden and not _is_read(lines, name):
            problem = f"nothing reads it, since slurm.conf has no {key} that does"
            fix = f"Write slurmConf.extra.{key}: {' or '.join(plugins)}, or leave it out."
            yield FieldError(("config_files", name), "...", problem, fix, (("slurm_conf",),))


def scripts_define_their_functions(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Refuse scripts that their plugin doesn't load: slurmctld exits, or sbatch, salloc and srun do.

    Scripts that may define functions in other ways than by writing them, such as by `require`, are only read as Lua.
    """
    for name, functions in _FUNCTIONS.items():
        text = spec.config_files.get(name)
        key, parameter = _OTHER_PATHS.get(name, ("", ""))
        if text is None or spec.controller.external or not _is_read(lines, name):
            continue
        if key and parameter in _text(lines, key):
            continue
        has_tests = name == "burst_buffer.lua" and Series.of(spec.slurm_version) >= _TEST_FUNCTIONS_SINCE
        who = "sbatch, salloc and srun exit" if name == "cli_filter.lua" else "slurmctld exits"
        for line, issue in lua_issues(text, (*functions, *(_TEST_FUNCTIONS if has_tests else ()))):
            yield FieldError(
                ("config_files", name), f"{name}:{line}", f"{who}: {issue.problem}", issue.fix, (("slurm_conf",),)
            )


def helpers_conf_names_features(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Refuse features of helpers.conf with which slurmctld exits, or every slurmd.

    Source: `_is_feature_valid`, `_parse_feature` and `_feature_register` in
    src/plugins/node_features/helpers/node_features_helpers.c of Slurm.
    """
    helpers: dict[str, object] = {}
    for entry in _helpers_conf(spec, lines).entries:
        names = entry.name if entry.keyword == "Feature" else entry.options.get("Feature")
        text = f"{entry.keyword}={entry.name}"
        if names is None:
            yield _of_helpers(f"{entry.location}: slurmctld exits without a Feature", text, "Add Feature=name.")
        for name in filter(None, str(names or "").split(",")):
            helper = entry.options.get("Helper")
            if not _FEATURE.fullmatch(name):
                fix = 'Write letters, digits, "_", "." and "=", and no digit first.'
                yield _of_helpers(f'{entry.location}: slurmctld exits on the feature "{name}"', text, fix)
            elif entry.keyword == "Feature" and helpers.setdefault(name, helper) != helper:
                problem = f'{entry.location}: slurmd exits, since "{name}" has another Helper above'
                yield _of_helpers(problem, text, "Keep one of them, or write NodeName in front of each.")


@warns
def slurmctld_knows_who_may_reboot(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Warn of users of AllowUserBoot that Slinky's image of slurmctld doesn't know: slurmctld exits, of numbers too.

    Source: `_make_uid_array` in src/plugins/node_features/helpers/node_features_helpers.c and `uid_from_string` in
    src/common/uid.c of Slurm; the Dockerfiles of https://github.com/SlinkyProject/containers.
    """
    value = _helpers_conf(spec, lines).options.get("AllowUserBoot")
    users = value if isinstance(value, tuple) else ()
    unknown = [user for user in users if user not in USERS_OF_IMAGE]
    if unknown and not spec.controller.image:
        problem = f"slurmctld exits on a user that its pod doesn't know, and Slinky's image may not know {unknown[0]}"
        fix = "Set controller.image to an image that knows them, or write root or slurm."
        yield _of_helpers(problem, f"AllowUserBoot={','.join(users)}", fix)


def _helpers_conf(spec: SlurmSpec, lines: OptionTexts) -> Conf:
    """Return what slurmctld reads of helpers.conf, which is nothing where it has no plugin for it."""
    text = spec.config_files.get(_HELPERS)
    if text is not None and _is_read(lines, _HELPERS) and not spec.controller.external:
        with suppress(ConfError):  # `slurm_supports_the_files` reports it.
            return parse(text, File.HELPERS, Series.of(spec.slurm_version))
    return Conf(File.HELPERS)


def _of_helpers(problem: str, text: str, fix: str) -> FieldError:
    return FieldError(("config_files", _HELPERS), text, problem, fix, (("slurm_conf",), ("controller",)))


def resources_name_nodes_that_are_there(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a resources.yaml, whose layers name nodes: slurmctld exits on nodes that have not registered yet.

    Source: "Can't set hres_id or bitmap" in src/slurmctld/licenses.c of Slurm 25.05, which has it first, to 26.05.
    """
    is_read = not spec.controller.external and Series.of(spec.slurm_version) >= _RESOURCES_SINCE
    if "resources.yaml" in spec.config_files and is_read:
        problem = "slurmctld exits on nodes that it doesn't know, and when it starts first no node has registered"
        fix = "Leave it out; slurmConf.extra.Licenses counts what belongs to no node."
        yield FieldError(("config_files", "resources.yaml"), "...", problem, fix, (("slurm_version",),))


def _is_read(lines: OptionTexts, name: str) -> bool:
    key, plugins = _READ_BY[name]
    items = {item.strip().rpartition("/")[2] for item in _text(lines, key).split(",")}
    return any(plugin.rpartition("/")[2] in items for plugin in plugins)


def _text(lines: OptionTexts, key: str) -> str:
    return next((str(text) for name, text in lines.items() if name.lower() == key.lower()), "").lower()


RULES: tuple[Rule, ...] = (resources_name_nodes_that_are_there,)
RULES_ON_LINES: tuple[Rule, ...] = (
    files_have_their_plugins,
    scripts_define_their_functions,
    helpers_conf_names_features,
    slurmctld_knows_who_may_reboot,
)
RULES_OF_SLINKY: tuple[Rule, ...] = (slurmctld_knows_who_may_reboot,)
