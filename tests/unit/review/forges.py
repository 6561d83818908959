"""What stands in for GitHub and GitLab: servers on the loopback that answer as their documented APIs do.

GitHub: https://docs.github.com/en/rest/issues/comments (ascending ids, 30 a page and at most 100, the Link header, 201
for a new comment), https://docs.github.com/en/rest/pulls/pulls#list-pull-requests (head=OWNER:BRANCH),
https://docs.github.com/en/graphql/reference/queries#nodes (100 ids at most; null for one that isn't there).
GitLab: https://docs.gitlab.com/api/notes/#merge-requests (20 a page and at most 100, newest first by default),
https://docs.gitlab.com/api/rest/#pagination (X-Next-Page, empty on the last page).
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "secret-of-the-run"
REPOSITORY = "org/clusters"


@dataclass
class Written:
    """A comment or a note."""

    number: int
    author: str
    body: str
    minimised: bool = False
    system: bool = False


@dataclass
class Forge:
    """What a forge has, and what it was asked."""

    address: str = ""
    written: list[Written] = field(default_factory=list)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    """The text of each file, by the commits that there are."""
    merge_bases: dict[str, str] = field(default_factory=dict)
    """Where two branches have parted, by both: "main...0123456"."""
    asked: list[str] = field(default_factory=list)
    fails: tuple[int, str] | None = None
    """The status and the body of an answer to all that is asked; a redirect leads to /elsewhere."""
    elsewhere: str = ""
    """An address of the next page, in place of the right one."""
    told_elsewhere: list[str | None] = field(default_factory=list)
    """The tokens that were sent to /elsewhere."""

    def add(self, body: str, author: str = "me", **more: bool) -> Written:
        """Have somebody write something."""
        self.written.append(Written(len(self.written) + 1, author, body, **more))
        return self.written[-1]


Answer = tuple[int, Any, dict[str, str]]


class _Handler(BaseHTTPRequestHandler):
    forge: Forge

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PATCH(self) -> None:
        self._answer("PATCH")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, method: str) -> None:
        parts = urlsplit(self.path)
        self.forge.asked.append(f"{method} {self.path}")
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if parts.path == "/elsewhere":
            self.forge.told_elsewhere += [self.headers["Authorization"], self.headers["PRIVATE-TOKEN"]]
            status, text, headers = 404, "{}", {}
        elif self.forge.fails:
            status, text = self.forge.fails
            headers = {"Location": f"{self.forge.address}/elsewhere"} if status == 302 else {}
        else:
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, found, headers = self.answer(method, parts.path, query, json.loads(sent) if sent else None)
            text = found if isinstance(found, str) else json.dumps(found)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        content = text.encode()
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer(self, method: str, path: str, query: dict[str, str], data: Any) -> Answer:
        raise NotImplementedError


class _GitHub(_Handler):
    def answer(self, method: str, path: str, query: dict[str, str], data: Any) -> Answer:
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}, {}
        if path == "/graphql":
            return 200, self._nodes(data["variables"]["ids"]), {}
        rest = path.removeprefix(f"/repos/{REPOSITORY}")
        if (method, rest) == ("GET", "/pulls"):
            found = [one for one in self.forge.pulls if query["head"] == one["head"]["label"]]
            return self._page(path, found, query)
        if (method, rest) == ("GET", "/issues/7/comments"):
            return self._page(path, [self._shown(one) for one in self.forge.written], query)
        if method == "GET" and ("/contents/" in path or rest.startswith("/compare/")):
            return self._of_commits(path, query)
        return self._write(method, rest, data)

    def _of_commits(self, path: str, query: dict[str, str]) -> Answer:
        _, compare, sides = unquote(path).partition(f"/repos/{REPOSITORY}/compare/")
        if compare:
            return 200, {"merge_base_commit": {"sha": self.forge.merge_bases[sides]}}, {}
        file, commit = unquote(path).removeprefix(f"/repos/{REPOSITORY}/contents/"), query["ref"]
        if commit not in self.forge.files:
            return 404, {"message": f"No commit found for the ref {commit}"}, {}
        text = self.forge.files[commit].get(file)
        if text is None:
            return 404, {"message": "Not Found"}, {}
        assert self.headers["Accept"] == "application/vnd.github.raw+json"
        return 200, text, {}

    def _write(self, method: str, rest: str, data: Any) -> Answer:
        if (method, rest) == ("POST", "/issues/7/comments"):
            return 201, self._shown(self.forge.add(data["body"])), {}
        edited = re.fullmatch(r"/issues/comments/(\d+)", rest)
        if method == "PATCH" and edited:
            one = self.forge.written[int(edited[1]) - 1]
            one.body = data["body"]
            return 200, self._shown(one), {}
        return 404, {"message": "Not Found"}, {}

    def _page(self, path: str, every: list[dict[str, Any]], query: dict[str, str]) -> Answer:
        size, page = min(int(query.get("per_page", 30)), 100), int(query.get("page", 1))
        more = "&".join(f"{name}={value}" for name, value in query.items() if name != "page")
        following = self.forge.elsewhere or f"{self.forge.address}{path}?{more}&page={page + 1}"
        link = f'<{following}>; rel="next", <{self.forge.address}>; rel="last"'
        return 200, every[(page - 1) * size : page * size], {"Link": link} if len(every) > page * size else {}

    def _shown(self, one: Written) -> dict[str, Any]:
        url = f"{self.forge.address}/repos/{REPOSITORY}/issues/comments/{one.number}"
        seen = f"https://github.example/{REPOSITORY}/pull/7#issuecomment-{one.number}"
        return {"id": one.number, "node_id": f"IC_{one.number}", "url": url, "html_url": seen, "body": one.body}

    def _nodes(self, ids: list[str]) -> dict[str, Any]:
        if len(ids) > 100:
            return {"data": None, "errors": [{"message": "You may not provide more than 100 node ids"}]}
        found = [self.forge.written[int(name.removeprefix("IC_")) - 1] for name in ids]
        nodes = [
            {"id": name, "isMinimized": one.minimised, "viewerDidAuthor": one.author == "me"}
            for name, one in zip(ids, found, strict=True)
        ]
        return {"data": {"nodes": nodes}}


class _GitLab(_Handler):
    def answer(self, method: str, path: str, query: dict[str, str], data: Any) -> Answer:
        if self.headers["PRIVATE-TOKEN"] != TOKEN:
            return 401, {"message": "401 Unauthorized"}, {}
        notes = "/projects/5/merge_requests/7/notes"
        if path == "/user":
            return 200, {"id": self._id("me"), "username": "project_5_bot"}, {}
        if (method, path) == ("GET", notes):
            size, page = min(int(query.get("per_page", 20)), 100), int(query.get("page", 1))
            every = [self._shown(one) for one in self.forge.written]
            if query.get("sort", "desc") == "desc":
                every.reverse()
            following = str(page + 1) if len(every) > page * size else ""
            return 200, every[(page - 1) * size : page * size], {"X-Next-Page": following}
        if (method, path) == ("POST", notes):
            return 201, self._shown(self.forge.add(data["body"])), {}
        if method == "PUT" and path.startswith(f"{notes}/"):
            one = self.forge.written[int(path.rpartition("/")[2]) - 1]
            one.body = data["body"]
            return 200, self._shown(one), {}
        return 404, {"message": "404 Not found"}, {}

    @staticmethod
    def _id(author: str) -> int:
        return 1 if author == "me" else 2

    def _shown(self, one: Written) -> dict[str, Any]:
        return {"id": one.number, "body": one.body, "author": {"id": self._id(one.author)}, "system": one.system}


@contextmanager
def _served(handler: type[_Handler]) -> Iterator[Forge]:
    forge = Forge()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (handler,), {"forge": forge}))
    forge.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield forge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def github() -> Any:
    """Return a context in which there is a GitHub with pull request 7."""
    return _served(_GitHub)


def gitlab() -> Any:
    """Return a context in which there is a GitLab with merge request 7 of project 5."""
    return _served(_GitLab)
