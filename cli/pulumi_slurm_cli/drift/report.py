"""The report of `pulumi-slurm drift --json`, and its JSON Schema.

``python -m pulumi_slurm_cli.drift.report FILE`` writes the schema into a file.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from pulumi_slurm_cli.drift.finding import Finding, Kind
from pulumi_slurm_cli.live import Look


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


class ChangeReport(_Part):
    """A change of the stack's file."""

    path: list[str | int]
    """The path of the field, from `slurm:cluster` on, or of an item in a list; one that ends with "-" appends."""
    value: Any
    """The new value; null to remove what is there."""


class FindingReport(_Part):
    """Something that is not as the file says."""

    kind: Kind
    """`dangerous`, `vulnerable`, `ours` or `on-purpose`."""
    subject: str
    """What it is about, such as "partition gpu"."""
    problem: str
    """What is, and what should be."""
    way_back: str
    """A command, or what to do, by which it is as in the file again."""
    adoption: list[ChangeReport]
    """How the file adopts it; empty where it can't."""


class DriftReport(_Part):
    """What of a living cluster is not as its stack's file says."""

    version: int = 1
    """The version of this form."""
    file: str
    """The stack's file."""
    cluster: str
    """The name of the cluster to Slurm."""
    taken: int
    """When the cluster was looked at, in seconds since 1970."""
    slurm: str
    """The release of slurmrestd."""
    findings: list[FindingReport]
    """The most dangerous first; none where all is as in the file."""

    @classmethod
    def of(cls, file: str, look: Look, findings: Iterable[Finding]) -> "DriftReport":
        """Return the report of a look."""
        listed = [
            FindingReport(
                kind=finding.kind,
                subject=finding.subject,
                problem=finding.problem,
                way_back=finding.way_back,
                adoption=[ChangeReport(path=list(item.path), value=item.value) for item in finding.adoption],
            )
            for finding in findings
        ]
        return cls(file=file, cluster=look.cluster, taken=look.taken, slurm=look.release, findings=listed)


def schema() -> str:
    """Return the JSON Schema of a report, as text."""
    described = DriftReport.model_json_schema(by_alias=True, mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **described}, indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema(), encoding="utf-8")
