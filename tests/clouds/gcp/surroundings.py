"""What is around a program that believes to be with Google: besides, what it takes to reach a cluster by its name."""

import base64
import ssl
from pathlib import Path

from devcluster.environments import Packages
from tests.clouds import surroundings
from tests.clouds.gcp import nodes
from tests.clouds.gcp.clusters import NODE_POOL
from tests.clouds.simulator.autoscaler import Autoscaler
from tests.clouds.simulator.placeholders import write_script

CRDS = Path(__file__).parent / "crds"
"""Kinds that GKE has."""


class Google(surroundings.Surroundings):
    """The simulated Google of one test."""

    packages = Packages.GKE
    provider = "gcp"
    simulator = "tests.clouds.gcp"

    def autoscaler(self) -> Autoscaler:
        """GKE's in small; a pool's minimum is kept, and never filled up."""
        return Autoscaler(self.cloud, NODE_POOL, nodes)

    def prepare(self) -> None:
        """Make all that programs find."""
        super().prepare()
        kubeconfig = {"SIMULATED_KUBECONFIG": str(self.cluster.kubeconfig)}
        write_script(self.bin, "gke-gcloud-auth-plugin", "tests.clouds.gcp.auth_plugin", kubeconfig)
        authority = base64.b64decode(self.kubeconfig["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
        # The certificate of a real DNS endpoint comes from a public authority, so nothing in a kubeconfig says whom to
        # trust. Here the embedded cluster's authority is one more among the public ones.
        system = ssl.get_default_verify_paths().cafile
        public = Path(system).read_text() if system else ""
        self._authorities.write_text(f"{public}\n{authority}")

    def environment(self, env: dict[str, str]) -> dict[str, str]:
        """Return the environment of a program."""
        return {**super().environment(env), "SSL_CERT_FILE": str(self._authorities)}

    @property
    def _authorities(self) -> Path:
        return self.folder / "authorities.pem"
