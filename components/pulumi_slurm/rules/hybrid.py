"""Rules on hybrid clusters, of which some daemons run outside Kubernetes, and on existing keys."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.extra_lines import OF_OPERATOR
from pulumi_slurm.model.pod import ServiceSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule

_KEYS = ("slurm", "jwt")
_OF_SLURMDBD = ("accountingstoragehost", "accountingstorageport")


def hybrid_is_complete(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse derived keys, which an external daemon doesn't have, and a Service in front of one."""
    outside = "controller" if spec.controller.external else "accounting"
    if not (spec.controller.external or (spec.accounting and spec.accounting.external)):
        return
    for name in _KEYS:
        if getattr(spec.keys, name).existing is None:
            yield FieldError(
                ("keys", name, "existing"),
                FieldError.ABSENT,
                f"the daemon of {outside}.external has keys of its own, and a derived key would not match",
                "Put the outside key into a Secret and name it here: {name: ..., key: ...}.",
            )
    if spec.controller.external and spec.controller.service != ServiceSpec():
        yield FieldError(
            ("controller", "service"),
            spec.controller.service,
            "slurmctld runs outside the cluster, so there is nothing for a Service to lead to",
            "Leave it out, or leave external out.",
        )
    if spec.controller.external and spec.controller.assume_no_jobs:
        yield FieldError(
            ("controller", "assume_no_jobs"),
            True,
            "slurmctld runs outside the cluster, so nobody asks it for jobs before partitions and node sets go",
            "Leave it out, or leave external out.",
        )


def slurmctld_address_is_for_machines_outside(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse machines outside that find no slurmctld, and a second address of a slurmctld outside."""
    if spec.controller.external and spec.controller.address:
        yield FieldError(
            ("controller", "address"),
            spec.controller.address,
            "slurmctld runs outside the cluster, and its address is external.host",
            "Leave it out.",
        )
    elif spec.external_nodes and not spec.controller.address and not spec.controller.external:
        yield FieldError(
            ("controller", "address"),
            FieldError.ABSENT,
            "machines outside the cluster can't resolve the operator's Service, the default address of slurmctld",
            "Write a name or address that both these machines and pods reach, for example that of the load balancer of "
            "controller.service.",
        )


def slurmctld_outside_finds_slurmdbd(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a slurmctld outside that would look on its own host for a slurmdbd in the cluster, and other lines by
    which a slurmctld would look elsewhere than at its slurmdbd."""
    at: Path = ("slurm_conf", "extra")
    depends_on: tuple[Path, ...] = (("controller", "external"), ("accounting",))
    slurmdbd_is_inside = spec.accounting is not None and spec.accounting.external is None
    lines = {key.lower(): (key, value) for key, value in spec.slurm_conf.extra.items()}
    if not (spec.controller.external and slurmdbd_is_inside):
        fix = "Leave it out: accounting says where slurmdbd is." if spec.accounting else "Set accounting instead."
        for key, value in (lines[name] for name in _OF_SLURMDBD if name in lines):
            yield FieldError((*at, key), value, OF_OPERATOR, fix, depends_on)
    elif _OF_SLURMDBD[0] not in lines:
        yield FieldError(
            (*at, "AccountingStorageHost"),
            FieldError.ABSENT,
            "slurmctld runs outside the cluster, and without this line it would look for slurmdbd on its own host",
            "Write an address of accounting.service, or name a slurmdbd outside in accounting.external.",
            depends_on,
        )


def existing_keys_are_not_rotated(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse to rotate a key that isn't derived, and the same key for slurm and jwt."""
    for name in _KEYS:
        key = getattr(spec.keys, name)
        if key.existing and key.generation != 1:
            yield FieldError(
                ("keys", name, "generation"),
                key.generation,
                "the key comes from a Secret of yours, so there is nothing to derive anew",
                "Leave generation out; change the Secret.",
            )
    slurm, jwt = spec.keys.slurm.existing, spec.keys.jwt.existing
    if slurm and slurm == jwt:
        yield FieldError(
            ("keys", "jwt", "existing"),
            jwt,
            "keys.slurm has the same key, so whoever may sign tokens could act as any Slurm daemon",
            "Name another Secret, or another key in this one.",
        )


RULES: tuple[Rule, ...] = (
    hybrid_is_complete,
    slurmctld_address_is_for_machines_outside,
    slurmctld_outside_finds_slurmdbd,
    existing_keys_are_not_rotated,
)
