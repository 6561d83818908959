"""Waiting for what happens in pods."""

from collections.abc import Callable
from typing import TypeVar

from tests.e2e import waiting

T = TypeVar("T")
LONG = 300.0
"""Seconds for all that is waited for: more than the slowest rounds that it can take.

Kubernetes brings changed files into pods after a minute. slurmctld begins no health check and no ping before those
under way have ended, which it finds too slow after 100 s (PING_TIMEOUT in src/slurmctld/ping_nodes.c), and asks a node
whose job does not complete again after KillWait and two MessageTimeout, looked at each minute (_list_find_job_old in
src/slurmctld/job_mgr.c).
"""
PAUSE = 1.0
"""Seconds between two looks. A look starts a process in a container, which the tests beside these feel."""


def eventually(subject: str, check: Callable[[], T]) -> T:
    """Return the first result that is true; what never comes is an error that names it and the last result."""
    return waiting.eventually(subject, check, LONG, PAUSE)
