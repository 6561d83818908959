"""A cloud as a folder: its resources, its settings, the faults that tests inject, and a log of operations.

The folder outlives the provider's process, as a cloud does. Several processes use it at once: files are replaced
atomically, and code that reads before it writes takes a lock.
"""

import fcntl
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from devcluster import json_files
from tests.clouds.simulator.wire import Values

ANY = "*"


@dataclass(frozen=True)
class Fault:
    """A failure of operations on a resource, the next ``times`` times.

    ``kind`` is one of the faults of the cloud, or "slow" (the operation takes ``seconds``), or "lost" (the cloud
    completes the operation, but the response never arrives).
    """

    kind: str
    type: str = ANY
    """The token's last part, such as NodePool, or the whole of it."""
    name: str = ANY
    operation: str = "create"
    times: int = 1
    seconds: float = 0.0

    def concerns(self, token: str, name: str, operation: str) -> bool:
        """Return whether it applies to this operation."""
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
    """Properties that the provider doesn't report."""


class Cloud:
    """The cloud in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        (self.folder / "resources").mkdir(parents=True, exist_ok=True)

    # Resources

    def all(self, token: str | None = None) -> Iterator[Stored]:
        """Return the resources, or those of one type."""
        name = token.rpartition(":")[2] if token else "[A-Za-z]*"
        for file in sorted((self.folder / "resources").glob(f"{name}-*.json")):
            try:
                resource = Stored(**json.loads(file.read_text()))
            except FileNotFoundError:
                continue  # Removed meanwhile.
            if token in {None, resource.token}:
                yield resource

    def resources(self) -> dict[tuple[str, str], Values]:
        """Return the properties of all resources, by the last part of their type and by their name."""
        return {(resource.token.rpartition(":")[2], resource.name): resource.state for resource in self.all()}

    def find(self, type: str, name: str) -> Stored:  # noqa: A002
        """Return a resource that has to exist, by the last part of its type and by its name."""
        resources = [
            resource for resource in self.all() if (resource.token.rpartition(":")[2], resource.name) == (type, name)
        ]
        assert len(resources) == 1, f"there are {len(resources)} of {type} {name!r} among {sorted(self.resources())}"
        return resources[0]

    def change(self, type: str, name: str, **properties: Any) -> None:  # noqa: A002
        """Change properties without Pulumi."""
        with self.locked():
            resource = self.find(type, name)
            resource.state.update(properties)
            self.put(resource)

    def get(self, token: str, resource_id: str) -> Stored | None:
        """Return a resource, or None if it doesn't exist."""
        try:
            return Stored(**json.loads(self._file(token, resource_id).read_text()))
        except FileNotFoundError:
            return None

    def put(self, resource: Stored) -> None:
        """Store a resource, new or changed."""
        json_files.write(self._file(resource.token, resource.id), asdict(resource))

    def remove(self, resource: Stored) -> None:
        """Remove a resource, if it exists."""
        self._file(resource.token, resource.id).unlink(missing_ok=True)

    @contextmanager
    def locked(self, name: str = "resources") -> Iterator[None]:
        """Take a lock, which excludes this process and others; don't nest it for the same name."""
        with (self.folder / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def next_number(self) -> int:
        """Return a number that was never returned before. Call it under the lock."""
        number = int(self.settings.get("lastNumber", 1000)) + 1
        self.set(lastNumber=number)
        return number

    # Settings and faults

    @property
    def settings(self) -> Values:
        """Settings of tests, and data to keep in addition to the resources."""
        settings: Values = json_files.read(self.folder / "settings.json", {})
        return settings

    def set(self, **settings: Any) -> None:
        """Add or change settings."""
        json_files.write(self.folder / "settings.json", {**self.settings, **settings})

    def fault(self, kind: str, type: str = ANY, name: str = ANY, **fields: Any) -> None:  # noqa: A002
        """Inject a fault; see `Fault`."""
        with self.locked():
            json_files.write(
                self._faults, [*json_files.read(self._faults, []), asdict(Fault(kind, type, name, **fields))]
            )

    def heal(self) -> None:
        """Remove all faults."""
        self._faults.unlink(missing_ok=True)

    def take_fault(self, token: str, name: str, operation: str) -> Fault | None:
        """Return the first fault that applies to this operation, and count it as having happened."""
        with self.locked():
            faults = [Fault(**fields) for fields in json_files.read(self._faults, [])]
            for index, fault in enumerate(faults):
                if fault.concerns(token, name, operation):
                    faults[index] = Fault(**{**asdict(fault), "times": fault.times - 1})
                    json_files.write(self._faults, [asdict(item) for item in faults])
                    return fault
        return None

    def faults_to_come(self) -> list[Values]:
        """Return the injected faults that have not happened; a slow one that has may still go on."""
        return [fields for fields in json_files.read(self._faults, []) if fields["times"] != 0]

    # The log of operations

    def record(self, operation: str, token: str, name: str, began: float) -> None:
        """Record an operation, with its start and end."""
        line = {"operation": operation, "type": token, "name": name, "began": began, "ended": time.time()}
        with (self.folder / "done.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")

    def done(self, operation: str | None = None) -> list[Values]:
        """Return the operations, in the order in which they ended."""
        file = self.folder / "done.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [line for line in lines if operation in {None, line["operation"]}]

    @property
    def _faults(self) -> Path:
        return self.folder / "faults.json"

    def _file(self, token: str, resource_id: str) -> Path:
        digest = hashlib.sha256(f"{token} {resource_id}".encode()).hexdigest()[:20]
        return self.folder / "resources" / f"{token.rpartition(':')[2]}-{digest}.json"
