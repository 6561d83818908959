"""Options of slurm.conf: typed fields, additional lines, and what belongs to machines that stay behind."""

from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.model import SlurmConfSpec
from pulumi_slurm.model.slurm_conf import OPERATOR_KEYS
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.secrets import is_secret, shown
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm_cli.importing.conf_file import ConfFile
from pulumi_slurm_cli.importing.draft import Draft
from pulumi_slurm_cli.importing.fields import as_field, as_text, field_of, weight_of

_POWER = "An autoscaler starts and stops pods, not slurmctld."
_DAEMONS = "The operator and its images say where daemons keep this."
_SECRET = "A password; settings of a stack are no place for it, and every user can read slurm.conf."

_BACKUP = (
    "A second slurmctld. Here there is one, which Kubernetes starts again; from slurm-operator 1.3 on, controller.ha "
    "makes backups that take over."
)

_STAYS_BEHIND = MappingProxyType(
    {
        **dict.fromkeys(("ResumeFailProgram", "ResumeProgram", "ResumeRate", "ResumeTimeout"), _POWER),
        **dict.fromkeys(("SuspendExcNodes", "SuspendExcParts", "SuspendExcStates", "SuspendProgram"), _POWER),
        **dict.fromkeys(("SuspendRate", "SuspendTimeout"), _POWER),
        "SuspendTime": f"{_POWER} Of node sets made of cloud nodes it became the cooldown.",
        "RebootProgram": "A pod can't reboot its machine.",
    }
)

_ROUTINE = MappingProxyType(
    {
        **dict.fromkeys(("SlurmctldLogFile", "SlurmctldPidFile", "SlurmSchedLogFile"), _DAEMONS),
        **dict.fromkeys(("SlurmdLogFile", "SlurmdPidFile", "SlurmdSpoolDir"), _DAEMONS),
    }
)
"""Keys that stay behind on every cluster, with nothing to do about it."""

_HOST_PATHS_ALLOWED = frozenset({"TmpFS"})

_NEEDS_FILE = MappingProxyType(
    {
        "CliFilterPlugins": ("lua", ("cli_filter.lua",)),
        "JobSubmitPlugins": ("lua", ("job_submit.lua",)),
        "NodeFeaturesPlugins": ("node_features/helpers", ("helpers.conf",)),
        "TopologyPlugin": ("topology/tree", ("topology.conf", "topology.yaml")),
    }
)
"""Plugins that read a file: value, and the files of which one is needed."""

_MPI_OF_SLURM = frozenset({"none", "openmpi", "pmi2", "cray_shasta"})
"""What needs no library of others: src/plugins/mpi of SchedMD/slurm, and what read_config.c takes for none."""

_OF_HEALTH_CHECKS = frozenset({"HealthCheckInterval", "HealthCheckNodeState", "HealthCheckTimeout"})

_TOGETHER = (
    ("JobCompType", "JobCompLoc", "JobCompHost", "JobCompPort", "JobCompUser", "JobCompPass", "JobCompPassScript"),
)
"""Keys that mean nothing without each other: when one stays behind, all do."""

_OF_CLOUD_NODES = frozenset(
    {
        "cloud_dns",
        "cloud_reg_addrs",
        "idle_on_node_suspend",
        "power_save_interval",
        "power_save_min_interval",
    }
)


def add_options(draft: Draft, conf_file: ConfFile, handled: set[str]) -> None:
    """Put the options into the draft's slurmConf; ``handled`` are those that went elsewhere."""
    options = {key: value for key, value in conf_file.conf.options.items() if key not in handled}
    reasons = _reasons(draft, options)
    conf: dict[str, object] = {}
    extra: dict[str, str] = {}
    for key, value in options.items():
        location, text = conf_file.location(key), shown(key, as_text(None, key, value))
        field = field_of(SlurmConfSpec, key)
        if key in reasons:
            _leave_out(draft, conf_file, key, value, reasons[key])
        elif field:
            conf[field] = as_field(SlurmConfSpec, field, None, key, value)
            draft.set_origin(("slurmConf", field), location, text)
        elif name := weight_of(key, value):
            weights = conf.setdefault("priorityWeights", {})
            assert isinstance(weights, dict)
            weights[name] = value
            draft.set_origin(("slurmConf", "priorityWeights", name), location, text)
        else:
            extra[key] = as_text(None, key, value)
            draft.set_origin(("slurmConf", "extra", key), location, text)
    _stay_configless(draft, conf_file, extra)
    if (mpi := str(conf.get("mpiDefault", "none")).removeprefix("mpi/")) not in _MPI_OF_SLURM:
        draft.to_do.append(
            f"MpiDefault={mpi}: each srun fails where an image of workers or login nodes lacks it. See there "
            "`srun --mpi=list`."
        )
    if extra:
        conf["extra"] = extra
    if conf:
        draft.cluster["slurmConf"] = conf


def _reasons(draft: Draft, options: Mapping[str, Value]) -> dict[str, str]:
    """Return why options stay behind, by key."""
    reasons = {key: reason for key, value in options.items() if (reason := _stays_behind(draft, key, value))}
    for keys in _TOGETHER:
        if needed := next((key for key in keys if key in reasons), None):
            without = {key: f"It goes with {needed}, which is left out." for key in keys if key in options}
            reasons = {**without, **reasons}
    return reasons


def _leave_out(draft: Draft, conf_file: ConfFile, key: str, value: Value, reason: str) -> None:
    if key == "BackupController":
        reason = _BACKUP
    routine = key in _ROUTINE or reason == _of_the_operator(key)
    if not isinstance(value, tuple) or len(value) != len(conf_file.locations(key)):
        draft.leave_out(conf_file.location(key), shown(key, as_text(None, key, value)), reason, routine=routine)
        return
    for index, (location, item) in enumerate(zip(conf_file.locations(key), value, strict=True)):
        if key == "SlurmctldHost" and index:
            draft.leave_out(location, shown(key, item), _BACKUP)
        else:
            draft.leave_out(location, shown(key, item), reason, routine=routine)


def _stays_behind(draft: Draft, key: str, value: Value) -> str | None:
    if reason := _STAYS_BEHIND.get(key) or _ROUTINE.get(key) or _of_the_operator(key):
        return reason
    if is_secret(key):
        return _SECRET
    if reason := _misses_its_part(draft, key, value):
        return reason
    # The rules refuse what else the operator owns, with a reason of their own.
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


def _misses_its_part(draft: Draft, key: str, value: Value) -> str | None:
    """Return the reason for an option that does nothing without another, or that undoes what pods have."""
    if key in _OF_HEALTH_CHECKS and "healthCheck" not in draft.cluster.get("hooks", {}):
        return "It goes with HealthCheckProgram, which is not carried over."
    if (
        key == "TaskPlugin"
        and "cgroup" not in as_text(None, key, value)
        and File.CGROUP not in draft.cluster["configFiles"]
    ):
        return "It would leave out task/cgroup, which pods have, and by which jobs are held to their memory and GPUs."
    return None


def _of_the_operator(key: str) -> str | None:
    """Return the reason for a key that the operator sets, and for which nothing else is to be set instead."""
    instead = OPERATOR_KEYS.get(key.lower(), "")
    _, leave_out, reason = instead.partition("Leave it out: ")
    return f"The operator or its images set this: {reason}." if leave_out else None


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
