"""What a change of QoS and accounts means for jobs."""

from collections.abc import Iterator, Mapping

from pulumi_slurm.derived.accounts import accounts_of, qos_of
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.accounts import AccountSpec, QosSpec
from pulumi_slurm_cli.review.account_limits import limits_that_end_jobs
from pulumi_slurm_cli.review.changed_settings import as_text, changed_settings
from pulumi_slurm_cli.review.effect import Effect, Verdict

_NOT_LIMITS = frozenset({"name", "users", "description"})
"""Fields that have effects of their own, or none."""


def account_effects(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    """Yield the effects of QoS, then those of accounts, then those of administrators."""
    ending = limits_that_end_jobs(old, new)
    yield from _of_qos(qos_of(old), qos_of(new), ending)
    yield from _of_limits("account", accounts_of(old), accounts_of(new), ending)
    yield from _of_users(old, new)
    admins = [set(spec.accounting.admins) if spec.accounting else set() for spec in (old, new)]
    if came := sorted(admins[1] - admins[0]):
        yield Effect(Verdict.NOTHING, "administrators", f"{', '.join(came)} may change everything in Slurm")
    if gone := sorted(admins[0] - admins[1]):
        yield Effect(Verdict.NOTHING, "administrators", f"{', '.join(gone)} may not change everything any more")


def changed_users(old: SlurmSpec, new: SlurmSpec) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each account whose users change, with those who come and those who go."""
    before, after = users_of(old), users_of(new)
    for account in before | after:
        came = sorted(after.get(account, set()) - before.get(account, set()))
        gone = sorted(before.get(account, set()) - after.get(account, set()))
        if came or gone or (account in before) != (account in after):
            yield account, came, gone


def _of_qos(
    before: Mapping[str, QosSpec], after: Mapping[str, QosSpec], ending: Mapping[str, list[str]]
) -> Iterator[Effect]:
    for name in before:
        if name not in after:
            meaning = "sacctmgr refuses it, and the update fails, while it has jobs."
            yield Effect(Verdict.DRAINS, f"QoS {name}", "goes", meaning)
    for name in after:
        if name not in before:
            yield Effect(Verdict.NOTHING, f"QoS {name}", "is new")
    yield from _of_limits("QoS", before, after, ending)


def _of_limits(
    kind: str,
    before: Mapping[str, QosSpec | AccountSpec],
    after: Mapping[str, QosSpec | AccountSpec],
    ending: Mapping[str, list[str]],
) -> Iterator[Effect]:
    for name, one in before.items():
        other = after.get(name)
        if other is None:
            continue
        fields = [field for field in type(one).model_fields if field not in _NOT_LIMITS]
        changed = changed_settings(one, other, fields)
        if changed:
            more = sorted({*getattr(other, "preempt", ())} - {*getattr(one, "preempt", ())})
            meaning = "It holds for jobs that start from then on; those that run go on."
            if more:
                meaning = f"Its jobs may preempt those of {', '.join(more)} from then on."
            verdict = Verdict.NOTHING
            if limits := ending.get(f"{kind} {name}"):
                verdict, meaning = Verdict.ENDS, f"Jobs that are beyond {' or '.join(limits)} end, also those that run."
            yield Effect(verdict, f"{kind} {name}", as_text(changed), meaning)


def _of_users(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    before, after = users_of(old), users_of(new)
    for account, came, gone in changed_users(old, new):
        subject = f"account {account}"
        if account not in after:
            yield Effect(
                Verdict.DRAINS, subject, "goes", "sacctmgr refuses it, and the update fails, while it has jobs."
            )
        elif gone:
            meaning = "sacctmgr refuses it, and the update fails, while they have jobs there."
            yield Effect(Verdict.DRAINS, subject, f"{', '.join(gone)} may not use it any more", meaning)
        if account not in before:
            yield Effect(Verdict.NOTHING, subject, "is new")
        elif came:
            yield Effect(Verdict.NOTHING, subject, f"{', '.join(came)} may use it")


def users_of(spec: SlurmSpec) -> dict[str, set[str]]:
    """Return the users of each account."""
    return {name: {*account.users} for name, account in accounts_of(spec).items()}
