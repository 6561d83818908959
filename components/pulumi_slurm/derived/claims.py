"""The volumes that a cluster claims for its daemons."""

from collections.abc import Iterator

from pulumi_slurm.errors import Path
from pulumi_slurm.model.accounting import DatabaseKind
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.storage import ClaimSpec


def claims_of_daemons(spec: SlurmSpec) -> Iterator[tuple[Path, ClaimSpec]]:
    """Yield the claims of slurmctld, of the database with its backups, and of the directory, each with its path."""
    state, accounting, identity = spec.controller.state, spec.accounting, spec.identity
    if spec.controller.external is None and state.enabled and not state.existing_claim:
        yield ("controller", "state"), state
    if accounting and not accounting.external and accounting.database.kind is not DatabaseKind.EXTERNAL:
        database = accounting.database
        yield ("accounting", "database", "volume"), database.volume
        if database.backup and not database.backup.s3:
            yield ("accounting", "database", "backup", "volume"), database.backup.volume
    if identity and identity.directory:
        yield ("identity", "directory", "volume"), identity.directory.volume


def all_claims(spec: SlurmSpec) -> Iterator[tuple[Path, ClaimSpec]]:
    """Yield the claims of daemons and those of workers, each with its path."""
    yield from claims_of_daemons(spec)
    for index, node_set in enumerate(spec.node_sets):
        for position, claim in enumerate(node_set.volume_claims):
            yield ("node_sets", index, "volume_claims", position), claim
