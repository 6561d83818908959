"""Lines of slurm.conf that need each other, or lines of the operator; slurmctld exits without them."""

import re
from collections.abc import Iterator

from pulumi_slurm.derived.operator_lines import CGROUPS_ARE_OFF, OptionTexts
from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.rules.supported_keys import line_issue
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.requirements import unmet
from pulumi_slurm.slurmconf.version import Series


def lines_meet_their_requirements(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Refuse lines of slurm.conf with which slurmctld would end, because of other lines or for lack of them."""
    options = ((find(File.SLURM, name), text) for name, text in lines.items() if text is not None)
    texts = {key.name: str(text) for key, text in options if key}
    paths = dict(_paths(spec))
    series = Series.of(spec.slurm_version)
    for item in unmet(texts, series, {**_derived_files(spec), **spec.config_files}):
        involved = [paths[name.lower()] for name in item.keys if name.lower() in paths]
        refused_alone = any(
            line_issue(File.SLURM, None, name, text, series) for name in item.keys if (text := texts.get(name))
        )
        if involved and not refused_alone:
            path, value = involved[0]
            others = tuple(other for other, _ in involved[1:])
            yield FieldError(path, value, item.issue.problem, item.issue.fix, (*others, ("config_files",)))


@warns
def confinement_takes_effect(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn where jobs are to be confined and no plugin does it: each job has all GPUs and the memory of its node.

    task/cgroup alone reads ConstrainCores, ConstrainDevices and ConstrainRAMSpace: src/plugins/task/cgroup of
    SchedMD/slurm, slurm-26-05-3-1.
    """
    texts = {name.lower(): text for name, text in slurm_conf_lines(spec).items() if text is not None}
    plugins = {item.strip().rpartition("/")[2] for item in str(texts.get("taskplugin", "")).lower().split(",")}
    confined = [name for name, is_on in spec.confine.model_dump().items() if is_on]
    lines = spec.config_files.get("cgroup.conf")
    if lines is not None:
        confined = [] if CGROUPS_ARE_OFF.search(lines) else _CONSTRAINS.findall(lines)
    if "cgroup" in plugins or not confined:
        return
    for name, text in spec.slurm_conf.extra.items():
        if name.lower() == "taskplugin":
            source = "cgroup.conf" if lines is not None else "confine"
            problem = (
                f"without task/cgroup nothing of {source} takes effect, and a job has all GPUs and memory of its node"
            )
            fix = 'Leave it out, or write "task/affinity,task/cgroup".'
            yield FieldError(("slurm_conf", "extra", name), text, problem, fix, (("confine",), ("config_files",)))


_CONSTRAINS = re.compile(r"(?im)^\s*Constrain(?:Cores|Devices|RAMSpace|SwapSpace)\s*=\s*\"?(?:yes|true|up|1)\b")


def _derived_files(spec: SlurmSpec) -> dict[str, str]:
    """Return what is in files that are not in configFiles, as far as lines of slurm.conf depend on it."""
    return {"cgroup.conf": "ConstrainRAMSpace=yes\n"} if spec.confine.memory else {}


def _paths(spec: SlurmSpec) -> Iterator[tuple[str, tuple[Path, object]]]:
    """Yield the fields that set lines of slurm.conf, by the line's key in small letters."""
    for name in type(spec.slurm_conf).model_fields:
        value = getattr(spec.slurm_conf, name)
        if name != "extra" and value:
            yield name.replace("_", ""), (("slurm_conf", name), value)
    for name, text in spec.slurm_conf.extra.items():
        yield name.lower(), (("slurm_conf", "extra", name), text)


RULES_ON_LINES: tuple[Rule, ...] = (lines_meet_their_requirements,)
RULES: tuple[Rule, ...] = (confinement_takes_effect,)
RULES_OF_SLINKY = RULES
"""ack-slurm-operator's workers confine nothing by themselves."""
