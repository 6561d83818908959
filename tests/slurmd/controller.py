"""slurmctld on a host, from the files that slurm-operator would mount in its pod."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.waiting import has

Files = Mapping[str, str | bytes]
"""Files for /etc/slurm by name. Names that end in .key are secrets; see `KEYS`."""

KEYS: dict[str, str | bytes] = {"slurm.key": b"s" * 64, "jwt.key": b"j" * 64}
"""What is added when the files hold no key of that name."""


def configure(host: Host, files: Files, *, owner: str = "slurm") -> None:
    """Make these files, and keys, the whole content of /etc/slurm; `owner` is who may read the keys."""
    shutil.rmtree(host.root / "etc/slurm", ignore_errors=True)
    host.folder("/etc/slurm")
    for name, content in {**KEYS, **files}.items():
        key = name.endswith(".key")
        script = content[:2] in ("#!", b"#!")
        mode = 0o600 if key else 0o755 if script else 0o644
        host.write(f"/etc/slurm/{name}", content, mode=mode, owner=owner if key else "root")


class Controller:
    """slurmctld on one host; can be started many times, with other files each time."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.daemon: Daemon | None = None
        # Its pod has a /run of its own, where it may write.
        host.folder("/run", mode=0o1777)
        host.folder("/run/slurmctld", owner="slurm")
        host.folder("/var/log/slurm", owner="slurm")

    def start(self, files: Files, *, keep_state: bool = False, needs: Sequence[Daemon] = ()) -> Daemon:
        """End what ran before and start slurmctld with these files, and no state of before unless `keep_state`.

        Returns when it answers. Raises DaemonError with its complaints when it refuses the files, or with those of a
        daemon that it needs when that ends.
        """
        self.launch(files, keep_state=keep_state)
        assert self.daemon
        self.daemon.needs = needs
        self.daemon.eventually("answering", self.ping, has(" is UP"))
        return self.daemon

    def launch(self, files: Files, *, keep_state: bool = False) -> Daemon:
        """Like `start`, without waiting."""
        if self.daemon and keep_state:
            self.daemon.stop()
        elif self.daemon:
            # Its state is about to go, so there is nothing to save.
            self.daemon.kill()
        configure(self.host, files)
        state = state_folder(str(files["slurm.conf"]))
        if not keep_state:
            shutil.rmtree(self.host.root / state.lstrip("/"), ignore_errors=True)
        self.host.folder(state, mode=0o700, owner="slurm")
        self.daemon = self.host.start(["slurmctld", "-D"], user="slurm")
        return self.daemon

    def ping(self) -> str:
        """Return what a client on its host says of slurmctld."""
        return self.host.attempt(["scontrol", "ping"]).stdout

    def reconfigure(self, files: Files) -> None:
        """Change the files and have them read, as the operator's sidecar does."""
        configure(self.host, files)
        self.host.run(["scontrol", "reconfigure"])

    def stop(self) -> None:
        """End slurmctld; it saves its state."""
        if self.daemon:
            self.daemon.stop()
            self.daemon = None

    def kill(self) -> None:
        """End slurmctld at once, where nobody needs its state.

        24.11.5 was seen to hang when it was told to end just as it had begun to answer.
        """
        if self.daemon:
            self.daemon.kill()
            self.daemon = None


def state_folder(slurm_conf: str) -> str:
    """Return the folder of slurmctld's state, as the last line about it says."""
    locations = re.findall(r"^\s*StateSaveLocation\s*=\s*(\S+)", slurm_conf, re.M | re.I)
    return str(Path(locations[-1])) if locations else "/var/spool"
