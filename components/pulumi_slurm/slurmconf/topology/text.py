"""Topologies from and to the text of topology.yaml."""

import reprlib
from collections.abc import Sequence
from typing import Annotated

import yaml
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.topology.model import OneOrMore, Topology
from pulumi_slurm.slurmconf.topology.rules import topology_issues
from pulumi_slurm.slurmconf.topology.yaml_lines import YamlLines
from pulumi_slurm.slurmconf.values import UnreadableError
from pulumi_slurm.slurmconf.version import Series

_FILE = TypeAdapter(Annotated[list[Topology], OneOrMore, Field(min_length=1)])


def from_text(text: str, series: Series, *, name: str = "topology.yaml") -> list[Topology]:
    """Read the text of topology.yaml; raise `ConfError` with every error and its line."""
    lines = YamlLines(name)
    errors: list[LineError] = []
    topologies: list[Topology] = []
    try:
        topologies = _FILE.validate_python(lines.load(text))
    except RecursionError:
        issue = Issue("it has hundreds of levels", "Write it with fewer levels.")
        errors.append(lines.error_at((), issue))
    except yaml.YAMLError as error:
        errors.append(lines.syntax_error(error))
    except ValidationError as error:
        errors += [lines.error_at(details["loc"], _issue(details)) for details in error.errors()]
    else:
        errors += [lines.error_at(path, issue) for path, issue in topology_issues(topologies, series)]
    if errors:
        raise ConfError(errors)
    return topologies


def to_text(topologies: Sequence[Topology]) -> str:
    """Return the text of topology.yaml; ``from_text`` of it gives the same topologies."""
    data = [topology.model_dump(exclude_none=True) for topology in topologies]
    return yaml.safe_dump(data, sort_keys=False, explicit_start=True, width=10**6)


def _issue(details: ErrorDetails) -> Issue:
    """Return what is wrong and what to write instead, in our words where pydantic's don't name a fix."""
    cause = details.get("ctx", {}).get("error")
    if isinstance(cause, UnreadableError):
        return cause.issue
    if details["type"] == "extra_forbidden":
        return Issue("there is no such key", "Leave it out, or look for its name in the manual of topology.yaml.")
    if details["type"] == "missing":
        return Issue("it is missing", "Add it.")
    if details["type"] == "string_type":
        return Issue("it is not text", 'Write text, and quote what looks like a number or a list, as in "001".')
    message = details["msg"].replace("Input should", "it should")
    fix = f"Correct what stands there: {reprlib.repr(details['input'])}."
    return Issue(message[0].lower() + message[1:], fix)
