"""ConfigMaps in which proofs keep something in the cluster."""

import json
from collections.abc import Mapping

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.kubectl import Kubectl

_OPTIONS = ("--server-side", "--force-conflicts", "--field-manager=pulumi-slurm-prove", "--filename=-")


def apply_config_map(spec: SlurmSpec, kubectl: Kubectl, name: str, data: Mapping[str, str]) -> None:
    """Let a ConfigMap in the cluster's namespace have these data.

    Raises:
        KubectlError: if it can't be written.
    """
    metadata = {"name": name, "namespace": spec.namespace}
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(data)}
    kubectl.run("apply", *_OPTIONS, stdin=json.dumps(manifest).encode())
