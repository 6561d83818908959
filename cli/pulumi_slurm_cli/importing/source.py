"""The files of a cluster on disk: slurm.conf, what it includes, and the other files in its folder."""

import codecs
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TextIO

from pulumi_slurm.model.hooks import SLURM_FILES
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.likeness import looks_like
from pulumi_slurm.user_file import UnreadableFileError, read_file, read_stream

STANDARD_INPUT = Path("-")
"""In place of a file: what the command reads from a pipe."""


class Source:
    """A slurm.conf and its folder.

    Whoever wrote the files chooses what they include, and where links beside them lead: nothing of that is read outside
    of the folder and of those in ``include_from``.
    """

    def __init__(self, slurm_conf: Path, *, max_bytes: int | None = None, include_from: Sequence[Path] = ()) -> None:
        self.path = slurm_conf
        self.not_in_utf8: list[str] = []
        """The files that were read in another encoding, as messages show them."""
        self.files_read: list[Path] = []
        """The files that were read, and none of which is to be written over."""
        self._folder = slurm_conf.parent
        self._max_bytes = max_bytes
        self._folders = [os.path.realpath(folder) for folder in (self._folder, *include_from)]

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

        Raises:
            UnreadableFileError: if it can't be read, or is outside of the folders.
        """
        parts = PurePosixPath(name).parts
        path = self._folder / name
        if parts[:1] == ("/",):
            copies = (self._folder.joinpath(*parts[first:]) for first in range(1, len(parts)))
            path = next((copy for copy in copies if copy.is_file()), Path(name))
        return self._read(self._within(path))

    def beside(self, name: str, *, anywhere: bool = False) -> str | None:
        """Return the text of a file of this name in the folder of slurm.conf; None if there is none.

        Raises:
            UnreadableFileError: if it can't be read, or is a link to what is outside of the folders, unless that may be
                ``anywhere``.
        """
        path = self._folder / Path(name).name
        if not path.is_file():
            return None
        return self._read(path) if anywhere else self._inside(path)

    def matching(self, pattern: str) -> dict[str, str]:
        """Return the texts of the files that a pattern stands for, by their names, in the order of these.

        Their folder is looked for in that of slurm.conf, as `included` does.
        """
        *folders, names = PurePosixPath(pattern).parts
        parts = [part for part in folders if part != "/"]
        copies = [self._folder.joinpath(*parts[first:]) for first in range(len(parts))]
        if not parts or parts[-1] in {"slurm", self._folder.name}:
            copies.append(self._folder)
        folder = next((copy for copy in copies if copy.is_dir()), None)
        paths = sorted(folder.iterdir()) if folder else []
        matching = [path for path in paths if fnmatchcase(path.name, names) and not path.name.startswith(".")]
        return {path.name: self._inside(path) for path in matching if path.is_file()}

    def path_of(self, name: str) -> str:
        """Return the path of a file in the folder of slurm.conf, as messages show it."""
        return str(self._folder / name)

    def _inside(self, path: Path) -> str:
        """Return the text of a file in the folder; refuse a link that leads out of it."""
        try:
            return self._read(self._within(path))
        except _OutsideError as error:
            raise UnreadableFileError(f"{path}: {error}. Put a copy there, or leave it out") from None

    def _within(self, path: Path) -> Path:
        """Return a path; refuse one that is there and, behind all links, outside of the folders."""
        real = os.path.realpath(path)
        if not os.path.lexists(real) or any(os.path.commonpath([folder, real]) == folder for folder in self._folders):
            return path
        problem = f"it is outside of {self._folders[0]}"
        raise _OutsideError(f"{problem}, and --include-from {os.path.dirname(real)} would let it in")

    def _read(self, path: Path) -> str:
        content = _content(path, self._max_bytes)
        self.files_read.append(path)
        try:
            text = content.decode("utf-16" if content.startswith(_UTF_16_MARKS) else "utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
            self.not_in_utf8.append(name_of(path))
        if "\0" in text:
            raise UnreadableFileError(f"{name_of(path)}: this is not text, so it is no configuration file")
        return with_plain_ends(text)


def refuse_another(source: Source, expected: File, instead: str, text: str | None = None) -> None:
    """Refuse a file that is another one of Slurm's by its name, or by the keys of its text where that is given.

    Raises:
        UnreadableFileError: with what it is, and what to do ``instead``.
    """
    name = source.path.name
    is_another = name in {*File, *SLURM_FILES} - {expected}
    looks = name if is_another else text is not None and looks_like(text, expected)
    if looks:
        how = "is" if is_another else "looks like"
        raise UnreadableFileError(f"{source.name}: this {how} a {looks}, and a {expected} is expected. {instead}")


class _OutsideError(UnreadableFileError):
    """A file that is outside of where others may lie; ``str(error)`` doesn't name it."""


_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def with_plain_ends(text: str) -> str:
    """Return a text whose lines end as on Unix."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def name_of(path: Path) -> str:
    """Return a file's path as messages show it."""
    return "standard input" if path == STANDARD_INPUT else str(path)


def _standard_input() -> TextIO:
    stream: TextIO | None = sys.stdin
    if stream is None:
        # As in `... <&-`.
        raise UnreadableFileError("standard input: it is closed")
    return stream


def _content(path: Path, max_bytes: int | None) -> bytes:
    """Return the bytes of a file; raise `UnreadableFileError` with path and problem when it can't be read."""
    if path != STANDARD_INPUT:
        return read_file(path, max_bytes)
    try:
        return read_stream(_standard_input().buffer, name_of(path), max_bytes)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableFileError(f"{name_of(path)}: it can't be read: {reason}") from None
