"""Releases of Slurm that mend published vulnerabilities, as far as the series are those that the operator runs.

SchedMD announces them at https://www.schedmd.com/security-policy/ and in the text of each release.
"""

import re
from dataclasses import dataclass

from pulumi_slurm.slurmconf.version import Series

_RELEASE = re.compile(r"v?([0-9]{2})\.([0-9]{2})\.([0-9]+)(?![0-9.])")
"""The release at the beginning of a tag: Slinky's are such as "25.11.8-ubuntu24.04"."""

Release = tuple[int, int, int]
"""Year, month and number of a release."""


@dataclass(frozen=True)
class SecurityFix:
    """Vulnerabilities that became known together."""

    date: str
    cves: tuple[str, ...]
    """Their numbers."""
    problem: str
    """What the worst of them let people do."""
    mended_in: tuple[Release, ...]
    """The first release of each series without them; other series of the time stay as they were."""

    @property
    def listed(self) -> str:
        """How many there are, as "8 published vulnerabilities, CVE-2026-65107 and others"."""
        if len(self.cves) == 1:
            return f"a published vulnerability, {self.cves[0]}"
        return f"{len(self.cves)} published vulnerabilities, {self.cves[0]} and others"


SECURITY_FIXES = (
    # https://github.com/SchedMD/slurm/releases: slurm-25-11-8-1 and slurm-26-05-4-1, of that day.
    SecurityFix(
        date="2026-09-02",
        cves=(
            *("CVE-2026-65107", "CVE-2026-65108", "CVE-2026-65109", "CVE-2026-65138"),
            *("CVE-2026-65139", "CVE-2026-65140", "CVE-2026-65165", "CVE-2026-65168"),
        ),
        problem="operators can make themselves administrators in slurmdbd, and users can end slurmd and slurmstepd",
        mended_in=((25, 11, 8), (26, 5, 4)),
    ),
)
"""From the oldest to the newest, as known on 2026-11-26."""


def tag_of(image: str) -> str:
    """Return the tag of an image, which says what it is also where its digest is written; "" where there is none."""
    return image.partition("@")[0].rpartition(":")[2]


def release_in(text: str) -> Release | None:
    """Return the release with which a version or a tag begins; None where it names no more than a series."""
    match = _RELEASE.match(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def known_problems(release: Release) -> list[tuple[SecurityFix, str]]:
    """Return what is known of a release, each with the release of its series that mends it, such as "25.11.8"."""
    problems = []
    for fix in SECURITY_FIXES:
        for mended in fix.mended_in:
            if release[:2] == mended[:2] and release < mended:
                problems.append((fix, f"{Series(mended[0], mended[1])}.{mended[2]}"))
    return problems
