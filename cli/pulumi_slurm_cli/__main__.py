"""The command line, ``pulumi-slurm``."""

import argparse
import sys
from collections.abc import Collection
from importlib import import_module
from types import MappingProxyType
from typing import Any, NoReturn

from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm.user_error import UserError
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, WRONG
from pulumi_slurm_cli.commands.output import OTHER_OUTPUT, drop_output, print_line, print_lines, write_any_text
from pulumi_slurm_cli.importing.source import STANDARD_INPUT

COMMANDS = MappingProxyType(
    {
        "import": "turn a slurm.conf, and the files beside it, into a stack's settings",
        "adopt": "turn a release of Slinky's chart slurm into a stack's settings",
        "diff": "tell what differs between two files, and what the change takes",
        "check": "tell all that is wrong with stacks' files",
        "check-outside": "tell what the files of a slurmctld outside lack for a stack",
        "drift": "tell what of a living cluster is not as its stack's file says",
        "render": "write what a stack's settings come to into a folder",
        "review": "tell what a change does to Slurm, to jobs and to money",
        "pools": "write slurm:pools that fit the nodes of a Kubernetes cluster",
        "prove": "send jobs through a cluster, and tell whether it does what its stack's file says",
        "status": "tell how a living cluster does, and what to look at first",
        "rehearse": "start what a change comes to on a copy of the cluster",
    }
)
"""What each does. Its module, of the same name in `pulumi_slurm_cli.commands`, is loaded when it is called."""


@spelled(Spelling.CAMEL_CASE)
def main(arguments: list[str] | None = None) -> int:
    """Run one command; print what is wrong, without a traceback, and return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser(arguments[:1]).parse_args(arguments)
    if not write_any_text():
        return WRONG
    try:
        _read_standard_input_once(options)
        code: int = _module(options.command).run(options)
        # What is still buffered would meet a closed pipe only when Python ends, out of reach.
        sys.stdout.flush()
        return code
    except UserError as error:
        print_lines(error, sys.stderr)
    except BrokenPipeError:
        # Who reads the output has seen enough, as in `... diff a b | head`.
        drop_output()
        return DIFFERENT
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        print_line(f"{error.filename or 'standard output'}: it can't be written: {reason}. {OTHER_OUTPUT}", sys.stderr)
        if error.filename is None:
            drop_output()
    return WRONG


def _read_standard_input_once(options: argparse.Namespace) -> None:
    values = [value for name, value in vars(options).items() if name not in {"output", "picture"}]
    named = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if named.count(STANDARD_INPUT) > 1:
        raise UserError("-: standard input can be read once. Write one of the two into a file")


class _Parser(argparse.ArgumentParser):
    """Shows arguments that it doesn't know as any other text of users; names of files may be among them."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print_line(f"{self.prog}: error: {message}", sys.stderr)
        self.exit(WRONG)


def _parser(called: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line, in which only a command that is called has its arguments."""
    parser = _Parser(prog="pulumi-slurm", description="Work with Slurm's files, and with a stack's settings.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text)
        if name in called:
            _module(name).add_arguments(command)
    return parser


def _module(command: str) -> Any:
    name = {"import": "import_"}.get(command, command.replace("-", "_"))
    return import_module(f"pulumi_slurm_cli.commands.{name}")


if __name__ == "__main__":
    sys.exit(main())
