"""A kubectl that stands in: it answers of the nodes in a file, and writes to it, as the real one does with a cluster.

Its JSONPath has what the shipped scripts use: a range over all items with texts, line breaks and paths. A text is
printed as it is, a mapping as JSON, and what is missing as nothing.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Node = dict[str, Any]


def node(name: str, labels: Mapping[str, str] | None = None, annotations: Mapping[str, str] | None = None) -> Node:
    """Return a node of Kubernetes."""
    return {"metadata": {"name": name, "labels": dict(labels or {}), "annotations": dict(annotations or {})}}


@dataclass(frozen=True)
class Round:
    """What a script has done until it sleeps."""

    calls: list[list[str]]
    """The arguments of each call of kubectl."""
    nodes: list[Node]
    """The nodes afterwards."""

    @property
    def changes(self) -> list[str]:
        """The calls that change something, each as one text."""
        return [" ".join(call) for call in self.calls if call[0] != "get"]


def one_round(
    command: Sequence[str], env: Mapping[str, str], nodes: Sequence[Node], folder: Path, fails: str, timeout: float
) -> Round:
    """Run a script of a container for one round, with a ``folder`` as its home; calls with ``fails`` in them fail."""
    programs = {"kubectl": f'exec "{sys.executable}" -IS "{__file__}" "$@"', "sleep": "kill $PPID"}
    for name, program in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{program}\n")
        (folder / name).chmod(0o755)
    (folder / "nodes.json").write_text(json.dumps(list(nodes)))
    (folder / "calls").write_text("")
    own = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "FAILS": fails}
    subprocess.run(command, env={**env, **own}, check=False, timeout=timeout)
    calls = [json.loads(line) for line in (folder / "calls").read_text().splitlines()]
    return Round(calls, json.loads((folder / "nodes.json").read_text()))


def _printed(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    # As json.Marshal of Go does.
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _found(item: Any, path: str) -> Any:
    for step in re.split(r"(?<!\\)\.", path)[1:]:
        item = item.get(step.replace("\\.", "."), "")
    return item


def _row(item: Node, template: str) -> str:
    steps = re.findall(r"\{(\.[^}]*)\}|([^{]+)", template.replace(r"{'\n'}", "\n"))
    return "".join(_printed(_found(item, path)) if path else text for path, text in steps)


def _get(nodes: list[Node], options: Mapping[str, str]) -> None:
    wanted = dict(pair.split("=") for pair in options.get("--selector", "").split(",") if pair)
    range_ = re.fullmatch(r"jsonpath=\{range \.items\[\*\]\}(.*)\{end\}", options["--output"], re.DOTALL)
    assert range_
    for item in nodes:
        if wanted.items() <= item["metadata"]["labels"].items():
            sys.stdout.write(_row(item, range_[1]))


def _change(nodes: list[Node], field: str, options: Mapping[str, str], words: list[str]) -> None:
    names, pairs = ([], words[1:]) if "--all" in options else (words[1:2], words[2:])
    for item in nodes:
        if "--all" in options or item["metadata"]["name"] in names:
            values = item["metadata"][field]
            for pair in pairs:
                key, sign, value = pair.partition("=")
                if sign:
                    values[key] = value
                else:
                    values.pop(key.removesuffix("-"), None)


def _main() -> None:
    home, call = Path(os.environ["HOME"]), sys.argv[1:]
    with (home / "calls").open("a") as calls:
        calls.write(f"{json.dumps(call)}\n")
    if os.environ["FAILS"] in " ".join(call):
        sys.exit(1)
    nodes = json.loads((home / "nodes.json").read_text())
    behind = call.index("--") if "--" in call else len(call)
    options = dict(word.partition("=")[::2] for word in call[:behind] if word.startswith("-"))
    verb, *words = [word for word in call[:behind] if not word.startswith("-")] + call[behind + 1 :]
    if verb == "get":
        _get(nodes, options)
    else:
        _change(nodes, f"{verb}s" if verb == "label" else "annotations", options, words)
        (home / "nodes.json").write_text(json.dumps(nodes))


if __name__ == "__main__":
    # Python would write "?" for what the locale doesn't have.
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    _main()
