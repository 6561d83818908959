"""Lines of slurm.conf that slurm-operator writes itself, and those that its newer releases no longer write.

Source: internal/builder/controllerbuilder/controller_config.go of https://github.com/SlinkyProject/slurm-operator.
"""

import re
from collections.abc import Mapping

from pulumi_slurm.model import KeysSpec, OperatorVersion, SlurmSpec
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMD_PORT, SLURMDBD_PORT

OptionTexts = dict[str, str | int | None]

LOG_TIME_FORMAT = "iso8601,format_stderr"

MERGED_KEYS = ("AuthInfo", "CommunicationParameters", "PrologFlags", "SlurmctldParameters")
"""Keys of lines of the operator to which a specification can add words."""

MAX_NODE_COUNT = 1024
"""The operator's limit on dynamic nodes; slurmctld refuses more."""


_AUTH_INFO = "use_client_ids"
JWKS_FILE = "jwks.json"
"""The file with the keys of an identity provider, below /etc/slurm."""


def key_lines(spec: SlurmSpec) -> OptionTexts:
    """Return the options on keys of slurm.conf and slurmdbd.conf alike: the operator's, and ours on the user's claim.

    Source: controllerbuilder/controller_config.go and accountingbuilder/accounting_config.go in its internal/builder,
    at v1.2.1.
    """
    return {
        "AuthType": "auth/slurm",
        "AuthAltTypes": "auth/jwt",
        "AuthAltParameters": _auth_alt_parameters(spec.keys),
        "AuthInfo": _AUTH_INFO,
    }


def user_claim_lines(keys: KeysSpec) -> dict[str, str]:
    """Return the line by which slurmctld and slurmdbd find the user's name in tokens of an identity provider.

    It is a whole line, of which releases from 1.2 on add to their own what it has more: BuildMergedConfig in
    internal/builder/common/common.go at v1.2.1. https://slurm.schedmd.com/jwt.html
    """
    return {"AuthAltParameters": _auth_alt_parameters(keys)} if keys.jwks and keys.jwks.user_claim else {}


def _auth_alt_parameters(keys: KeysSpec) -> str:
    words = ["jwt_key=/etc/slurm/jwt.key"]
    if keys.jwks:
        words.append(f"jwks=/etc/slurm/{JWKS_FILE}")
        if keys.jwks.user_claim:
            words.append(f"userclaimfield={keys.jwks.user_claim}")
    return ",".join(words)


def lines_operator_writes(spec: SlurmSpec) -> OptionTexts:
    """Return the options that the operator writes, without slurmctld's hosts and prolog and epilog scripts."""
    service = f"{spec.name}-controller"
    lines: OptionTexts = {
        "ClusterName": spec.slurm_name,
        "SlurmUser": "slurm",
        "SlurmctldAddr": f"{service}.{spec.namespace}" if spec.operator.addresses_slurmctld_by_service else None,
        "SlurmctldPort": SLURMCTLD_PORT,
        "StateSaveLocation": f"/var/spool/slurmctld/{spec.slurm_name}",
        "SlurmdUser": "root",
        "SlurmdPort": SLURMD_PORT,
        "SlurmdSpoolDir": "/var/spool/slurmd",
        "MaxNodeCount": MAX_NODE_COUNT,
        "SlurmctldLogFile": "/var/log/slurm/slurmctld.log",
        "SlurmSchedLogFile": "/var/log/slurm/slurmctld.log",
        "SlurmdLogFile": "/var/log/slurm/slurmd.log",
        "CredType": "cred/slurm",
        **key_lines(spec),
        "MetricsType": "metrics/openmetrics" if spec.monitoring.metrics else None,
        "AccountingStorageType": "accounting_storage/none",
    }
    if spec.accounting:
        lines["AccountingStorageType"] = "accounting_storage/slurmdbd"
        lines["AccountingStorageHost"] = f"{spec.name}-accounting"
        lines["AccountingStoragePort"] = SLURMDBD_PORT
    if spec.operator.writes_plugins:
        lines |= _plugin_lines(spec)
        lines["SlurmctldParameters"] = f"enable_configless{',enable_stepmgr' if _uses_cgroups(spec) else ''}"
    else:
        lines["SlurmctldParameters"] = "enable_configless,reconfig_on_restart"
    return lines


