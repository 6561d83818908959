"""What is around a program that believes to be with Google: the plugins on PATH, and the API server behind GKE."""

import base64
import json
import os
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from devcluster.api import Api
from devcluster.cluster import Cluster
from devcluster.engine import Engine
from devcluster.environments import Packages
from devcluster.readiness import wait_established
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.stand_ins import write_script
from tests.e2e.program import Program

CRDS = Path(__file__).parent / "crds"


@dataclass(frozen=True)
class Surroundings:
    """The simulated Google of one test, in a folder of its own."""

    folder: Path
    cluster: Cluster
    """The embedded cluster, which stands in for each GKE cluster."""

    @property
    def cloud(self) -> Cloud:
        """The simulated cloud."""
        return Cloud(self.folder / "cloud")

    def prepare(self) -> None:
        """Make all that programs find."""
        config = json.loads(self.cluster.kubeconfig.read_text())
        server = urlsplit(config["clusters"][0]["cluster"]["server"])
        self.cloud.set(apiServer=server.netloc, kubeconfig=str(self.cluster.kubeconfig))
        write_script(self._bin, "pulumi-resource-gcp", "tests.clouds.gcp", {"SIMULATED_CLOUD": str(self.cloud.folder)})
        kubeconfig = {"SIMULATED_KUBECONFIG": str(self.cluster.kubeconfig)}
        write_script(self._bin, "gke-gcloud-auth-plugin", "tests.clouds.gcp.auth_plugin", kubeconfig)
        authority = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
        # The certificate of a real DNS endpoint comes from a public authority, so nothing in a kubeconfig says whom to
        # trust. Here the embedded cluster's authority is one more among the public ones.
        system = ssl.get_default_verify_paths().cafile
        public = Path(system).read_text() if system else ""
        self._authorities.write_text(f"{public}\n{authority}")

    def environment(self, env: dict[str, str]) -> dict[str, str]:
        """Return the environment of a program."""
        return {
            **env,
            "PATH": os.pathsep.join([str(self._bin), env["PATH"]]),
            "SSL_CERT_FILE": str(self._authorities),
        }

    @property
    def _bin(self) -> Path:
        return self.folder / "bin"

    @property
    def _authorities(self) -> Path:
        return self.folder / "authorities.pem"


class GoogleProgram(Program):
    """A program whose engine finds the simulated Google."""

    def __init__(self, surroundings: Surroundings, folder: Path, **options: Any) -> None:
        super().__init__(surroundings.cluster.tools, folder, None, packages=Packages.GKE, **options)
        self._surroundings = surroundings

    @property
    def engine(self) -> Engine:
        """A fresh engine, which reads the settings anew."""
        engine = super().engine
        engine.env = self._surroundings.environment(engine.env)
        return engine


def apply_crds(api: Api) -> None:
    """Define the kinds that GKE has and Kubernetes lacks."""
    for file in sorted(CRDS.glob("*.yaml")):
        crd = yaml.safe_load(file.read_text())
        api.apply(crd)
        wait_established(api, crd)
