"""slurm.conf, which ack-slurm-operator leaves to us whole.

Partitions and options come from the same code as on slurm-operator's route, so that both run the same cluster; what is
added is what that operator writes by itself, in the form that this one and Alibaba's image need.
"""

from collections.abc import Mapping, Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.groups import Group, groups_of
from pulumi_slurm.ack.slurm.names import JWT_FILE, slurmdbd_host
from pulumi_slurm.configuration.additions import additions, option_texts
from pulumi_slurm.configuration.operator_lines import MAX_NODE_COUNT
from pulumi_slurm.configuration.options import parse_options, slurm_entry
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.manifests.database import database_host
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMD_PORT, SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.version import Series

Texts = dict[str, str | int | None]

COLOCATION_GRES = ("k8scpu", "k8smemory")
"""What the copilot counts a node's CPUs and memory in."""
NODE_FEATURES_PLUGIN = "node_features/k8s_resources"
SUBMIT_PLUGIN = "k8s_resource_completion"
ALIBABAS_PLUGINS = {"NodeFeaturesPlugins": NODE_FEATURES_PLUGIN, "JobSubmitPlugins": SUBMIT_PLUGIN}
"""Plugins that only Alibaba's image holds, by the key that names them."""

STATE = "/var/spool/slurmctld"
"""Where the state volume is mounted in controllers."""
_NO_ADDRESS_CACHE_UNTIL = Series(24, 5)
"""Slurm 24.11 calls NoAddrCache defunct, and asks for its removal. See docs/verification.md."""
_ADD_UP = frozenset(
    {
        "AccountingStorageTRES",
        "CommunicationParameters",
        "DebugFlags",
        "GresTypes",
        "JobSubmitPlugins",
        "NodeFeaturesPlugins",
        "ReconfigFlags",
        "SuspendExcNodes",
        "SuspendExcStates",
    }
)
"""Keys whose items of ours stay beside those that a user states."""


