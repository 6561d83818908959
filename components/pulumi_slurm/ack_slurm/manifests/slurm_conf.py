"""slurm.conf, of which ack-slurm-operator writes no lines itself.

Partitions and options come from the same code as for slurm-operator, so that both run the same cluster. This module
adds the lines that slurm-operator writes itself, in the form that ack-slurm-operator and Alibaba's image need.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.groups import Group, groups_of
from pulumi_slurm.ack_slurm.manifests.names import JWT_FILE, slurmdbd_host
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.additions import partitions
from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.derived.operator_lines import MAX_NODE_COUNT
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.manifests.database import database_host
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMD_PORT, SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.requirements import confines_memory
from pulumi_slurm.slurmconf.version import Series

Options = dict[str, str | int | None]

COLOCATION_GRES = ("k8scpu", "k8smemory")
"""The GRES in which the copilot counts a node's CPUs and memory."""
NODE_FEATURES_PLUGIN = "node_features/k8s_resources"
OVER_MEMORY_KILL = "OverMemoryKill"
SUBMIT_PLUGIN = "k8s_resource_completion"

STATE_PATH = "/var/spool/slurmctld"
"""The mount path of the state volume in controllers."""
_NO_ADDRESS_CACHE_UNTIL = Series(24, 5)
"""Slurm 24.11 logs that NoAddrCache is defunct and should be removed."""
_ADDRESSES_OF_REGISTRATION = Series(23, 11)
"""The first series in which slurmctld takes the address of a CLOUD or dynamic node from its registration by itself:
RELEASE_NOTES of slurm-23-11-0-1, "cloud_reg_addrs". No worker has a name in DNS."""
_NOTHING = "/bin/true"
"""The program for power saving of a cluster in which Slurm starts and ends no workers."""
_COMBINED_KEYS = frozenset(
    {
        "AccountingStorageTRES",
        "CommunicationParameters",
        "DebugFlags",
        "GresTypes",
        "JobAcctGatherParams",
        "JobSubmitPlugins",
        "NodeFeaturesPlugins",
        "ReconfigFlags",
        "SlurmctldParameters",
        "SuspendExcNodes",
        "SuspendExcStates",
    }
)
"""Keys whose default items are combined with those of the user."""
_INSTEAD = MappingProxyType({"UsePss": "noshare"})
"""Default items in whose place a user's can stand, by what those begin with in small letters: `UsePss` and `NoShared`
together end slurmctld (src/common/read_config.c)."""


def slurm_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Conf:
    """Return slurm.conf for all pods, without the password of job completion."""
    groups = groups_of(spec, pools, ack)
    defaults = {**_daemons(spec, ack), **_resources(ack, groups), **_accounting(spec, ack, groups)}
    if any(group.listed for group in groups):
        defaults |= _power_saving(ack, groups)
    user_options: Options = {_documented_key(key): value for key, value in option_texts(spec, pools).items()}
    combined = {key: _combined(key, defaults.get(key), value) for key, value in user_options.items()}
    conf_options = parse_options(File.SLURM, {**defaults, **combined, **_hooks(spec)})
    conf_options["SlurmctldHost"] = tuple(ack.controller_hosts) or (spec.name,)
    return Conf(File.SLURM, conf_options, (*_nodes(groups), *_partitions(spec, groups)))


def with_password(conf: Conf, password: str) -> Conf:
    """Return slurm.conf for controllers with job completion in MySQL."""
    return Conf(conf.file, {**conf.options, **parse_options(File.SLURM, {"JobCompPass": password})}, conf.entries)


def jwt_lines(ack: AckSlurmSpec) -> Options:
    """Return the options for tokens, which are the same in slurm.conf and slurmdbd.conf."""
    return {"AuthAltTypes": "auth/jwt", "AuthAltParameters": f"jwt_key={ack.jwt_path.rstrip('/')}/{JWT_FILE}"}


def uses_tokens(ack: AckSlurmSpec) -> bool:
    """Return whether any client authenticates with a token."""
    return ack.slurmrestd or ack.copilot is not None


