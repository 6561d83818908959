"""``python -m pulumi_slurm``: the command line, which has a package of its own."""

import sys

from pulumi_slurm_cli.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
