"""The commands' own parsers, from which tests draw what there is to cover."""

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pulumi_slurm_cli.__main__ import COMMANDS
from pulumi_slurm_cli.commands.arguments import folder


def arguments_of(command: str) -> Iterator[argparse.Action]:
    """Yield the arguments of a command."""
    parser = argparse.ArgumentParser()
    name = {"import": "import_"}.get(command, command.replace("-", "_"))
    import_module(f"pulumi_slurm_cli.commands.{name}").add_arguments(parser)
    yield from parser._actions


def named_files() -> set[tuple[str, str]]:
    """Return the arguments of all commands that name a file or a folder, each with its command."""
    return {
        (command, action.dest)
        for command in COMMANDS
        for action in arguments_of(command)
        if action.type in (Path, folder)
    }
