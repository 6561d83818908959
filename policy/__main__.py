"""The policy pack: see docs/policies.md."""

import sys
from pathlib import Path

# In a checkout pulumi-slurm is beside the pack; elsewhere it is installed in the pack's environment.
sys.path.append(str(Path(__file__).resolve().parent.parent / "components"))

from slurm_policies.pack import main

main()
