"""Write a review into its pull request on GitHub: one comment a stack, which the next review replaces.

    python github_comment.py review.json comment.md
    python github_comment.py --files Pulumi.hpc.yaml folder

`pulumi-slurm review` makes both files of the first. The second is for pull requests from forks: it writes a stack's
file into folder/base and folder/head, as it is before and after, by GitHub's API. Nothing but Python is needed, and of
the environment what GitHub's runners set, with GITHUB_TOKEN. Started by `workflow_run`, it looks for the pull request
whose newest commit that run was of.

Sources: https://docs.github.com/en/rest/issues/comments, https://docs.github.com/en/rest/pulls/pulls,
https://docs.github.com/en/rest/commits/commits (compare, which is of the merge base, as the files of a pull request),
https://docs.github.com/en/rest/repos/contents (raw),
https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api (the Link header),
https://docs.github.com/en/graphql/reference/objects#issuecomment (isMinimized, viewerDidAuthor).
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
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

PAGE = 100
"""As many as GitHub gives at once, of comments and of nodes."""
LARGEST = 4 * 2**20
"""Bytes of a stack's file that are read; GitHub gives more."""
NO_LONGER = "no open pull request ends with this commit any more, so there is no comment"
FROM_A_FORK = "> From the stack's two files alone, since a fork's run has no secrets."
_WHOSE = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id isMinimized viewerDidAuthor } } }"


class CommentError(Exception):
    """Why there is no comment; ``str(error)`` is one line for people."""


