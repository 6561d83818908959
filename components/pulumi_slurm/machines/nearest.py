"""What to write in place of a machine type that nobody knows."""

import difflib
from collections.abc import Collection


def nearest_types(name: str, known: Collection[str], example: str) -> str:
    """Return a sentence that names the types closest to ``name``, or ``example`` where none is close."""
    close = " or ".join(f'"{each}"' for each in difflib.get_close_matches(name, known, n=3))
    return f"Did you mean {close}?" if close else f'Write one such as "{example}", or add it to machineTypes.'
