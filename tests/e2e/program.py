"""A Pulumi program in a folder of its own, run by the real engine, with its result as data."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devcluster.engine import Engine
from devcluster.environments import Packages, environment
from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from tests.e2e.warm.started import with_host

PARTS_OF_THE_PROGRAM = ("__main__.py", "stacks", "components", "policy", "Pulumi.yaml")
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """What one pulumi command did."""

    command: tuple[str, ...]
    code: int
    output: str
    events: Sequence[Mapping[str, Any]]
    raw_events: str = field(repr=False)

    @property
    def changes(self) -> dict[str, int]:
        """How many resources had which operation, those that stayed the same left out."""
        changes: dict[str, int] = {}
        for event in self.events:
            changes = event.get("summaryEvent", {}).get("resourceChanges") or changes
        return {operation: count for operation, count in changes.items() if operation != "same"}

    def resources(self, *operations: str) -> set[str]:
        """Return the names of the resources that had one of these operations."""
        names = set()
        for event in self.events:
            metadata = (event.get("resourcePreEvent") or event.get("resOutputsEvent") or {}).get("metadata", {})
            if metadata.get("op") in operations:
                names.add(metadata["urn"].rpartition("::")[2])
        return names

    @property
    def replaced(self) -> set[str]:
        """The names of the resources that were deleted, or made a second time."""
        return self.resources("replace", "create-replacement", "delete-replaced", "delete")

    def __str__(self) -> str:
        return f"$ pulumi {' '.join(self.command)}\n(exit code {self.code})\n{self.output}"


class Program:
    """One stack of one program: its folder, its settings, and a Pulumi home and backend for it alone.

    It is the program at the repository's root, unless ``source`` says otherwise, by file name. It runs in an
    environment with ``packages``, not in that of the tests, which has more. Language hosts and plugins that the
    embedded engine has not are in the folders ``plugins``. It begins ``warm``, see `tests.e2e.warm`.
    """

    def __init__(
        self,
        tools: Toolchain,
        folder: Path,
        kubeconfig: Path | None,
        *,
        stack: str = "local",
        context: str | None = None,
        source: Mapping[str, str] | None = None,
        packages: Packages = Packages.BASE,
        plugins: Sequence[Path] = (),
        warm: bool = True,
    ) -> None:
        self.tools = tools
        self.folder = folder / "program"
        self.home = folder / "home"
        self.kubeconfig = kubeconfig
        self.stack = stack
        self.context = context
        self.plugins = plugins
        self.packages = packages
        self.python = environment(packages)
        self.warm = warm and not tools.official
        self.folder.mkdir(parents=True)
        if source is None:
            for name in PARTS_OF_THE_PROGRAM:
                (self.folder / name).symlink_to(CHECKOUT / name)
        for name, text in (source or {}).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        self._runs = 0
        self.settings: Settings = {}
        """What the settings file has."""

    def configure(self, settings: Settings) -> None:
        """Write the stack's settings file, as its user would."""
        self.settings = json.loads(json.dumps(settings))
        (self.folder / f"Pulumi.{self.stack}.yaml").write_text(json.dumps({"config": settings}, indent=1))

    @property
    def engine(self) -> Engine:
        """A fresh engine, which reads the settings anew."""
        engine = Engine(self.tools, self.home, self.folder, self.stack, self.kubeconfig, context=self.context)
        # Without it the engine has no --event-log.
        engine.env["PULUMI_DEBUG_COMMANDS"] = "true"
        engine.env["PATH"] = os.pathsep.join(map(str, [self.python.parent, engine.env["PATH"], *self.plugins]))
        if not engine.pulumi_home.exists():
            engine.pulumi_home.mkdir(parents=True)
            # It logs all that it does into files of this folder, which takes a third of its processor time.
            (engine.pulumi_home / "logs").touch()
        if self.warm:
            engine.env.update(with_host(self.packages))
        return engine

    @property
    def state(self) -> Path:
        """The folder of the file backend."""
        return self.home / "state"

    def command(self, engine: Engine, *arguments: str) -> list[str]:
        """Return the command line of a command that a test runs by itself, for example to kill it."""
        engine.prepare()
        options = ["--cwd", str(self.folder), "--stack", self.stack, "--config-file", str(engine.settings)]
        return [str(self.tools.binary("pulumi")), *arguments, *options]

    def run(self, *arguments: str, check: bool = True) -> Run:
        """Run a pulumi command; one that fails is an error that shows its output."""
        self._runs += 1
        log = self.home / f"events-{self._runs}.json"
        log_options = ("--event-log", str(log)) if arguments[0] in {"up", "preview", "refresh", "destroy"} else ()
        process = self.engine.run(*arguments, *log_options)
        raw = log.read_text() if log.exists() else ""
        events = [json.loads(line) for line in raw.splitlines()]
        run = Run(arguments, process.returncode, process.stdout + process.stderr, events, raw)
        assert run.code == 0 or not check, str(run)
        return run

    def up(self, settings: Settings | None = None, *arguments: str, check: bool = True) -> Run:
        """Run `pulumi up`, with other settings if they are given."""
        if settings is not None:
            self.configure(settings)
        return self.run("up", "--yes", "--skip-preview", *arguments, check=check)

    def preview(self, settings: Settings | None = None, *arguments: str, check: bool = True) -> Run:
        """Run `pulumi preview`, with other settings if they are given."""
        if settings is not None:
            self.configure(settings)
        return self.run("preview", *arguments, check=check)

    def refresh(self, *arguments: str) -> Run:
        """Run `pulumi refresh`."""
        return self.run("refresh", "--yes", "--skip-preview", *arguments)

    def destroy(self, *arguments: str) -> Run:
        """Run `pulumi destroy`."""
        return self.run("destroy", "--yes", "--skip-preview", *arguments)

    def outputs(self) -> dict[str, Any]:
        """Return the stack's outputs."""
        outputs: dict[str, Any] = json.loads(self.run("stack", "output", "--json").output)
        return outputs

    def root_key(self) -> str:
        """Return the root key that the launcher made for the stack."""
        return self.run("config", "get", "slurm:rootKey").output.strip()

    def resources(self) -> list[dict[str, Any]]:
        """Return the resources in the stack's state, which the embedded engine has in a file, without secrets."""
        state = json.loads(self.engine.state.read_text())
        resources: list[dict[str, Any]] = (state["checkpoint"].get("latest") or {}).get("resources") or []
        return resources


def without_pulumi_settings() -> None:
    """Remove variables of the person's own Pulumi and Kubernetes settings from this process."""
    for name in [name for name in os.environ if name.startswith("PULUMI_") and name != "PULUMI_SLURM_CACHE"]:
        del os.environ[name]
    for name in ("KUBECONFIG", "VIRTUAL_ENV"):
        os.environ.pop(name, None)
