"""Rules on lines of slurm.conf that pods of slurm-operator need as the operator writes them.

Source: internal/builder of https://github.com/SlinkyProject/slurm-operator.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import warns

_LOG_FILES = frozenset({"slurmctldlogfile", "slurmschedlogfile", "slurmdlogfile"})


def ssh_into_workers_adopts_processes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse SSH into workers where nothing would put its processes into the user's job.

    pam_slurm_adopt needs the step of PrologFlags=Contain and proctrack/cgroup:
    https://slurm.schedmd.com/pam_slurm_adopt.html
    """
    lines = {key.lower(): (key, text) for key, text in spec.slurm_conf.extra.items()}
    with_ssh = [node_set.name for node_set in spec.node_sets if node_set.ssh]
    if not with_ssh:
        return
    problem = f'people could not log in to workers of "{with_ssh[0]}", whose ssh joins them to a job by its cgroup'
    key, text = lines.get("proctracktype", ("", "proctrack/cgroup"))
    if text != "proctrack/cgroup":
        yield FieldError(
            ("slurm_conf", "extra", key), text, problem, "Leave it out, or leave ssh out of the node sets."
        )
    cgroup_conf = spec.config_files.get("cgroup.conf", "").lower().replace(" ", "").splitlines()
    if "cgroupplugin=disabled" in cgroup_conf:
        at: Path = ("config_files", "cgroup.conf")
        yield FieldError(at, "CgroupPlugin=disabled", problem, "Leave it out, or leave ssh out of the node sets.")


@warns
def logs_are_where_containers_read_them(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of log files that no container shows."""
    for key, text in spec.slurm_conf.extra.items():
        if key.lower() in _LOG_FILES:
            yield FieldError(
                ("slurm_conf", "extra", key),
                text,
                "with slurm-operator `kubectl logs` shows the operator's own log file and no other",
                "Leave it out.",
            )
