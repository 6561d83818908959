"""Slurm nodes: slurmd on hosts of their own, with the arguments that slurm-operator gives it."""

from __future__ import annotations

from tests.slurmd.controller import KEYS
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.slurmd.site import Site


class Worker:
    """One dynamic node, which takes its configuration from slurmctld."""

    def __init__(self, site: Site, name: str) -> None:
        self.host: Host = site.host(name)
        self.daemon: Daemon | None = None
        for folder in ("/var/spool/slurmd", "/var/log/slurm", "/run/slurm"):
            self.host.folder(folder)

    def gpus(self, count: int) -> None:
        """Put device files of NVIDIA GPUs there, without devices behind them."""
        for number in range(count):
            self.host.run(["mknod", "--mode=666", f"/dev/nvidia{number}", "c", "195", str(number)])

    def start(self, server: str, conf: str, *, slurm_key: str | bytes = KEYS["slurm.key"]) -> Daemon:
        """End what ran before and start slurmd.

        `server` is slurmctld's address, `conf` what stands between the quotes of --conf.
        """
        if self.daemon:
            self.daemon.stop()
        self.host.write("/etc/slurm/slurm.key", slurm_key, mode=0o600)
        self.daemon = self.host.start(["slurmd", "-D", "-Z", "--conf-server", server, "--conf", conf])
        return self.daemon
