"""A review as Markdown, read as a forge reads it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.engine_events import Preview
from pulumi_slurm_cli.review.jobs import Outcome
from pulumi_slurm_cli.review.markdown import BUDGET, markdown, marker
from pulumi_slurm_cli.review.report import Review, ShownJob, ShownResource
from pulumi_slurm_cli.review.text import one_line, plain
from tests.unit.review.reviews import JOBS, NASTY, REVIEWS, TEXTS

FORGE = MarkdownIt("gfm-like", {"html": True, "linkify": False})
OWN_HTML = re.compile(r"<!-- pulumi-slurm review: .* -->|</?details>|</?summary>|</?sub>")


@settings(max_examples=30)
@given(REVIEWS, st.sampled_from([4_000, 8_000, BUDGET]))
def test_it_keeps_its_budget_and_every_fold_table_and_fence_ends(review: Review, budget: int) -> None:
    text = markdown(review, budget)
    assert len(text) <= budget
    assert len(text.encode()) <= 262_144
    tokens = FORGE.parse(text)
    html = "".join(token.content for token in every(tokens) if token.type in ("html_block", "html_inline"))
    assert html.count("<details>") == html.count("</details>") == text.count("<details><summary>")
    # What isn't our own HTML is text: nothing of users is read as HTML, as a link, a picture, or a heading.
    assert not OWN_HTML.sub("", html).strip().replace("\n", "") or "<summary>" in html
    kinds = [token.type for token in every(tokens)]
    assert "link_open" not in kinds
    assert "image" not in kinds
    assert kinds.count("heading_open") <= 1
    for table in tables(tokens):
        assert len({len(row) for row in table}) == 1


@given(TEXTS)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    (paragraph,) = [token for token in FORGE.parse(f"x {plain(text, 10_000)} x") if token.type == "inline"]
    assert {child.type for child in paragraph.children or ()} <= {"text", "text_special"}
    assert [token.type for token in FORGE.parse(plain(text))] in ([], ["paragraph_open", "inline", "paragraph_close"])
    assert shown_text(f"x {plain(text, 10_000)}") == f"x {one_line(text, 10_000)}".rstrip()
    assert not REFERENCE.search(shown_text(plain(text), keep=True))


REFERENCE = re.compile(
    r"[@#!$~%]\w|[%~]\"|&\d|://|\bwww\.|\bgh-\d|\bgl-\d|\b(?-i:[A-Z][A-Z0-9_]+-\d)|\*iteration:|\[\w+:"
    r"|(?<![^\W_])[0-9a-f]{7,40}(?![^\W_])",
    re.IGNORECASE,
)
"""What forges make links of in a text that is Markdown no more.