def cloud_options(group: Group) -> Options:
    """Return the options of the NodeName line of a group.

    CLOUD, since no node has a name in DNS: slurmctld takes the address from the registration.
    """
    return {**group.options, "State": "CLOUD"}


def _daemons(spec: SlurmSpec, ack: AckSlurmSpec) -> Options:
    return {
        "ClusterName": spec.name,
        "SlurmUser": "slurm",
        "SlurmctldPort": SLURMCTLD_PORT,
        "SlurmdPort": SLURMD_PORT,
        "AuthType": "auth/munge",
        "CredType": "cred/munge",
        **(jwt_lines(ack) if uses_tokens(ack) else {}),
        # The start scripts read the next three, create these files and folders and change their owner to slurm.
        "StateSaveLocation": f"{STATE_PATH}/{spec.name}",
        "SlurmdSpoolDir": "/var/spool/slurmd",
        "SlurmctldLogFile": "/var/log/slurmctld.log",
        "SlurmdLogFile": "/var/log/slurmd.log",
        "ReturnToService": 2,
    }


def _resources(ack: AckSlurmSpec, groups: Sequence[Group]) -> Options:
    max_nodes = sum(group.max_nodes for group in groups)
    has_gpus = any(group.machine and group.machine.gpus for group in groups)
    gres = [*(COLOCATION_GRES if ack.copilot else ()), *(["gpu"] if has_gpus else [])]
    return {
        # slurmctld accepts dynamic nodes only with this one.
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core_Memory",
        "SlurmctldParameters": "cloud_reg_addrs" if ack.series < _ADDRESSES_OF_REGISTRATION else None,
        "MaxNodeCount": max(MAX_NODE_COUNT, max_nodes),
        # slurmctld contacts every node directly, because dynamic nodes don't have each other's addresses.
        "TreeWidth": 65533,
        # Slurm can't manage cgroups in these pods.
        "ProctrackType": "proctrack/linuxproc",
        # Each task stays on the CPUs that it was given.
        "TaskPlugin": "task/affinity",
        "GresTypes": ",".join(gres) or None,
        "NodeFeaturesPlugins": NODE_FEATURES_PLUGIN if ack.copilot else None,
        "JobSubmitPlugins": SUBMIT_PLUGIN if ack.copilot and ack.copilot.submit_plugin else None,
    }


def _accounting(spec: SlurmSpec, ack: AckSlurmSpec, groups: Sequence[Group]) -> Options:
    has_gpus = any(group.machine and group.machine.gpus for group in groups)
    options: Options = {
        "AccountingStorageType": "accounting_storage/none",
        # Without cgroups nothing else ends a job that takes memory of others. Pages that processes share count once.
        "JobAcctGatherType": "jobacct_gather/linux",
        "JobAcctGatherParams": ",".join(["UsePss", *([] if _confines_memory(spec) else [OVER_MEMORY_KILL])]),
    }
    if spec.accounting:
        options |= {
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": slurmdbd_host(spec.name),
            "AccountingStoragePort": SLURMDBD_PORT,
            "AccountingStorageTRES": "gres/gpu" if has_gpus else None,
        }
    if completion := ack.job_completion:
        options |= {
            "JobCompType": "jobcomp/mysql",
            "JobCompHost": completion.host or _database_host(spec),
            "JobCompPort": completion.port,
            "JobCompUser": completion.user,
            "JobCompLoc": completion.database,
            # Only controllers have the password, so it is intended that their file differs.
            "DebugFlags": "NO_CONF_HASH",
        }
    return options


def _confines_memory(spec: SlurmSpec) -> bool:
    """Return whether cgroups hold jobs to their memory, beside which slurmctld takes no OverMemoryKill."""
    task_plugin = next((text for key, text in spec.slurm_conf.extra.items() if key.lower() == "taskplugin"), "")
    return "cgroup" in task_plugin.lower() and confines_memory(spec.config_files)


def _database_host(spec: SlurmSpec) -> str | None:
    if not spec.accounting or spec.accounting.external:
        return None
    return database_host(ClusterRef.of(spec), spec.accounting.database)


