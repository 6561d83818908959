"""Topologies from and to the text of topology.yaml."""

import reprlib
from collections.abc import Sequence
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pulumi_slurm.slurmconf.problems import ConfError, Problem
from pulumi_slurm.slurmconf.topology.model import Listed, Topology
from pulumi_slurm.slurmconf.topology.places import Places
from pulumi_slurm.slurmconf.topology.rules import broken
from pulumi_slurm.slurmconf.values import UnreadableError
from pulumi_slurm.slurmconf.version import Series

_FILE = TypeAdapter(Annotated[list[Topology], Listed, Field(min_length=1)])


def from_text(text: str, series: Series, *, name: str = "topology.yaml") -> list[Topology]:
    """Read the text of topology.yaml; raise `ConfError` with every problem and its line."""
    places = Places(name)
    problems: list[Problem] = []
    topologies: list[Topology] = []
    try:
        topologies = _FILE.validate_python(places.load(text))
    except yaml.YAMLError as error:
        problems.append(places.syntax(error))
    except ValidationError as error:
        problems += [places.problem(each["loc"], *_explained(each)) for each in error.errors()]
    else:
        problems += [places.problem(*found) for found in broken(topologies, series)]
    if problems:
        raise ConfError(problems)
    return topologies


def to_text(topologies: Sequence[Topology]) -> str:
    """Return the text of topology.yaml; ``from_text`` of it gives the same topologies."""
    data = [topology.model_dump(exclude_none=True) for topology in topologies]
    return yaml.safe_dump(data, sort_keys=False, explicit_start=True, width=10**6)


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """Return what is wrong and what to write instead, in our words where pydantic's don't tell the fix."""
    raised = error.get("ctx", {}).get("error")
    if isinstance(raised, UnreadableError):
        return raised.problem, raised.fix
    if error["type"] == "extra_forbidden":
        return "there is no such key", "Leave it out, or look for its name in the manual of topology.yaml."
    if error["type"] == "missing":
        return "it is missing", "Add it."
    if error["type"] == "string_type":
        return "it is not text", 'Write text, and quote what looks like a number or a list, as in "001".'
    told = error["msg"].replace("Input should", "it should")
    return told[0].lower() + told[1:], f"Correct what stands there: {reprlib.repr(error['input'])}."
