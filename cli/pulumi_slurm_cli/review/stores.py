"""Stores of data that change hands: slurmctld's state, the database of accounting, and shared volumes.

What becomes of the old store follows from Kubernetes and from Pulumi: a claim outlives the StatefulSet that made it,
and nothing here deletes a database of somebody else. A slurmctld that doesn't know a job of a node has it end there:
validate_jobs_on_node in src/slurmctld/job_mgr.c of SchedMD/slurm.
"""

from collections.abc import Iterator

from pulumi_slurm.derived.state_volume import state_claim
from pulumi_slurm.model import AccountingSpec, DatabaseKind, SharedVolumeSpec, SlurmSpec
from pulumi_slurm_cli.review.effect import Effect, Verdict

WITHOUT_QUEUE = "slurmctld starts without the queue: jobs that wait are lost, and those that run end"


def store_effects(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    """Yield what changes hands between two specifications of one cluster."""
    yield from _of_slurmctld(old, new)
    yield from accounting_store_effects(old.accounting, new.accounting)
    yield from shared_volume_effects(old, new)


def has_another_state(old: SlurmSpec, new: SlurmSpec) -> bool:
    """Return whether slurmctld has another store of its state, so that it doesn't find the jobs that it had."""
    if old.controller.external or new.controller.external:
        return bool(old.controller.external) != bool(new.controller.external)
    return state_claim(old, old.controller) != state_claim(new, new.controller)


def _of_slurmctld(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    if has_another_state(old, new) and (old.controller.external or new.controller.external):
        place = "outside" if new.controller.external else "in the cluster"
        meaning = "It knows nothing of the queue of the one before, whose running jobs end with their workers."
        yield Effect(Verdict.LOSES, "slurmctld", f"is another, {place}", meaning)
        return
    if old.controller.external != new.controller.external:
        meaning = (
            "Nobody knows here whether it is the same one, with its queue, at another address. Workers stay with the "
            "old address until their pods are replaced."
        )
        yield Effect(Verdict.UNJUDGED, "slurmctld", "is asked elsewhere", meaning)
    if not new.controller.external:
        yield from state_effect(*(state_claim(spec, spec.controller) for spec in (old, new)), stays=True)


def state_effect(before: str | None, after: str | None, *, stays: bool) -> Iterator[Effect]:
    """Yield what another claim with slurmctld's state means; None is no volume.

    ``stays`` says whether the old claim does.
    """
    if before == after:
        return
    shown = " → ".join(f"claim {claim}" if claim else "no volume" for claim in (before, after))
    kept = "What is on the old volume stays there, and is found again once it is named again."
    old_one = f" {kept if stays else 'The old claim goes too.'}" if before else ""
    copied = ", unless its state was copied there" if after else ""
    yield Effect(Verdict.LOSES, "slurmctld's state", shown, f"{WITHOUT_QUEUE}{copied}.{old_one}")


def accounting_store_effects(old: AccountingSpec | None, new: AccountingSpec | None) -> Iterator[Effect]:
    """Yield what another database of accounting means, and what slurmdbd deletes in it."""
    if old is None:
        return
    subject = "accounting database"
    if new is None:
        meaning = "Slurm knows no accounts, limits and history then; its database is left as it is."
        yield Effect(Verdict.LOSES, subject, "is no longer asked", meaning)
        return
    before, after = _database(old), _database(new)
    if before != after:
        meaning = (
            "Accounts, limits, usage and history that only the old one has are not seen until it is named again, "
            "and of jobs that run meanwhile neither may have the end."
        )
        yield Effect(Verdict.LOSES, subject, f"{before} → {after}", meaning)
    for key, age in new.extra_conf.items():
        # Purge*After in https://slurm.schedmd.com/slurmdbd.conf.html; archives have to be asked for.
        if key.lower().startswith("purge") and old.extra_conf.get(key) != age:
            yield Effect(Verdict.LOSES, "slurmdbd", f"{key} = {age}", "It deletes older records for good.")


def _database(accounting: AccountingSpec) -> str:
    """Return what tells a database from others, as a reviewer reads it."""
    if accounting.external:
        return f"slurmdbd at {accounting.external.host}:{accounting.external.port}"
    database = accounting.database
    if database.kind == DatabaseKind.EXTERNAL:
        return f"{database.name} at {database.host}:{database.port}"
    return f"{database.name} in the cluster, by {database.kind}"


def shared_volume_effects(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    """Yield what other shared volumes mean to jobs that find their files there."""
    before, after = ({volume.mount_path: _source(volume) for volume in spec.shared_volumes} for spec in (old, new))
    kept = "Jobs that run keep it until their workers are replaced."
    for path in dict.fromkeys([*before, *after]):
        subject = f"shared volume {path}"
        if path not in after:
            meaning = f"What is in it stays where it is, and jobs no longer find it. {kept}"
            yield Effect(Verdict.LOSES, subject, "is no longer mounted", meaning)
        elif path not in before:
            yield Effect(Verdict.NOTHING, subject, "is new")
        elif before[path] != after[path]:
            meaning = f"What is in the old one isn't moved. {kept}"
            yield Effect(Verdict.LOSES, subject, f"{before[path]} → {after[path]}", meaning)


def _source(volume: SharedVolumeSpec) -> str:
    folder = f", folder {volume.sub_path}" if volume.sub_path else ""
    if volume.existing_claim:
        return f"claim {volume.existing_claim}{folder}"
    if volume.nfs:
        return f"{volume.nfs.server}:{volume.nfs.path}{folder}"
    if volume.csi:
        return f"{volume.csi.driver} {volume.csi.volume_handle}{folder}"
    return f"the cluster's own claim {volume.name}{folder}"
