"""Rules on lines of slurm.conf that pods of slurm-operator need as the operator writes them.

Source: internal/builder of https://github.com/SlinkyProject/slurm-operator.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.images import ImagesSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

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


_POWER_PROGRAMS = frozenset({"suspendprogram", "resumeprogram", "resumefailprogram"})


@warns
def programs_of_power_saving_are_in_the_image(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of programs that nothing puts into slurmctld's pod, and that could start no worker from there.

    The pod has no account of Kubernetes that may: internal/builder/controllerbuilder of slurm-operator at v1.2.1.
    """
    if spec.controller.external or spec.controller.image:
        return
    for key, text in spec.slurm_conf.extra.items():
        if key.lower() in _POWER_PROGRAMS:
            yield FieldError(
                ("slurm_conf", "extra", key),
                text,
                "with slurm-operator no such program is in slurmctld's pod, so a node that is powered down stays away",
                "Leave it out, and set autoscaling of the node sets, or set controller.image to an image that has it.",
                (("controller", "image"),),
            )


@warns
def windows_of_jobs_have_their_keys(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of X11 where images have no xauth, by which slurmd hands on the key of the user's display.

    Source: the Dockerfiles of https://github.com/SlinkyProject/containers, 2026-06-25, and src/common/x11_util.c of
    SchedMD/slurm, branch slurm-25.11.
    """
    of_slinky = spec.images.registry == ImagesSpec().registry and any(one.image is None for one in spec.node_sets)
    for key, text in spec.slurm_conf.extra.items():
        words = {word.strip().lower() for word in text.split(",")}
        if key.lower() == "prologflags" and "x11" in words and of_slinky:
            yield FieldError(
                ("slurm_conf", "extra", key),
                text,
                "Slinky's images of slurmd and login nodes have no xauth, without which `srun --x11` ends",
                "Leave X11 out, or set image of login sets and node sets to images that have xauth.",
                (("node_sets",), ("images",)),
            )


RULES: tuple[Rule, ...] = (
    ssh_into_workers_adopts_processes,
    logs_are_where_containers_read_them,
    programs_of_power_saving_are_in_the_image,
    windows_of_jobs_have_their_keys,
)
RULES_OF_SLINKY = RULES
