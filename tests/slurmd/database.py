"""MariaDB and slurmdbd, each on a host of its own, as accounting of one cluster or several."""

from __future__ import annotations

from pulumi_slurm.manifests.database import MY_CNF
from tests.slurmd.controller import Files, configure
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host, succeeded
from tests.slurmd.site import Site
from tests.waiting import has

DATA = "/var/lib/mysql"
SOCKET = "/tmp/mariadb.sock"
PORT = 6819
USER, PASSWORD, NAME = "slurm", "of-the-database", "slurm_acct_db"
# Ours, without which slurmdbd exits at a conflict of two writes; and as for a database of a few rows that is thrown
# away: small, and nothing waits for a disk. Of an option that stands twice the last one counts.
SETTINGS = (
    *(f"--{line}" for line in MY_CNF.splitlines() if "=" in line),
    *("--innodb-log-file-size=4M", "--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0"),
)
PERMISSIONS = f"""\
CREATE DATABASE {NAME};
CREATE USER '{USER}'@'%' IDENTIFIED BY '{PASSWORD}';
GRANT ALL ON {NAME}.* TO '{USER}'@'%';
"""


def start_mariadb(site: Site, name: str = "mariadb") -> Host:
    """Add a host with an empty MariaDB, in which `USER` may do everything in database `NAME`."""
    host = site.host(name)
    host.folder(DATA, mode=0o700, owner="slurm")
    host.run(
        [
            "mariadb-install-db",
            f"--datadir={DATA}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            *SETTINGS,
        ],
        user="slurm",
    )
    daemon = host.start(
        ["mariadbd", f"--datadir={DATA}", "--bind-address=0.0.0.0", f"--socket={SOCKET}", *SETTINGS], user="slurm"
    )
    client = ["mariadb", "--user=root", f"--socket={SOCKET}"]
    daemon.eventually("answering", lambda: host.attempt([*client, "--execute=SELECT 1"]), succeeded)
    host.run([*client, f"--execute={PERMISSIONS}"])
    return host


class Accounting:
    """slurmdbd on one host."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.daemon: Daemon | None = None
        host.folder("/run", mode=0o1777)

    def start(self, files: Files) -> Daemon:
        """End what ran before and start slurmdbd with these files; return when it answers."""
        daemon = self.launch(files)
        daemon.eventually("listening", self.host.ports, has(PORT))
        return daemon

    def launch(self, files: Files) -> Daemon:
        """Like `start`, without waiting."""
        self.stop()
        configure(self.host, files)
        # slurmdbd refuses a file with a password that others may read.
        self.host.write("/etc/slurm/slurmdbd.conf", files["slurmdbd.conf"], mode=0o600, owner="slurm")
        self.daemon = self.host.start(["slurmdbd", "-D"], user="slurm")
        return self.daemon

    def stop(self) -> None:
        """End slurmdbd."""
        if self.daemon:
            self.daemon.stop()
            self.daemon = None
