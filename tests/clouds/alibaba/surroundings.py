"""What is around a program that believes to be with Alibaba Cloud: the plugin on PATH, and an API server for ACK's."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from devcluster.api import Api, ApiError
from devcluster.cluster import Cluster
from devcluster.engine import Engine
from devcluster.environments import Packages
from devcluster.readiness import wait_established
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.stand_ins import write_script
from tests.e2e.program import Program
from tests.e2e.waiting import eventually

CRDS = Path(__file__).parents[2] / "crds" / "ack"


@dataclass(frozen=True)
class Surroundings:
    """The simulated Alibaba Cloud of one test, in a folder of its own."""

    folder: Path
    cluster: Cluster
    """The embedded cluster, which stands in for each ACK cluster."""

    @property
    def cloud(self) -> Cloud:
        """The simulated cloud."""
        return Cloud(self.folder / "cloud")

    def prepare(self) -> None:
        """Make all that programs find."""
        config = json.loads(self.cluster.kubeconfig.read_text())
        server = urlsplit(config["clusters"][0]["cluster"]["server"])
        self.cloud.set(apiServer=server.netloc, kubeconfig=str(self.cluster.kubeconfig))
        there = {"SIMULATED_CLOUD": str(self.cloud.folder)}
        write_script(self._bin, "pulumi-resource-alicloud", "tests.clouds.alibaba", there)

    def environment(self, env: dict[str, str]) -> dict[str, str]:
        """Return the environment of a program."""
        return {**env, "PATH": os.pathsep.join([str(self._bin), env["PATH"]])}

    @property
    def _bin(self) -> Path:
        return self.folder / "bin"


class AlibabaProgram(Program):
    """A program whose engine finds the simulated Alibaba Cloud."""

    def __init__(self, surroundings: Surroundings, folder: Path, **options: Any) -> None:
        super().__init__(surroundings.cluster.tools, folder, None, packages=Packages.ACK, **options)
        self._surroundings = surroundings

    @property
    def engine(self) -> Engine:
        """A fresh engine, which reads the settings anew."""
        engine = super().engine
        engine.env = self._surroundings.environment(engine.env)
        return engine


def apply_crds(api: Api) -> None:
    """Define the kinds that ack-slurm-operator has; nothing acts on their objects."""
    for file in sorted(CRDS.glob("*.yaml")):
        crd = yaml.safe_load(file.read_text())
        api.apply(crd)
        wait_established(api, crd)


def remove_generic_nodes(api: Api) -> None:
    """Remove the objects of the one kind that has no namespace."""
    path = "/apis/kai.alibabacloud.com/v1alpha1/genericnodes"
    found = eventually("a list of GenericNodes", lambda: _listed(api, path))
    assert found
    for each in found["items"]:
        api.delete(f"{path}/{each['metadata']['name']}")


def _listed(api: Api, path: str) -> dict[str, Any] | None:
    try:
        return api.get(path)
    except ApiError as error:
        # Nobody has asked for them before, and the API server isn't ready for it.
        if error.status != 429:
            raise
        return None
