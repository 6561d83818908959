"""Programs that a proof sends to nodes, whose Python may be old: they import nothing but its modules and each other."""

import re
from pathlib import Path

_IMPORT = re.compile(rf"^from {re.escape(__name__)}\.(?P<name>\w+) import .*\n", re.M)


def program(name: str) -> str:
    """Return a module of this package as one text, with what it imports of the others in front."""
    text = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    imported = [program(match["name"]) for match in _IMPORT.finditer(text)]
    return "\n".join([*imported, _IMPORT.sub("", text)])
