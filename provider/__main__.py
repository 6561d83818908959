"""The plugin `slurm`, as Pulumi starts it: see docs/installation-configuration.md."""

import sys
from pathlib import Path

# The library of the same commit: Pulumi fetches the repository, and gives the plugin an environment of its own.
sys.path.append(str(Path(__file__).resolve().parent.parent / "components"))

from pulumi_slurm.component_provider.__main__ import main

main()
