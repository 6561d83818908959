"""Options of configuration files, from text to the types that the catalogue gives their keys."""

from collections.abc import Mapping

from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Entry
from pulumi_slurm.slurmconf.values import Value, read


def options(file: File, texts: Mapping[str, str | int | None], entry: str | None = None) -> dict[str, Value]:
    """Return options with typed values and the catalogue's spelling; what is None is left out.

    The texts come from a specification, whose keys and values have been checked.
    """
    made: dict[str, Value] = {}
    for name, text in texts.items():
        if text is None:
            continue
        key = catalogue.find(file, name, entry)
        assert key is not None, name
        value = read(key.kind, str(text))
        # A key that may stand several times has as many values.
        made[key.name] = (str(value),) if key.repeats else value
    return made


def slurm_entry(kind: str, name: str, texts: Mapping[str, str | int | None]) -> Entry:
    """Return an entry of slurm.conf."""
    return Entry(kind, name, options(File.SLURM, texts, kind))
