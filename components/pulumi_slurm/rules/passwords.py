"""The rule on passwords in Slurm's files."""

from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule

_FIX = "Leave it out: passwords come from Secrets."
_FIX_BY_KEY = MappingProxyType(
    {
        "accountingstoragepass": _FIX,
        "storagepass": _FIX,
        "jobcomppass": "Leave it out, and set JobCompPassScript (Slurm 25.11 or later), or with "
        "ack-slurm-operator ack.slurm.jobCompletion.",
    }
)
"""What to do instead, by key in small letters."""


def passwords_stay_out_of_config_maps(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse passwords in configuration files, which are in a ConfigMap that workers and login nodes mount too."""
    keys: list[tuple[Path, str]] = [(("slurm_conf", "extra", key), key) for key in spec.slurm_conf.extra]
    for name, text in spec.config_files.items():
        keys += [(("config_files", name), line.partition("=")[0].strip()) for line in text.splitlines() if "=" in line]
    for at, key in keys:
        if fix := _FIX_BY_KEY.get(key.lower()):
            problem = f"{key} is a password, and configuration files are in a ConfigMap that workers mount too"
            yield FieldError(at, "...", problem, fix)


RULES: tuple[Rule, ...] = (passwords_stay_out_of_config_maps,)
