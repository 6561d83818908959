"""The plugin `slurm` in an environment with one cloud's SDK, which `requirements.txt` beside this file has."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parent.parent / "__main__.py"))