class GitHub:
    """The API of the repository that a workflow runs in."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._rest = environment["GITHUB_API_URL"]
        self._graphql = environment["GITHUB_GRAPHQL_URL"]
        self._token = environment["GITHUB_TOKEN"]
        self.repository = f"{self._rest}/repos/{environment['GITHUB_REPOSITORY']}"

    def every(self, url: str) -> Iterator[dict[str, Any]]:
        """Yield all of a list, page by page."""
        following: str | None = url
        while following:
            found, links = self._send("GET", following)
            yield from found
            following = next(iter(re.findall(r'<([^>]*)>; rel="next"', links)), None)
            if following and not following.startswith(f"{self._rest}/"):
                raise CommentError(f"{url}: its next page is elsewhere, where the token must not go: {following}")

    def write(self, method: str, url: str, body: str) -> str:
        """Write a comment; return where people see it."""
        found, _ = self._send(method, url, {"body": body})
        return str(found["html_url"])

    def own_and_shown(self, ids: list[str]) -> set[str]:
        """Return which of some comments this token has written, and nobody has minimised."""
        shown: set[str] = set()
        for start in range(0, len(ids), PAGE):
            asked = {"query": _WHOSE, "variables": {"ids": ids[start : start + PAGE]}}
            found, _ = self._send("POST", self._graphql, asked)
            if errors := found.get("errors"):
                raise CommentError(f"{self._graphql}: {errors[0].get('message')}")
            nodes = filter(None, found["data"]["nodes"])
            shown |= {node["id"] for node in nodes if node["viewerDidAuthor"] and not node["isMinimized"]}
        return shown

    def one(self, url: str) -> dict[str, Any]:
        """Return one thing."""
        found: dict[str, Any] = self._send("GET", url, permission="contents: read")[0]
        return found

    def file(self, path: str, commit: str) -> bytes:
        """Return a file of a commit; an empty one where it isn't there."""
        url = f"{self.repository}/contents/{quote(path)}?{urlencode({'ref': commit})}"
        try:
            with self._open(Request(url), ".raw+json") as answer:
                content: bytes = answer.read(LARGEST + 1)
        except HTTPError as error:
            message = _message(error)
            # Of a commit that isn't there it says "No commit found for the ref".
            if (error.code, message) == (404, "Not Found"):
                return b""
            raise CommentError(f"GET {url}: {error.code} {message}") from None
        except (OSError, HTTPException) as error:
            raise CommentError(f"GET {url}: {error}") from None
        if len(content) > LARGEST:
            raise CommentError(f"{url}: this file has more than {LARGEST} bytes")
        return content

    def _send(
        self, method: str, url: str, data: object = None, permission: str = "pull-requests: write"
    ) -> tuple[Any, str]:
        request = Request(url, None if data is None else json.dumps(data).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with self._open(request, "+json") as answer:
                return json.load(answer), answer.headers.get("Link", "")
        except HTTPError as error:
            hint = f". The job needs `permissions: {permission}`" if error.code in (403, 404) else ""
            raise CommentError(f"{method} {url}: {error.code} {_message(error)}{hint}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise CommentError(f"{method} {url}: {error}") from None

    def _open(self, request: Request, form: str) -> Any:
        request.add_header("Accept", f"application/vnd.github{form}")
        request.add_header("X-GitHub-Api-Version", "2022-11-28")
        # Not sent to where an answer leads.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        return urlopen(request, timeout=60)


def _message(error: HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (OSError, ValueError, LookupError, TypeError):
        return str(error.reason)


def pull_request(github: GitHub, event: Mapping[str, Any]) -> int | None:
    """Return the number of the event's pull request; None if it has got a newer commit, or is closed."""
    if "pull_request" in event:
        return int(event["pull_request"]["number"])
    found = pull_of_fork(github, event["workflow_run"])
    return int(found["number"]) if found else None


def pull_of_fork(github: GitHub, run: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the open pull request that ends with the commit of a fork's run.

    For forks `workflow_run.pull_requests` is empty, and so is /commits/SHA/pulls, since their commits are on no branch
    of this repository: https://github.com/orgs/community/discussions/25220,
    https://github.com/quarkusio/pt.quarkus.io/pull/389.
    """
    # Null where the fork is deleted.
    owner = ((run["head_repository"] or {}).get("owner") or {}).get("login", "")
    asked = urlencode({"state": "open", "head": f"{owner}:{run['head_branch']}", "per_page": PAGE})
    found = [one for one in github.every(f"{github.repository}/pulls?{asked}") if one["head"]["sha"] == run["head_sha"]]
    if len(found) > 1:
        numbers = ", ".join(f"#{one['number']}" for one in found)
        raise CommentError(f"{run['head_sha']}: {numbers} have this commit, and the run doesn't say which it was of")
    return found[0] if found else None


def write_files(name: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Write a stack's file as it is before and after the pull request of a fork's run, as data of GitHub's.

    Before is where the fork's branch left the other one, so that what was merged meanwhile is no change. The commits of
    both are asked of the base's repository, also where the fork is private: it has those of its pull requests
    (https://github.com/renovatebot/renovate/pull/1772).
    """
    run = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text())["workflow_run"]
    github = GitHub(environment)
    pull = pull_of_fork(github, run)
    if pull is None:
        print(NO_LONGER)
        return
    sides = f"{pull['base']['ref']}...{run['head_sha']}"
    left = github.one(f"{github.repository}/compare/{quote(sides, safe='')}?per_page=1")["merge_base_commit"]["sha"]
    for side, commit in (("base", left), ("head", run["head_sha"])):
        (folder / side).mkdir(parents=True)
        (folder / side / name).write_bytes(github.file(name, commit))


def comment(github: GitHub, number: int, body: str, *, changes_nothing: bool) -> str:
    """Write a comment, or replace the one with the same first line; return what was done."""
    comments = f"{github.repository}/issues/{number}/comments"
    marked = {
        one["node_id"]: one["url"]
        for one in github.every(f"{comments}?per_page={PAGE}")
        if (one["body"] or "").splitlines()[:1] == body.splitlines()[:1]
    }
    # Anybody can write the marker.
    shown = github.own_and_shown(list(marked))
    old = next((url for node, url in marked.items() if node in shown), None)
    if old:
        return f"replaced: {github.write('PATCH', old, body)}"
    if changes_nothing:
        return "nothing changes, so there is no comment"
    return f"written: {github.write('POST', comments, body)}"


def changes_nothing(review: Mapping[str, Any]) -> bool:
    """Return whether there is nothing to say of a change."""
    effects = [review["effects"], *(cluster["effects"] for cluster in review["clusters"])]
    return not any((review["resources"], review["errors"], review["policies"], *effects))


def main(review: Path, markdown: Path, environment: Mapping[str, str]) -> None:
    """Write the review of a run."""
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text())
    github = GitHub(environment)
    number = pull_request(github, event)
    if number is None:
        print(NO_LONGER)
        return
    data, body = json.loads(review.read_text(encoding="utf-8")), markdown.read_text(encoding="utf-8")
    if "workflow_run" in event:
        first, _, rest = body.partition("\n")
        body = f"{first}\n\n{FROM_A_FORK}\n{rest}"
    print(comment(github, number, body, changes_nothing=changes_nothing(data)))


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case ["--files", name, folder]:
                write_files(name, Path(folder), os.environ)
            case [review, markdown]:
                main(Path(review), Path(markdown), os.environ)
            case _:
                sys.exit("Write: python github_comment.py --files Pulumi.hpc.yaml folder, or review.json comment.md")
    except KeyError as missing:
        sys.exit(f"{missing.args[0]}: this is not set, or the answer lacks it. Run this in a workflow on GitHub")
    except (CommentError, OSError, ValueError) as error:
        sys.exit(f"{error}")
