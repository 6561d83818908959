"""The lines on which the values of a YAML file stand."""

from typing import Any

import yaml

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.conf_error import LineError, Location

Path = tuple[int | str, ...]
"""Indexes and keys from the top of the file."""


class YamlLines:
    """The lines of a file's values; they are known after `load`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._lines: dict[Path, int] = {}
        self._visited: set[int] = set()

    def load(self, text: str) -> Any:
        """Return the data of a YAML text; raise `yaml.YAMLError` for what is not YAML, or has a key twice."""
        node = yaml.compose(text, yaml.SafeLoader)
        if node is not None:
            self._visit((), node)
        return yaml.safe_load(text)

    def _visit(self, path: Path, node: yaml.Node) -> None:
        self._lines.setdefault(path, node.start_mark.line + 1)
        if id(node) in self._visited:  # an alias, perhaps of a node around it
            return
        self._visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._visit((*path, index), item)
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if (*path, str(key.value)) in self._lines:
                    raise yaml.MarkedYAMLError(problem=f"{key.value} stands twice", problem_mark=key.start_mark)
                self._lines[*path, str(key.value)] = key.start_mark.line + 1
                self._visit((*path, str(key.value)), value)

    def error_at(self, path: Path, issue: Issue) -> LineError:
        """Return the error of the value at a path, on its line or on that of the nearest value around it."""
        ancestor = path
        while ancestor and ancestor not in self._lines:
            ancestor = ancestor[:-1]
        name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
        return LineError(Location(self.file, self._lines.get(ancestor, 1)), name or "the file", issue)

    def syntax_error(self, error: yaml.YAMLError) -> LineError:
        """Return the error of a text that is not YAML."""
        mark = getattr(error, "problem_mark", None)
        location = Location(self.file, mark.line + 1 if mark else 1)
        reason = getattr(error, "problem", None) or "it has characters that YAML cannot have"
        issue = Issue(f"it is not read: {reason}", "Correct the line, or the one before it.")
        return LineError(location, "the file", issue)
