"""Which files are written by `make generate` and `make lock`: those that .gitattributes marks."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from devcluster.folders import CHECKOUT

_MARKED = ": linguist-generated: set"


def generated(files: Iterable[Path]) -> set[Path]:
    """Return the marked ones among files of the checkout."""
    names = "\n".join(str(file.relative_to(CHECKOUT)) for file in files)
    command = ["git", "check-attr", "--stdin", "linguist-generated"]
    output = subprocess.run(command, input=names, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return {CHECKOUT / line.removesuffix(_MARKED) for line in output.splitlines() if line.endswith(_MARKED)}
