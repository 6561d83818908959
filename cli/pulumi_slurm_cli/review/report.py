"""The review of a change as data: what `--json` prints, what the Markdown is made from, and its JSON Schema.

``python -m pulumi_slurm_cli.review.report FILE`` writes the schema into a file. Numbers have bounds, since a review is
also read from files of people whom nobody knows.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.jobs import Outcome
from pulumi_slurm_cli.review.worker_fates import Fate

_Count = Annotated[int, Field(ge=0, le=10**15)]
_Name = Annotated[str, Field(max_length=300)]
_Moment = Annotated[int, Field(ge=0, le=253_402_300_799)]
"""Seconds since 1970, up to the year 9999."""
_Quantity = Annotated[float, Field(ge=0, le=10**15, allow_inf_nan=False)]


class _Shown(BaseModel):
    model_config = ConfigDict(
        frozen=True, alias_generator=to_camel, populate_by_name=True, extra="forbid", from_attributes=True
    )


class ShownEffect(_Shown):
    """One change in the terms of Slurm."""

    verdict: Verdict
    subject: str
    change: str
    meaning: str


class ShownAmount(_Shown):
    """How much there is: the least, and the most with an autoscaler at its bound; null where nobody can tell."""

    least: _Count | None
    most: _Count | None

    def __str__(self) -> str:
        """Return "4", "0 to 4", or "?" for what isn't known."""
        low, high = ("?" if bound is None else str(bound) for bound in (self.least, self.most))
        return low if low == high else f"{low} to {high}"


class ShownSize(_Shown):
    """What the nodes of a partition have together."""

    nodes: ShownAmount
    cpus: ShownAmount
    memory_mib: ShownAmount
    gpus: dict[str, ShownAmount]


class ShownPartition(_Shown):
    """A partition before and after; null where it isn't there."""

    name: str
    before: ShownSize | None
    after: ShownSize | None
    limits: dict[str, tuple[str | None, str | None]]
    """Options that change, each before and after."""


class ShownNodeSet(_Shown):
    """A node set before and after; null where it isn't there."""

    name: str
    pool: str | None
    partitions: list[str]
    """After the change, or before it where it goes."""
    before: ShownSize | None
    after: ShownSize | None
    fate: Fate
    """What becomes of its workers."""
    of_pool: Verdict
    """What a change of its node pool means for its jobs."""


class ShownLine(_Shown):
    """A difference of one of Slurm's files."""

    file: str
    text: str
    takes: str
    """What it takes until it holds."""


class ShownAccess(_Shown):
    """An account whose users change."""

    account: str
    gain: list[str]
    lose: list[str]


class ShownCluster(_Shown):
    """A Slurm cluster."""

    name: str
    effects: list[ShownEffect]
    partitions: list[ShownPartition]
    """All, also those that stay as they are."""
    nodes: tuple[ShownSize, ShownSize]
    """All nodes before and after, each once."""
    lines: list[ShownLine]
    access: list[ShownAccess]
    node_sets: list[ShownNodeSet]


class ShownJob(_Shown):
    """A job in the way."""

    number: str
    name: str
    user: str
    state: str
    outcome: Outcome
    why: str
    may: bool
    gpus: _Count
    ends_at: _Moment | None
    """When it reaches its time limit, in seconds since 1970."""


class ShownJobs(_Shown):
    """The queue, if somebody looked."""

    looked: bool
    why_not: str
    """Why nobody looked; "" where somebody did."""
    there: bool
    """Whether there is a queue to look at: there is none of a cluster that is new."""
    running: _Count
    waiting: _Count
    in_the_way: list[ShownJob]
    gpu_hours_lost: _Quantity
    costs_nothing_from: _Moment | None
    """When the last running job in the way has ended at the latest, in seconds since 1970."""


class ShownCost(_Shown):
    """What a node pool costs a month, before and after, each the least and the most; null where it isn't known."""

    pool: str
    machine: tuple[str | None, str | None]
    before: tuple[_Quantity, _Quantity] | None
    after: tuple[_Quantity, _Quantity] | None
    currency: str
    prices_of: str
    """The region and the day of the prices."""


class ShownResource(_Shown):
    """A resource that changes."""

    operation: Literal["create", "update", "replace", "delete"]
    type: str
    name: str
    replaced_for: list[str]
    changed: list[str]
    """The inputs that an update changes, at most two steps deep."""
    protected: bool
    retained: bool
    """Where it leaves the program, it stays where it is."""
    derived: bool
    """It follows from others: a Job, its script and its token, an object of a chart, a component, a provider."""
    hidden: bool
    """Only secrets differ, if anything does: the engine shows equal ones as changed too."""


class ShownPolicy(_Shown):
    """A finding of a policy."""

    policy: str
    level: str
    resource: str
    message: str


class Review(_Shown):
    """What a change does to Slurm, to jobs and to money."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    """Raised where a field goes, or means something else."""
    project: _Name
    stack: _Name
    commit: str | None
    made_at: datetime
    source: Literal["preview", "files"]
    """An engine's preview, or the two files of settings alone."""
    verdict: Verdict
    errors: list[str]
    """Why the preview failed; what is here then may be less than the change."""
    clusters: list[ShownCluster]
    effects: list[ShownEffect]
    """Of resources outside of a cluster's specification."""
    jobs: ShownJobs
    costs: list[ShownCost]
    """Of all node pools of a cloud, also of those that stay as they are."""
    resources: list[ShownResource]
    unknown: list[str]
    """What is only known once the update runs."""
    policies: list[ShownPolicy]

    @property
    def all_effects(self) -> list[ShownEffect]:
        """All effects, the worst first."""
        order = list(Verdict)
        every = [effect for cluster in self.clusters for effect in cluster.effects] + self.effects
        return sorted(every, key=lambda effect: -order.index(effect.verdict))

    @property
    def forbidden(self) -> bool:
        """Whether a policy lets nobody make the change."""
        return any(policy.level == "mandatory" for policy in self.policies)

    @property
    def changes_nothing(self) -> bool:
        """Whether the change changes nothing at all."""
        effects = [self.effects, *(cluster.effects for cluster in self.clusters)]
        return not any((self.resources, self.errors, self.policies, *effects))


def now() -> datetime:
    """Return the time without fractions of seconds."""
    return datetime.now(UTC).replace(microsecond=0)


def schema() -> str:
    """Return the JSON Schema of a review, as text."""
    described = Review.model_json_schema(by_alias=True, mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **described}, indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema(), encoding="utf-8")
