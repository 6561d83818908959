"""What the engine is asked for, with the options that `Registered` leaves out."""

from collections.abc import Callable, Mapping
from typing import Any

import pulumi

from ..conftest import Recorder, RecordingMonitor


def requests_of(program: Callable[[], Any], outputs: dict[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Run a program under mocks and return the requests that it made, by the name of the resource."""
    recorder = Recorder(outputs or {})
    monitor = RecordingMonitor(recorder)
    pulumi.runtime.set_mocks(recorder, project="slurm", stack="test", preview=False, monitor=monitor)
    pulumi.runtime.test(program)()  # type: ignore[no-untyped-call]
    return {request.name: request for request in monitor.requests}
