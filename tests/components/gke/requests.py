"""The requests to the engine, with the options that `Registered` omits."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.components.conftest import Recorder, recorded


def requests_of(program: Callable[[], Any], outputs: dict[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Run a program under mocks and return the requests that it made, by the name of the resource."""
    return {request.name: request for request in recorded(program, Recorder(outputs or {})).requests}
