"""Parsing of options into the types that the catalogue has for their keys."""

from collections.abc import Mapping

from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Entry
from pulumi_slurm.slurmconf.values import Value, read


def parse_options(file: File, texts: Mapping[str, str | int | None], entry: str | None = None) -> dict[str, Value]:
    """Return options with typed values and keys in the catalogue's spelling; those that are None are omitted.

    The texts come from a specification, so their keys and values have been checked already.
    """
    values: dict[str, Value] = {}
    for name, text in texts.items():
        if text is None:
            continue
        key = catalogue.find(file, name, entry)
        assert key is not None, name
        value = read(key.type, str(text))
        # A key that may be repeated has a tuple of values.
        values[key.name] = (str(value),) if key.repeats else value
    return values


def slurm_entry(key: str, name: str, texts: Mapping[str, str | int | None]) -> Entry:
    """Return an entry of slurm.conf."""
    return Entry(key, name, parse_options(File.SLURM, texts, key))
