"""What commands print."""

import codecs
import os
import sys
from io import TextIOWrapper
from typing import TextIO

from pulumi_slurm.visible import as_line

OTHER_OUTPUT = "Name a file that can be, with -o or after >."


def print_line(line: object, stream: TextIO | None = None) -> None:
    """Print one line for people, to the terminal unless said otherwise."""
    print_text(f"{as_line(str(line))}\n", stream)


def print_lines(lines: object, stream: TextIO | None = None) -> None:
    """Print lines for people."""
    for line in str(lines).split("\n"):
        print_line(line, stream)


def print_text(text: str, stream: TextIO | None = None) -> None:
    """Print a text that has a form of its own, by whose rules it commands nothing: YAML, JSON, Markdown.

    It is the same in a file, in a pipe and on a terminal.
    """
    (stream or sys.stdout).write(text)


def write_any_text() -> bool:
    """Have YAML in UTF-8, as YAML is by default, and no letter that a terminal doesn't have end the command.

    Return whether there is an output at all: as in `... >&-`, there need be none.
    """
    outputs: tuple[TextIO | None, ...] = (sys.stdout, sys.stderr)
    if None in outputs:
        if sys.stderr is not None:
            print_line(f"standard output: it is closed. {OTHER_OUTPUT}", sys.stderr)
        return False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encodes_all = codecs.lookup(stream.encoding).name.startswith("utf")
            stream.reconfigure(encoding=None if encodes_all else "utf-8", errors="backslashreplace")
    return True


def drop_output() -> None:
    """Let what is still buffered go nowhere: Python would try to write it once more when it ends, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