def slurmctld_hosts(spec: SlurmSpec) -> tuple[str, ...]:
    """Return the values of SlurmctldHost, one for each pod of slurmctld."""
    service = f"{spec.name}-controller"
    if not spec.operator.addresses_slurmctld_by_service:
        return (f"{service}-0({service}.{spec.namespace})",)
    backups = spec.controller.ha.backups if spec.controller.ha else 0
    pods = [f"{service}-{ordinal}" for ordinal in range(1 + backups)]
    return tuple(f"{pod}({pod}.{service}-internal.{spec.namespace})" for pod in pods)


def slurmctld_addresses(spec: SlurmSpec) -> tuple[str, ...]:
    """Return the names by which others find each slurmctld, those in the brackets of SlurmctldHost."""
    return tuple(host.partition("(")[2].removesuffix(")") for host in slurmctld_hosts(spec))


def lines_operator_omits(spec: SlurmSpec) -> OptionTexts:
    """Return the options that newer operators no longer write, so that clusters are the same with every release."""
    if spec.operator.writes_plugins:
        return {}
    return {**_plugin_lines(spec), "SlurmctldParameters": "enable_stepmgr" if _uses_cgroups(spec) else None}


def slurmdbd_lines_operator_omits(operator: OperatorVersion) -> dict[str, str]:
    """Return the options of slurmdbd.conf that newer operators no longer write.

    Source: internal/builder/accountingbuilder/accounting_config.go at v1.1.2 and v1.2.1.
    """
    return {} if operator.writes_plugins else {"LogTimeFormat": LOG_TIME_FORMAT}


def slurmdbd_lines(operator: OperatorVersion, keys: KeysSpec, extra_conf: Mapping[str, str]) -> dict[str, str]:
    """Return the lines of slurmdbd.conf that we add to the operator's: a user's, on tokens, and those newer ones omit.

    AuthInfo keeps the operator's word, without which slurmdbd takes no users that its own pod doesn't know. From 1.2 on
    the operator adds it itself.
    """
    words = {"authinfo": _AUTH_INFO}
    united = {key: str(_united(words.get(key.lower(), ""), text)) for key, text in extra_conf.items()}
    return {**slurmdbd_lines_operator_omits(operator), **user_claim_lines(keys), **united}


def with_words_of_operator(spec: SlurmSpec, texts: OptionTexts) -> OptionTexts:
    """Return options with the operator's words in front of those of a specification, in lines where each word counts.

    Otherwise a word for an unrelated subject would switch off what the operator relies on: users of pods, the
    configuration that slurmctld hands out, and the step that holds a job together. From 1.2 on the operator adds
    its own words by itself (BuildMergedConfig in internal/builder/common/common.go at v1.2.1).
    """
    written, omitted = lines_operator_writes(spec), lines_operator_omits(spec)
    words = {
        key.lower(): ",".join(str(line) for line in (written.get(key), omitted.get(key)) if line) for key in MERGED_KEYS
    }
    return {key: _united(words.get(key.lower(), ""), text) for key, text in texts.items()}


def _united(words: str, text: str | int | None) -> str | int | None:
    if not words or not isinstance(text, str):
        return text
    operators = {word.strip().lower(): word.strip() for word in words.split(",")}
    # Of two items with one name the first counts, so that those of the text keep their order.
    items = [operators.get(item.strip().lower(), item.strip()) for item in text.split(",")]
    return ",".join([*(word for word in operators.values() if word not in items), *items])


def _plugin_lines(spec: SlurmSpec) -> OptionTexts:
    uses_cgroups = _uses_cgroups(spec)
    gather_plugin = "jobacct_gather/cgroup" if uses_cgroups else "jobacct_gather/linux"
    return {
        "LogTimeFormat": LOG_TIME_FORMAT,
        "CommunicationParameters": "block_null_hash",
        "ReturnToService": 2,
        "GresTypes": "gpu",
        "SelectTypeParameters": "CR_Core_Memory",
        "ProctrackType": "proctrack/cgroup" if uses_cgroups else "proctrack/linuxproc",
        "PrologFlags": "Contain" if uses_cgroups else None,
        "TaskPlugin": "task/affinity,task/cgroup" if uses_cgroups else "task/affinity",
        "AccountingStorageTRES": "gres/gpu" if spec.accounting else None,
        "JobAcctGatherType": gather_plugin if spec.accounting else "jobacct_gather/none",
    }


def _uses_cgroups(spec: SlurmSpec) -> bool:
    return not CGROUPS_ARE_OFF.search(spec.config_files.get("cgroup.conf", ""))


CGROUPS_ARE_OFF = re.compile(r"(?im)^CgroupPlugin=disabled")
"""What slurm-operator looks for in cgroup.conf: `isCgroupEnabled` in its internal/builder/controllerbuilder."""
