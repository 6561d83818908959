"""Warnings of files that nobody reads, where slurm-operator's pods run the daemons."""

from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster


def warned(**fields: Any) -> list[str]:
    spec = SlurmSpec.model_validate({"name": "c", "nodeSets": [], **fields})
    return [str(error) for error in check_cluster(spec)]


def test_log_files_elsewhere() -> None:
    (warning,) = warned(slurmConf={"extra": {"SlurmdLogFile": "/tmp/x", "SlurmdSyslogDebug": "error"}})
    assert warning == (
        'slurmConf.extra.SlurmdLogFile = "/tmp/x": with slurm-operator `kubectl logs` shows the operator\'s own log '
        "file and no other. Leave it out."
    )
