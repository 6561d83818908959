"""The NVIDIA GPUs of this machine: their devices, their driver, what it says of them, and a job's script that looks."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pulumi_slurm.providers.gpu_driver import FOLDER
from pulumi_slurm.rules.gpu_types import short_type
from tests.slurmd.host import Host

DEVICE = Path("/dev/nvidia0")
LIBRARIES = ("libcuda.so.1", "libnvidia-ml.so.1", "libnvidia-ptxjitcompiler.so.1")
OPENED = 'for device in /dev/nvidia[0-9]*; do if (exec 3<"$device") 2>/dev/null; then echo "$device"; fi; done'
"""Prints the devices of GPUs that a job may open."""


@dataclass(frozen=True)
class DriverPlace:
    """Where a job finds the driver's programs and libraries."""

    programs: str
    libraries: str


GKE = DriverPlace(f"{FOLDER}/bin", f"{FOLDER}/lib64")
"""GKE's device plugin mounts the folder, and nothing tells the linker of it: `pulumi_slurm.providers.gpu_driver`."""
TOOLKIT = {
    "Debian's folder": DriverPlace("/usr/bin", "/usr/lib/x86_64-linux-gnu"),
    "the folder of other distributions": DriverPlace("/usr/bin", "/usr/lib64"),
}
"""NVIDIA's container toolkit, which ACK's nodes have, and which renews the linker's cache.

Source: copy_config in src/nvc_container.c of https://github.com/NVIDIA/libnvidia-container.
"""


class Gpus:
    """All of the machine's, which have to be alike."""

    @cached_property
    def _nvidia_smi(self) -> Path:
        return Path(shutil.which("nvidia-smi") or f"{FOLDER}/bin/nvidia-smi").resolve()

    @cached_property
    def _names(self) -> list[str]:
        return self.ask("gpu", "name")

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._names)

    @property
    def label(self) -> str:
        """The name as labels of nodes spell it, such as NVIDIA-H100-80GB-HBM3."""
        (name,) = {*self._names}
        return name.replace(" ", "-")

    @property
    def drivers_type(self) -> str:
        """The name as slurmd spells it, such as nvidia_h100_80gb_hbm3."""
        return self._names[0].replace(" ", "_").lower()

    @property
    def type(self) -> str:
        """What a specification should say, such as h100."""
        return short_type(self.label) or self.drivers_type

    def ask(self, subject: str, *fields: str) -> list[str]:
        """Return a line for each GPU, or each process on one: `nvidia-smi --help-query-gpu` has the fields."""
        query = (f"--query-{subject}={','.join(fields)}", "--format=csv,noheader,nounits")
        done = subprocess.run((self._nvidia_smi, *query), capture_output=True, text=True, check=True)
        return [line.strip() for line in done.stdout.splitlines() if line.strip()]

    def used_mib(self) -> int:
        """Return how much of their memory is taken."""
        return sum(map(int, self.ask("gpu", "memory.used")))

    def devices_in(self, host: Host) -> None:
        """Put the device files into a host, as a device plugin puts them into a pod."""
        devices = [str(path) for path in Path("/dev").glob("nvidia*")]
        subprocess.run(["cp", "--archive", *devices, f"{host.root}/dev/"], check=True)

    @contextlib.contextmanager
    def driver_in(self, host: Host, place: DriverPlace) -> Iterator[None]:
        """Have the driver at a place in a host, and nowhere else."""
        sources = {f"{place.libraries}/{name}": path for name in LIBRARIES if (path := _library(name))}
        sources[f"{place.programs}/nvidia-smi"] = self._nvidia_smi
        cached = host.root / "etc/ld.so.conf.d/driver.conf"
        if place != GKE:
            cached.write_text(f"{place.libraries}\n")
        try:
            for target, source in sources.items():
                host.write(target, source.read_bytes(), mode=0o755)
            host.run(["ldconfig"])
            yield
        finally:
            for target in sources:
                (host.root / target.lstrip("/")).unlink()
            cached.unlink(missing_ok=True)
            host.run(["ldconfig"])


def _library(name: str) -> Path | None:
    """Return a library of 64 bits, as the linker finds it, or where GKE has it; None where this driver has none."""
    cache = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    cached = re.findall(rf"^\s*{re.escape(name)} \(libc6,[^)]*\) => (\S+)$", cache, re.M)
    places = [Path(place) for place in (*cached, f"{GKE.libraries}/{name}")]
    return next((place for place in places if place.exists()), None)
