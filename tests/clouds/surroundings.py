"""What is around a program that believes to be with a cloud: the cloud's plugin on PATH, and an API server."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import yaml

from devcluster.api import Api
from devcluster.cluster import Cluster
from devcluster.engine import Engine
from devcluster.environments import Packages
from devcluster.readiness import wait_established
from tests.clouds.leftovers import Leftovers
from tests.clouds.simulator.autoscaler import Autoscaler
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.placeholders import write_script
from tests.e2e.objects import Objects
from tests.e2e.program import Program


@dataclass(frozen=True)
class Surroundings(ABC):
    """The simulated cloud of one test, in a folder of its own."""

    folder: Path
    cluster: Cluster
    """The embedded cluster, which stands in for each Kubernetes cluster of the cloud."""

    packages: ClassVar[Packages]
    """What its programs have installed."""
    provider: ClassVar[str]
    """The cloud's provider, as Pulumi calls it."""
    simulator: ClassVar[str]
    """The module that stands in for the provider."""

    @property
    def cloud(self) -> Cloud:
        """The simulated cloud."""
        return Cloud(self.folder / "cloud")

    @abstractmethod
    def autoscaler(self) -> Autoscaler:
        """Return what adds nodes to the cloud's pools and removes them; a context manager."""

    def prepare(self) -> None:
        """Make all that programs find."""
        server = urlsplit(self.kubeconfig["clusters"][0]["cluster"]["server"])
        self.cloud.set(apiServer=server.netloc, kubeconfig=str(self.cluster.kubeconfig))
        there = {"SIMULATED_CLOUD": str(self.cloud.folder)}
        write_script(self.bin, f"pulumi-resource-{self.provider}", self.simulator, there)

    def environment(self, env: dict[str, str]) -> dict[str, str]:
        """Return the environment of a program."""
        return {**env, "PATH": os.pathsep.join([str(self.bin), env["PATH"]])}

    @property
    def kubeconfig(self) -> Any:
        """The administrator's, of the embedded cluster."""
        return json.loads(self.cluster.kubeconfig.read_text())

    @property
    def bin(self) -> Path:
        """The folder that comes first on PATH."""
        return self.folder / "bin"


S = TypeVar("S", bound=Surroundings)


@contextmanager
def prepared(surroundings: S, objects: Objects) -> Iterator[S]:
    """Prepare a cloud, and run its autoscaler; what is left of it on Kubernetes goes with it."""
    surroundings.prepare()
    leftovers = Leftovers(objects)
    try:
        with surroundings.autoscaler():
            try:
                yield surroundings
            finally:
                surroundings.cloud.heal()
    finally:
        leftovers.remove()


class CloudProgram(Program):
    """A program whose engine finds a simulated cloud."""

    def __init__(self, surroundings: Surroundings, folder: Path, **options: Any) -> None:
        super().__init__(surroundings.cluster.tools, folder, None, packages=surroundings.packages, **options)
        self._surroundings = surroundings

    @property
    def engine(self) -> Engine:
        """A fresh engine, which reads the settings anew."""
        engine = super().engine
        engine.env = self._surroundings.environment(engine.env)
        return engine


def apply_crds(api: Api, folder: Path) -> None:
    """Define the kinds that a cloud's clusters have and Kubernetes lacks."""
    for file in sorted(folder.glob("*.yaml")):
        crd = yaml.safe_load(file.read_text())
        api.apply(crd)
        wait_established(api, crd)
