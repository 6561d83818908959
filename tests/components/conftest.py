"""Components under Pulumi's mocks: what they register, not what an engine makes of it."""

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pulumi
import pytest

from pulumi_slurm_cli.offline.program import RecordingMonitor
from tests import source_positions
from tests.stack_configuration import ROOT_KEY

without_source_positions = source_positions.without_source_positions


@dataclass(frozen=True)
class Registered:
    """One resource as it was registered."""

    urn: str
    typ: str
    name: str
    inputs: Mapping[str, Any]
    parent: str
    depends_on: frozenset[str]
    leads_to: Sequence[str]
    """Where an engine goes from it in search of what comes before it; one resource as often as it is stated."""
    retained: bool

    @property
    def kubernetes_name(self) -> str:
        return str(self.inputs["metadata"]["name"])


RESERVATION = "gcp:compute/getReservation:getReservation"
"""What stacks ask of each reservation that they name; of one without an answer nothing is known."""


@dataclass
class Recorder(pulumi.runtime.Mocks):
    """Takes every resource for made, and fails on every call that was not foreseen."""

    outputs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of resources by name, and of calls by token."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        return f"{args.name}-id", {**args.inputs, **self.outputs.get(args.name, {})}

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        outputs = {RESERVATION: {}, **self.outputs}
        assert args.token in outputs, f"the call {args.token} was not foreseen"
        return {**outputs[args.token]}, []


def registered(monitor: RecordingMonitor) -> list[Registered]:
    """Return the resources that a monitor has heard of, in their order."""
    return [
        Registered(
            urn=monitor.make_urn(request.parent, request.type, request.name),
            typ=request.type,
            name=request.name,
            inputs=pulumi.runtime.rpc.deserialize_properties(request.object, keep_unknowns=True),
            parent=request.parent,
            depends_on=frozenset(request.dependencies),
            leads_to=_leads_to(request),
            retained=request.retainOnDelete,
        )
        for request in monitor.requests
    ]


def _leads_to(request: Any) -> list[str]:
    provider, _, _ = request.provider.rpartition("::")
    properties = [urn for stated in request.propertyDependencies.values() for urn in stated.urns]
    return [*([provider] if provider else []), *request.dependencies, *properties]


def recorded(program: Callable[[], Any], mocks: pulumi.runtime.Mocks, *, preview: bool = False) -> RecordingMonitor:
    """Run a program under mocks, and return the monitor that has heard it."""
    project, stack = "slurm", "test"
    monitor = RecordingMonitor(mocks, project, stack)
    pulumi.runtime.set_mocks(mocks, project, stack, preview=preview, monitor=monitor)
    pulumi.runtime.test(program)()  # type: ignore[no-untyped-call]
    return monitor


def once_for_equal_settings(
    make: Callable[[dict[str, Any]], list[Registered]],
) -> Callable[[dict[str, Any]], list[Registered]]:
    """Return a function that builds a stack once for all tests that look at it, and returns its resources."""
    made = functools.cache(lambda text: make(json.loads(text)))
    return lambda settings: made(json.dumps(settings))


class Build(Protocol):
    """Runs a program; ``outputs`` are computed outputs, by the name of the resource."""

    def __call__(
        self, program: Callable[[], Any], outputs: dict[str, Mapping[str, Any]] | None = None
    ) -> list[Registered]: ...


@pytest.fixture
def build() -> Iterator[Build]:
    """Run a program under mocks and return what it registered."""

    def run(program: Callable[[], Any], outputs: dict[str, Mapping[str, Any]] | None = None) -> list[Registered]:
        return registered(recorded(program, Recorder(outputs or {})))

    pulumi.runtime.set_all_config({"slurm:rootKey": ROOT_KEY})
    yield run
    pulumi.runtime.set_all_config({})
