"""The scripts of examples/workflows that write a review into a pull request or a merge request."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.review.markdown import markdown, marker
from pulumi_slurm_cli.review.report import Review
from tests.unit.review.forges import REPOSITORY, TOKEN, Forge, github, gitlab
from tests.unit.review.test_command import review_of

FOLDER = CHECKOUT / "examples" / "workflows"
MARKER = marker("p", "s")
REVIEW = review_of({}, {"nodeSets": [{"replicas": 2}, {}]})
NOTHING = REVIEW.model_copy(update={"resources": [], "errors": [], "clusters": []})
SHA = "0123456789abcdef0123456789abcdef01234567"
PULL = {
    "number": 7,
    "head": {"label": "alice:new nodes&state=closed", "sha": SHA},
    "base": {"ref": "main", "repo": {"full_name": REPOSITORY}},
}
RUN = {
    "head_sha": SHA,
    "head_branch": "new nodes&state=closed",
    "head_repository": {"full_name": "alice/clusters", "owner": {"login": "alice"}},
    "pull_requests": [],
}


@pytest.fixture
def hub() -> Iterator[Forge]:
    with github() as forge:
        yield forge


@pytest.fixture
def lab() -> Iterator[Forge]:
    with gitlab() as forge:
        yield forge


def post(folder: Path, forge: Forge, review: Review = REVIEW, event: Any = None, **more: str) -> Any:
    """Run the script for GitHub as a workflow runs it."""
    event_file = folder / "event.json"
    event_file.write_text(json.dumps(event or {"pull_request": {"number": 7}}))
    environment = {
        "GITHUB_API_URL": forge.address,
        "GITHUB_GRAPHQL_URL": f"{forge.address}/graphql",
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_EVENT_PATH": str(event_file),
        "GITHUB_TOKEN": TOKEN,
        **more,
    }
    return _run("github_comment.py", folder, review, environment)


def note(folder: Path, forge: Forge, review: Review = REVIEW, **more: str) -> Any:
    """Run the script for GitLab as a pipeline runs it."""
    environment = {
        "CI_API_V4_URL": forge.address,
        "CI_MERGE_REQUEST_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "7",
        "REVIEW_TOKEN": TOKEN,
        **more,
    }
    return _run("gitlab_note.py", folder, review, environment)


def _run(script: str, folder: Path, review: Review, environment: dict[str, str]) -> Any:
    (folder / "review.json").write_text(review.model_dump_json(by_alias=True))
    (folder / "comment.md").write_text(markdown(review))
    words = [sys.executable, "-I", str(FOLDER / script), "review.json", "comment.md"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert TOKEN not in done.stdout + done.stderr
    return done


def test_a_comment_is_written_once_and_then_replaced(hub: Forge, tmp_path: Path) -> None:
    for number in range(250):
        hub.add(f"talk {number}")
    assert post(tmp_path, hub).stdout == "written: https://github.example/org/clusters/pull/7#issuecomment-251\n"
    assert hub.written[250].body == markdown(REVIEW)
    other = REVIEW.model_copy(update={"stack": "other"})
    assert post(tmp_path, hub, other).stdout.startswith("written: ")
    done = post(tmp_path, hub, NOTHING)
    assert done.stdout == "replaced: https://github.example/org/clusters/pull/7#issuecomment-251\n"
    assert [one.body for one in hub.written[250:]] == [markdown(NOTHING), markdown(other)]
    pages = [line for line in hub.asked if line.startswith("GET")]
    assert len(pages) == 9
    assert all("per_page=100" in page for page in pages)


def test_a_comment_of_somebody_else_is_never_taken_for_one_s_own(hub: Forge, tmp_path: Path) -> None:
    for _ in range(150):
        hub.add(f"{MARKER}\r\nnothing to see", "mallory")
    own = hub.add(f"{MARKER}\r\nold")
    assert post(tmp_path, hub).stdout.startswith("replaced: ")
    assert own.body == markdown(REVIEW)
    assert {one.body for one in hub.written[:150]} == {f"{MARKER}\r\nnothing to see"}


def test_one_that_somebody_has_minimised_stays_so(hub: Forge, tmp_path: Path) -> None:
    hub.add(MARKER, minimised=True)
    assert "no comment" in post(tmp_path, hub, NOTHING).stdout
    assert post(tmp_path, hub).stdout.startswith("written: ")
    assert [one.body for one in hub.written] == [MARKER, markdown(REVIEW)]


def test_where_nothing_changes_there_is_no_comment(hub: Forge, tmp_path: Path) -> None:
    assert post(tmp_path, hub, NOTHING).stdout == "nothing changes, so there is no comment\n"
    assert not hub.written
    # What is said of a cluster is said, whatever the resources are.
    post(tmp_path, hub, REVIEW.model_copy(update={"resources": []}))
    assert len(hub.written) == 1
    # A preview that failed before its first step says nothing of what changes.
    hub.written.clear()
    post(tmp_path, hub, NOTHING.model_copy(update={"errors": ["no such stack"]}))
    assert len(hub.written) == 1


def test_the_pull_request_of_a_fork_is_the_one_with_the_commit(hub: Forge, tmp_path: Path) -> None:
    hub.pulls += [{"number": 6, "head": {**PULL["head"], "sha": "f" * 40}}, PULL]  # type: ignore[dict-item]
    done = post(tmp_path, hub, event={"workflow_run": RUN})
    assert done.stdout.startswith("written: "), done.stderr
    first, empty, note, *_ = hub.written[0].body.splitlines()
    assert (first, empty) == (MARKER, "")
    assert note == "> From the stack's two files alone, since a fork's run has no secrets."
    assert hub.written[0].body.splitlines()[3:] == markdown(REVIEW).splitlines()[1:]
    assert post(tmp_path, hub, event={"workflow_run": RUN}).stdout.startswith("replaced: ")


@pytest.mark.parametrize("run", [{**RUN, "head_sha": "e" * 40}, {**RUN, "head_repository": None}])
def test_a_commit_that_is_no_longer_the_newest_has_no_comment(hub: Forge, tmp_path: Path, run: Any) -> None:
    hub.pulls.append(PULL)
    done = post(tmp_path, hub, event={"workflow_run": run})
    assert done.stdout == "no open pull request ends with this commit any more, so there is no comment\n"
    assert not hub.written


def test_two_pull_requests_with_one_commit_have_no_comment(hub: Forge, tmp_path: Path) -> None:
    hub.pulls += [PULL, {**PULL, "number": 8}]
    done = post(tmp_path, hub, event={"workflow_run": RUN})
    assert (done.returncode, done.stdout) == (1, "")
    assert "#7, #8 have this commit, and the run doesn't say which it was of" in done.stderr


@pytest.mark.parametrize(
    ("fails", "problem"),
    [
        (
            (403, '{"message": "Resource not accessible by integration"}'),
            "403 Resource not accessible by integration. The",
        ),
        ((502, "<html>"), "502 Bad Gateway"),
        ((200, "<html>"), "Expecting value"),
        ((200, "[{}]"), "the answer lacks it"),
    ],
)
def test_what_github_refuses_is_told(hub: Forge, tmp_path: Path, fails: tuple[int, str], problem: str) -> None:
    hub.fails = fails
    done = post(tmp_path, hub)
    assert (done.returncode, done.stdout) == (1, "")
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_token_goes_nowhere_else(hub: Forge, lab: Forge, tmp_path: Path) -> None:
    for forge, run in ((hub, post), (lab, note)):
        forge.fails = (302, "")
        assert " 404 " in run(tmp_path, forge).stderr
        assert forge.told_elsewhere == [None, None]
    hub.fails, hub.elsewhere = None, "https://elsewhere.example/comments"
    hub.written += [hub.add("talk")] * 100
    assert "its next page is elsewhere, where the token must not go" in post(tmp_path, hub).stderr


def test_what_a_runner_does_not_have_is_told(hub: Forge, lab: Forge, tmp_path: Path) -> None:
    assert post(tmp_path, hub, GITHUB_TOKEN="wrong").stderr.endswith("401 Bad credentials\n")
    assert "refused" in post(tmp_path, hub, GITHUB_API_URL="http://127.0.0.1:1").stderr
    assert "no/such/file" in post(tmp_path, hub, GITHUB_EVENT_PATH="no/such/file").stderr
    assert "401 Unauthorized. REVIEW_TOKEN needs the scope" in note(tmp_path, lab, REVIEW_TOKEN="wrong").stderr
    for script in ("github_comment.py", "gitlab_note.py"):
        done = _run(script, tmp_path, REVIEW, {})
        assert done.stderr.endswith(
            "Run this in " + ("a workflow on GitHub\n" if "hub" in script else "a merge request's pipeline\n")
        )
        words = [sys.executable, "-I", str(FOLDER / script)]
        assert b"review.json comment.md\n" in subprocess.run(words, capture_output=True, check=False).stderr


def test_a_note_is_written_once_and_then_replaced(lab: Forge, tmp_path: Path) -> None:
    for number in range(120):
        lab.add(f"talk {number}", "alice")
    lab.add(MARKER, "mallory")
    lab.add(MARKER, system=True)
    assert "no note" in note(tmp_path, lab, NOTHING).stdout
    assert note(tmp_path, lab).stdout == "written\n"
    assert lab.written[122].body == markdown(REVIEW)
    assert note(tmp_path, lab, NOTHING).stdout == "replaced: note 123\n"
    assert [one.body for one in lab.written[120:]] == [MARKER, MARKER, markdown(NOTHING)]


def test_no_line_of_a_note_is_a_quick_action(lab: Forge, tmp_path: Path) -> None:
    note(tmp_path, lab, REVIEW.model_copy(update={"errors": ["x\n```\n/close\n/merge"]}))
    assert "/close" in lab.written[0].body
    assert not [line for line in lab.written[0].body.splitlines() if line.startswith("/")]
