"""The engine's side of the plugin protocol, for tests that need no program."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import grpc  # type: ignore[import-untyped]
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc, status_pb2

from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.provider import Package
from tests.clouds.simulator.serve import serve
from tests.clouds.simulator.wire import Place, Values, decode, encode


class RefusedError(Exception):
    """What the provider answers in place of a result."""

    def __init__(self, message: str, init: Any = None) -> None:
        super().__init__(message)
        self.init = init
        """The resource that exists all the same, or None."""


@dataclass
class Made:
    """A resource as the engine knows it."""

    token: str
    inputs: Values
    state: Values
    id: str
    secrets: set[Place] = field(default_factory=set)


class EngineClient:
    """Talks to a provider over its port."""

    def __init__(self, package: Package, cloud: Cloud, **config: str) -> None:
        self._server, port = serve(package, cloud)
        self._channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self._stub = provider_pb2_grpc.ResourceProviderStub(self._channel)
        self._stub.Configure(provider_pb2.ConfigureRequest(args=encode(config), acceptSecrets=True))

    def __enter__(self) -> "EngineClient":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._channel.close()
        self._server.stop(None)

    def check(self, token: str, inputs: Values, old: Values | None = None) -> tuple[Values, dict[str, str]]:
        """Return the inputs with what the provider fills in, and what is wrong by its place."""
        request = provider_pb2.CheckRequest(urn=_urn(token), news=encode(inputs), olds=encode(old or {}))
        answer = self._stub.Check(request)
        return decode(answer.inputs)[0], {failure.property: failure.reason for failure in answer.failures}

    def create(self, token: str, secrets: set[Place] | None = None, **inputs: Any) -> Made:
        """Check and make a resource."""
        checked, wrong = self.check(token, inputs)
        assert not wrong, wrong
        properties = encode(checked, secrets or ())
        answer = self._call("Create", provider_pb2.CreateRequest(urn=_urn(token), properties=properties))
        state, secret = decode(answer.properties)
        return Made(token, checked, state, answer.id, secret)

    def foresee(self, token: str, **inputs: Any) -> Values:
        """Return what a preview of a create says."""
        checked, wrong = self.check(token, inputs)
        assert not wrong, wrong
        request = provider_pb2.CreateRequest(urn=_urn(token), properties=encode(checked), preview=True)
        return decode(self._call("Create", request).properties)[0]

    def diff(self, made: Made, **changes: Any) -> Any:
        """Return the provider's answer to changed inputs; None takes an input away."""
        return self._call("Diff", self._changed(made, changes)[1])

    def update(self, made: Made, **changes: Any) -> Made:
        """Change a resource in place."""
        inputs, diff = self._changed(made, changes)
        request = provider_pb2.UpdateRequest(
            urn=diff.urn, id=diff.id, olds=diff.olds, news=diff.news, old_inputs=diff.old_inputs
        )
        answer = self._call("Update", request)
        state, secret = decode(answer.properties)
        return Made(made.token, inputs, state, made.id, secret)

    def read(self, made: Made) -> tuple[Values, Values] | None:
        """Return inputs and state as a refresh sees them, or None for what is gone."""
        request = provider_pb2.ReadRequest(
            urn=_urn(made.token), id=made.id, properties=encode(made.state), inputs=encode(made.inputs)
        )
        answer = self._call("Read", request)
        return (decode(answer.inputs)[0], decode(answer.properties)[0]) if answer.id else None

    def delete(self, made: Made) -> None:
        """Delete a resource."""
        properties = encode(made.state)
        self._call("Delete", provider_pb2.DeleteRequest(urn=_urn(made.token), id=made.id, properties=properties))

    def cancel(self) -> None:
        """Ask the provider to give up what it is doing."""
        self._call("Cancel", empty_pb2.Empty())

    def invoke(self, token: str, **arguments: Any) -> Values:
        """Ask a data source."""
        request = provider_pb2.InvokeRequest(tok=token, args=encode(arguments))
        return decode(getattr(self._call("Invoke", request), "return"))[0]

    def _changed(self, made: Made, changes: Mapping[str, Any]) -> tuple[Values, Any]:
        stated = {name: value for name, value in made.inputs.items() if name not in made.inputs["__defaults"]}
        stated.pop("__defaults", None)
        wanted = {name: value for name, value in {**stated, **changes}.items() if value is not None}
        checked, wrong = self.check(made.token, wanted, made.inputs)
        assert not wrong, wrong
        return checked, provider_pb2.DiffRequest(
            urn=_urn(made.token),
            id=made.id,
            olds=encode(made.state),
            news=encode(checked),
            old_inputs=encode(made.inputs),
        )

    def _call(self, name: str, request: Any) -> Any:
        try:
            return getattr(self._stub, name)(request)
        except grpc.RpcError as error:
            raise _refused(error) from error


def _refused(error: Any) -> RefusedError:
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(value)
            init = provider_pb2.ErrorResourceInitFailed()
            status.details[0].Unpack(init)
            return RefusedError(status.message, init)
    return RefusedError(error.details())


def _urn(token: str) -> str:
    name = re.sub(r".*:", "", token).lower()
    return f"urn:pulumi:stack::project::{token}::{name}"
