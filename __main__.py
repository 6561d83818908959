"""The program: read the stack's configuration, and build the stack that it asks for."""

import sys
from pathlib import Path

# The package is used from this checkout, without being installed, so that the program always runs its own version.
sys.path.insert(0, str(Path(__file__).parent / "components"))

from stacks.config import read_config
from stacks.kubernetes import kubernetes_stack
from stacks.local import local_stack

STACKS = {"kubernetes": kubernetes_stack, "local": local_stack}

config, secrets = read_config()
STACKS[config.kind](config, secrets)
