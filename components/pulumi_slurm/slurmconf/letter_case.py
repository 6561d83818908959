"""Options whose items mean the same in any case.

Source: Slurm compares their items by xstrcasecmp or xstrcasestr, in src/common/read_config.c and where they are used.
The others, among them LaunchParameters and SlurmctldParameters, have at least one item that it compares exactly.
"""

from pulumi_slurm.slurmconf.catalogue import Key
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


def same_in_any_case(key: Key, one: Value | None, other: Value | None) -> bool:
    """Return whether two values of an option mean the same, though they may differ in case."""
    return key.name in _ANY_CASE and _in_small_letters(key, one) == _in_small_letters(key, other)


def _in_small_letters(key: Key, value: Value | None) -> object:
    if isinstance(value, tuple):
        # What stands behind = may be a name.
        parts = (item.partition("=") for item in value)
        return key.in_order(f"{name.lower()}{equals}{text}" for name, equals, text in parts)
    return value.lower() if isinstance(value, str) else value
