"""Rules on hybrid clusters, of which some daemons run outside Kubernetes, and on existing keys."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.pod import ServiceSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.partitions import all_partitions

_KEYS = ("slurm", "jwt")


def hybrid_is_complete(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse derived keys, which an external daemon doesn't have, and partitions that it would never read."""
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
    if spec.controller.external:
        if spec.controller.service != ServiceSpec():
            yield FieldError(
                ("controller", "service"),
                spec.controller.service,
                "slurmctld runs outside the cluster, so there is nothing for a Service to lead to",
                "Leave it out, or leave external out.",
            )
        for at, name, _ in all_partitions(spec):
            yield FieldError(
                at,
                name,
                "the operator writes no partitions for a slurmctld outside the cluster",
                "Write the partition into the outside slurm.conf, and leave it out here.",
            )


def slurmctld_address_is_for_machines_outside(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse another address of slurmctld where nothing outside needs it, since all daemons and clients go there."""
    for key, value in spec.slurm_conf.extra.items():
        if key.lower() == "slurmctldaddr" and not spec.external_nodes:
            yield FieldError(
                ("slurm_conf", "extra", key),
                value,
                "all pods would look for slurmctld there in place of the operator's Service",
                "Leave it out; it is for machines outside, with externalNodes.",
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
            "whoever may sign tokens could then speak as any daemon",
            "Name another Secret, or another key of it.",
        )
