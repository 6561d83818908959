"""Options of slurm.conf: typed fields, further lines, and what belongs to machines that stay behind."""

from pulumi_slurm.importing.conf_file import ConfFile
from pulumi_slurm.importing.draft import Draft
from pulumi_slurm.importing.fields import as_field, as_text, field_of
from pulumi_slurm.model import SlurmConfSpec
from pulumi_slurm.model.slurm_conf import OPERATOR_KEYS
from pulumi_slurm.slurmconf.values import Value

_POWER = "An autoscaler starts and stops pods, not slurmctld."
_DAEMONS = "The operator and its images say where daemons keep this."

_STAYS_BEHIND = {
    **dict.fromkeys(("ResumeFailProgram", "ResumeProgram", "ResumeRate", "ResumeTimeout"), _POWER),
    **dict.fromkeys(("SuspendExcNodes", "SuspendExcParts", "SuspendExcStates", "SuspendProgram"), _POWER),
    **dict.fromkeys(("SuspendRate", "SuspendTimeout"), _POWER),
    "SuspendTime": f"{_POWER} Of node sets made of cloud nodes it became the cooldown.",
    **dict.fromkeys(("SlurmctldLogFile", "SlurmctldPidFile", "SlurmSchedLogFile"), _DAEMONS),
    **dict.fromkeys(("SlurmdLogFile", "SlurmdPidFile", "SlurmdSpoolDir"), _DAEMONS),
    "RebootProgram": "A pod can't reboot its machine.",
}

_HOST_PATHS_ALLOWED = {"TmpFS"}

_NEEDS_FILE = {
    "CliFilterPlugins": ("lua", ("cli_filter.lua",)),
    "JobSubmitPlugins": ("lua", ("job_submit.lua",)),
    "TopologyPlugin": ("topology/tree", ("topology.conf", "topology.yaml")),
}
"""Plugins that read a file: value, and the files of which one is needed."""

_OF_CLOUD_NODES = {
    "cloud_dns",
    "cloud_reg_addrs",
    "idle_on_node_suspend",
    "power_save_interval",
    "power_save_min_interval",
}


def add_options(draft: Draft, conf_file: ConfFile, handled: set[str]) -> None:
    """Put the options into the draft's slurmConf; ``handled`` are those that went elsewhere."""
    conf: dict[str, object] = {}
    extra: dict[str, str] = {}
    for key, value in conf_file.conf.options.items():
        location, text = conf_file.location(key), f"{key}={as_text(None, key, value)}"
        if key in handled:
            continue
        if reason := _stays_behind(draft, key, value):
            draft.leave_out(location, text, reason)
            continue
        field = field_of(SlurmConfSpec, key)
        if field:
            conf[field] = as_field(SlurmConfSpec, field, None, key, value)
            draft.set_origin(("slurmConf", field), location, text)
        elif key.startswith("PriorityWeight") and isinstance(value, int):
            name = key.removeprefix("PriorityWeight")
            weights = conf.setdefault("priorityWeights", {})
            assert isinstance(weights, dict)
            weights[name] = value
            draft.set_origin(("slurmConf", "priorityWeights", name), location, text)
        else:
            extra[key] = as_text(None, key, value)
            draft.set_origin(("slurmConf", "extra", key), location, text)
    _stay_configless(draft, conf_file, extra)
    if extra:
        conf["extra"] = extra
    if conf:
        draft.cluster["slurmConf"] = conf


def _stays_behind(draft: Draft, key: str, value: Value) -> str | None:
    if key in _STAYS_BEHIND:
        return _STAYS_BEHIND[key]
    # The rules refuse what the operator owns, with a reason of their own.
    if (
        isinstance(value, str)
        and value.startswith("/")
        and key not in _HOST_PATHS_ALLOWED
        and key.lower() not in OPERATOR_KEYS
    ):
        return "This lies on the old machines. Bring it into the images or onto a shared volume, then add the line."
    needing, files = _NEEDS_FILE.get(key, ("", ()))
    if files and needing in as_text(None, key, value).split(",") and not draft.cluster["configFiles"].keys() & files:
        return f"It reads {files[0]}, which is not beside slurm.conf. Add the file to configFiles and the line again."
    return None


def _stay_configless(draft: Draft, conf_file: ConfFile, extra: dict[str, str]) -> None:
    """Keep what workers in pods need among SlurmctldParameters, and drop what is for machines in a cloud."""
    key = "SlurmctldParameters"
    if key not in extra:
        return
    items = extra[key].split(",")
    for item in items:
        if item.partition("=")[0] in _OF_CLOUD_NODES:
            draft.leave_out(conf_file.location(key), f"{key}={item}", _POWER)
    kept = [item for item in items if item.partition("=")[0] not in _OF_CLOUD_NODES | {"enable_configless"}]
    extra[key] = ",".join(["enable_configless", *kept])
