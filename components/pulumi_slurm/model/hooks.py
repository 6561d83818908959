"""Hooks and files: scripts that Slurm runs, and configuration files other than slurm.conf."""

import re

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each_pair, field_error
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_volumes import NODE_VERDICT
from pulumi_slurm.model.names import file_name

RESERVED_FILES = frozenset({"slurm.conf", "slurmdbd.conf"})
"""Files that the operator writes itself; its webhook refuses them."""
KEY_FILES = frozenset({"jwks.json", "jwt.key", "jwt_hs256.key", "slurm.key"})
"""Files of keys that the operator puts beside them: const.go in internal/builder/common of slurm-operator."""
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")

SLURM_FILES = frozenset(
    {
        "acct_gather.conf",
        "burst_buffer.conf",
        "burst_buffer.lua",
        "cgroup.conf",
        "cli_filter.lua",
        "gres.conf",
        "helpers.conf",
        "job_container.conf",
        "job_submit.lua",
        "jobcomp.lua",
        "mpi.conf",
        "namespace.yaml",
        "oci.conf",
        "plugstack.conf",
        "scrun.lua",
        "topology.conf",
        "topology.yaml",
    }
)
"""Files that Slurm reads by default; it reads other files only if one of these names them."""

MAX_CONFIG_MAP_BYTES = 1024 * 1024
"""Kubernetes refuses larger ConfigMaps."""


class HooksSpec(Model):
    """Prolog and epilog scripts by file name; Slurm runs them in the order of their names.

    Their text stands here: ConfigMaps that others keep are not taken, and a stack in Python can read theirs.
    """

    _with_line_breaks = frozenset({"prolog", "epilog", "prolog_slurmctld", "epilog_slurmctld", "health_check"})

    prolog: dict[str, str] = {}
    """Scripts that slurmd runs on a node before a job's first step there. One that fails drains the node; a job of
    srun or salloc ends, and one of sbatch waits two minutes for another node: with these scripts slurm.conf has
    nohold_on_prolog_fail in SchedulerParameters, without which such a job waits until somebody releases it; a cluster
    that a chart has made keeps its own. So let a script fail for its node alone: one that fails for a job drains a node
    after the other, until after MaxBatchRequeue of them, 5, the job is held."""
    epilog: dict[str, str] = {}
    """Scripts that slurmd runs on a node after a job has ended."""
    prolog_slurmctld: dict[str, str] = {}
    """Scripts that slurmctld runs before a job starts."""
    epilog_slurmctld: dict[str, str] = {}
    """Scripts that slurmctld runs after a job has ended."""
    health_check: dict[str, str] = Field(default={}, json_schema_extra={"maxProperties": 1})
    """A script that slurmd runs on every worker every five minutes, or every HealthCheckInterval of slurm.conf.
    What it finds it says by `/etc/slurm-health-check/node-verdict bad CHECK TEXT`, and by `... good CHECK` that it is
    over: that drains the node, and undrains it, beside slurm-operator and administrators who do so too, of whom
    `scontrol update` would replace the reason. docs/storage.md has one."""

    @field_validator("prolog", "epilog", "prolog_slurmctld", "epilog_slurmctld", "health_check")
    @classmethod
    def _scripts(cls, value: dict[str, str]) -> dict[str, str]:
        return _check_size(check_each_pair(value, value.items(), _check_script))

    @field_validator("health_check")
    @classmethod
    def _one_health_check(cls, value: dict[str, str]) -> dict[str, str]:
        if len(value) > 1:
            raise field_error("slurmd runs one health check", "Keep one script, which may call others.")
        if NODE_VERDICT in value:
            raise field_error("a program of this name lies beside it", "Give the script another name.")
        return value


def check_files(value: dict[str, str]) -> dict[str, str]:
    """Return the configuration files; raise an error for each that the operator writes itself."""
    return _check_size(check_each_pair(value, value.items(), _check_file))


def _check_script(name: str, text: str) -> None:
    file_name(name)
    if name in RESERVED_FILES | SLURM_FILES:
        raise field_error(
            "this is the name of a configuration file", 'Give the script another name, for example "10-gpu.sh".'
        )
    if not text.startswith("#!"):
        raise field_error(
            "the script does not begin with #!, so it would not start and every node would be drained",
            'Begin it with "#!/bin/bash".',
        )
    if "\r" in text:
        problem = "its lines end as on Windows, so it would not start and every node would be drained"
        raise field_error(problem, 'Save it with the line ends of Unix, "\\n" alone.')
    _check_no_private_key(text)


def _check_no_private_key(text: str) -> None:
    if _PRIVATE_KEY.search(text):
        problem = "it has a private key, and these files are in a ConfigMap that workers and login nodes mount too"
        raise field_error(problem, "Mount a Secret in its place, by extraVolumes.")


def _check_file(name: str, text: str) -> None:
    file_name(name)
    _check_no_private_key(text)
    if name in KEY_FILES:
        raise field_error("the operator puts a key there", "Set keys, or give the file another name.")
    if name in RESERVED_FILES:
        raise field_error("the operator writes this file", "Put lines into slurmConf or accounting.extraConf instead.")


def _check_size(files: dict[str, str]) -> dict[str, str]:
    size = sum(len(name) + len(text.encode()) for name, text in files.items())
    if size > MAX_CONFIG_MAP_BYTES - 4096:
        raise field_error(
            f"these files are {size} bytes, and Kubernetes refuses more than 1 MiB",
            "Put large files on a shared volume.",
        )
    return files
