"""The program: read the stack's configuration, and build the stack that it asks for."""

import sys
from pathlib import Path

# The packages are used from this checkout, without being installed, so that the program always runs its own version.
sys.path.insert(0, str(Path(__file__).parent / "components"))
sys.path.insert(0, str(Path(__file__).parent / "stacks"))

from pulumi_slurm_stacks import run

run()
