"""Clusters on a site from what the operator has made: slurmdbd, the Jobs for QoS and accounts, slurmctld."""

from __future__ import annotations

import re

from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.database import SOCKET, start_mariadb
from tests.slurmd.differences import with_device_files
from tests.slurmd.operated.fitted import fitted
from tests.slurmd.operated.operator import Made
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.sacctmgr import SacctmgrPod, with_named_qos
from tests.slurmd.site import Site

CLIENT = ("mariadb", "--user=root", f"--socket={SOCKET}")


class Running:
    """One site, on which one cluster after another runs; they share a MariaDB, which each finds as it names it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.sacctmgr = SacctmgrPod(site)
        self._mariadb = start_mariadb(site)

    def start(self, made: Made) -> Cluster:
        """Start slurmdbd, if there is one, and slurmctld, in the order of `SlurmCluster`."""
        spec = made.spec
        cluster = Cluster(self.site, spec.name, spec.namespace)
        if spec.accounting:
            self._start_accounting(cluster, made)
            self.sacctmgr.run_job(spec, "qos", qos_script(with_named_qos(spec)))
        files = self.fitted(made, made.slurmctld)
        kinds, numbers = gpus(made)
        cluster.start_controller(with_device_files(files, numbers, *kinds) if numbers else files)
        return cluster

    def set_accounts(self, made: Made) -> None:
        """Run the Job that comes after slurmctld."""
        self.sacctmgr.run_job(made.spec, "accounts", accounts_script(made.spec))

    def start_workers(self, cluster: Cluster, made: Made) -> None:
        """Start slurmd with the arguments that the operator gave to the workers' pods."""
        confs = {}
        for name, words in made.workers.items():
            confs[name] = words[-1]
            # What `Worker.start` calls slurmd with.
            assert words == ["-Z", "--conf-server", cluster.server, "--conf", confs[name]]
        cluster.start_workers(confs, gpus=gpus(made)[1])

    def stop(self, cluster: Cluster) -> None:
        """End a cluster and forget its accounting."""
        self.site.remove(cluster.controller.host)
        if cluster.accounting:
            name = _storage(cluster.accounting.host.read("/etc/slurm/slurmdbd.conf"))["StorageLoc"]
            self.site.remove(cluster.accounting.host)
            self._mariadb.run([*CLIENT, f"--execute=DROP DATABASE {name}"])

    def fitted(self, made: Made, files: Files) -> dict[str, str | bytes]:
        """Return files for this site's release."""
        return fitted(files, made.spec.slurm_version, self.site.image.version)

    def _start_accounting(self, cluster: Cluster, made: Made) -> None:
        assert made.spec.accounting
        cluster.accounting = cluster.accounting_host()
        if made.slurmdbd:
            files = self.fitted(made, made.slurmdbd)
        else:
            assert made.spec.accounting.external
            self.site.alias(cluster.accounting.host, made.spec.accounting.external.host)
            files = {"slurmdbd.conf": SLURMDBD_CONF.replace("DbdHost=c-", f"DbdHost={cluster.name}-")}
        self._admit(str(files["slurmdbd.conf"]))
        cluster.start_accounting(files)

    def _admit(self, slurmdbd_conf: str) -> None:
        """Have MariaDB be the database that a slurmdbd.conf names."""
        storage = _storage(slurmdbd_conf)
        self.site.alias(self._mariadb, storage["StorageHost"])
        name, user, password = (storage[f"Storage{what}"] for what in ("Loc", "User", "Pass"))
        commands = (
            f"CREATE DATABASE IF NOT EXISTS {name}; "
            f"CREATE OR REPLACE USER '{user}'@'%' IDENTIFIED BY '{password}'; "
            f"GRANT ALL ON {name}.* TO '{user}'@'%'"
        )
        self._mariadb.run([*CLIENT, f"--execute={commands}"])


def gpus(made: Made) -> tuple[set[str], dict[str, int]]:
    """Return the kinds of GPUs that workers say they have, and how many each has."""
    found = {name: re.findall(r"gpu:(\w+):(\d+)", words[-1]) for name, words in made.workers.items()}
    kinds = {kind for each in found.values() for kind, _ in each}
    return kinds, {name: int(number) for name, each in found.items() for _, number in each}


def _storage(slurmdbd_conf: str) -> dict[str, str]:
    options = parse(slurmdbd_conf, File.SLURMDBD, Series.of("25.11")).options
    return {key: str(value) for key, value in options.items()}
