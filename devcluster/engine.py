"""Pulumi, ready to run: the environment, the state, the passphrase and the settings of one stack.

State and keys lie in a folder of ours, outside the checkout. A person who has chosen a backend by PULUMI_BACKEND_URL
keeps it, with the own passphrase and the own settings file, for every stack but `local`, whose cluster is throwaway.
"""

from __future__ import annotations

import base64
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from devcluster import settings
from devcluster.environments import Packages, environment
from devcluster.errors import DevclusterError, Terminated
from devcluster.folders import CHECKOUT
from devcluster.parts import LANGUAGE_HOST
from devcluster.processes import end_with_environment
from devcluster.toolchain import Toolchain

HOME = "PULUMI_HOME"
TAKES_SETTINGS = frozenset({"up", "update", "preview", "refresh", "destroy", "config", "import"})
_PYTHON_OF_PACKS = "PULUMI_SLURM_POLICY_PYTHON"
"""The variable by which `language_host` knows the Python of policy packs. It needs Pulumi, as this module doesn't."""


class Engine:
    """Runs pulumi for one stack of the program in `checkout`."""

    def __init__(
        self,
        tools: Toolchain,
        home: Path,
        checkout: Path,
        stack: str,
        kubeconfig: Path | None,
        *,
        context: str | None = None,
    ) -> None:
        self.tools = tools
        self.home = home.absolute()
        self.checkout = checkout.absolute()
        self.stack = stack
        self._pulumi = str(tools.binary("pulumi"))
        self._foreign = stack != "local" and "PULUMI_BACKEND_URL" in os.environ
        self._own_settings = self.checkout / f"Pulumi.{stack}.yaml"
        self._folder = self.home / "settings" / stack
        self.env = self._environment(kubeconfig, context)
        self._prepared = False

    @property
    def settings(self) -> Path:
        """The settings file that the engine is given."""
        return self._own_settings if self._foreign else self._folder / f"Pulumi.{self.stack}.yaml"

    @property
    def exists(self) -> bool:
        """Whether the stack has been made in our own backend."""
        return self.state.exists()

    @property
    def state(self) -> Path:
        """The file with the stack's state in our own backend."""
        project = settings.read(self.checkout / "Pulumi.yaml")
        return self.home / "state" / ".pulumi" / "stacks" / str(project.get("name")) / f"{self.stack}.json"

    def run(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a pulumi command and return its result with the output captured."""
        self.prepare()
        done = self._run(self._command(arguments), stdin, self._environment_for(arguments))
        if done.returncode == 0 and _removes(arguments):
            self._remove()
        return done

    def stream(self, *arguments: str) -> int:
        """Run a pulumi command on the person's terminal and return its exit code."""
        self.prepare()
        code = None
        with subprocess.Popen(self._command(arguments), env=self._environment_for(arguments)) as process:
            while code is None:
                try:
                    code = process.wait()
                except Terminated:
                    process.terminate()
                except KeyboardInterrupt:
                    # Ctrl-C has reached pulumi as well, which then ends in order: it is waited for, not killed.
                    continue
        if code == 0 and _removes(arguments):
            self._remove()
        return code

    def prepare(self) -> None:
        """Make what is missing: passphrase, stack, settings and root key; cheap when all is there."""
        if self._prepared and (self._foreign or self.exists):
            return
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._foreign:
            self._must("stack", "select", "--create", self.stack, folder=self.checkout)
        else:
            self._prepare_own()
        self._prepared = True

    def release(self) -> None:
        """Remove what a killed engine left behind; only for a caller that knows no other run is going on."""
        if self._foreign:
            return
        # Its plugins look only now and then whether it still lives.
        end_with_environment(HOME, str(self.pulumi_home))
        state = self.home / "state" / ".pulumi"
        # The engine writes these beside its states, and not at once as it does these. An empty one, of a kill in
        # between, it can't read; none at all is fine.
        for attributes in state.rglob("*.attrs"):
            if attributes.stat().st_size == 0:
                attributes.unlink()
        if any((state / "locks").rglob("*.json")):
            self._must("cancel", "--yes", "--stack", self.stack, folder=self._folder)

    @property
    def pulumi_home(self) -> Path:
        """The folder for what Pulumi keeps besides states: plugins, logs."""
        return self.home / "pulumi-home"

    def _prepare_own(self) -> None:
        (self.home / "state").mkdir(exist_ok=True)
        self._folder.mkdir(parents=True, exist_ok=True)
        passphrase = self.home / "passphrase"
        if not passphrase.exists():
            with os.fdopen(os.open(passphrase, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(secrets.token_urlsafe(32))
        project = settings.read(self.checkout / "Pulumi.yaml")
        if "name" not in project:
            raise DevclusterError(f"{self.checkout} holds no Pulumi program: there is no Pulumi.yaml with a name")
        copy = settings.refresh(self._own_settings, self.settings)
        if not self.exists:
            # In a folder of its own, because pulumi writes the new stack's salt beside the Pulumi.yaml it finds.
            (self._folder / "Pulumi.yaml").write_text(f"name: {project['name']}\nruntime: python\n")
            self._must("stack", "init", self.stack, folder=self._folder)
        if settings.ROOT_KEY not in copy["config"]:
            key = base64.b64encode(secrets.token_bytes(32)).decode()
            command = ("config", "set", "--secret", settings.ROOT_KEY)
            # Through stdin: what stands in arguments can be read by every user of the machine.
            done = self._run(self._command(command), key)
            if done.returncode:
                raise DevclusterError(f"pulumi cannot set {settings.ROOT_KEY}: {_last_line(done)}")

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        where = ["--cwd", str(self.checkout)]
        command = [self._pulumi, *where, *(item for item in arguments if item != "--remove")]
        if arguments[0] != "version":
            command += ["--stack", self.stack]
        if arguments[0] in TAKES_SETTINGS and not self._foreign:
            command += ["--config-file", str(self.settings)]
        return command

    def _remove(self) -> None:
        """Remove the stack; by itself pulumi would delete the checkout's settings file along with it."""
        self._must("stack", "rm", "--yes", "--preserve-config", self.stack, folder=self.checkout)

    def _must(self, *arguments: str, folder: Path) -> None:
        done = self._run([self._pulumi, "--cwd", str(folder), "--non-interactive", *arguments], None)
        if done.returncode:
            raise DevclusterError(f"pulumi {' '.join(arguments[:2])} failed: {_last_line(done)}")

    def _run(
        self, command: list[str], stdin: str | None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=env or self.env,
            input=stdin if stdin is not None else "",
            capture_output=True,
            text=True,
            check=False,
        )

    def _environment_for(self, arguments: Sequence[str]) -> Mapping[str, str]:
        """Return the environment of a command; with policy packs it names a Python that has their packages.

        An official pulumi makes an environment in the pack's folder, where PulumiPolicy.yaml has it.
        """
        if self.tools.official or not any(word.startswith("--policy-pack") for word in arguments):
            return self.env
        return {**self.env, _PYTHON_OF_PACKS: str(environment(Packages.POLICY))}

    def _environment(self, kubeconfig: Path | None, context: str | None) -> dict[str, str]:
        env = dict(os.environ)
        # The venv first: the embedded language host takes `python` from PATH, for itself and for the program.
        folders = [Path(sys.executable).parent, *self.tools.search_path]
        env["PATH"] = os.pathsep.join([*map(str, folders), env.get("PATH", "")])
        env["PULUMI_SKIP_UPDATE_CHECK"] = "true"
        env.pop("PULUMI_IGNORE_AMBIENT_PLUGINS", None)
        if not self.tools.official:
            env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "true"
            env[LANGUAGE_HOST] = str(CHECKOUT / "devcluster" / "language_host.py")
        if not self._foreign:
            for name in ("PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK", "PULUMI_ACCESS_TOKEN"):
                env.pop(name, None)
            env[HOME] = str(self.pulumi_home)
            env["PULUMI_BACKEND_URL"] = f"file://{self.home / 'state'}"
            env["PULUMI_CONFIG_PASSPHRASE_FILE"] = str(self.home / "passphrase")
        if kubeconfig:
            env["KUBECONFIG"] = str(kubeconfig)
        if context:
            env["KUBE_CONTEXT"] = context
        return env


def _removes(arguments: tuple[str, ...]) -> bool:
    return arguments[0] == "destroy" and "--remove" in arguments


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return next((line for line in reversed(lines) if line.startswith("error")), (lines or ["no output"])[-1])
