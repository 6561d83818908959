"""JSON in files that several processes read and write, and that one may be killed over."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any


def read(file: Path, default: Any) -> Any:
    """Return what a file holds, or the default where there is none."""
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return default


def write(file: Path, content: object) -> None:
    """Replace a file as a whole, so that nobody reads half of it; the folders above it are made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{time.monotonic_ns()}")
    temporary.write_text(json.dumps(content, indent=1))
    temporary.rename(file)
