"""Lines of slurm.conf drawn from the whole catalogue: every key with plausible and odd values, alone and in pairs."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from pulumi_slurm.model import SlurmConfSpec
from pulumi_slurm.model.partition import PartitionOptionsSpec
from pulumi_slurm.slurmconf import values
from pulumi_slurm.slurmconf.catalogue import File, Key, find, keys
from pulumi_slurm.slurmconf.values import UnreadableError, ValueType
from pulumi_slurm_cli.importing.fields import as_field, field_of
from tests.slurmd.plausible_values import LARGE_NUMBERS, NO_NUMBERS, NUMBERS, ODD, STRANGE, VALUES

PLACES = {None: "slurmConf.extra", "PartitionName": "partitions[0].extra", "NodeName": "nodeSets[0].slurmdOptions"}
"""Where a specification has lines of slurm.conf, by the entry that they belong to."""
_PART_OF_LENT = 0.2
"""How many of the values are such as no one would write for their key."""
_SEVERAL = (ValueType.AMOUNTS, ValueType.LIST, ValueType.SET)
_BY_TYPE = {
    ValueType.NUMBER: (*NUMBERS, *LARGE_NUMBERS, *NO_NUMBERS),
    ValueType.MEMORY: (*NUMBERS, *LARGE_NUMBERS, *NO_NUMBERS),
    ValueType.FLAG: ("YES", "NO", "TRUE", "0", "UP", "perhaps"),
    ValueType.SECONDS: ("0", "60", "-1", "NONE", "INFINITE", "UNLIMITED", "4294967295", "5000000000", "1-00"),
    ValueType.DURATION: (
        "0",
        "1",
        "5",
        "60",
        "1:30",
        "1-0",
        "1-00:00:00",
        "UNLIMITED",
        "-1",
        "35791394",
        "30000-0",
        "soon",
    ),
}


def values_of(key: Key) -> tuple[str, ...]:
    """Return the values of a key that are drawn, each once."""
    texts = [spelling for word in (*key.words, *key.plugins) for spelling in word.spellings]
    words = (
        *texts,
        *(f"{text[:-1]}" for text in texts[:2]),
        *(f"{text}{number}" for text in texts if text[-1:] == ":" for number in "014"),
    )
    return tuple(dict.fromkeys((*words, *VALUES.get(key.name, ()), *_BY_TYPE.get(key.type, ()), *ODD)))


def _lent(source: random.Random) -> str:
    """Return a value of whichever key, or of none."""
    others = keys(File.SLURM, source.choice([*PLACES]))
    return source.choice((*STRANGE, *values_of(source.choice(others)), *values_of(source.choice(others))))


@dataclass(frozen=True)
class Drawn:
    """Lines by the entry that they belong to."""

    lines: dict[str | None, dict[str, str]] = field(default_factory=dict)

    def __str__(self) -> str:
        return "; ".join(
            f"{PLACES[entry]}: {' '.join(f'{key}={value}' for key, value in lines.items())}"
            for entry, lines in self.lines.items()
        )


def every_line() -> Iterator[Drawn]:
    """Yield each key with each of its values."""
    for entry in PLACES:
        for key in keys(File.SLURM, entry):
            for value in values_of(key):
                yield Drawn({entry: {key.name: value}})


def draw(seed: int) -> Iterator[Drawn]:
    """Yield random lines without end, one to four of them at a time, the same for the same seed."""
    source = random.Random(seed)
    while True:
        lines: dict[str | None, dict[str, str]] = {}
        for _ in range(source.choice((1, 1, 2, 2, 2, 3, 4))):
            entry = source.choice((None, None, None, "PartitionName", "NodeName"))
            key = source.choice(keys(File.SLURM, entry))
            items = source.sample(values_of(key), source.choice((1, 1, 2)))
            if source.random() < _PART_OF_LENT:
                items[-1] = _lent(source)
            value = ",".join(items) if key.type in _SEVERAL else items[-1]
            lines.setdefault(entry, {})[source.choice((key.name,) * 5 + (key.name.lower(),))] = value
        yield Drawn(lines)


def specification(drawn: Drawn) -> dict[str, Any]:
    """Return a plain specification with these lines, in its typed fields where it has such."""
    lines = drawn.lines
    return {
        "name": "c",
        "namespace": "slurm",
        "nodeSets": [
            {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, **_node_options(lines.get("NodeName", {}))},
            {"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2}}},
        ],
        "partitions": [
            {"name": "all", "nodeSets": ["ALL"], **_options(PartitionOptionsSpec, "PartitionName", lines)},
            {"name": "gpus", "nodeSets": ["gpu"]},
        ],
        "slurmConf": _options(SlurmConfSpec, None, lines),
    }


def _options(
    model: type[BaseModel], entry: str | None, lines: Mapping[str | None, Mapping[str, str]]
) -> dict[str, Any]:
    options: dict[str, Any] = {"extra": {}}
    for key, text in lines.get(entry, {}).items():
        if field := field_of(model, key):
            options[field] = _field_value(model, field, entry, key, text)
        elif key.startswith("PriorityWeight") and key != "PriorityWeightTRES":
            options.setdefault("priorityWeights", {})[key.removeprefix("PriorityWeight")] = text
        else:
            options["extra"][key] = text
    return options


def _field_value(model: type[BaseModel], field: str, entry: str | None, key: str, text: str) -> Any:
    catalogue_key = find(File.SLURM, key, entry)
    assert catalogue_key
    try:
        return as_field(model, field, entry, key, values.read(catalogue_key.type, text))
    except UnreadableError:
        return text


def _node_options(lines: Mapping[str, str]) -> dict[str, Any]:
    names = {"Features": "features", "Gres": "extraGres", "Weight": "weight"}
    options: dict[str, Any] = {"slurmdOptions": {key: text for key, text in lines.items() if key not in names}}
    for key, text in lines.items():
        if key in names:
            options[names[key]] = text if key == "Weight" else text.split(",")
    return options