def _power_saving(ack: AckSlurmSpec, groups: Sequence[Group]) -> Options:
    power = ack.power_saving
    scaled = any(group.elastic for group in groups)
    kept_nodes = [group.nodes(group.min_nodes) for group in groups if group.listed and group.min_nodes]
    return {
        "SuspendTime": power.suspend_time,
        "SuspendTimeout": power.suspend_timeout,
        "ResumeTimeout": power.resume_timeout or _resume_timeout(groups),
        "SuspendRate": power.suspend_rate,
        "ResumeRate": power.resume_rate,
        # Without power saving slurmctld would take CLOUD nodes as up before they have registered.
        "SuspendProgram": power.suspend_program if scaled else _NOTHING,
        "ResumeProgram": power.resume_program if scaled else _NOTHING,
        "SuspendExcNodes": ",".join(kept_nodes) or None,
        # Otherwise Slurm would also suspend idle nodes of other groups, and nothing would start them again.
        "SuspendExcStates": "DYNAMIC_NORM" if not all(group.listed for group in groups) else None,
        "CommunicationParameters": "NoAddrCache" if ack.series <= _NO_ADDRESS_CACHE_UNTIL else None,
        "ReconfigFlags": "KeepPowerSaveSettings",
    }


def _resume_timeout(groups: Sequence[Group]) -> int:
    """Return a ResumeTimeout that includes the creation of a machine; Alibaba's guide has 600 without GPUs."""
    return 1800 if any(group.elastic and group.machine and group.machine.gpus for group in groups) else 600


def _hooks(spec: SlurmSpec) -> Options:
    hooks = spec.hooks
    return {
        "Prolog": "/etc/slurm/prolog.d/*" if hooks.prolog else None,
        "Epilog": "/etc/slurm/epilog.d/*" if hooks.epilog else None,
        "PrologSlurmctld": next((f"/etc/slurm/{name}" for name in hooks.prolog_slurmctld), None),
        "EpilogSlurmctld": next((f"/etc/slurm/{name}" for name in hooks.epilog_slurmctld), None),
    }


def _nodes(groups: Sequence[Group]) -> list[Entry]:
    return [
        slurm_entry("NodeName", group.nodes(group.max_nodes), cloud_options(group))
        for group in groups
        if group.listed and group.max_nodes
    ]


def _partitions(spec: SlurmSpec, groups: Sequence[Group]) -> list[Entry]:
    """Return node sets by their features, or with colocation by their nodes, and partitions of node sets."""
    node_sets = [slurm_entry("NodeSet", group.node_set.slurm_name, _members(group)) for group in groups]
    of_node_sets = [
        partition_entry(node_set.slurm_name, [node_set.slurm_name], node_set.partition)
        for node_set in sorted(spec.node_sets, key=lambda node_set: node_set.name)
        if node_set.partition
    ]
    return [*node_sets, *of_node_sets, *partitions(spec)]


def _members(group: Group) -> Options:
    if group.colocated and group.listed and group.max_nodes:
        return {"Nodes": group.nodes(group.max_nodes)}
    return {"Feature": group.node_set.slurm_name}


def _documented_key(name: str) -> str:
    key = find(File.SLURM, name)
    assert key is not None, name
    return key.name


def _combined(key: str, default: str | int | None, value: str | int | None) -> str | int | None:
    if key not in _COMBINED_KEYS or not default or not value:
        return value
    items = [item.strip() for item in str(value).split(",")]
    defaults = [item for item in str(default).split(",") if not _is_replaced(item, items)]
    default_names = {item.lower() for item in defaults}
    return ",".join([*defaults, *(item for item in items if item.lower() not in default_names)])


def _is_replaced(default: str, items: Sequence[str]) -> bool:
    return default in _INSTEAD and any(item.lower().startswith(_INSTEAD[default]) for item in items)


def items_of(conf: Conf, key: str) -> Mapping[str, None]:
    """Return the items of a key of slurm.conf in lower case, in their order."""
    value = conf.options.get(key, ())
    items = value if isinstance(value, tuple) else tuple(str(value).split(","))
    return dict.fromkeys(str(item).strip().lower() for item in items)
