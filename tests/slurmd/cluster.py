"""A whole Slurm cluster on a site: MariaDB, slurmdbd, slurmctld, slurmrestd and nodes, on hosts named as their pods."""

from __future__ import annotations

from collections.abc import Mapping

from tests.slurmd.controller import KEYS, Controller, Files
from tests.slurmd.database import Accounting, start_mariadb
from tests.slurmd.differences import for_this_machine
from tests.slurmd.host import Host
from tests.slurmd.rest import RestApi
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker


class Cluster:
    """A cluster of a name in a namespace. Hosts are made when they are first asked for."""

    def __init__(self, site: Site, name: str = "c", namespace: str = "slurm") -> None:
        self.site = site
        self.name = name
        self.service = f"{name}-controller"
        self.server = f"{self.service}.{namespace}:6817"
        """Where slurmd asks for its configuration."""
        self.controller = Controller(site.host(f"{self.service}-0", [self.service, f"{self.service}.{namespace}"]))
        self.workers: dict[str, Worker] = {}
        self.mariadb: Host | None = None
        self.accounting: Accounting | None = None
        self.rest: RestApi | None = None

    def start_accounting(self, files: Files) -> None:
        """Start slurmdbd, with a database below it the first time."""
        if self.accounting is None:
            self.mariadb = start_mariadb(self.site)
            self.accounting = self.accounting_host()
        self.accounting.start(files)

    def accounting_host(self) -> Accounting:
        """Add the host of slurmdbd."""
        service = f"{self.name}-accounting"
        return Accounting(self.site.host(f"{service}-0", [service]))

    def start_controller(self, files: Files, *, keep_state: bool = False) -> None:
        """Start slurmctld."""
        slurmdbd = self.accounting.daemon if self.accounting else None
        needs = [slurmdbd] if slurmdbd and slurmdbd.running else []
        self.controller.start(for_this_machine(files), keep_state=keep_state, needs=needs)

    def refusal(self, files: Files, *, keep_state: bool = False) -> str:
        """Start slurmctld with files that it refuses, and return its errors once it has ended."""
        return self.controller.launch(for_this_machine(files), keep_state=keep_state).last_words()

    def reconfigure(self, files: Files) -> None:
        """Change slurmctld's files and have them read."""
        self.controller.reconfigure(for_this_machine(files))

    def start_rest(self, files: Files, *, accounting: bool = False) -> RestApi:
        """Start slurmrestd."""
        if self.rest is None:
            self.rest = RestApi(self.site.host(f"{self.name}-restapi"))
        self.rest.start(for_this_machine(files), accounting=accounting)
        return self.rest

    def start_workers(
        self,
        confs: Mapping[str, str],
        *,
        gpus: Mapping[str, int] | None = None,
        slurm_key: str | bytes = KEYS["slurm.key"],
    ) -> None:
        """Start nodes by name, each with the text of its --conf and a number of device files of GPUs; wait for them."""
        for name, conf in confs.items():
            if name not in self.workers:
                self.workers[name] = Worker(self.site, name)
                self.workers[name].gpus((gpus or {}).get(name, 0))
            self.workers[name].start(self.server, conf, slurm_key=slurm_key)
        for name in confs:
            # A job that is pending takes a node as soon as it is there.
            self._wait_for_state(name, "idle", "mixed", "allocated")

    def wait_idle(self, name: str) -> None:
        """Wait until a node is there and has no job, not even one that ends."""
        self._wait_for_state(name, "idle")

    def _wait_for_state(self, name: str, *states: str) -> None:
        daemon = self.workers[name].daemon
        assert daemon
        subject = f"being {' or '.join(states)} in Slurm"
        daemon.eventually(subject, lambda: self.node_state(name), lambda state: state in states)

    def node_state(self, name: str) -> str:
        """Return the state of a node as sinfo has it, "" when Slurm does not know it or slurmctld doesn't answer."""
        asked = self.controller.host.attempt(["sinfo", "--noheader", "--all", f"--nodes={name}", "--format=%T"])
        return asked.stdout.strip().partition("\n")[0]

    def nodes(self, partition: str) -> set[str]:
        """Return the names of the nodes in a partition."""
        return set(self.run("sinfo", "--noheader", "--Node", f"--partition={partition}", "--format=%N").split())

    def run(self, *command: str, user: str | None = None) -> str:
        """Run a client on the controller's host and return what it prints."""
        return self.controller.host.run(command, user=user)
