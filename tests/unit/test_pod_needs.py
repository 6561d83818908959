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
        'slurm_conf.extra.SlurmdLogFile = "/tmp/x": with slurm-operator `kubectl logs` shows the operator\'s own log '
        "file and no other. Leave it out."
    )


def test_programs_of_power_saving_that_are_in_no_pod() -> None:
    extra = {"SuspendProgram": "/etc/slurm/off.sh", "SuspendTime": 600}
    (warning,) = warned(slurmConf={"extra": extra})
    assert warning == (
        'slurm_conf.extra.SuspendProgram = "/etc/slurm/off.sh": with slurm-operator no such program is in slurmctld\'s '
        "pod, so a node that is powered down stays away. Leave it out, and set autoscaling of the node sets, or set "
        "controller.image to an image that has it."
    )
    assert warned(slurmConf={"extra": extra}, controller={"image": "registry.example.org/slurmctld:1"}) == []


def test_windows_of_jobs_without_xauth() -> None:
    cluster = {"slurmConf": {"extra": {"PrologFlags": "Contain,X11"}}}
    node_set = {"name": "cpu", "machine": {"cpus": 1, "memory": "8Gi"}, "partition": {}}
    (warning,) = warned(**cluster, nodeSets=[node_set])
    assert warning == (
        'slurm_conf.extra.PrologFlags = "Contain,X11": Slinky\'s images of slurmd and login nodes have no xauth, '
        "without which `srun --x11` ends. Leave X11 out, or set image of login sets and node sets to images that have "
        "xauth."
    )
    assert warned(**cluster, nodeSets=[{**node_set, "image": "registry.example.org/slurmd:1"}]) == []
    assert warned(**cluster, nodeSets=[node_set], images={"registry": "registry.example.org"}) == []