def slurm_conf(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> Conf:
    """Return slurm.conf as every pod has it, without the password of job completion."""
    groups = groups_of(spec, pools, ack)
    ours = {**_daemons(spec, ack), **_resources(ack, groups), **_accounting(spec, ack, groups)}
    if any(group.elastic for group in groups):
        ours |= _power_saving(ack, groups)
    extra: Texts = {_spelled(key): value for key, value in option_texts(spec).items()}
    texts = {**ours, **{key: _with_ours(key, ours.get(key), value) for key, value in extra.items()}}
    conf_options = parse_options(File.SLURM, {**texts, **_hooks(spec)})
    conf_options["SlurmctldHost"] = tuple(ack.controller_hosts) or (spec.name,)
    return Conf(File.SLURM, conf_options, (*_nodes(groups), *_partitions(spec)))


def with_password(conf: Conf, password: str) -> Conf:
    """Return slurm.conf as controllers have it where jobs are recorded in MySQL."""
    return Conf(conf.file, {**conf.options, **parse_options(File.SLURM, {"JobCompPass": password})}, conf.entries)


def jwt_lines(ack: AckSlurmSpec) -> Texts:
    """Return the lines about tokens, for slurm.conf and slurmdbd.conf alike."""
    return {"AuthAltTypes": "auth/jwt", "AuthAltParameters": f"jwt_key={ack.jwt_path.rstrip('/')}/{JWT_FILE}"}


def uses_tokens(ack: AckSlurmSpec) -> bool:
    """Whether anybody has to show a token."""
    return ack.slurmrestd or ack.copilot is not None


def cloud_texts(group: Group) -> Texts:
    """Return the options of the NodeName line of a group that Slurm scales."""
    return {**group.options, "State": "CLOUD"}


def _daemons(spec: SlurmSpec, ack: AckSlurmSpec) -> Texts:
    return {
        "ClusterName": spec.name,
        "SlurmUser": "slurm",
        "SlurmctldPort": SLURMCTLD_PORT,
        "SlurmdPort": SLURMD_PORT,
        "AuthType": "auth/munge",
        "CredType": "cred/munge",
        **(jwt_lines(ack) if uses_tokens(ack) else {}),
        # The start scripts look for these three, make them and give them to slurm.
        "StateSaveLocation": f"{STATE}/{spec.name}",
        "SlurmdSpoolDir": "/var/spool/slurmd",
        "SlurmctldLogFile": "/var/log/slurmctld.log",
        "SlurmdLogFile": "/var/log/slurmd.log",
        "ReturnToService": 2,
    }


def _resources(ack: AckSlurmSpec, groups: Sequence[Group]) -> Texts:
    most = sum(group.most for group in groups)
    gpus = any(group.machine and group.machine.gpus for group in groups)
    gres = [*(COLOCATION_GRES if ack.copilot else ()), *(["gpu"] if gpus else [])]
    return {
        # slurmctld takes nodes that it doesn't know beforehand only with this one.
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core_Memory",
        "MaxNodeCount": max(MAX_NODE_COUNT, most),
        # slurmctld talks to each node itself: such nodes don't know each other's addresses.
        "TreeWidth": 65533,
        # Pods have no cgroups of their own to manage.
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "GresTypes": ",".join(gres) or None,
        "NodeFeaturesPlugins": NODE_FEATURES_PLUGIN if ack.copilot else None,
        "JobSubmitPlugins": SUBMIT_PLUGIN if ack.copilot and ack.copilot.submit_plugin else None,
    }


def _accounting(spec: SlurmSpec, ack: AckSlurmSpec, groups: Sequence[Group]) -> Texts:
    gpus = any(group.machine and group.machine.gpus for group in groups)
    lines: Texts = {
        "AccountingStorageType": "accounting_storage/none",
        "JobAcctGatherType": "jobacct_gather/none",
    }
    if spec.accounting:
        lines = {
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": slurmdbd_host(spec.name),
            "AccountingStoragePort": SLURMDBD_PORT,
            "AccountingStorageTRES": "gres/gpu" if gpus else None,
            "JobAcctGatherType": "jobacct_gather/linux",
        }
    if completion := ack.job_completion:
        lines |= {
            "JobCompType": "jobcomp/mysql",
            "JobCompHost": completion.host or _database_host(spec),
            "JobCompPort": completion.port,
            "JobCompUser": completion.user,
            "JobCompLoc": completion.database,
            # Only controllers have the password, so their file is another one, and that is meant to be.
            "DebugFlags": "NO_CONF_HASH",
        }
    return lines


def _database_host(spec: SlurmSpec) -> str | None:
    if not spec.accounting or spec.accounting.external:
        return None
    return database_host(ClusterRef.of(spec), spec.accounting.database)


def _power_saving(ack: AckSlurmSpec, groups: Sequence[Group]) -> Texts:
    power = ack.power_saving
    kept = [group.nodes(group.fewest) for group in groups if group.elastic and group.fewest]
    return {
        "SuspendTime": power.suspend_time,
        "SuspendTimeout": power.suspend_timeout,
        "ResumeTimeout": power.resume_timeout or _resume_timeout(groups),
        "SuspendRate": power.suspend_rate,
        "ResumeRate": power.resume_rate,
        "SuspendProgram": power.suspend_program,
        "ResumeProgram": power.resume_program,
        "SuspendExcNodes": ",".join(kept) or None,
        # Idle nodes of other groups would be ended too, and nothing would start them again.
        "SuspendExcStates": "DYNAMIC_NORM" if not all(group.elastic for group in groups) else None,
        "CommunicationParameters": "NoAddrCache" if ack.series <= _NO_ADDRESS_CACHE_UNTIL else None,
        "ReconfigFlags": "KeepPowerSaveSettings",
    }


def _resume_timeout(groups: Sequence[Group]) -> int:
    """Return seconds that cover a machine that has yet to be made; Alibaba's guide has 600 without GPUs."""
    return 1800 if any(group.elastic and group.machine and group.machine.gpus for group in groups) else 600


def _hooks(spec: SlurmSpec) -> Texts:
    hooks = spec.hooks
    return {
        "Prolog": "/etc/slurm/prolog.d/*" if hooks.prolog else None,
        "Epilog": "/etc/slurm/epilog.d/*" if hooks.epilog else None,
        "PrologSlurmctld": next((f"/etc/slurm/{name}" for name in hooks.prolog_slurmctld), None),
        "EpilogSlurmctld": next((f"/etc/slurm/{name}" for name in hooks.epilog_slurmctld), None),
    }


def _nodes(groups: Sequence[Group]) -> list[Entry]:
    return [
        slurm_entry("NodeName", group.nodes(group.most), cloud_texts(group))
        for group in groups
        if group.elastic and group.most
    ]


def _partitions(spec: SlurmSpec) -> list[Entry]:
    """Return node sets by their feature, and partitions over node sets: slurm.conf needn't name the nodes."""
    node_sets = [
        slurm_entry("NodeSet", node_set.slurm_name, {"Feature": node_set.slurm_name}) for node_set in spec.node_sets
    ]
    own = [
        partition_entry(node_set.slurm_name, [node_set.slurm_name], node_set.partition)
        for node_set in sorted(spec.node_sets, key=lambda node_set: node_set.name)
        if node_set.partition
    ]
    return [*node_sets, *own, *additions(spec).entries]


def _spelled(name: str) -> str:
    key = find(File.SLURM, name)
    assert key is not None, name
    return key.name


def _with_ours(name: str, ours: str | int | None, theirs: str | int | None) -> str | int | None:
    if name not in _ADD_UP or not ours or not theirs:
        return theirs
    mine = str(ours).split(",")
    return ",".join([*mine, *(item for item in map(str.strip, str(theirs).split(",")) if item not in mine)])


def words_of(conf: Conf, key: str) -> Mapping[str, None]:
    """Return the items of a key of slurm.conf in small letters, in their order."""
    value = conf.options.get(key, ())
    items = value if isinstance(value, tuple) else tuple(str(value).split(","))
    return dict.fromkeys(str(item).strip().lower() for item in items)
