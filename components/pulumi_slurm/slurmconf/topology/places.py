"""Where in the text of a YAML file its values stand."""

from typing import Any

import yaml

from pulumi_slurm.slurmconf.problems import Place, Problem

Path = tuple[int | str, ...]
"""Indexes and keys from the top of the file."""


class Places:
    """The lines of a file's values, known once it was loaded."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._lines: dict[Path, int] = {}
        self._noted: set[int] = set()

    def load(self, text: str) -> Any:
        """Return the data of a YAML text; raise `yaml.YAMLError` for what is not YAML, or has a key twice."""
        node = yaml.compose(text, yaml.SafeLoader)
        if node is not None:
            self._note((), node)
        return yaml.safe_load(text)

    def _note(self, path: Path, node: yaml.Node) -> None:
        self._lines.setdefault(path, node.start_mark.line + 1)
        if id(node) in self._noted:  # an alias, perhaps of what it stands in
            return
        self._noted.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._note((*path, index), item)
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if (*path, str(key.value)) in self._lines:
                    raise yaml.MarkedYAMLError(problem=f"{key.value} stands twice", problem_mark=key.start_mark)
                self._lines[*path, str(key.value)] = key.start_mark.line + 1
                self._note((*path, str(key.value)), value)

    def problem(self, path: Path, problem: str, fix: str) -> Problem:
        """Return a problem with what stands at a path, or with the nearest thing around it that stands in the file."""
        known = path
        while known and known not in self._lines:
            known = known[:-1]
        names = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
        return Problem(Place(self.file, self._lines.get(known, 1)), names or "the file", problem, fix)

    def syntax(self, error: yaml.YAMLError) -> Problem:
        """Return a problem with text that is not YAML."""
        mark = getattr(error, "problem_mark", None)
        place = Place(self.file, mark.line + 1 if mark else 1)
        told = getattr(error, "problem", None) or "it has characters that YAML cannot have"
        return Problem(place, "the file", f"it is not read: {told}", "Correct the line, or the one before it.")
