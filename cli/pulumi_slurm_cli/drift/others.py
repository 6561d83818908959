"""Reservations, and the release that runs."""

import time
from collections.abc import Iterator

from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.releases.slurm_security import known_problems, release_in
from pulumi_slurm_cli.drift.finding import Finding, Kind
from pulumi_slurm_cli.live import Look


def of_reservations(look: Look) -> Iterator[Finding]:
    """Yield the reservations: a stack makes none, so they are somebody's."""
    for reservation in look.reservations:
        who = ",".join([*reservation.users, *reservation.accounts, *reservation.groups]) or "nobody"
        flags = f", {','.join(reservation.flags)}" if reservation.flags else ""
        problem = (
            f"{counted(len(reservation.nodes), 'node')} for {who} from {_moment(reservation.start)} to "
            f"{_moment(reservation.end)}{flags}"
        )
        way_back = f"scontrol delete ReservationName={reservation.name}"
        yield Finding(Kind.ON_PURPOSE, f"reservation {reservation.name}", problem, way_back)


def of_release(look: Look) -> Iterator[Finding]:
    """Yield what is published of the release that runs: tags of images move, and pods stay as they are."""
    release = release_in(look.release)
    for fix, mended_in in known_problems(release) if release else ():
        problem = f"it has {fix.listed}: {fix.problem}"
        way_back = f"let the pods take {mended_in} of {fix.date} or a later release: replace them where the tag moves"
        yield Finding(Kind.VULNERABLE, f"Slurm {look.release}", problem, way_back)


def _moment(seconds: int | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds)) if seconds else "now"
