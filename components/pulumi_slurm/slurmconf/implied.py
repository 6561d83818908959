"""What a line means where it leaves a key out: Slurm's own defaults, as far as they are the same on every cluster.

Source: https://slurm.schedmd.com/slurm.conf.html, sections NODE CONFIGURATION and PARTITION CONFIGURATION. Defaults
that depend on other keys, such as DisableRootJobs of a partition, are not here.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pulumi_slurm.slurmconf import catalogue, processors
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Entry
from pulumi_slurm.slurmconf.precedence import is_all
from pulumi_slurm.slurmconf.processors import Processors
from pulumi_slurm.slurmconf.values import Value, read

_DEFAULTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "NodeName": MappingProxyType(
            {
                "State": "UNKNOWN",
                "Boards": "1",
                "ThreadsPerCore": "1",
                "CoreSpecCount": "0",
                "MemSpecLimit": "0",
                "RealMemory": "1",
                "TmpDisk": "0",
                "Weight": "1",
            }
        ),
        "PartitionName": MappingProxyType(
            {
                "State": "UP",
                "Default": "NO",
                "MaxTime": "UNLIMITED",
                "MinNodes": "0",
                "MaxNodes": "UNLIMITED",
                "MaxCPUsPerNode": "UNLIMITED",
                "MaxCPUsPerSocket": "UNLIMITED",
                "PriorityTier": "1",
                "PriorityJobFactor": "1",
                "OverSubscribe": "NO",
                "GraceTime": "0",
                "AllocNodes": "ALL",
                "ExclusiveUser": "NO",
                "Hidden": "NO",
                "PowerDownOnIdle": "NO",
                "ReqResv": "NO",
                "RootOnly": "NO",
            }
        ),
    }
)

IN_LOWER_CASE = frozenset({"AllowAccounts", "AllowQos", "DenyAccounts", "DenyQos"})
"""Keys of partitions whose names Slurm turns into lower case."""
_OPEN_TO_ALL = frozenset({"AllowAccounts", "AllowGroups", "AllowQos"})
"""Keys of partitions that mean nothing with the word ALL."""


def in_full(file: File, entry: Entry) -> dict[str, Value]:
    """Return the options of an entry without defaults, and with CPUs where they follow.

    ``Sockets=2 CoresPerSocket=8`` means ``CPUs=16`` too, and ``State=UP`` of a partition means nothing.
    """
    if file is not File.SLURM:
        return dict(entry.options)
    options = dict(entry.options)
    if entry.keyword == "NodeName" and processors.KEYS & options.keys():
        options["CPUs"] = Processors.of(options).cpus
    if entry.keyword == "PartitionName":
        options |= {key: _in_small_letters(options[key]) for key in IN_LOWER_CASE & options.keys()}
        options = {key: value for key, value in options.items() if not (key in _OPEN_TO_ALL and is_all(value))}
    return {key: value for key, value in options.items() if default(entry.keyword, key) != value}


def _in_small_letters(value: Value) -> Value:
    return tuple(sorted({item.lower() for item in value})) if isinstance(value, tuple) else value


@cache
def default(entry: str, key: str) -> Value | None:
    """Return what a key of an entry in slurm.conf is when it is left out; None where that is not known here."""
    text = _DEFAULTS.get(entry, {}).get(key)
    catalogue_key = catalogue.find(File.SLURM, key, entry)
    return read(catalogue_key.type, text) if text is not None and catalogue_key else None
