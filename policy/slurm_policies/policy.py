"""What a policy is: a check of one resource, with what people and configurations have to know of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from pulumi_slurm.errors import FieldError
from pulumi_slurm.spelling import Spelling, spelled
from slurm_policies.reading import at


class Level(StrEnum):
    """What a violation does, unless a configuration says otherwise; the words are Pulumi's."""

    ADVISORY = "advisory"
    """It is told."""
    MANDATORY = "mandatory"
    """It fails the preview or the update."""


class Severity(StrEnum):
    """How bad it is; the words are Pulumi's."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True)
class Resource:
    """A resource as its program registers it."""

    type: str
    """Its type token, such as "kubernetes:core/v1:Service"."""
    name: str
    """Its name in the program."""
    inputs: Mapping[str, Any]
    """Its inputs, with `UNKNOWN` where a value comes from another resource that isn't there yet."""
    protected: bool = False
    """Whether Pulumi refuses to delete and to replace it."""
    ignored: tuple[str, ...] = ()
    """The paths of inputs whose changes Pulumi ignores."""
    deleted_first: bool = False
    """Whether a replacement deletes it before it makes another."""

    @property
    def names(self) -> tuple[str, ...]:
        """What a configuration may call it: its name in the program, and in Kubernetes."""
        in_kubernetes = at(self.inputs, "metadata", "name")
        return (self.name, in_kubernetes) if isinstance(in_kubernetes, str) else (self.name,)


Settings = Mapping[str, Any]
"""What a configuration gives to a policy: its properties, each with its default where it isn't given."""
Check = Callable[[Resource, Settings], Iterator[FieldError]]
"""Yields the violations of a resource, which is of one of the policy's types."""

ALLOWED = "allowed"
JOBS_MAY_END = "jobsMayEnd"
_ALLOWED: Mapping[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "default": [],
    "description": 'names of resources that it doesn\'t concern, in the program or in Kubernetes, such as "cpu-*"',
}
_MAY_END: Mapping[str, Any] = {
    "type": "boolean",
    "default": False,
    "description": "accept it in the whole stack, since no job of it has to survive",
}


@dataclass(frozen=True)
class Policy:
    """A check of one resource."""

    check: Check
    types: tuple[str, ...]
    """Patterns of the type tokens that it looks at."""
    level: Level
    severity: Severity
    ends_jobs: bool = False
    """Whether a violation ends jobs, so that a configuration may allow it by `jobsMayEnd`."""
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """JSON schemas of its own properties in a configuration, each with a default."""

    @property
    def name(self) -> str:
        """Its name in configurations and output."""
        return self.check.__name__.replace("_", "-")

    @property
    def description(self) -> str:
        """What holds where nothing violates it; the first line of the check's docstring."""
        return str(self.check.__doc__).partition("\n")[0]

    @property
    def schema(self) -> dict[str, dict[str, Any]]:
        """The JSON schemas of all properties that a configuration may give."""
        jobs = {JOBS_MAY_END: _MAY_END} if self.ends_jobs else {}
        schemas: dict[str, Mapping[str, Any]] = {ALLOWED: _ALLOWED, **jobs, **self.properties}
        return {name: dict(schema) for name, schema in schemas.items()}

    def violations(self, resource: Resource, configuration: Mapping[str, Any]) -> Iterator[FieldError]:
        """Yield the violations of a resource."""
        settings = {name: schema["default"] for name, schema in self.schema.items()}
        settings |= {name: value for name, value in configuration.items() if value is not None}
        allowed = any(fnmatchcase(name, pattern) for name in resource.names for pattern in settings[ALLOWED])
        concerns = any(fnmatchcase(resource.type, pattern) for pattern in self.types)
        if concerns and not allowed and not settings.get(JOBS_MAY_END):
            # Inputs of resources have such names in programs of every language.
            with spelled(Spelling.CAMEL_CASE):
                errors = [*self.check(resource, settings)]
            yield from errors


def whole_number(default: int, description: str, *, minimum: int = 0, maximum: int | None = None) -> Mapping[str, Any]:
    """Return the schema of a property that is a whole number."""
    bounds = {"minimum": minimum} if maximum is None else {"minimum": minimum, "maximum": maximum}
    return {"type": "integer", "default": default, **bounds, "description": description}


def policy(
    *types: str,
    level: Level,
    severity: Severity,
    ends_jobs: bool = False,
    **properties: Mapping[str, Any],
) -> Callable[[Check], Policy]:
    """Make a policy of a check of resources of some types."""
    return lambda check: Policy(check, types, level, severity, ends_jobs, properties)
