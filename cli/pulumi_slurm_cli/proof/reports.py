"""What a proof says, for people and for programs."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree import ElementTree

from pulumi_slurm.visible import as_line
from pulumi_slurm_cli.proof.result import BAD, Result, Verdict


def line_of(result: Result) -> str:
    """Return what a step has come to, on one line."""
    return f"{result.verdict:<4}  {result.step}, {result.subject}: {_details(result)}"


def _details(result: Result) -> str:
    jobs = f" [{'job' if len(result.jobs) == 1 else 'jobs'} {', '.join(map(str, result.jobs))}]" if result.jobs else ""
    expected = f". Expected: {result.expected}" if result.expected else ""
    fix = f". {result.fix}" if result.fix else ""
    return f"{result.observed}{expected}{fix}{jobs}"


def summary_of(results: Sequence[Result]) -> str:
    """Return how many steps came to what."""
    counts = Counter(result.verdict for result in results)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)


def json_of(results: Sequence[Result]) -> str:
    """Return a report as JSON."""
    return json.dumps({"version": 1, "summary": summary_of(results), "results": [*map(asdict, results)]}, indent=2)


def junit_of(results: Sequence[Result]) -> str:
    """Return a report in the form of JUnit, which forges show; SLOW is a failure there."""
    suite = ElementTree.Element(
        "testsuite",
        name="pulumi-slurm prove",
        tests=str(len(results)),
        failures=str(sum(result.verdict in BAD for result in results)),
        skipped=str(sum(result.verdict is Verdict.SKIP for result in results)),
    )
    for result in results:
        case = ElementTree.SubElement(suite, "testcase", classname=as_line(result.step), name=as_line(result.subject))
        if result.verdict in BAD:
            ElementTree.SubElement(case, "failure", message=as_line(line_of(result)))
        elif result.verdict is Verdict.SKIP:
            ElementTree.SubElement(case, "skipped", message=as_line(result.observed))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode")


def markdown_of(results: Sequence[Result]) -> str:
    """Return a report as a table of Markdown, for the summary of a workflow."""
    rows = [
        f"| {result.verdict} | {result.step} | {_code(result.subject)} | {_code(_details(result))} |"
        for result in results
    ]
    return "\n".join(["| Verdict | Step | About | Seen |", "| --- | --- | --- | --- |", *rows, "", summary_of(results)])


def _code(text: str) -> str:
    """Return a text in which nothing is Markdown; a table has no other way to write a vertical bar."""
    return f"`{as_line(text).replace('`', chr(39)).replace('|', chr(92) + '|')}`"
