"""A cluster with accounting and one node, by its specification, and `pulumi-slurm prove` in it without kubectl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.providers.gpu_driver import driver_fields
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.kubectl import SECONDS, Kubectl, KubectlError
from pulumi_slurm_cli.proof import Result, Trial, results_of
from pulumi_slurm_cli.proof.place import Place
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import Host
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

BASE: Mapping[str, Any] = {
    **{"name": "c", "slurmVersion": "26.05", "operatorVersion": "1.2.1", "accounting": {}},
    "slurmConf": {"defMemPerCpu": "100M"},
}
SENDS_TASK_PROLOGS = Series(25, 11)
"""From then on slurmctld sends a TaskProlog to its nodes: `pulumi_slurm.providers.gpu_driver`."""
HAS_METRICS = Series(25, 11)
"""The first series with MetricsType: https://slurm.schedmd.com/metrics.html."""


@dataclass(frozen=True, kw_only=True)
class InHost(Kubectl):
    """Runs on a host what kubectl would run in a container."""

    host: Host

    def run(self, *arguments: str, stdin: bytes | Path = b"", seconds: int = SECONDS, **options: Any) -> bytes:
        """Run the words of `kubectl exec` after "--", and return what they print."""
        assert (arguments[0], options) == ("exec", {}), "a proof runs words and reads what they print"
        assert isinstance(stdin, bytes)
        assert ("--stdin" in arguments) == bool(stdin), "kubectl passes on no input otherwise"
        done = self.host.attempt(arguments[arguments.index("--") + 1 :], seconds=seconds, text=stdin.decode())
        if done.returncode:
            raise KubectlError(f"{self.host.name}: it ended with {done.returncode}: {done.stderr}")
        return done.stdout.encode()


@dataclass(frozen=True)
class ProofBed:
    """A cluster that runs, and its specification."""

    spec: SlurmSpec
    cluster: Cluster

    @classmethod
    def started(
        cls, site: Site, node_set: Mapping[str, Any], prepare: Callable[[Host], object] = lambda _: None
    ) -> ProofBed:
        """Start daemons and the one worker of a node set, on whose host ``prepare`` has put what slurmd is to find."""
        series = Series.of(site.image.version)
        monitoring = {"metrics": series >= HAS_METRICS}
        spec = here(checked(SlurmSpec.model_validate({**BASE, "nodeSets": [node_set], "monitoring": monitoring})))
        if series >= SENDS_TASK_PROLOGS:
            spec = with_fields(spec, **driver_fields(spec))
        bed = cls(spec, Cluster(site))
        bed.cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        bed.cluster.start_controller(rendered_files(spec, series))
        bed.cluster.workers[bed.node] = worker = Worker(site, bed.node)
        prepare(worker.host)
        bed.cluster.start_workers({bed.node: bed.conf})
        return bed

    @property
    def node(self) -> str:
        """The name of its node."""
        return f"{self.spec.node_sets[0].slurm_name}-0"

    @property
    def conf(self) -> str:
        """What slurmd gets by --conf; the operator adds the feature."""
        (node_set,) = self.spec.node_sets
        return f"Features={node_set.slurm_name} {slurmd_conf(node_set, node_set.machine)}"

    @property
    def worker(self) -> Host:
        """The host of its node."""
        return self.cluster.workers[self.node].host

    def as_user(self, *command: str) -> str:
        """Run a client as a user and return what it prints."""
        return self.cluster.run(*command, user=JOB_USER)

    def trial(self) -> Trial:
        """Return a proof that submits its jobs as a user on slurmctld's host."""
        host = self.cluster.controller.host
        becomes = ("runuser", "--user", JOB_USER, "--")
        place = Place(InHost(host=host), self.spec.namespace, host.name, "slurmctld", JOB_USER, becomes)
        return Trial(self.spec, (), place)

    def results(self, level: str = "quick") -> list[Result]:
        """Run all steps of a level, and leave out slurmrestd, which these hosts don't have."""
        return [result for result in results_of(self.trial(), level) if result.subject != "slurmrestd"]
