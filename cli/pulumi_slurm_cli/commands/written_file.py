"""Files that commands write: whole or not at all, and none in place of another unless that is wanted."""

import argparse
import codecs
import os
import re
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pulumi_slurm.secrecy import is_secret_name
from pulumi_slurm.user_file import MAX_BYTES_OF_A_LIST, is_open, read_file
from pulumi_slurm_cli.commands.output import print_line, print_text
from pulumi_slurm_cli.engine_yaml import EngineYamlError, has_encrypted, read
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT as STANDARD_OUTPUT, with_plain_ends

_OF_SECRETS = ("encryptionsalt", "encryptedkey")
"""What a stack's file has beside its settings, and its secrets can't be read without.

Source: ProjectStack in sdk/go/common/workspace/project.go of pulumi.
"""


def add_output(command: argparse.ArgumentParser) -> None:
    """Add the file that is written in place of the terminal."""
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to the terminal")
    command.add_argument("--force", action="store_true", help="replace a file that is there")


def check_output(path: Path | None, *, force: bool) -> None:
    """Refuse a file that can't be written, or that is there without ``force``, before anything is done for it.

    Raises:
        UnreadableFileError: with what would be lost.
    """
    if path is None or path == STANDARD_OUTPUT or not os.path.lexists(path) or _is_stream(path):
        return
    if not path.exists():
        # Whoever made it would choose what is written.
        raise UnreadableFileError(f"{path}: this is a link to nothing. Name a file")
    if path.is_dir():
        raise UnreadableFileError(f"{path}: this is a folder. Name a file in it")
    if not force:
        secrets = _secrets_in(path)
        lost = f", with {_listed(secrets)}, which would be lost" if secrets else ""
        fix = "Name a new one, or write --force to replace it"
        raise UnreadableFileError(f"{path}: the file is there already{lost}. {fix}")


def write_output(path: Path | None, text: str, *, force: bool = False, private: bool = False) -> None:
    """Write a text into a file, or to the terminal; say which secrets of a stack went with a file that it replaces.

    Where it fails, what was there is there. ``private`` is of a new file that its owner alone may read.

    Raises:
        OSError: with the file's name.
    """
    if path is None or path == STANDARD_OUTPUT:
        print_text(text)
        return
    check_output(path, force=force)
    if _is_stream(path):
        _write_into(path, text.encode())
        return
    lost = _secrets_in(path) if path.exists() else ()
    _replace(path, text.encode(), 0o600 if private else 0o666)
    if lost:
        fix = "restore them from a copy, if they are in use"
        print_line(f"{path}: replaced, and with it went {_listed(lost)}: {fix}", sys.stderr)


def change_file(path: Path, old: str, new: str) -> None:
    """Replace the text of a file that was read, and keep its mode, its owner and the ends of its lines.

    Raises:
        OSError: with the file's name.
        UnreadableFileError: if it has another text by now, or is in an encoding that can't be kept.
    """
    try:
        content = read_file(path)
        is_same = with_plain_ends(content.decode("utf-8-sig")) == old
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{path}: it is not in UTF-8, so it can't be changed. Save it in UTF-8") from None
    if not is_same:
        raise UnreadableFileError(f"{path}: somebody has changed it meanwhile, so it stays. Run the command again")
    if b"\r\n" in content:
        new = new.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    _replace(path, mark + new.encode(), 0o600)


def _is_stream(path: Path) -> bool:
    """Return whether a path is of something that is written into and never replaced: a pipe, a device."""
    if is_open(path):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write_into(path: Path, content: bytes) -> None:
    try:
        with path.open("ab") as stream:
            stream.write(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        # That of a device that is full doesn't name it.
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(path: Path, content: bytes, mode: int) -> None:
    """Write a new file beside a path, and let it take the path; a link leads to the new file then.

    A file that was there gives the new one its mode, owner and group; ``mode`` is that of one that wasn't.
    """
    target = Path(os.path.realpath(path))
    try:
        old = target.stat() if target.exists() else None
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".pulumi-slurm-")
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fchmod(descriptor, mode & ~_umask() if old is None else _kept_mode(descriptor, old))
                os.fsync(descriptor)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _kept_mode(descriptor: int, old: os.stat_result) -> int:
    """Give a file the owner and the group of an old one as far as that is allowed; return the mode that it has then."""
    mode = stat.S_IMODE(old.st_mode)
    try:
        os.fchown(descriptor, -1, old.st_gid)
    except OSError:
        # What one group may read isn't for another.
        mode &= ~stat.S_IRWXG
    with suppress(OSError):
        os.fchown(descriptor, old.st_uid, -1)
    return mode


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_LOOKS_ENCRYPTED = re.compile(rf"\b({'|'.join(['secure', *_OF_SECRETS])})[\"']?\s*:")


def _secrets_in(path: Path) -> Sequence[str]:
    """Return what a file has of a stack's secrets, by name."""
    try:
        text = read_file(path, MAX_BYTES_OF_A_LIST).decode(errors="replace")
    except UnreadableFileError:
        return ["what can't be read"]
    if not _LOOKS_ENCRYPTED.search(text) and "slurm:" not in text:
        return []
    try:
        data = read(text).value
    except EngineYamlError:
        return ["encrypted values"] if _LOOKS_ENCRYPTED.search(text) else []
    if not isinstance(data, dict):
        return []
    config = data.get("config")
    settings = config.items() if isinstance(config, dict) else ()
    secret = [key for key, value in settings if has_encrypted(value) or is_secret_name(key.rpartition(":")[2])]
    return [*(key for key in _OF_SECRETS if key in data), *secret]


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
