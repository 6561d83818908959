"""The files of a cluster on disk: slurm.conf, what it includes, and what lies beside it."""

from pathlib import Path


class UnreadableFileError(ValueError):
    """A file that is missing, or is not text; ``str(error)`` is one line for people."""


class Source:
    """A slurm.conf and its folder."""

    def __init__(self, slurm_conf: Path) -> None:
        self.path = slurm_conf
        self._folder = slurm_conf.parent

    def text(self) -> str:
        """Return the text of slurm.conf; raise `UnreadableFileError` when there is none."""
        text = read_text(self.path)
        if not text.strip():
            raise UnreadableFileError(f"{self.path}: the file is empty")
        return text

    def included(self, name: str) -> str:
        """Return the text of an included file; relative names are looked for in the folder of slurm.conf."""
        return read_text(self._folder / name)

    def beside(self, name: str) -> str | None:
        """Return the text of a file of this name beside slurm.conf; None when there is none."""
        path = self._folder / Path(name).name
        return read_text(path) if path.is_file() else None

    def path_of(self, name: str) -> str:
        """Return the path of a file beside slurm.conf, as messages show it."""
        return str(self._folder / name)


def read_text(path: Path) -> str:
    """Return the text of a file; raise `UnreadableFileError` with path and problem when it can't be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except IsADirectoryError:
        raise UnreadableFileError(f"{path}: this is a folder; write the path of the file in it") from None
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{path}: this is not text in UTF-8, so it is no configuration file") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableFileError(f"{path}: it can't be read: {reason}") from None
    if "\0" in text:
        raise UnreadableFileError(f"{path}: this is not text, so it is no configuration file")
    return text
