"""Small configurations in the style of real sites, each in one file: slurm.conf, then what lies beside it."""

import re
from pathlib import Path

SITES = {path.stem: path for path in sorted((Path(__file__).parent / "sites").glob("*.site"))}

_BEGINNING_OF_FILE = re.compile(rb"^#--- (\S+)\r?\n", re.MULTILINE)


def write_site(name: str, folder: Path) -> Path:
    """Write the files of a site into a folder; return the path of its slurm.conf."""
    first, *others = _BEGINNING_OF_FILE.split(SITES[name].read_bytes())
    files = {b"slurm.conf": first, **dict(zip(others[::2], others[1::2], strict=True))}
    for file, content in files.items():
        path = folder / file.decode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / "slurm.conf"
