"""``python -m pulumi_slurm``: the command line, which has a package of its own."""

import sys
from importlib import import_module
from importlib.util import find_spec

if __name__ == "__main__":
    # A copy of the library alone, such as that of the plugin, has no command.
    missing = [name for name in ("pulumi_slurm_stacks", "pulumi_slurm_cli") if find_spec(name) is None]
    if missing:
        fix = "Install pulumi-slurm, or name components, stacks and cli of a checkout in PYTHONPATH"
        sys.stderr.write(f"pulumi-slurm: there is no {' and no '.join(missing)} beside this package. {fix}\n")
        sys.exit(2)
    sys.exit(import_module("pulumi_slurm_cli.__main__").main())
