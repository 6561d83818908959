"""A kind of resource: its behaviour in its cloud."""

import copy
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tests.clouds.simulator.cloud import Cloud, Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.wire import UNKNOWN, Place, Values, leaves, pattern


class CloudError(Exception):
    """The cloud refuses; nothing was created or changed."""


@dataclass(frozen=True)
class Scope:
    """The context of a resource: the cloud, and the provider's settings such as project and region."""

    cloud: Cloud
    config: Values = field(default_factory=dict)


class Kind:
    """The behaviour of one kind; the defaults are those of a resource without any rules."""

    token: ClassVar[str]
    rules: ClassVar[Rules] = Rules()
    name_property: ClassVar[str] = "name"
    """The input that is the resource's name in the cloud."""
    autonamed: ClassVar[bool] = True
    """Whether the provider generates a name if none is set."""
    longest_name: ClassVar[int] = 63
    defaults: ClassVar[Mapping[str, Any]] = {}
    """Inputs that the provider fills in."""
    values: ClassVar[Mapping[str, str]] = {}
    """What the cloud itself allows, by pattern, separated by spaces, where its provider checks nothing."""
    adopts: ClassVar[bool] = False
    """Whether a create of what exists already succeeds."""
    leaves: ClassVar[bool] = False
    """Whether a delete leaves what it had found so."""
    computed: ClassVar[tuple[str, ...]] = ()
    """Places within inputs that the cloud fills in, e.g. "networks.ipAddresses"; unknown in the preview of a create."""
    partial: ClassVar[frozenset[str]] = frozenset()
    """Faults with which the resource is created nevertheless, but differs from the inputs."""
    secret: ClassVar[tuple[Place, ...]] = ()
    """Properties that are secret wherever they come from."""

    # Before an operation

    def normalized(self, inputs: Values, old: Values, resource_name: str) -> Values:
        """Return the inputs with defaults and a generated name, listed in __defaults as the real bridge does."""
        normalized, filled = dict(inputs), []
        for name, value in self.defaults.items():
            if normalized.get(name) is None:
                normalized[name] = copy.deepcopy(value)
                filled.append(name)
        if self.autonamed and normalized.get(self.name_property) is None:
            normalized[self.name_property] = old.get(self.name_property) or self.made_up_name(resource_name)
            filled.append(self.name_property)
        return {**normalized, "__defaults": filled}

    def made_up_name(self, resource_name: str) -> str:
        """Return a generated name, which no other resource has."""
        return f"{resource_name[: self.longest_name - 8]}-{secrets.token_hex(4)[:7]}".lower()

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        """Return the inputs that the provider itself refuses; in a preview, some of them may be unknown."""
        for place, value in leaves(inputs):
            values = self.values.get(pattern(place), "").split()
            if values and isinstance(value, str) and value not in values:
                yield place, f"expected one of {', '.join(values)}, received {value!r}"

    def replacing(self, old: Values, new: Values) -> frozenset[str]:
        """Return additional patterns that replace, for rules that depend on the values."""
        return frozenset()

    # Operations of the cloud, under the lock

    def identify(self, inputs: Values, scope: Scope) -> str:
        """Return the id that a resource gets."""
        raise NotImplementedError

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Raise the cloud's error if it refuses these inputs."""

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        """Return all properties of a resource that is created or changed."""
        return copy.deepcopy(inputs)

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        """Return the properties with those that follow from the id, for clouds that generate ids."""
        return state

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        """Raise the cloud's error if it refuses to delete; ``state`` is the resource's state in the provider."""

    def follow(self, resource: Stored, scope: Scope) -> None:
        """Run after a resource was created or changed, without the lock."""

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Run after a resource was deleted, without the lock."""

    def refreshed(self, resource: Stored, scope: Scope) -> Values:
        """Return all current properties."""
        return resource.state

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        """Return the cloud's error message for a fault."""
        raise NotImplementedError(f"{self.token} has no fault {fault!r}")

    # The same for all kinds

    def name(self, inputs: Values) -> str:
        """Return the resource's name in the cloud."""
        return str(inputs.get(self.name_property) or "")

    def foreseen(self, inputs: Values, outputs: frozenset[str]) -> Values:
        """Return the properties in the preview of a create."""
        properties: Values = dict.fromkeys(outputs, UNKNOWN)
        properties.update((name, copy.deepcopy(value)) for name, value in inputs.items() if name != "__defaults")
        for place in self.computed:
            _hide(properties, place.split("."))
        return properties

    def foreseen_change(self, old: Values, inputs: Values) -> Values:
        """Return the properties in the preview of a change: values that the cloud has filled in stay."""
        new = {name: copy.deepcopy(value) for name, value in inputs.items() if name != "__defaults"}
        for place in self.computed:
            _keep(new, old, place.split("."))
        return {**old, **new}


def _hide(value: Any, parts: list[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _hide(item, parts)
    elif isinstance(value, dict):
        if len(parts) > 1:
            if parts[0] in value:
                _hide(value[parts[0]], parts[1:])
        elif value.get(parts[0]) is None:
            value[parts[0]] = UNKNOWN


def _keep(new: Any, old: Any, parts: list[str]) -> None:
    if isinstance(new, list) and isinstance(old, list):
        for pair in zip(new, old, strict=False):
            _keep(*pair, parts)
    elif isinstance(new, dict) and isinstance(old, dict) and old.get(parts[0]) is not None:
        if len(parts) > 1:
            _keep(new.get(parts[0]), old[parts[0]], parts[1:])
        elif new.get(parts[0]) is None:
            new[parts[0]] = old[parts[0]]
