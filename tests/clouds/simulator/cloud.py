"""A cloud as a folder: its resources, its settings, the faults that tests ask for, and what was done in which order.

The folder outlives the provider's process, as a cloud does. Several processes use it at once: each file is replaced as
a whole, and what reads before it writes holds a lock.
"""

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.clouds.simulator.wire import Values

ANY = "*"


@dataclass(frozen=True)
class Fault:
    """What goes wrong with a resource, the next ``times`` times.

    ``kind`` is one of those that the cloud knows, or "slow" (it takes ``seconds``), or "lost" (the cloud does it, and
    the answer never arrives).
    """

    kind: str
    type: str = ANY
    """The token's last part, such as NodePool, or the whole of it."""
    name: str = ANY
    operation: str = "create"
    times: int = 1
    seconds: float = 0.0

    def concerns(self, token: str, name: str, operation: str) -> bool:
        """Say whether it is about this."""
        return (
            self.type in {ANY, token, token.rpartition(":")[2]}
            and self.name in {ANY, name}
            and self.operation == operation
            and self.times > 0
        )


@dataclass
class Stored:
    """A resource that exists."""

    token: str
    id: str
    name: str
    state: Values
    """All its properties, as the provider reports them."""
    hidden: Values = field(default_factory=dict)
    """What only the cloud knows."""


class Cloud:
    """The cloud in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        (self.folder / "resources").mkdir(parents=True, exist_ok=True)

    # What there is

    def all(self, token: str | None = None) -> Iterator[Stored]:
        """Return the resources, or those of one kind."""
        name = token.rpartition(":")[2] if token else "[A-Za-z]*"
        for file in sorted((self.folder / "resources").glob(f"{name}-*.json")):
            try:
                found = Stored(**json.loads(file.read_text()))
            except FileNotFoundError:
                continue  # Removed meanwhile.
            if token in {None, found.token}:
                yield found

    def resources(self) -> dict[tuple[str, str], Values]:
        """Return the properties of all resources, by the last part of their type and by their name."""
        return {(each.token.rpartition(":")[2], each.name): each.state for each in self.all()}

    def find(self, type: str, name: str) -> Stored:  # noqa: A002
        """Return a resource that has to be there, by the last part of its type and by its name."""
        found = [each for each in self.all() if (each.token.rpartition(":")[2], each.name) == (type, name)]
        assert len(found) == 1, f"there are {len(found)} of {type} {name!r} among {sorted(self.resources())}"
        return found[0]

    def change(self, type: str, name: str, **properties: Any) -> None:  # noqa: A002
        """Change properties behind Pulumi's back."""
        with self.locked():
            found = self.find(type, name)
            found.state.update(properties)
            self.put(found)

    def get(self, token: str, resource_id: str) -> Stored | None:
        """Return a resource, or None where there is none."""
        try:
            return Stored(**json.loads(self._file(token, resource_id).read_text()))
        except FileNotFoundError:
            return None

    def put(self, resource: Stored) -> None:
        """Store a resource, new or changed."""
        _write(self._file(resource.token, resource.id), asdict(resource))

    def remove(self, resource: Stored) -> None:
        """Remove a resource, if it is there."""
        self._file(resource.token, resource.id).unlink(missing_ok=True)

    @contextmanager
    def locked(self, what: str = "resources") -> Iterator[None]:
        """Keep others out, in this process and in others; don't nest it for the same thing."""
        with (self.folder / f"{what}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def next_number(self) -> int:
        """Return a number that was never given out before. Call it under the lock."""
        number = int(self.settings.get("lastNumber", 1000)) + 1
        self.set(lastNumber=number)
        return number

    # What tests say

    @property
    def settings(self) -> Values:
        """What tests have set, and what has to be kept beside the resources."""
        found: Values = _read(self.folder / "settings.json", {})
        return found

    def set(self, **settings: Any) -> None:
        """Keep settings."""
        _write(self.folder / "settings.json", {**self.settings, **settings})

    def fault(self, kind: str, type: str = ANY, name: str = ANY, **more: Any) -> None:  # noqa: A002
        """Let something go wrong; see `Fault`."""
        with self.locked():
            _write(self._faults, [*_read(self._faults, []), asdict(Fault(kind, type, name, **more))])

    def heal(self) -> None:
        """Take back all faults."""
        self._faults.unlink(missing_ok=True)

    def take_fault(self, token: str, name: str, operation: str) -> Fault | None:
        """Return the first fault that concerns this, counted as having happened."""
        with self.locked():
            faults = [Fault(**each) for each in _read(self._faults, [])]
            for index, fault in enumerate(faults):
                if fault.concerns(token, name, operation):
                    faults[index] = Fault(**{**asdict(fault), "times": fault.times - 1})
                    _write(self._faults, [asdict(each) for each in faults])
                    return fault
        return None

    def all_faults_happened(self) -> bool:
        """Say whether nothing is left of the faults that tests have asked for; a slow one may still go on."""
        return all(each["times"] == 0 for each in _read(self._faults, []))

    # What was done

    def record(self, operation: str, token: str, name: str, began: float) -> None:
        """Note what was done, from when to when."""
        line = {"operation": operation, "type": token, "name": name, "began": began, "ended": time.time()}
        with (self.folder / "done.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")

    def done(self, operation: str | None = None) -> list[Values]:
        """Return what was done, in the order in which it ended."""
        file = self.folder / "done.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [line for line in lines if operation in {None, line["operation"]}]

    @property
    def _faults(self) -> Path:
        return self.folder / "faults.json"

    def _file(self, token: str, resource_id: str) -> Path:
        digest = hashlib.sha256(f"{token} {resource_id}".encode()).hexdigest()[:20]
        return self.folder / "resources" / f"{token.rpartition(':')[2]}-{digest}.json"


def _read(file: Path, default: Any) -> Any:
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return default


def _write(file: Path, content: Any) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{time.monotonic_ns()}")
    temporary.write_text(json.dumps(content, indent=1))
    temporary.rename(file)
