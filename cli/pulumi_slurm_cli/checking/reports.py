"""What `pulumi-slurm check` found, for people and for forges."""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from pulumi_slurm.version import __version__
from pulumi_slurm.visible import as_line, visible_json
from pulumi_slurm_cli.checking.check import Finding, Level

MAX_ANNOTATIONS = 9
"""GitHub shows ten annotations of a kind in one step, and drops others without a word; one is kept for their number.

Source: https://github.com/orgs/community/discussions/26680 and https://github.com/orgs/community/discussions/68471.
"""


class Format(StrEnum):
    """Forms of a report."""

    TEXT = "text"
    """A line for each finding, as compilers write them."""
    GITHUB = "github"
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    SARIF = "sarif"
    """The Static Analysis Results Interchange Format, for code scanning."""
    JSON = "json"
    """A list of findings."""


def report(findings: Sequence[Finding], form: Format) -> str:
    """Return a report of findings, without the line break at its end; "" if there is nothing to print.

    It commands nothing but the runner's annotations in the format that is for it.
    """
    return _REPORTS[form](findings)


def _text(findings: Sequence[Finding]) -> str:
    return "\n".join(as_line(f"{_where(finding)}: {finding.level}: {_with_rule(finding)}") for finding in findings)


def _where(finding: Finding) -> str:
    return f"{finding.file}:{finding.place.line}:{finding.place.column}"


def _with_rule(finding: Finding) -> str:
    return f"{finding.text} [{finding.rule}]" if finding.rule else finding.text


def _github(findings: Sequence[Finding]) -> str:
    """Return an annotation for each of the first findings of each level, and one for the rest of them."""
    lines = []
    for level in Level:
        of_level = [finding for finding in findings if finding.level is level]
        lines += [_annotation(finding) for finding in of_level[:MAX_ANNOTATIONS]]
        if remaining := of_level[MAX_ANNOTATIONS:]:
            kind = f"{level}s" if len(remaining) > 1 else str(level)
            lines.append(f"::{_COMMANDS[level]} ::{len(remaining)} more {kind}: see the log, or run pulumi-slurm check")
    # GitHub shows them in the order in which they come; all are in the log, too.
    return "\n".join([*lines, _text(findings)])


_COMMANDS = MappingProxyType({Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"})


def _annotation(finding: Finding) -> str:
    properties = {
        "file": finding.file,
        "line": finding.place.line,
        "col": finding.place.column,
        "title": finding.rule or finding.path or "pulumi-slurm check",
    }
    written = ",".join(f"{name}={_property(as_line(str(value)))}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.level]} {written}::{_data(as_line(_with_rule(finding)))}"


def _data(text: str) -> str:
    """Escape the message of a workflow command, as the toolkit of GitHub's actions does.

    Source: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _json(findings: Sequence[Finding]) -> str:
    listed = [
        {
            "file": finding.file,
            "line": finding.place.line,
            "column": finding.place.column,
            "level": str(finding.level),
            "path": finding.path,
            "rule": finding.rule,
            "message": finding.text,
        }
        for finding in findings
    ]
    return visible_json(json.dumps(listed, indent=2))


def _sarif(findings: Sequence[Finding]) -> str:
    rules = sorted({finding.rule or _NO_RULE for finding in findings})
    driver = {
        "name": "pulumi-slurm",
        "semanticVersion": __version__,
        "rules": [{"id": rule} for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules) for finding in findings],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return visible_json(json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2))


_NO_RULE = "field"
"""The rule of a check of a single field."""


def _result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    rule = finding.rule or _NO_RULE
    region = {"startLine": finding.place.line, "startColumn": finding.place.column}
    location = {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.file)}, "region": region}}
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": str(finding.level),
        "message": {"text": finding.text},
        "locations": [location],
    }


def _uri(file: str) -> str:
    return quote(file.replace("\\", "/"), safe="/-._~")


_REPORTS: Mapping[Format, Callable[[Sequence[Finding]], str]] = MappingProxyType(
    {
        Format.TEXT: _text,
        Format.GITHUB: _github,
        Format.SARIF: _sarif,
        Format.JSON: _json,
    }
)
