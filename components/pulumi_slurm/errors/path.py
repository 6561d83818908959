"""Paths of fields in a specification, and their text."""

import json
import re
from functools import cache

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors.respelling import in_snake_case
from pulumi_slurm.secrecy import HIDDEN, may_be_secret
from pulumi_slurm.spelling import Spelling
from pulumi_slurm.visible import visible

Path = tuple[str | int, ...]
"""Field names and list indexes, from the root of the specification down to a field."""


class FreeKey(str):
    """A key that users choose, such as a label's, in a path: it is shown unchanged, unlike the name of a field."""

    __slots__ = ()


def format_path(path: Path, spelling: Spelling = Spelling.CAMEL_CASE) -> str:
    """Format ``("node_sets", 0, "name")`` as ``nodeSets[0].name``, the syntax of Pulumi's property paths.

    In snake case that is ``node_sets[0].name``, as Python has it.
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z][\w:]*", step, re.ASCII):
            text += ("." if text else "") + field_text(step, spelling)
        elif may_be_secret(step):
            text += f'["{HIDDEN}"]'
        else:
            text += f"[{visible(json.dumps(step, ensure_ascii=False))}]"
    return text or "(the specification)"


def field_text(step: str, spelling: Spelling = Spelling.CAMEL_CASE) -> str:
    """Return a field's name in a spelling, by default in that of stack configuration; a `FreeKey` is unchanged."""
    if spelling is Spelling.SNAKE_CASE:
        return step if isinstance(step, FreeKey) else in_snake_case(step)
    return step if isinstance(step, FreeKey) or "_" not in step or not step.islower() else _camel(step)


def in_camel_case(path: Path) -> Path:
    """Return the path that all paths to the same value have: without `FreeKey`, and with fields in camelCase."""
    return tuple(field_text(str(step)) if isinstance(step, str) else step for step in path)


_camel = cache(to_camel)
