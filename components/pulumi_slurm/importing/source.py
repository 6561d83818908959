"""The files of a cluster on disk: slurm.conf, what it includes, and the other files in its folder."""

import codecs
import sys
from pathlib import Path, PurePosixPath
from typing import TextIO

from pulumi_slurm.user_error import UserError

STANDARD_INPUT = Path("-")
"""In place of a file: what the command reads from a pipe."""


class UnreadableFileError(UserError):
    """A file that is missing, or is not text; ``str(error)`` is one line for people."""


class Source:
    """A slurm.conf and its folder."""

    def __init__(self, slurm_conf: Path) -> None:
        self.path = slurm_conf
        self.not_in_utf8: list[str] = []
        """The files that were read in another encoding, as messages show them."""
        self._folder = slurm_conf.parent

    @property
    def name(self) -> str:
        """The file's name, as messages show it."""
        return name_of(self.path)

    def text(self) -> str:
        """Return the text of the file; raise `UnreadableFileError` when there is none."""
        text = self.text_or_nothing()
        if not text.strip():
            raise UnreadableFileError(f"{self.name}: the file is empty")
        return text

    def text_or_nothing(self) -> str:
        """Return the text of a file that may be empty."""
        return self._read(self.path)

    def included(self, name: str) -> str:
        """Return the text of an included file.

        Relative names are looked for in the folder of slurm.conf. So are absolute ones, by as many of their last parts
        as exist there, since the files may be a copy of those on another machine; then the path itself is read.
        """
        parts = PurePosixPath(name).parts
        if parts[:1] == ("/",):
            copies = (self._folder.joinpath(*parts[first:]) for first in range(1, len(parts)))
            return self._read(next((copy for copy in copies if copy.is_file()), Path(name)))
        return self._read(self._folder / name)

    def beside(self, name: str) -> str | None:
        """Return the text of a file of this name in the folder of slurm.conf; None if there is none."""
        path = self._folder / Path(name).name
        return self._read(path) if path.is_file() else None

    def path_of(self, name: str) -> str:
        """Return the path of a file in the folder of slurm.conf, as messages show it."""
        return str(self._folder / name)

    def _read(self, path: Path) -> str:
        content = _content(path)
        try:
            text = content.decode("utf-16" if content.startswith(_UTF_16_MARKS) else "utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
            self.not_in_utf8.append(name_of(path))
        if "\0" in text:
            raise UnreadableFileError(f"{name_of(path)}: this is not text, so it is no configuration file")
        return text.replace("\r\n", "\n").replace("\r", "\n")


_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def name_of(path: Path) -> str:
    """Return a file's path as messages show it."""
    return "standard input" if path == STANDARD_INPUT else str(path)


def _standard_input() -> TextIO:
    stream: TextIO | None = sys.stdin
    if stream is None:
        # As in `... <&-`.
        raise UnreadableFileError("standard input: it is closed")
    return stream


def _content(path: Path) -> bytes:
    """Return the bytes of a file; raise `UnreadableFileError` with path and problem when it can't be read."""
    try:
        if path == STANDARD_INPUT:
            return _standard_input().buffer.read()
        return path.read_bytes()
    except IsADirectoryError:
        raise UnreadableFileError(f"{path}: this is a folder; write the path of the file in it") from None
    except UnreadableFileError:
        raise
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UnreadableFileError(f"{name_of(path)}: it can't be read: {reason}") from None
