"""What a stack on a Kubernetes cluster that exists already is told: the kinds "kubernetes" and "local"."""

import os
from collections.abc import Mapping
from typing import Any

from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load, load_model
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_stacks.config import CLUSTER_FIX, SUBJECT, ConfigReading, StackConfig, not_a_mapping
from pulumi_slurm_stacks.kubeconfig import check_kubeconfig


class KubernetesConfig(StackConfig):
    """The configuration of a stack on a Kubernetes cluster that exists already, without its secrets."""

    pools: list[NodePoolSpec] = []
    """The Kubernetes nodes that node sets run on, by kind."""
    kubeconfig: str | None = None
    """The path of a kubeconfig; by default $KUBECONFIG or the one in your home folder."""
    context: str | None = None
    """The context within the kubeconfig; by default $KUBE_CONTEXT or the current one."""
    cluster_identifier: str | None = None
    """A name for the Kubernetes cluster. As long as it stays, nothing is replaced when its address changes."""
    create_namespace: bool = True
    """Make the Slurm cluster's namespace."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ConfigReading:
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        rest = dict(data)
        # Read apart, so that errors in one part don't hide those in another.
        cluster, pools = rest.pop("cluster", None), rest.pop("pools", [])
        found: list[FieldError] = []
        frame: KubernetesConfig | None = None
        try:
            frame = load_model(KubernetesConfig, {"cluster": {"name": "unnamed"}, **rest}, SUBJECT)
        except SpecError as error:
            found += error.errors
        spec: SlurmSpec | None = None
        read_pools: list[NodePoolSpec] = []
        if not isinstance(cluster, dict):
            found.append(not_a_mapping("cluster", cluster, CLUSTER_FIX))
        elif not isinstance(pools, list):
            found.append(FieldError(("pools",), pools, "this is not a list", "Write a list of node pools."))
        else:
            try:
                spec, read_pools = load(cluster, pools, at=("cluster",))
            except SpecError as error:
                found += error.errors
        if frame:
            frame = frame.model_copy(update={"context": frame.context or os.environ.get("KUBE_CONTEXT")})
            found += check_kubeconfig(frame.kubeconfig, frame.context)
            if spec:
                frame = frame.model_copy(update={"cluster": spec, "pools": read_pools})
        return ConfigReading(None if found else frame, spec, found)


CONFIG = KubernetesConfig
