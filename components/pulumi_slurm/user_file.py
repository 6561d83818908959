"""Files that users name, or that these name: read as a whole, if they end, and are no longer than such files are."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from pulumi_slurm.user_error import UserError

MAX_BYTES = 16 * 2**20
"""Of a file that people write. Scripts are the longest in one, and a ConfigMap takes 1 MiB of them.

Source: https://kubernetes.io/docs/concepts/configuration/configmap/.
"""
MAX_BYTES_OF_A_LIST = 256 * 2**20
"""Of a file that a program writes: a List of thousands of nodes, or the events of a preview."""
_OPEN = ("/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self/fd/")
_AT_ONCE = 2**20


class UnreadableFileError(UserError):
    """A file that is missing, or is not text; ``str(error)`` is one line for people."""


def is_open(path: Path) -> bool:
    """Return whether a path is that of something that the caller has opened, such as `<(...)` in a shell."""
    return str(path).startswith(_OPEN)


def read_file(path: Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a file, `MAX_BYTES` at most unless said otherwise.

    Raises:
        UnreadableFileError: if it can't be read, is longer, or is something that may never end.
    """
    try:
        # A pipe that nobody writes into would be waited for already here.
        descriptor = os.open(path, os.O_RDONLY | (0 if is_open(path) else os.O_NONBLOCK))
        try:
            _check_kind(path, os.fstat(descriptor))
            with open(descriptor, "rb", closefd=False) as file:
                return read_stream(file, str(path), max_bytes)
        finally:
            os.close(descriptor)
    except UnreadableFileError:
        raise
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UnreadableFileError(f"{path}: it can't be read: {reason}") from None


def read_stream(stream: BinaryIO, name: str, max_bytes: int | None = None) -> bytes:
    """Return all bytes of a stream, `MAX_BYTES` at most unless said otherwise; messages show the name.

    Raises:
        UnreadableFileError: if there are more.
        OSError: if it can't be read.
    """
    max_bytes = MAX_BYTES if max_bytes is None else max_bytes
    content = bytearray()
    while part := stream.read(_AT_ONCE):
        content += part
        if len(content) > max_bytes:
            problem = f"it has more than {max_bytes >> 20} MiB, and no such file has"
            raise UnreadableFileError(f"{name}: {problem}. Name another one")
    return bytes(content)


def _check_kind(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableFileError(f"{path}: this is a folder; write the path of the file in it")
    is_null = stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev
    if not (stat.S_ISREG(status.st_mode) or is_null or is_open(path)):
        kind = "a pipe" if stat.S_ISFIFO(status.st_mode) else "a device"
        raise UnreadableFileError(f"{path}: this is {kind}, and no file. Name one")
