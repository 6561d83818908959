"""The plugin `slurm`, as Pulumi starts it: see docs/installation-configuration.md."""

import sys
from pathlib import Path

# pip doesn't ask for it, since the library isn't installed, and what is installed is content with an older one.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"pulumi-slurm needs Python 3.11 or newer, and this is {sys.version.split()[0]}, {sys.executable}. "
        "Put a newer one first on PATH, and let Pulumi install the plugin anew."
    )

# The library of the same commit: Pulumi fetches the repository, and gives the plugin an environment of its own.
sys.path.append(str(Path(__file__).resolve().parent.parent / "components"))

from pulumi_slurm.component_provider.__main__ import main

main()
