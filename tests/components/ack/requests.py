"""The requests to the engine for an ACK cluster, with the options that `Registered` doesn't have."""

from collections.abc import Callable, Mapping
from typing import Any

import pulumi

from tests.components.conftest import Recorder, recorded

SECRET = "4dabf18193072939515e22adb298388d"
"""The key that marks a secret on its way to the engine."""
CREDENTIAL = "alicloud:cs/getClusterCredential:getClusterCredential"


class Alibaba(Recorder):
    """Answers also the one question that `AckCluster` asks: for the certificate of whoever runs Pulumi."""

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        if args.token != CREDENTIAL:
            return super().call(args)
        assert "temporaryDurationMinutes" not in args.args, "each run would get another certificate"
        certificates = {"clusterCert": "Q0E=", "clientCert": "Q0VSVA==", "clientKey": "S0VZ"}
        return {"clusterId": args.args["clusterId"], "certificateAuthorities": [certificates]}, []


def requests_of(program: Callable[[], Any], outputs: dict[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Run a program under mocks and return its requests, by type and name of the resource."""
    requests = recorded(program, Alibaba(outputs or {})).requests
    return {f"{request.type.rpartition(':')[2]} {request.name}": request for request in requests}


def inputs_of(request: Any) -> Any:
    """Return a request's inputs."""
    return pulumi.runtime.rpc.deserialize_properties(request.object, keep_unknowns=True)
