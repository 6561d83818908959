"""Settings of stacks in clouds, drawn over all fields of their models.

A field's values are those that it has anywhere in this project's stacks, pages and tests of refusals, and what its type
has: so each form of a value that somebody thought of is tried beside all others. What is refused is drawn anyhow, and
left to the rules: a drawn file is one in which they find no error.
"""

import copy
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

import yaml
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from devcluster.folders import CHECKOUT
from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.errors import FieldError
from pulumi_slurm.errors.annotations import classes_in
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm_cli.checking.stack_file import StackFile

Settings = dict[str, Any]
Place = tuple[str | int, ...]

MODELS: Mapping[str, type[Model]] = MappingProxyType({"gke": GkeSpec, "ack": AckSpec})
_BASES: Mapping[str, Settings] = MappingProxyType(
    {
        "gke": {
            "project": "my-project",
            "region": "us-central1",
            "zones": ["us-central1-a", "us-central1-b"],
            "pools": [{"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 4}],
        },
        "ack": {
            "region": "cn-hangzhou",
            "zones": ["cn-hangzhou-h", "cn-hangzhou-i"],
            "pools": [{"name": "cpu", "instanceTypes": ["ecs.g7.2xlarge"], "maxNodes": 4}],
        },
    }
)

_OF_NO_CLOUD = ("catalogue",)
"""Fields by which nothing is sent."""


@dataclass(frozen=True)
class Drawn:
    """The settings of a stack in a cloud, a small one in which some fields are drawn."""

    cloud: str
    values: Mapping[Place, Any]
    """What is drawn, by its place."""

    @property
    def settings(self) -> Settings:
        """What the stack's file has."""
        spec = copy.deepcopy(_BASES[self.cloud])
        for place, value in sorted(self.values.items(), key=lambda item: len(item[0])):
            _set(spec, place, copy.deepcopy(value))
        return _with_cluster(self.cloud, spec)

    @property
    def file(self) -> StackFile:
        """The stack's file."""
        return StackFile.of(json.dumps({"config": self.settings}))

    def without(self, *places: Place) -> "Drawn":
        """Return the same with fewer drawn fields."""
        return replace(self, values={place: value for place, value in self.values.items() if place not in places})

    def without_errors(self, errors: Sequence[FieldError]) -> "Drawn":
        """Return the same without the fields at which there are errors, or without one if they are elsewhere."""
        wrong = [place for place in self.values if any(_meet(place, error.path[1:]) for error in errors)]
        return self.without(*(wrong or [*self.values][-1:]))


def drawn(cloud: str, seed: int) -> Drawn:
    """Return settings in which up to eight fields are drawn, and for each what is around it."""
    chance = random.Random(seed)
    by_name, fields = _values_by_name(), dict(_fields(MODELS[cloud]))
    values: dict[Place, Any] = {}
    for place in chance.sample([*fields], chance.randint(1, 8)):
        for around in (place[:length] for length in range(1, len(place))):
            wholes = [value for value in by_name[str(around[-1])] if isinstance(value, dict | list)]
            if around in fields and around not in values and around != ("pools",) and wholes:
                values[around] = chance.choice(wholes)
        values[place] = chance.choice([*by_name[str(place[-1])], *_of_type(fields[place])] or [None])
    return Drawn(cloud, values)


def _with_cluster(cloud: str, spec: Settings) -> Settings:
    pools = spec["pools"] if isinstance(spec["pools"], list) else []
    names = [pool["name"] for pool in pools if isinstance(pool, dict) and "name" in pool]
    cluster = {
        "name": "hpc",
        "nodeSets": [{"name": f"on-{name}", "pool": name, "replicas": 0} for name in names],
        "accounting": {},
    }
    return {"slurm:kind": cloud, f"slurm:{cloud}": spec, "slurm:cluster": cluster}


def _meet(place: Place, path: Place) -> bool:
    """Return whether a field and a path of an error are one below the other; paths have Python's names."""
    steps = [to_camel(step) if isinstance(step, str) else step for step in path]
    shorter = min(len(steps), len(place))
    return [*place][:shorter] == steps[:shorter]


def _fields(model: type[Model], at: Place = ()) -> Iterator[tuple[Place, FieldInfo]]:
    """Yield every field with its place; of a list of models the fields of its first item."""
    for name, info in model.model_fields.items():
        if name in _OF_NO_CLOUD:
            continue
        place = (*at, info.alias or name)
        yield place, info
        models = [kind for kind in classes_in(info.annotation) if issubclass(kind, Model)]
        for kind in models:
            yield from _fields(kind, (*place, 0) if "list[" in str(info.annotation) else place)


def _set(spec: Any, place: Place, value: Any) -> None:
    """Set a value where what is around it is there; else leave it out."""
    *around, last = place
    for step in around:
        try:
            spec = spec.setdefault(step, {}) if isinstance(spec, dict) else spec[step]
        except (IndexError, TypeError, KeyError):
            return
    if isinstance(spec, dict):
        spec[last] = value


def _of_type(info: FieldInfo) -> list[Any]:
    values: list[Any] = []
    for kind in classes_in(info.annotation):
        if issubclass(kind, Enum):
            values += [item.value for item in kind]
        elif kind is bool:
            values += [True, False]
        elif kind is int:
            limits = [
                number
                for limit in info.metadata
                for name in ("ge", "gt", "le", "lt")
                if (number := getattr(limit, name, None)) is not None
            ]
            values += sorted({0, 1, 2, 10, 100, *limits})
    if type(None) in get_args(info.annotation):
        values.append(None)
    return values


@cache
def _values_by_name() -> Mapping[str, list[Any]]:
    """Return the values that the project's YAML has of each key, by its name."""
    found: dict[str, list[Any]] = defaultdict(list)
    for text in _texts():
        try:
            documents = [*yaml.safe_load_all(text)]
        except yaml.YAMLError:
            continue
        for key, value in _pairs(documents):
            if value not in found[key]:
                found[key].append(value)
    return found


def _texts() -> Iterator[str]:
    for path in sorted([*CHECKOUT.glob("Pulumi.*.yaml"), *Path(__file__).parent.glob("refused/*/*.yaml")]):
        text = path.read_text(encoding="utf-8")
        yield text
        if "refused" in path.parts:
            yield from (case["config"] for case in yaml.safe_load(text).values() if isinstance(case.get("config"), str))
    for page in sorted((CHECKOUT / "docs").glob("*.md")):
        yield from re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key), item
            yield from _pairs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _pairs(item)
