"""Programs that a proof sends to nodes, whose Python may be old: they import nothing but its modules and each other."""

import re
from pathlib import Path

_IMPORT = re.compile(rf"^from {re.escape(__name__)}\.(?P<name>\w+) import .*\n", re.M)


def program(name: str) -> str:
    """Return a module of this package as one text, with what it imports of the others in front."""
    return "\n".join(_IMPORT.sub("", text) for text in _texts(name).values())


def _texts(name: str) -> dict[str, str]:
    """Return the texts of a module, and of all that it imports of the others, in the order in which they are run."""
    text = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    texts: dict[str, str] = {}
    for match in _IMPORT.finditer(text):
        texts |= _texts(match["name"])
    return {**texts, name: text}
