"""A Pulumi provider for a cloud in a folder, with the engine's plugin protocol."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc  # type: ignore[import-untyped]
from google.protobuf import any_pb2, empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc, status_pb2

from tests.clouds.simulator import facts, sdk
from tests.clouds.simulator.cloud import Cloud, Fault, Stored
from tests.clouds.simulator.differences import Difference, differences
from tests.clouds.simulator.kind import CloudError, Kind, Scope
from tests.clouds.simulator.wire import Place, Values, decode, encode, written

Function = Callable[[Values, Scope], Values]

_DIFF = provider_pb2.PropertyDiff
_DIFF_KINDS = {
    ("add", False): _DIFF.ADD,
    ("add", True): _DIFF.ADD_REPLACE,
    ("delete", False): _DIFF.DELETE,
    ("delete", True): _DIFF.DELETE_REPLACE,
    ("update", False): _DIFF.UPDATE,
    ("update", True): _DIFF.UPDATE_REPLACE,
}


@dataclass(frozen=True)
class Package:
    """The parts of a simulated provider."""

    name: str
    version: str
    sdk: str
    """The Python package, e.g. "pulumi_gcp"."""
    kinds: Mapping[str, Kind]
    """By token."""
    functions: Mapping[str, Function]
    """Data sources, by token."""


class SimulatedProvider(provider_pb2_grpc.ResourceProviderServicer):
    """Answers the engine."""

    def __init__(self, package: Package, cloud: Cloud) -> None:
        self._package = package
        self._cloud = cloud
        self._config: Values = {}
        self._cancelled = threading.Event()

    # The provider itself

    def GetPluginInfo(self, request: Any, context: Any) -> Any:  # noqa: N802
        return plugin_pb2.PluginInfo(version=f"{self._package.version}+simulated")

    def CheckConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        old, new = decode(request.old_inputs or request.olds)[0], decode(request.news)[0]
        changed = [name for name in old.keys() | new.keys() if name != "version" and old.get(name) != new.get(name)]
        # A provider for another project is another provider, as in the real one's response.
        replaces = [name for name in changed if name in {"project", "region", "zone"}]
        some = provider_pb2.DiffResponse.DIFF_SOME if changed else provider_pb2.DiffResponse.DIFF_NONE
        return provider_pb2.DiffResponse(changes=some, diffs=changed, replaces=replaces)

    def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802
        self._config = decode(request.args)[0]
        return provider_pb2.ConfigureResponse(
            acceptSecrets=True, supportsPreview=True, acceptResources=False, acceptOutputs=False
        )

    def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802
        self._cancelled.set()
        return empty_pb2.Empty()

    def Invoke(self, request: Any, context: Any) -> Any:  # noqa: N802
        function = self._package.functions.get(request.tok)
        if function is None:
            self._abort(context, f"the simulated provider has no function {request.tok}")
        try:
            result = function(decode(request.args)[0], self._scope)
        except CloudError as error:
            self._abort(context, str(error))
        return provider_pb2.InvokeResponse(**{"return": encode(result)})

    # Resources

    def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        token = _token(request.urn)
        inputs, secrets = decode(request.news)
        old, _ = decode(request.olds)
        kind = self._package.kinds.get(token)
        if kind is None:
            failure = provider_pb2.CheckFailure(reason=f"the simulated provider doesn't know {token}")
            return provider_pb2.CheckResponse(failures=[failure])
        normalized = kind.normalized(inputs, old, request.urn.rpartition("::")[2])
        failures = [
            provider_pb2.CheckFailure(property=written(place), reason=f"{written(place)}: {reason}")
            for place, reason in [
                *sdk.problems(normalized, self._resource(token).inputs),
                *facts.problems(token, normalized),
                *kind.problems(normalized),
            ]
        ]
        return provider_pb2.CheckResponse(inputs=encode(normalized, secrets), failures=failures)

    def Diff(self, request: Any, context: Any) -> Any:  # noqa: N802
        kind = self._kind(request.urn)
        old, new = decode(request.old_inputs)[0], decode(request.news)[0]
        changes = self._differences(kind, old, new, request.ignoreChanges)
        replaces = any(change.replaces for change in changes)
        explicit = kind.name_property not in new.get("__defaults", [])
        same_name = kind.name(old) == kind.name(new)
        return provider_pb2.DiffResponse(
            changes=provider_pb2.DiffResponse.DIFF_SOME if changes else provider_pb2.DiffResponse.DIFF_NONE,
            diffs=sorted({str(change.place[0]) for change in changes}),
            replaces=sorted({str(change.place[0]) for change in changes if change.replaces}),
            detailedDiff={
                written(change.place): provider_pb2.PropertyDiff(
                    kind=_DIFF_KINDS[change.kind, change.replaces], inputDiff=True
                )
                for change in changes
            },
            hasDetailedDiff=True,
            # As in the real bridge: with an explicit name that stays the same, there can't be two.
            deleteBeforeReplace=replaces and kind.autonamed and explicit and same_name,
        )

    def Create(self, request: Any, context: Any) -> Any:  # noqa: N802
        kind = self._kind(request.urn)
        inputs, secrets = decode(request.properties)
        places = [*secrets, *kind.secret]
        if request.preview:
            outputs = self._resource(kind.token).outputs
            return provider_pb2.CreateResponse(properties=encode(kind.foreseen(inputs, outputs), places))
        with self._reported(context, "create", kind, inputs, places) as fault:
            resource = self._create(kind, inputs, fault)
            return provider_pb2.CreateResponse(id=resource.id, properties=encode(resource.state, places))

    def Read(self, request: Any, context: Any) -> Any:  # noqa: N802
        kind = self._kind(request.urn)
        inputs, secrets = decode(request.inputs)
        resource = self._cloud.get(kind.token, request.id)
        if resource is None:
            return provider_pb2.ReadResponse()
        with self._reported(context, "read", kind, resource.state, [*secrets, *kind.secret]):
            state = kind.refreshed(resource, self._scope)
            fields = self._resource(kind.token).inputs.fields
            current = _shaped(state, inputs) if inputs else {name: state[name] for name in fields if name in state}
            places = [*secrets, *kind.secret]
            return provider_pb2.ReadResponse(
                id=resource.id, properties=encode(state, places), inputs=encode(current, places)
            )

    def Update(self, request: Any, context: Any) -> Any:  # noqa: N802
        kind = self._kind(request.urn)
        olds, _ = decode(request.olds)
        inputs, secrets = decode(request.news)
        places = [*secrets, *kind.secret]
        if request.preview:
            return provider_pb2.UpdateResponse(properties=encode(kind.foreseen_change(olds, inputs), places))
        with self._reported(context, "update", kind, inputs, places) as fault:
            resource = self._update(kind, request.id, inputs, fault)
            return provider_pb2.UpdateResponse(properties=encode(resource.state, places))

    def Delete(self, request: Any, context: Any) -> Any:  # noqa: N802
        kind = self._kind(request.urn)
        state, _ = decode(request.properties)
        with self._reported(context, "delete", kind, state, ()):
            self._delete(kind, request.id, state)
            return empty_pb2.Empty()

    # Operations

    def _create(self, kind: Kind, inputs: Values, fault: Fault | None) -> Stored:
        scope = self._scope
        with self._cloud.locked():
            kind.refuse(inputs, scope, None)
            resource_id = kind.identify(inputs, scope)
            existing = self._cloud.get(kind.token, resource_id)
            if existing and not kind.adopts:
                raise CloudError(kind.fail("exists", inputs, scope))
            state = kind.with_id(kind.state(inputs, scope, None), resource_id, scope)
            resource = Stored(kind.token, resource_id, kind.name(inputs), state)
            if existing and kind.leaves:
                resource.hidden["found"] = True
            if fault and fault.kind in kind.partial:
                resource.hidden["broken"] = fault.kind
            self._cloud.put(resource)
        return self._followed(kind, resource, inputs, fault)

    def _update(self, kind: Kind, resource_id: str, inputs: Values, fault: Fault | None) -> Stored:
        scope = self._scope
        with self._cloud.locked():
            old = self._cloud.get(kind.token, resource_id)
            if old is None:
                raise CloudError(kind.fail("gone", inputs, scope))
            if differing := differences(kind.token, _shaped(old.state, inputs), inputs, kind.rules):
                refused = [written(change.place) for change in differing if change.replaces and change.kind == "update"]
                if refused:
                    raise CloudError(f"{', '.join(refused)} can't change in place")
            kind.refuse(inputs, scope, old)
            state = kind.with_id(kind.state(inputs, scope, old), old.id, scope)
            resource = Stored(kind.token, old.id, kind.name(inputs), state, old.hidden)
            resource.hidden.pop("broken", None)
            if fault and fault.kind in kind.partial:
                resource.hidden["broken"] = fault.kind
            self._cloud.put(resource)
        return self._followed(kind, resource, inputs, fault)

    def _followed(self, kind: Kind, resource: Stored, inputs: Values, fault: Fault | None) -> Stored:
        kind.follow(resource, self._scope)
        if fault and fault.kind == "lost":
            raise CloudError(kind.fail("lost", inputs, self._scope))
        if "broken" in resource.hidden:
            raise _Partial(resource, kind.fail(resource.hidden["broken"], inputs, self._scope))
        return resource

    def _delete(self, kind: Kind, resource_id: str, state: Values) -> None:
        if state.get("deletionPolicy") == "PREVENT":
            raise CloudError("cannot destroy the resource because deletion_policy is set to PREVENT")
        if state.get("deletionPolicy") == "ABANDON":
            return
        with self._cloud.locked():
            resource = self._cloud.get(kind.token, resource_id)
            if resource is None:
                return
            kind.refuse_deletion(resource, state, self._scope)
            if resource.hidden.get("found"):
                return
            self._cloud.remove(resource)
        kind.forget(resource, self._scope)

    @contextmanager
    def _reported(
        self, context: Any, operation: str, kind: Kind, inputs: Values, places: Collection[Place]
    ) -> Iterator[Fault | None]:
        """Apply faults, record the operation, and turn errors into those of the protocol."""
        began, name = time.time(), kind.name(inputs)
        try:
            yield self._fault(operation, kind, inputs, name)
            self._cloud.record(operation, kind.token, name, began)
        except _Partial as error:
            self._cloud.record(f"{operation} in part", kind.token, name, began)
            _abort_in_part(context, error, places)
        except CloudError as error:
            self._cloud.record(f"{operation} refused", kind.token, name, began)
            self._abort(context, str(error))

    def _fault(self, operation: str, kind: Kind, inputs: Values, name: str) -> Fault | None:
        fault = self._cloud.take_fault(kind.token, name, operation)
        if fault is None and operation == "update":
            # A resource that was created in part stays so until the fault is over.
            fault = self._cloud.take_fault(kind.token, name, "create")
        if fault is None:
            return None
        if fault.kind == "slow":
            if self._cancelled.wait(fault.seconds):
                raise CloudError("cancelled")
        elif fault.kind != "lost" and fault.kind not in kind.partial:
            raise CloudError(kind.fail(fault.kind, inputs, self._scope))
        return fault

    def _differences(self, kind: Kind, old: Values, new: Values, ignored: Collection[str]) -> list[Difference]:
        replacing = kind.replacing(old, new)
        return [
            Difference(change.place, change.kind, change.replaces or written(change.place) in replacing)
            for change in differences(kind.token, old, new, kind.rules)
            if not any(written(change.place).startswith(place) for place in ignored)
        ]

    @property
    def _scope(self) -> Scope:
        return Scope(self._cloud, self._config)

    def _resource(self, token: str) -> sdk.Resource:
        return sdk.resource(self._package.sdk, token, self._cloud.folder.parent / "sdk")

    def _kind(self, urn: str) -> Kind:
        return self._package.kinds[_token(urn)]

    def _abort(self, context: Any, message: str) -> NoReturn:
        context.abort(grpc.StatusCode.UNKNOWN, f"{message} (SIMULATED {self._package.name})")
        raise AssertionError("unreachable")


class _Partial(Exception):  # noqa: N818
    """The resource exists, but differs from its inputs."""

    def __init__(self, resource: Stored, reason: str) -> None:
        super().__init__(reason)
        self.resource = resource


def _abort_in_part(context: Any, error: _Partial, places: Collection[Place]) -> NoReturn:
    """Report to the engine that the resource exists nevertheless, so that it becomes part of the state."""
    properties = encode(error.resource.state, places)
    detail = any_pb2.Any()
    detail.Pack(provider_pb2.ErrorResourceInitFailed(id=error.resource.id, properties=properties, reasons=[str(error)]))
    status = status_pb2.Status(code=grpc.StatusCode.UNKNOWN.value[0], message=str(error), details=[detail])
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(grpc.StatusCode.UNKNOWN, str(error))
    raise AssertionError("unreachable")


def _shaped(state: Any, shape: Any) -> Any:
    """Return the values of a state for the inputs in ``shape``, so that changes by others show as changes."""
    if isinstance(shape, dict) and isinstance(state, dict):
        values = {name: _shaped(state[name], value) for name, value in shape.items() if name in state}
        return {**values, "__defaults": shape["__defaults"]} if "__defaults" in shape else values
    if isinstance(shape, list) and isinstance(state, list) and len(shape) == len(state):
        return [_shaped(*pair) for pair in zip(state, shape, strict=True)]
    return state


def _token(urn: str) -> str:
    """Return the type of a resource, without those of its parents."""
    return urn.split("::")[2].rpartition("$")[2]
