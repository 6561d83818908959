"""A cluster by kubectl, which knows each cloud's way to log in: what is in it, and programs in its pods."""

import contextlib
import errno
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi_slurm.user_error import UserError

SECONDS = 60
"""How long an answer may take."""
SECONDS_TO_LOG_IN = 60
"""How long kubectl may take in addition, as where a cloud's login asks in a browser."""
_INSTALL = "Install it: https://kubernetes.io/docs/tasks/tools/"
_LOG_IN = "See that `kubectl get namespaces` works with this context, and needs no login"
_ENDS_WITH_US = 'exec 3<&0; (read -r _ <&3; kill $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-'


class KubectlError(UserError):
    """kubectl couldn't do what it was asked for; ``str(error)`` is for people."""


@dataclass(frozen=True)
class Kubectl:
    """kubectl for one cluster."""

    context: str | None = None
    """The context of the kubeconfig; the current one by default."""
    kubeconfig: Path | None = None
    """As kubectl finds it by default."""

    @property
    def named(self) -> dict[str, str]:
        """What names the cluster, by kubectl's options, which are also the keys of a stack's file."""
        return {name: str(value) for name, value in vars(self).items() if value}

    def run(
        self,
        *arguments: str,
        stdin: bytes | Path = b"",
        into: Path | None = None,
        seconds: int = SECONDS,
        instead: str = "",
    ) -> bytes:
        """Run a command and return what it prints, or write that into a file; ``stdin`` is its input.

        ``seconds`` is how long a request may take; ``instead`` says what to do without kubectl.

        Raises:
            KubectlError: if there is no kubectl, if it fails, or if it has no end.
        """
        command = [*self.command(), f"--request-timeout={seconds}s", *arguments]
        with contextlib.ExitStack() as files:
            streams: dict[str, Any] = {"stdout": files.enter_context(into.open("wb")) if into else subprocess.PIPE}
            streams |= {"stdin": files.enter_context(stdin.open("rb"))} if isinstance(stdin, Path) else {"input": stdin}
            streams["timeout"] = seconds + SECONDS_TO_LOG_IN
            try:
                done = subprocess.run(command, stderr=subprocess.PIPE, check=True, **streams)
            except subprocess.CalledProcessError as error:
                raise _failed(error.stderr, error.returncode) from None
            except subprocess.TimeoutExpired as error:
                raise _endless(error.stderr or b"", streams["timeout"]) from None
            except OSError as error:
                raise _not_started(error, instead) from None
        return done.stdout or b""

    @contextlib.contextmanager
    def running(self, *arguments: str) -> Iterator[None]:
        """Run a command beside us, from when it prints something on.

        It ends with us, however we end: a shell beside it waits for the end of a pipe that only we hold open.

        Raises:
            KubectlError: if there is no kubectl, if it ends at once, or if it prints nothing.
        """
        if not shutil.which("kubectl"):
            raise _not_started(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
        with tempfile.TemporaryFile() as complaints:
            process = subprocess.Popen(
                ("sh", "-c", _ENDS_WITH_US, "sh", *self.command(), *arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                # Ctrl-C is for us, and we end it.
                start_new_session=True,
            )
            assert process.stdin
            assert process.stdout
            try:
                seconds = SECONDS + SECONDS_TO_LOG_IN
                in_time = select.select([process.stdout], [], [], seconds)[0]
                if not in_time or not os.read(process.stdout.fileno(), 1):
                    code = process.wait() if in_time else None
                    complaints.seek(0)
                    stderr = complaints.read()
                    raise _endless(stderr, seconds) if code is None else _failed(stderr, code)
                yield
            finally:
                process.terminate()
                process.stdin.close()
                process.stdout.close()
                process.wait()

    def get(self, kind: str, name: str, namespace: str) -> dict[str, Any]:
        """Return an object.

        Raises:
            KubectlError: if there is none, too.
        """
        return _read(self.run("get", kind, name, f"--namespace={namespace}", "--output=json"), "an object")

    def find(self, kind: str, name: str, namespace: str) -> dict[str, Any] | None:
        """Return an object, None where there is none."""
        printed = self.run("get", kind, name, f"--namespace={namespace}", "--output=json", "--ignore-not-found")
        return _read(printed, "an object") if printed.strip() else None

    def objects(self, kinds: Sequence[str], *options: str, instead: str = "") -> list[Any]:
        """Return the objects of these kinds; ``instead`` says what to do without kubectl.

        Raises:
            KubectlError: if there is no kubectl, or if it fails.
        """
        printed = self.run("get", ",".join(kinds), *options, "--output=json", instead=instead)
        items = _read(printed, "a List of objects", instead).get("items")
        if not isinstance(items, list):
            raise _other("a List of objects", instead)
        return items

    def command(self) -> list[str]:
        """Return how a command of kubectl for this cluster begins."""
        return ["kubectl", *(f"--{name}={value}" for name, value in self.named.items())]


def _read(printed: bytes, expected: str, instead: str = "") -> dict[str, Any]:
    try:
        data = json.loads(printed)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise _other(expected, instead)
    return data


def _other(expected: str, instead: str) -> KubectlError:
    return KubectlError(f"kubectl: it printed something else than {expected}{instead and f'. {instead}'}")


def _failed(stderr: bytes, code: int) -> KubectlError:
    return KubectlError(f"kubectl: {stderr.decode(errors='replace').strip() or f'it ended with {code}'}")


def _endless(stderr: bytes, seconds: int) -> KubectlError:
    text = stderr.decode(errors="replace").strip()
    return KubectlError(f"kubectl: no end after {seconds} s{f', but it said: {text}' if text else ''}. {_LOG_IN}")


def _not_started(error: OSError, instead: str = "") -> KubectlError:
    reason = (error.strerror or str(error)).lower()
    return KubectlError(f"kubectl: it can't be started: {reason}. {_INSTALL}{instead and f'. {instead}'}")
