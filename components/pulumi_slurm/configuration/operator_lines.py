"""Lines that slurm-operator writes into slurm.conf by itself, and those that its newer releases leave to us.

Source: internal/builder/controllerbuilder/controller_config.go of https://github.com/SlinkyProject/slurm-operator.
"""

import re

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMD_PORT, SLURMDBD_PORT

Texts = dict[str, str | int | None]

MAX_NODE_COUNT = 1024
"""slurmctld refuses dynamic nodes beyond it."""


def written_by_operator(spec: SlurmSpec) -> Texts:
    """Return the operator's own options, without the hooks' scripts."""
    jwks = ",jwks=/etc/slurm/jwks.json" if spec.keys.jwks else ""
    controller = f"{spec.name}-controller"
    lines: Texts = {
        "ClusterName": spec.name,
        "SlurmUser": "slurm",
        "SlurmctldHost": f"{controller}-0({controller}.{spec.namespace})",
        "SlurmctldPort": SLURMCTLD_PORT,
        "StateSaveLocation": f"/var/spool/slurmctld/{spec.name}",
        "SlurmdUser": "root",
        "SlurmdPort": SLURMD_PORT,
        "SlurmdSpoolDir": "/var/spool/slurmd",
        "MaxNodeCount": MAX_NODE_COUNT,
        "SlurmctldLogFile": "/var/log/slurm/slurmctld.log",
        "SlurmSchedLogFile": "/var/log/slurm/slurmctld.log",
        "SlurmdLogFile": "/var/log/slurm/slurmd.log",
        "AuthType": "auth/slurm",
        "CredType": "cred/slurm",
        "AuthAltTypes": "auth/jwt",
        "AuthAltParameters": f"jwt_key=/etc/slurm/jwt.key{jwks}",
        "AuthInfo": "use_client_ids",
        "MetricsType": "metrics/openmetrics" if spec.monitoring.metrics else None,
        "AccountingStorageType": "accounting_storage/none",
    }
    if spec.accounting:
        lines["AccountingStorageType"] = "accounting_storage/slurmdbd"
        lines["AccountingStorageHost"] = f"{spec.name}-accounting"
        lines["AccountingStoragePort"] = SLURMDBD_PORT
    if spec.operator.writes_plugins:
        lines |= _plugins(spec)
        lines["LogTimeFormat"] = "iso8601,format_stderr"
        lines["CommunicationParameters"] = "block_null_hash"
        lines["SlurmctldParameters"] = f"enable_configless{',enable_stepmgr' if _cgroups(spec) else ''}"
    else:
        lines["SlurmctldParameters"] = "enable_configless,reconfig_on_restart"
    return lines


def left_to_us(spec: SlurmSpec) -> Texts:
    """Return what a newer operator no longer writes and a cluster needs to be the same under every release."""
    return {} if spec.operator.writes_plugins else _plugins(spec)


def _plugins(spec: SlurmSpec) -> Texts:
    cgroups = _cgroups(spec)
    gather = "jobacct_gather/cgroup" if cgroups else "jobacct_gather/linux"
    return {
        "ReturnToService": 2,
        "GresTypes": "gpu",
        "SelectTypeParameters": "CR_Core_Memory",
        "ProctrackType": "proctrack/cgroup" if cgroups else "proctrack/linuxproc",
        "PrologFlags": "Contain" if cgroups else None,
        "TaskPlugin": "task/affinity,task/cgroup" if cgroups else "task/affinity",
        "AccountingStorageTRES": "gres/gpu" if spec.accounting else None,
        "JobAcctGatherType": gather if spec.accounting else "jobacct_gather/none",
    }


def _cgroups(spec: SlurmSpec) -> bool:
    # The operator's own test, to the letter.
    return not re.search(r"(?im)^CgroupPlugin=disabled", spec.config_files.get("cgroup.conf", ""))
