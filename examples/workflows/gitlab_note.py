"""Write a review into its merge request on GitLab: one note a stack, which the next review replaces.

    python gitlab_note.py review.json comment.md

`pulumi-slurm review` makes both files. Nothing but Python is needed, and of the environment what GitLab sets in
pipelines of merge requests, with REVIEW_TOKEN: a project's access token with the scope `api`, since CI_JOB_TOKEN can't
write notes.

Sources: https://docs.gitlab.com/api/notes/#merge-requests, https://docs.gitlab.com/api/users/#get-the-current-user,
https://docs.gitlab.com/api/rest/#pagination (X-Next-Page), https://docs.gitlab.com/ci/jobs/ci_job_token/.
"""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PAGE = 100
"""As many as GitLab gives at once."""


class NoteError(Exception):
    """Why there is no note; ``str(error)`` is one line for people."""


class GitLab:
    """The API, as far as a merge request's notes need it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._api = environment["CI_API_V4_URL"]
        self._token = environment["REVIEW_TOKEN"]
        project, number = environment["CI_MERGE_REQUEST_PROJECT_ID"], environment["CI_MERGE_REQUEST_IID"]
        self._notes = f"/projects/{project}/merge_requests/{number}/notes"

    def own_notes(self) -> Iterator[dict[str, Any]]:
        """Yield the notes that this token has written, the oldest first."""
        me, _ = self._send("GET", "/user")
        page = "1"
        while page:
            query = f"?sort=asc&order_by=created_at&per_page={PAGE}&page={page}"
            found, page = self._send("GET", self._notes + query)
            yield from (note for note in found if note["author"]["id"] == me["id"] and not note["system"])

    def write(self, body: str) -> None:
        """Write a note."""
        self._send("POST", self._notes, {"body": body})

    def replace(self, note: int, body: str) -> None:
        """Write another text into a note."""
        self._send("PUT", f"{self._notes}/{note}", {"body": body})

    def _send(self, method: str, path: str, data: object = None) -> tuple[Any, str]:
        request = Request(f"{self._api}{path}", None if data is None else json.dumps(data).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        # Not sent to where an answer leads.
        request.add_unredirected_header("PRIVATE-TOKEN", self._token)
        try:
            with urlopen(request, timeout=60) as answer:
                return json.load(answer), answer.headers.get("X-Next-Page", "")
        except HTTPError as error:
            hint = ". REVIEW_TOKEN needs the scope `api`" if error.code in (401, 403) else ""
            raise NoteError(f"{method} {path}: {error.code} {error.reason}{hint}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise NoteError(f"{method} {path}: {error}") from None


def note(gitlab: GitLab, body: str, *, changes_nothing: bool) -> str:
    """Write a note, or replace the one with the same first line; return what was done."""
    # A line that begins so would be a quick action: https://docs.gitlab.com/user/project/quick_actions/.
    body = re.sub("^/", "\u200b/", body, flags=re.MULTILINE)
    own = (one["id"] for one in gitlab.own_notes() if one["body"].splitlines()[:1] == body.splitlines()[:1])
    old = next(own, None)
    if old is not None:
        gitlab.replace(old, body)
        return f"replaced: note {old}"
    if changes_nothing:
        return "nothing changes, so there is no note"
    gitlab.write(body)
    return "written"


def main(review: Path, markdown: Path, environment: Mapping[str, str]) -> None:
    """Write the review of a pipeline."""
    data, body = json.loads(review.read_text(encoding="utf-8")), markdown.read_text(encoding="utf-8")
    effects = [data["effects"], *(cluster["effects"] for cluster in data["clusters"])]
    changes_nothing = not any((data["resources"], data["errors"], data["policies"], *effects))
    print(note(GitLab(environment), body, changes_nothing=changes_nothing))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Write: python gitlab_note.py review.json comment.md")
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]), os.environ)
    except KeyError as missing:
        sys.exit(f"{missing.args[0]}: this is not set, or the answer lacks it. Run this in a merge request's pipeline")
    except (NoteError, OSError, ValueError) as error:
        sys.exit(f"{error}")
