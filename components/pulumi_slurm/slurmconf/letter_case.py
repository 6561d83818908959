"""Options whose items mean the same in any case.

Source: Slurm compares their items by xstrcasecmp or xstrcasestr, in src/common/read_config.c and where they are used.
The others, among them LaunchParameters and SlurmctldParameters, have at least one item that it compares exactly.
"""

from pulumi_slurm.slurmconf.values import Value

_ANY_CASE = frozenset(
    {
        *("AccountingStorageEnforce", "AccountingStoreFlags", "CommunicationParameters", "DebugFlags"),
        *("DependencyParameters", "HealthCheckNodeState", "JobAcctGatherParams", "LogTimeFormat"),
        *("PreemptParameters", "PriorityFlags", "PrivateData", "PrologFlags", "ReconfigFlags", "SchedulerParameters"),
        *("ScronParameters", "SelectTypeParameters", "SlurmdParameters", "TaskPluginParam", "TopologyParam"),
        "X11Parameters",
    }
)


def same_in_any_case(key: str, one: Value, other: Value) -> bool:
    """Return whether two values of an option mean the same, though they may differ in case."""
    return key in _ANY_CASE and _in_small_letters(one) == _in_small_letters(other)


def _in_small_letters(value: Value) -> object:
    if isinstance(value, tuple):
        # What stands behind = may be a name.
        return sorted({f"{name.lower()}={text}" for name, _, text in (item.partition("=") for item in value)})
    return value.lower() if isinstance(value, str) else value