By GitLab's and GitHub's own pages, which `pulumi_slurm_cli/review/text.py` names.
"""


def shown_text(text: str, *, keep: bool = False) -> str:
    """Return what a forge shows of Markdown; ``keep`` what has no width, which only forges see."""
    tokens = [child for token in FORGE.parse(text) for child in token.children or ()]
    shown = "".join(token.content for token in tokens)
    return shown if keep else shown.replace("\u200b", "")


@pytest.mark.parametrize(
    "text",
    [
        *("GH-1", "gh-12", "x GL-3", "(GH-1)", "owner/name#1", "owner/name!1", "ABC-1", "A_B2-1"),
        *(
            "!1",
            "%1",
            '%"next"',
            "%next",
            "&1",
            "$1",
            "~bug",
            '~"a b"',
            "^alert#1",
            "*iteration:1",
            "[vulnerability:1]",
        ),
        *("deadbeef", "1234567", "0123456789abcdef0123456789abcdef01234567", "x-deadbee", "a_deadbee", "1ABCDEF"),
        *("1!1", "x%1", "http://x.example", "HTTPS://x.example", "www.x.example", "a@b.example", "@owner"),
    ],
)
def test_no_text_of_users_refers_to_anything(text: str) -> None:
    assert REFERENCE.search(text)
    assert not REFERENCE.search(shown_text(f"x {plain(text)}", keep=True))
    assert shown_text(plain(text)) == text


@pytest.mark.parametrize("text", ["> x", ">", "&", "<b> & c", "&gt;", "1 > 0", "# x", "a & b", "gpu-0", "50 %", "é!"])
def test_a_text_is_escaped_once(text: str) -> None:
    assert shown_text(plain(text)) == text


@settings(max_examples=5)
@given(JOBS)
def test_the_number_of_a_job_and_the_commit_can_be_copied(job: ShownJob) -> None:
    job = job.model_copy(update={"number": "1234567", "outcome": Outcome.HOLDS_UP})
    jobs = empty().jobs.model_copy(update={"in_the_way": [job]})
    text = markdown(empty().model_copy(update={"jobs": jobs, "commit": "0123456789abcdef"}))
    assert "| 1234567 |" in text
    assert " of 0123456789ab," in text


@given(TEXTS, TEXTS)
def test_the_marker_is_one_line_that_is_read_again(project: str, stack: str) -> None:
    line = marker(project, stack)
    data = re.fullmatch(r"<!-- pulumi-slurm review: (.*) -->", line)
    assert data
    assert json.loads(data[1]) == {"schema": 1, "project": project, "stack": stack}
    assert "--" not in data[1]
    assert ">" not in data[1]


@settings(max_examples=30)
@given(REVIEWS)
def test_json_comes_back_as_it_was(review: Review) -> None:
    assert Review.model_validate_json(review.model_dump_json(by_alias=True)) == review


@settings(max_examples=20)
@given(JOBS)
def test_what_is_left_out_is_counted(job: ShownJob) -> None:
    jobs = empty().jobs.model_copy(update={"in_the_way": [job.model_copy(update={"why": "x" * 200})] * 400})
    resources = [
        ShownResource(
            operation="delete",
            type="a",
            name="b",
            replaced_for=[],
            changed=[],
            protected=False,
            retained=False,
            derived=False,
            hidden=False,
        )
    ]
    full = empty().model_copy(update={"jobs": jobs, "resources": resources})
    assert "and 350 more" in markdown(full)
    assert ": 400, left out here; the whole report has them._" in markdown(full, 4_000)


@given(JOBS)
def test_what_may_come_is_said_as_it_is(job: ShownJob) -> None:
    words = {
        Outcome.ENDS: "may end",
        Outcome.REQUEUED: "may start again from the beginning",
        Outcome.HOLDS_UP: "may hold the update up",
        Outcome.DRAINED: "may be waited for",
        Outcome.NEVER_STARTS: "may never start",
    }
    unsure = [job.model_copy(update={"may": True, "outcome": outcome}) for outcome in Outcome]
    jobs = empty().jobs.model_copy(update={"in_the_way": unsure, "running": 5})
    said = ", ".join(f"1 {words[outcome]}" for outcome in Outcome)
    changed = empty().model_copy(update={"jobs": jobs, "errors": ["x"]})
    assert f"- **Jobs**: {said}, of 5 running" in markdown(changed)


def test_a_change_of_nothing_is_one_line() -> None:
    text = markdown(empty())
    assert text.splitlines()[2] == "### p/s: no change"
    assert len(text.splitlines()) == 5


def test_what_ends_jobs_is_in_no_fold() -> None:
    effect = {"verdict": Verdict.ENDS, "subject": "node set cpu", "change": "is gone", "meaning": ""}
    resources = [
        {
            **{"operation": "delete", "type": "a:b:C", "name": "c", "replacedFor": [], "changed": []},
            **{"protected": False, "retained": False, "derived": False, "hidden": False},
        }
    ]
    data = {**empty().model_dump(by_alias=True), "effects": [effect], "resources": resources, "verdict": Verdict.ENDS}
    text = markdown(Review.model_validate(data))
    assert text.index("**node set cpu**: is gone") < text.index("<details>")


def test_what_a_policy_forbids_is_said_first() -> None:
    policies = [
        {"policy": "p", "level": level, "resource": "r", "message": message}
        for level, message in (("advisory", "not good"), ("mandatory", "not at all"))
    ]
    data = {**empty().model_dump(by_alias=True), "policies": policies, "errors": ["preview failed"]}
    text = markdown(Review.model_validate(data))
    assert text.splitlines()[2] == "### ❌ p/s: a policy forbids it; as far as it went: nothing for jobs"
    assert "- **Policies**: **1 forbids it**, 1 advises against" in text
    assert text.index("not at all") < text.index("<details>") < text.index("not good")
    assert "```" not in text


def test_what_goes_is_listed_first() -> None:
    resources = [
        ShownResource(
            **{"operation": operation, "type": "a:b:C", "name": operation, "replaced_for": [], "changed": ["spec.a"]},
            **{"protected": False, "retained": False, "derived": False, "hidden": False},
        )
        for operation in ("create", "update", "delete")
    ]
    resources.append(resources[-1].model_copy(update={"name": "home", "retained": True}))
    lines = markdown(empty().model_copy(update={"resources": resources})).splitlines()
    assert [line for line in lines if line.startswith("- ") and "C" in line] == [
        "- delete C delete (spec.a)",
        "- leave where it is: C home (spec.a)",
        "- update C update (spec.a)",
        "- create C create (spec.a)",
    ]


def test_a_failed_preview_is_no_good_news() -> None:
    text = markdown(empty().model_copy(update={"errors": ["preview failed", "no such image"]}))
    assert text.splitlines()[2] == "### ❌ p/s: the preview failed; as far as it went: nothing for jobs"
    assert text.count("```") == 2
    assert "no such image" in text


def test_what_means_the_same_for_several_is_said_once() -> None:
    effects = [
        {"verdict": Verdict.DRAINS, "subject": f"node set {name}", "change": "goes", "meaning": ""} for name in "abc"
    ]
    resource = ShownResource(
        **{"operation": "delete", "type": "a", "name": "b", "replaced_for": [], "changed": []},
        **{"protected": False, "retained": False, "derived": False, "hidden": False},
    )
    data = {**empty().model_dump(by_alias=True), "effects": effects, "resources": [resource.model_dump(by_alias=True)]}
    assert "| node set a, b, c | goes |" in markdown(Review.model_validate(data))


def test_a_new_cluster_has_no_jobs_and_one_that_is_not_read_may_have_some() -> None:
    new = empty().jobs.model_copy(update={"there": False})
    failed = empty().model_copy(update={"errors": ["x"]})
    assert "- **Jobs**: none: the cluster is new" in markdown(failed.model_copy(update={"jobs": new}))
    found = review(Preview("p", "s", ()), {}, source="preview", commit=None, made_at=empty().made_at)
    assert not found.jobs.looked
    assert "can't be read" in found.jobs.why_not


def empty() -> Review:
    jobs = {"looked": True, "there": True, "whyNot": "", "running": 0, "waiting": 0, "inTheWay": []}
    return Review.model_validate(
        {
            **{"project": "p", "stack": "s", "commit": None, "madeAt": "2026-11-26T07:00:00Z", "source": "files"},
            **{"verdict": Verdict.NOTHING, "errors": [], "clusters": [], "effects": [], "costs": [], "resources": []},
            **{"unknown": [], "policies": []},
            "jobs": {**jobs, "gpuHoursLost": 0, "costsNothingFrom": None},
        }
    )


def every(tokens: Any) -> Any:
    for token in tokens:
        yield token
        yield from every(token.children or ())


def tables(tokens: Any) -> list[list[list[str]]]:
    found: list[list[list[str]]] = []
    for token in tokens:
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in ("td_open", "th_open"):
            found[-1][-1].append("")
    return found


def test_nothing_nasty_is_forgotten() -> None:
    for text in NASTY:
        assert "<b>" not in plain(text)
