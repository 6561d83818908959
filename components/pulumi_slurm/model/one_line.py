"""Texts of one line: a line break in one makes two of it in a file, a script or a list, or Kubernetes refuses it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.errors import FieldError, FreeKey, Path

_LINE_BREAK = re.compile(r"[\n-\r\x1c-\x1e\x85\u2028\u2029]")
"""What Python, YAML, a shell or a daemon begins a new line after."""
_OF_DRIVERS = "volumeAttributes"
"""The field of a CSI volume whose values Kubernetes passes to the driver as they are."""


def line_break_errors(value: Any, path: Path = ()) -> Iterator[FieldError]:
    """Yield an error for each text with a line break: a value, or an item, a key or a value in it."""
    if isinstance(value, str):
        if _LINE_BREAK.search(value.rstrip()):
            yield FieldError(path, value, "there is a line break in it", "Write one line of text.")
        elif _LINE_BREAK.search(value):
            fix = "Leave it out; in YAML write the text behind the colon, or |- instead of |."
            yield FieldError(path, value, "there is a line break at its end", fix)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            at = (*path, FreeKey(str(key)))
            yield from line_break_errors(key, at)
            if key != _OF_DRIVERS:
                yield from line_break_errors(item, at)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from line_break_errors(item, (*path, index))
