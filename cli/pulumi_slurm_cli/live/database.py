"""Accounts, their users and QoS as slurmdbd has them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from pulumi_slurm_cli.live.error import LiveClusterError
from pulumi_slurm_cli.live.rest import Slurmrestd
from pulumi_slurm_cli.live.values import Number, number, words

_Seen = TypeVar("_Seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveAssociation:
    """An account, or a user in an account. ``math.inf`` is no limit."""

    cluster: str
    account: str
    user: str
    """"" for the account itself."""
    partition: str
    """"" for all."""
    parent: str
    """The account above; "" for a user, and for root."""
    fairshare: int
    qos: tuple[str, ...]
    """Also those that it has from the account above."""
    default_qos: str
    grp_tres: Mapping[str, int]
    grp_jobs: Number
    max_wall: Number
    """In minutes, also that of the account above."""
    comment: str
    """"" before Slurm 23.02, which has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveQos:
    """A QoS. ``math.inf`` is no limit."""

    name: str
    priority: Number
    preempt: tuple[str, ...]
    grp_tres: Mapping[str, int]
    grp_jobs: Number
    max_wall: Number
    """In minutes."""
    max_tres_per_user: Mapping[str, int]
    max_jobs_per_user: Number


@dataclass(frozen=True, slots=True)
class DatabaseLook:
    """What slurmdbd had at one time."""

    associations: tuple[LiveAssociation, ...]
    qos: tuple[LiveQos, ...]


def take_database_look(slurm: Slurmrestd) -> DatabaseLook:
    """Look at accounts and QoS.

    Raises:
        LiveClusterError: if they can't be seen.
    """
    return DatabaseLook(_all(slurm, "associations", association_of), _all(slurm, "qos", qos_of))


def _all(slurm: Slurmrestd, resource: str, read: Callable[[Mapping[str, Any]], _Seen]) -> tuple[_Seen, ...]:
    listed = slurm.get_database(resource, resource)[resource]
    try:
        return tuple(map(read, listed))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"this version can't read what it says of {resource}: {type(error).__name__}: {error}"
        raise LiveClusterError(f"slurmrestd: {problem}. Tell us, with its release.") from None


def association_of(data: Mapping[str, Any]) -> LiveAssociation:
    """Return an association from slurmrestd's JSON."""
    per_job = data["max"]["jobs"]["per"]
    return LiveAssociation(
        cluster=data["cluster"],
        account=data["account"],
        user=data["user"],
        partition=data["partition"],
        parent=data["parent_account"],
        fairshare=data["shares_raw"],
        qos=words(data["qos"]),
        default_qos=data["default"]["qos"] or "",
        grp_tres=_tres(data["max"]["tres"]["total"]),
        grp_jobs=number(per_job["count"]),
        max_wall=number(per_job["wall_clock"]),
        comment=data.get("comment") or "",
    )


def qos_of(data: Mapping[str, Any]) -> LiveQos:
    """Return a QoS from slurmrestd's JSON."""
    limits = data["limits"]["max"]
    return LiveQos(
        name=data["name"],
        priority=number(data["priority"]),
        preempt=words(data["preempt"]["list"]),
        grp_tres=_tres(limits["tres"]["total"]),
        grp_jobs=number(limits["active_jobs"]["count"]),
        max_wall=number(limits["wall_clock"]["per"]["job"]),
        max_tres_per_user=_tres(limits["tres"]["per"]["user"]),
        max_jobs_per_user=number(limits["jobs"]["active_jobs"]["per"]["user"]),
    )


def _tres(listed: list[Mapping[str, Any]]) -> Mapping[str, int]:
    """Return counts by names such as "cpu" and "gres/gpu"."""
    return MappingProxyType(
        {f"{item['type']}/{item['name']}" if item["name"] else item["type"]: item["count"] for item in listed}
    )
