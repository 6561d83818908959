"""The one way of waiting in tests: for what comes by itself, such as pods that follow a changed object.

A test fails because of what it tests, never because a machine is slow. So the limit only guards against hanging, and
is the same for all that is waited for.
"""

import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar

T = TypeVar("T")
HANGS = float(os.environ.get("SECONDS_THAT_HANG", "600"))
"""Seconds after which what still hasn't come is taken to hang; fewer where a machine is there for minutes alone.

On two cores where three tiers run, pods of a whole stack take more than a minute. Some rounds are slow on any machine.
Kubernetes brings changed files into pods after a minute. slurmctld begins no health check and no ping before those
under way have ended, which it finds too slow after 100 s (PING_TIMEOUT in src/slurmctld/ping_nodes.c), and asks a node
whose job does not complete again after KillWait and two MessageTimeout, looked at each minute (_list_find_job_old in
src/slurmctld/job_mgr.c). kube-apiserver looks every five minutes at a CRD that it has lost on the way
to its end.
"""
PROMPT_PAUSE, SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 0.1, 1.5
"""Seconds between two looks."""
LONGEST_TEXT = 3000
"""Characters of what was seen last; of more, the beginning and the end are shown."""


class WaitedInVainError(AssertionError):
    """What was waited for has not come."""


def eventually(
    subject: str,
    look: Callable[[], T | None],
    until: Callable[[T], object] = bool,
    *,
    after_each: Callable[[], object] = lambda: None,
    promptly: bool = False,
) -> T:
    """Look until what is seen is as wanted, and return it.

    ``look`` returns the state of things and not just whether it is as wanted, so that the error can show what was seen
    last. None is never what is wanted. ``after_each`` is called after each look in vain; it raises an error where it is
    known that nothing will come any more. ``promptly`` is for what is over soon, such as an update to be interrupted.

    Raises:
        WaitedInVainError: where it doesn't come; the text has the subject and what was seen last.
    """
    seen = _last_seen(subject, look, lambda seen: seen is not None and until(seen), after_each, promptly)
    assert seen is not None
    return seen


def eventually_nothing(subject: str, look: Callable[[], object]) -> None:
    """Look until there is nothing of it; the error shows what stays."""
    _last_seen(f"no more {subject}", look, lambda seen: not seen, lambda: None, False)


def _last_seen(
    subject: str, look: Callable[[], T], until: Callable[[T], object], after_each: Callable[[], object], promptly: bool
) -> T:
    deadline = time.monotonic() + HANGS
    while True:
        began = time.monotonic()
        seen = look()
        if until(seen):
            return seen
        after_each()
        now = time.monotonic()
        if now > deadline:
            raise WaitedInVainError(f"this did not come within {HANGS:.0f} s: {subject}; last seen: {shown(seen)}")
        # Looks are to take a tenth of the time: tests beside this one feel those that start a process in a pod.
        time.sleep(PROMPT_PAUSE if promptly else min(max(10 * (now - began), SHORTEST_PAUSE), LONGEST_PAUSE))


def equals(wanted: object) -> Callable[[object], bool]:
    """Return an ``until``: what is seen is equal to this."""
    return lambda seen: seen == wanted


def has(part: object) -> Callable[[Container[Any]], bool]:
    """Return an ``until``: this is in what is seen."""
    return lambda seen: part in seen


def shown(seen: object) -> str:
    """Return what was seen in a short form: of Kubernetes's objects no more than says how they are."""
    text = _shown(seen)
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]} [...] {text[-half:]}"


def _shown(seen: object) -> str:
    if isinstance(seen, Mapping):
        if isinstance(seen.get("metadata"), Mapping):
            return ", ".join(_of_object(seen))
        return "{" + "; ".join(f"{_shown(key)}: {_shown(value)}" for key, value in seen.items()) + "}"
    if isinstance(seen, list | tuple):
        return "[" + "; ".join(map(_shown, seen)) + "]"
    if isinstance(seen, Set):
        return "{" + "; ".join(sorted(map(_shown, seen))) + "}"
    return repr(seen)


def _of_object(item: Mapping[str, Any]) -> Iterator[str]:
    metadata, status = item["metadata"], item.get("status") or {}
    # Kubernetes names the kind of its own objects only where they are asked for by name.
    yield "/".join(part for part in (item.get("kind"), metadata.get("namespace"), metadata.get("name")) if part)
    if "deletionTimestamp" in metadata:
        yield "is being deleted"
    if "phase" in status:
        yield status["phase"]
    yield from (f"{name}={value}" for name, value in status.items() if isinstance(value, int))
    for condition in status.get("conditions") or []:
        if condition.get("status") != "True":
            said = ": ".join(condition[name] for name in ("reason", "message") if condition.get(name))
            yield f"not {condition.get('type')} ({said})"
    yield from _of_containers([*status.get("initContainerStatuses", []), *status.get("containerStatuses", [])])


def _of_containers(statuses: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for status in statuses:
        for state, detail in (status.get("state") or {}).items():
            if state != "running":
                words = (detail.get(name) for name in ("reason", "exitCode", "message"))
                yield f"{status['name']} {state}: {' '.join(str(word) for word in words if word is not None)}"
