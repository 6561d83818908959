"""The launcher's command line; the Makefile calls it through bootstrap.py."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType

from devcluster import commands, testing
from devcluster.errors import DevclusterError, Terminated
from devcluster.folders import CHECKOUT
from devcluster.slurm_images import ensure_images, obstacles
from devcluster.toolchain import ensure

CODE = ("components", "devcluster", "stacks", "tests", "benchmarks", "tools", "examples", "__main__.py")
COMMANDS = ("up", "preview", "down", "status", "pulumi", "python", "toolchain", "clean-cache", "test", "lint")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog="devcluster", description=__doc__)
    top.add_argument("--stack", default="local", help="name of the stack (default: local)")
    top.add_argument("--context", help="context of the kubeconfig, for stacks on your own cluster")
    top.add_argument("command", choices=COMMANDS)
    top.add_argument("arguments", nargs=argparse.REMAINDER, help="for pulumi, python and test")
    return top


def test(arguments: list[str]) -> int:
    """Run the tests with everything they need in place."""
    ensure()
    if not obstacles():
        # What keeps this machine from it, tests/slurmd says.
        ensure_images()
    return testing.run(arguments, _python_path())


def lint() -> int:
    """Check format, style and types; all three run even if the first finds something."""
    code = [item for item in CODE if (CHECKOUT / item).exists()]
    checks = (("ruff", "format", "--check"), ("ruff", "check"), ("mypy",))
    return max(_python("-m", *check, *code) for check in checks)


def _python(*arguments: str) -> int:
    env = {**os.environ, **_python_path()}
    return subprocess.run([sys.executable, *arguments], cwd=CHECKOUT, env=env, check=False).returncode


def _python_path() -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(CHECKOUT / "components"), str(CHECKOUT)])}


def run(arguments: list[str] | None = None) -> int:
    """Do what the command line says and return the exit code."""
    options = parser().parse_args(arguments)
    stack = commands.Stack(options.stack, options.context or None)
    table: dict[str, Callable[[], int]] = {
        "up": lambda: commands.up(stack),
        "preview": lambda: commands.preview(stack),
        "down": lambda: commands.down(stack),
        "status": lambda: commands.status(stack),
        "pulumi": lambda: commands.pulumi(stack, options.arguments),
        "python": lambda: _python(*options.arguments),
        "toolchain": lambda: 0 if ensure() else 1,
        "clean-cache": commands.clean_cache,
        "test": lambda: test(options.arguments),
        "lint": lint,
    }
    return table[options.command]()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Terminated


def main() -> int:
    """Turn errors into one line each."""
    signal.signal(signal.SIGTERM, _interrupt)
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
