"""The program: read the stack's configuration, and build the stack that it asks for."""

import signal
import sys
from pathlib import Path

# The package is used from this checkout, without being installed, so that the program always runs its own version.
sys.path.insert(0, str(Path(__file__).parent / "components"))

from stacks import build
from stacks.config import read_config

# The engine interrupts the program when a step has failed. It has told why by then, and a traceback of where the
# program was waiting would only hide that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

build(*read_config())
