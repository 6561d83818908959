"""The launcher's command line; the Makefile calls it through bootstrap.py."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from types import FrameType

from devcluster import commands, container_images, root_filesystems, testing
from devcluster.errors import DevclusterError, Terminated
from devcluster.folders import CHECKOUT, PYTHON_PATH, cache_folder
from devcluster.slurm_images import ensure_images, obstacles
from devcluster.toolchain import ensure

CODE = (
    "cli",
    "components",
    "devcluster",
    "stacks",
    "tests",
    "benchmarks",
    "tools",
    "examples",
    "policy",
    "provider",
    "__main__.py",
)
CHECKS = {
    "format": ("ruff", "format", "--check", *CODE),
    "style": ("ruff", "check", *CODE),
    "types": ("mypy", *CODE),
    "links": ("tools.docs_site",),
}
"""What `lint` runs, by the names that its arguments and the hooks of pre-commit have."""
COMMANDS = (
    *("up", "preview", "down", "status", "slurm", "ssh", "pulumi", "python"),
    *("toolchain", "clean-cache", "test", "test-all", "lint"),
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="devcluster", description=__doc__)
    top.add_argument("--stack", default="local", help="name of the stack (default: local)")
    top.add_argument("--context", help="context of the kubeconfig, for stacks on your own cluster")
    top.add_argument("--nodes", help="real or simulated, for a new embedded cluster")
    top.add_argument("command", choices=COMMANDS)
    top.add_argument("arguments", nargs=argparse.REMAINDER, help="for slurm, ssh, pulumi, python, test and lint")
    return top


def test(arguments: list[str], *, every: bool) -> int:
    """Run the tests with everything they need in place; ``every`` one, or those that show each promise once."""
    ensure()
    if not obstacles():
        # What keeps this machine from it, tests/slurmd and tests/jobs say.
        ensure_images()
        container_images.ensure(root_filesystems.NODE.ensure())
    return testing.run(arguments, _python_path(), every=every)


def lint(names: list[str]) -> int:
    """Run the named checks, or all of them; each runs even if one before it finds something."""
    for name in names:
        if name not in CHECKS:
            raise DevclusterError(f"there is no check {name}: name one of {', '.join(CHECKS)}, or none for all of them")
    # What mypy has found out about a file holds in every checkout that has the file with this content. What mkdocs has
    # to say of its successors is for whoever chooses one.
    env = {"MYPY_CACHE_DIR": str(cache_folder() / "mypy"), "NO_MKDOCS_2_WARNING": "1"}
    return max(_python("-m", *CHECKS[name], env=env) for name in names or CHECKS)


def _python(*arguments: str, env: Mapping[str, str] | None = None) -> int:
    env = {**os.environ, **_python_path(), **(env or {})}
    return subprocess.run([sys.executable, *arguments], cwd=CHECKOUT, env=env, check=False).returncode


def _python_path() -> dict[str, str]:
    return {"PYTHONPATH": PYTHON_PATH}


def run(arguments: list[str] | None = None) -> int:
    """Do what the command line says and return the exit code."""
    options = parser().parse_args(arguments)
    stack = commands.Stack(options.stack, options.context or None, options.nodes or None)
    table: dict[str, Callable[[], int]] = {
        "up": lambda: commands.up(stack),
        "preview": lambda: commands.preview(stack),
        "down": lambda: commands.down(stack),
        "status": lambda: commands.status(stack),
        "slurm": lambda: commands.slurm(stack, options.arguments),
        "ssh": lambda: commands.ssh(stack, options.arguments),
        "pulumi": lambda: commands.pulumi(stack, options.arguments),
        "python": lambda: _python(*options.arguments),
        "toolchain": lambda: 0 if ensure() else 1,
        "clean-cache": commands.clean_cache,
        "test": lambda: test(options.arguments, every=False),
        "test-all": lambda: test(options.arguments, every=True),
        "lint": lambda: lint(options.arguments),
    }
    return table[options.command]()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Terminated


def main() -> int:
    """Turn errors into one line each."""
    signal.signal(signal.SIGTERM, _interrupt)
    # A shell starts what it runs in the background with this one ignored, and so would be what is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # A terminal that is closed; nohup has it ignored.
        signal.signal(signal.SIGHUP, _interrupt)
    try:
        return run()
    except DevclusterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted: run the same command again to go on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
