"""A stack's file with what was found, and with its comments."""

import difflib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from pulumi_slurm.visible import as_line
from pulumi_slurm_cli.drift.finding import APPEND, Change
from pulumi_slurm_cli.engine_yaml import EngineYamlError, read


class AdoptionImpossibleError(ValueError):
    """The file has no place for it; ``str(error)`` is for people."""


def changed(text: str, changes: Iterable[Change]) -> str:
    """Return a stack's file with changes below `config`; lines without one stay as they are, comments too.

    Raises:
        AdoptionImpossibleError: if the place isn't there, as where `pulumi config set` has written the cluster as text,
            or if the engine would read something else than what is meant in what can be written.
    """
    changes = [replace(change, value=_quoted(change.value)) for change in changes]
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    if not re.search(r"^( *)[^ #-][^\n]*:\n\1- ", text, re.MULTILINE):
        yaml.indent(mapping=2, sequence=4, offset=2)
    try:
        data = yaml.load(text)
        before = _dumped(yaml, data)
        for change in changes:
            _apply(data, change)
        after = _dumped(yaml, data)
    except YAMLError as error:
        raise AdoptionImpossibleError(f"the file can't be changed: {str(error).splitlines()[0]}") from None
    merged = _merged(text, before, after)
    _check(text, merged, changes)
    return merged


def _quoted(value: Any) -> Any:
    """Return a value whose texts are in quotation marks where they have to be."""
    if isinstance(value, Mapping):
        return {_quoted(key): _quoted(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_quoted(item) for item in value]
    if isinstance(value, str) and not value.isprintable():
        raise AdoptionImpossibleError(f"{as_line(value)} has characters that can't be seen. Write it by hand")
    return DoubleQuotedScalarString(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else value


_PLAIN = re.compile(r"[A-Za-z].*|[0-9]+-[0-9:]+")
"""What neither the engine nor ruamel takes for a number; ruamel itself puts words such as true into quotation marks."""


def _check(text: str, changed_text: str, changes: Iterable[Change]) -> None:
    """Refuse a text in which the engine, whose YAML is older than ruamel's, reads anything else than is meant."""
    try:
        wanted, actual = read(text).value, read(changed_text).value
        for change in changes:
            _apply(wanted, change)
    except (EngineYamlError, AttributeError, KeyError, TypeError):
        actual = None
    if actual is None or actual != wanted:
        raise AdoptionImpossibleError("the engine would read something else in the file. Write it by hand")


def _dumped(yaml: YAML, data: Any) -> str:
    output = io.StringIO()
    yaml.dump(data, output)
    return output.getvalue()


def _apply(data: Any, change: Change) -> None:
    parent = _at(data, ("config", *change.path[:-1]), change.path[-1], make=change.value is not None)
    last = change.path[-1]
    if isinstance(parent, list) and last == APPEND:
        parent.append(change.value)
    elif isinstance(parent, list) and isinstance(last, int):
        # Nothing but removals are of items as a whole.
        del parent[last]
    elif isinstance(parent, dict):
        if change.value is None:
            parent.pop(str(last), None)
        else:
            parent[str(last)] = change.value
    elif parent is not None:
        raise AdoptionImpossibleError(f"{change.path[-2]} is no mapping in the file, and no list")


def _at(data: Any, steps: tuple[Any, ...], last: Any, *, make: bool) -> Any:
    """Return what is at a path; mappings and lists on the way are made where they lack. None if one isn't made."""
    for step, following in zip(steps, (*steps[1:], last), strict=True):
        if isinstance(data, dict) and data.get(str(step)) is None:
            if not make:
                return None
            data[str(step)] = CommentedSeq() if following == APPEND else CommentedMap()
        if isinstance(data, dict):
            data = data[str(step)]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            raise AdoptionImpossibleError(f"the file has no mapping or list around {step}")
    return data


def _merged(text: str, before: str, after: str) -> str:
    """Return the text with what differs between two dumps, which have their own opinion on spaces."""
    # Python's own ends of lines are more than YAML's.
    old, new, lines = (part.removesuffix("\n").split("\n") for part in (before, after, text))
    if len(old) != len(lines):
        return after
    merged: list[str] = []
    for tag, first, last, from_, to in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            merged += lines[first:last]
        else:
            written = [line.strip() for line in new[from_:to]]
            # The comment above the next field goes with the one before it, which may be gone.
            kept = [
                line for line in lines[first:last] if line.lstrip()[:1] in ("#", "") and line.strip() not in written
            ]
            merged += [*new[from_:to], *kept]
    return "\n".join(merged) + "\n"
