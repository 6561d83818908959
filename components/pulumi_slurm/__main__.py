"""The command line, ``pulumi-slurm``."""

import argparse
import sys

from pulumi_slurm.adopting import AdoptionError
from pulumi_slurm.commands import adopt, check, check_outside, diff, drift, import_, pools, rehearse, render, review
from pulumi_slurm.commands.exit_codes import DIFFERENT, WRONG
from pulumi_slurm.commands.output import OTHER_OUTPUT, drop_output, print_line, write_any_text
from pulumi_slurm.errors import SpecError
from pulumi_slurm.importing import UnreadableFileError
from pulumi_slurm.importing.source import STANDARD_INPUT
from pulumi_slurm.live import LiveClusterError
from pulumi_slurm.providers.kubectl import KubectlError
from pulumi_slurm.slurmconf.conf_error import ConfError

COMMANDS = {
    "import": import_,
    "adopt": adopt,
    "diff": diff,
    "check": check,
    "check-outside": check_outside,
    "drift": drift,
    "render": render,
    "review": review,
    "pools": pools,
    "rehearse": rehearse,
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; print what is wrong, without a traceback, and return the exit code."""
    options = _parser().parse_args(arguments)
    if not write_any_text():
        return WRONG
    try:
        _read_standard_input_once(options)
        code: int = COMMANDS[options.command].run(options)
        # What is still buffered would meet a closed pipe only when Python ends, out of reach.
        sys.stdout.flush()
        return code
    except (UnreadableFileError, KubectlError, LiveClusterError, ConfError, SpecError, AdoptionError) as error:
        print_line(error, sys.stderr)
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
    values = [value for name, value in vars(options).items() if name != "output"]
    named = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if named.count(STANDARD_INPUT) > 1:
        raise UnreadableFileError("-: standard input can be read once. Write one of the two into a file")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pulumi-slurm", description="Work with Slurm's files, and with a stack's settings."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="|".join(COMMANDS))
    for name, module in COMMANDS.items():
        module.add_arguments(commands.add_parser(name, help=module.HELP))
    return parser


if __name__ == "__main__":
    sys.exit(main())
