"""Options of Slurm's files as fields of a model, in the form of stack configuration."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from pulumi_slurm.model import PartitionSpec
from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.values import Value, write

PARTITION = "PartitionName"

_IN_SMALL_LETTERS = frozenset({"slurmctldDebug", "slurmdDebug"})
"""Fields that take words in small letters only; Slurm takes any case, and `slurmconf` makes it capitals."""

_UNITS = MappingProxyType({"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2})


def field_of(model: type[BaseModel], key: str) -> str | None:
    """Return the field, in camelCase, that a model has for a key of slurm.conf."""
    name = next((name for name in model.model_fields if name.replace("_", "") == key.lower()), None)
    return model.model_fields[name].alias if name else None


def as_field(model: type[BaseModel], field: str, entry: str | None, key: str, value: Value) -> Any:
    """Return a value as the model's field takes it: a list, a mapping of weights, true or false, a number or text."""
    annotation = next(info.annotation for info in model.model_fields.values() if info.alias == field)
    if get_origin(annotation) is list:
        return list(value) if isinstance(value, tuple) else str(value).split(",")
    if get_origin(annotation) is dict:
        return _weights(as_text(entry, key, value))
    if isinstance(value, bool) or (isinstance(value, int) and int in (annotation, *get_args(annotation))):
        return value
    text = as_text(entry, key, value)
    return text.lower() if field in _IN_SMALL_LETTERS else text


def partition_fields(key: str, value: Value) -> dict[str, Any]:
    """Return the fields of a partition for one of its options; none where it has no field of its own."""
    if key == "OverSubscribe":
        return over_subscribe(str(value))
    field = field_of(PartitionSpec, key)
    return {field: as_field(PartitionSpec, field, PARTITION, key, value)} if field else {}


def over_subscribe(text: str) -> dict[str, Any]:
    """Return the fields for OverSubscribe, which has how many jobs share behind a colon."""
    word, colon, jobs = text.partition(":")
    return {"overSubscribe": word, **({"overSubscribeJobs": int(jobs) if jobs.isdecimal() else jobs} if colon else {})}


def weight_of(key: str, value: Value) -> str | None:
    """Return what an option weighs in priorities, such as "Age" of PriorityWeightAge; None for another option."""
    name = key.removeprefix("PriorityWeight")
    return name if name != key and isinstance(value, int) else None


def as_text(entry: str | None, key: str, value: Value) -> str:
    """Return a value as it stands in slurm.conf."""
    catalogue_key = catalogue.find(File.SLURM, key, entry)
    return write(catalogue_key.type, value) if catalogue_key else str(value)


def with_text(entry: str | None, options: Mapping[str, Value]) -> str:
    """Return options as the end of a line."""
    return " ".join(f"{key}={as_text(entry, key, value)}" for key, value in options.items())


def _weights(text: str) -> dict[str, float | str]:
    """Return what TRESBillingWeights says; memory by the MiB, which is what a weight without a unit means."""
    weights: dict[str, float | str] = {}
    for item in text.split(","):
        name, _, weight = item.partition("=")
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([KMGT]?)", weight, re.IGNORECASE)
        weights[name] = float(match[1]) / _UNITS[match[2].upper() or "M"] if match else weight
    return weights
