"""Clusters on a site from the operator's files: slurmdbd, the Jobs for QoS and accounts, slurmctld."""

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
from tests.slurmd.operated.operator import OperatorFiles
from tests.slurmd.operated.release_files import for_release
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.sacctmgr import SacctmgrPod, with_named_qos
from tests.slurmd.site import Site

CLIENT = ("mariadb", "--user=root", f"--socket={SOCKET}")


class OperatedClusters:
    """Clusters that run one after another on a site; they share a MariaDB, under the name that each has for it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.sacctmgr = SacctmgrPod(site)
        self._mariadb = start_mariadb(site)

    def start(self, operator_files: OperatorFiles) -> Cluster:
        """Start slurmdbd, if there is one, and slurmctld, in the order of `SlurmCluster`."""
        spec = operator_files.spec
        cluster = Cluster(self.site, spec.name, spec.namespace)
        if spec.accounting:
            self._start_accounting(cluster, operator_files)
            self.sacctmgr.run_job(spec, "qos", qos_script(with_named_qos(spec)))
        files = self.for_release(operator_files, operator_files.slurmctld)
        gpu_types, counts = gpus(operator_files)
        cluster.start_controller(with_device_files(files, counts, *gpu_types) if counts else files)
        return cluster

    def set_accounts(self, operator_files: OperatorFiles) -> None:
        """Run the Job that comes after slurmctld."""
        self.sacctmgr.run_job(operator_files.spec, "accounts", accounts_script(operator_files.spec))

    def start_workers(self, cluster: Cluster, operator_files: OperatorFiles) -> None:
        """Start slurmd with the arguments that the operator gave to the workers' pods."""
        confs = {}
        for name, words in operator_files.workers.items():
            confs[name] = words[-1]
            # What `Worker.start` calls slurmd with.
            assert words == ["-Z", "--conf-server", cluster.server, "--conf", confs[name]]
        cluster.start_workers(confs, gpus=gpus(operator_files)[1])

    def stop(self, cluster: Cluster) -> None:
        """End a cluster and forget its accounting."""
        self.site.remove(cluster.controller.host)
        if cluster.accounting:
            name = _storage(cluster.accounting.host.read("/etc/slurm/slurmdbd.conf"))["StorageLoc"]
            self.site.remove(cluster.accounting.host)
            self._mariadb.run([*CLIENT, f"--execute=DROP DATABASE {name}"])

    def for_release(self, operator_files: OperatorFiles, files: Files) -> dict[str, str | bytes]:
        """Return files for this site's release."""
        return for_release(files, operator_files.spec.slurm_version, self.site.image.version)

    def _start_accounting(self, cluster: Cluster, operator_files: OperatorFiles) -> None:
        assert operator_files.spec.accounting
        cluster.accounting = cluster.accounting_host()
        if operator_files.slurmdbd:
            files = self.for_release(operator_files, operator_files.slurmdbd)
        else:
            assert operator_files.spec.accounting.external
            self.site.alias(cluster.accounting.host, operator_files.spec.accounting.external.host)
            files = {"slurmdbd.conf": SLURMDBD_CONF.replace("DbdHost=c-", f"DbdHost={cluster.name}-")}
        self._admit(str(files["slurmdbd.conf"]))
        cluster.start_accounting(files)

    def _admit(self, slurmdbd_conf: str) -> None:
        """Have MariaDB be the database that a slurmdbd.conf names."""
        storage = _storage(slurmdbd_conf)
        self.site.alias(self._mariadb, storage["StorageHost"])
        name, user, password = (storage[f"Storage{suffix}"] for suffix in ("Loc", "User", "Pass"))
        commands = (
            f"CREATE DATABASE IF NOT EXISTS {name}; "
            f"CREATE OR REPLACE USER '{user}'@'%' IDENTIFIED BY '{password}'; "
            f"GRANT ALL ON {name}.* TO '{user}'@'%'"
        )
        self._mariadb.run([*CLIENT, f"--execute={commands}"])


def gpus(operator_files: OperatorFiles) -> tuple[set[str], dict[str, int]]:
    """Return the kinds of GPUs that workers say they have, and how many each has."""
    gpus_by_worker = {name: re.findall(r"gpu:(\w+):(\d+)", words[-1]) for name, words in operator_files.workers.items()}
    gpu_types = {gpu_type for gpus_of_worker in gpus_by_worker.values() for gpu_type, _ in gpus_of_worker}
    return gpu_types, {
        name: int(count) for name, gpus_of_worker in gpus_by_worker.items() for _, count in gpus_of_worker
    }


def _storage(slurmdbd_conf: str) -> dict[str, str]:
    options = parse(slurmdbd_conf, File.SLURMDBD, Series.of("25.11")).options
    return {key: str(value) for key, value in options.items()}
