"""First step of every make target: the virtual environment, then the launcher inside it.

Run by any Python as `python3 devcluster/bootstrap.py COMMAND …`, so it uses the standard library only and its syntax
stays readable for Pythons that are too old, which then get told so.
"""

from __future__ import annotations

import os
import sys

MINIMUM = (3, 11)
if sys.version_info < MINIMUM:
    sys.exit(
        "error: Python {}.{} or newer is needed, this is {}: run `make PYTHON=python3.12 …`, naming a newer one".format(
            *MINIMUM, sys.version.split()[0]
        )
    )

# Run as a file, so the folder to import from is not the one that Python has put first.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import re  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from typing import NoReturn  # noqa: E402

from devcluster.environments import Packages, environment  # noqa: E402
from devcluster.errors import DevclusterError  # noqa: E402
from devcluster.folders import CHECKOUT, cache_folder  # noqa: E402

FOR_DEVELOPERS = frozenset({"test", "test-all", "lint", "python"})
CLOUDS = {"gke": Packages.GKE, "ack": Packages.ACK}
_KIND = re.compile(r"""^\s*["']?slurm:kind["']?:\s*["']?(\w+)""", re.MULTILINE)


def packages(arguments: Sequence[str]) -> Packages:
    """Return what a command line of the launcher needs: the SDK of its stack's cloud, or all of them for tests."""
    words = [word for word in arguments if not word.startswith("-")]
    if words and words[0] in FOR_DEVELOPERS:
        return Packages.TESTS
    stack = next((word.removeprefix("--stack=") for word in arguments if word.startswith("--stack=")), "local")
    settings = CHECKOUT / f"Pulumi.{stack}.yaml"
    # No YAML is read here, because there may be no package for it yet.
    match = _KIND.search(settings.read_text()) if settings.is_file() else None
    return CLOUDS.get(match[1], Packages.BASE) if match else Packages.BASE


def main() -> NoReturn:
    """Hand over to the launcher in the environment."""
    try:
        python = environment(packages(sys.argv[1:]))
    except DevclusterError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        print("\ninterrupted: run the same command again to go on", file=sys.stderr)
        sys.exit(130)
    # Every update runs a program of hundreds of modules. They are compiled once, also where Python may write nothing
    # beside its sources, and the checkout stays as it is.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(cache_folder() / "bytecode")
    os.chdir(CHECKOUT)
    os.execv(python, [str(python), "-m", "devcluster", *sys.argv[1:]])


if __name__ == "__main__":
    main()
