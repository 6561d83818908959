"""The options of sacctmgr that QoS and accounts come to."""

from collections.abc import Iterator, Mapping

from pulumi_slurm.model.accounts import ROOT_ACCOUNT, AccountSpec, LimitsSpec, QosSpec


def _limits(limits: LimitsSpec) -> dict[str, object]:
    return {
        "GrpTRES": _amounts(limits.grp_tres),
        "GrpJobs": limits.grp_jobs,
        "MaxWall": limits.max_wall,
        **limits.options,
    }


def qos_options(qos: QosSpec) -> dict[str, str]:
    """Return the options of a QoS that are set."""
    return _set(
        {
            "Priority": qos.priority,
            "Preempt": ",".join(qos.preempt),
            "MaxTRESPerUser": _amounts(qos.max_tres_per_user),
            "MaxJobsPerUser": qos.max_jobs_per_user,
            "Flags": ",".join(qos.flags),
            **_limits(qos),
        }
    )


def account_options(account: AccountSpec) -> dict[str, str]:
    """Return the options of an account that are set."""
    return _set(
        {
            "Description": account.description,
            "Fairshare": account.fairshare,
            "QosLevel": ",".join(account.qos),
            "DefaultQOS": account.default_qos,
            **_limits(account),
        }
    )


def _set(options: Mapping[str, object]) -> dict[str, str]:
    return {key: str(value) for key, value in options.items() if value not in (None, "")}


def _amounts(amounts: Mapping[str, int]) -> str:
    return ",".join(f"{name}={amount}" for name, amount in sorted(amounts.items()))


def parents_first(accounts: list[AccountSpec]) -> Iterator[AccountSpec]:
    """Yield accounts, each after its parent."""
    yielded, pending = {ROOT_ACCOUNT}, list(accounts)
    while pending:
        ready = [account for account in pending if account.parent in yielded] or pending
        yield from ready
        yielded |= {account.name for account in ready}
        pending = [account for account in pending if account not in ready]
