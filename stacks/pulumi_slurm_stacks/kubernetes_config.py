"""The configuration of a stack on an existing Kubernetes cluster: the kinds "kubernetes" and "local"."""

from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_slurm.configuration.slinky import slinky_texts
from pulumi_slurm.errors import FieldError, SpecError, collected_warnings, without_warnings
from pulumi_slurm.loading import load, load_model
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.providers import RULES as PROVIDER_RULES, Provider, on_provider
from pulumi_slurm.rules import ALL_RULES
from pulumi_slurm.rules.operator_defects import operator_release_has_no_known_defects
from pulumi_slurm.rules.run import Rule, code_of
from pulumi_slurm_stacks.config import CLUSTER_FIX, SUBJECT, ConfigReading, SlurmStackConfig, not_a_mapping
from pulumi_slurm_stacks.existing_cluster_config import ExistingClusterConfig

_OPERATOR_DEFECTS = code_of(operator_release_has_no_known_defects)
"""Of no use on the embedded cluster, whose operator is always of the same release."""


class KubernetesConfig(SlurmStackConfig, ExistingClusterConfig):
    """The configuration of a stack on a Kubernetes cluster that exists already, without its secrets."""

    provider: OneOf[Provider] | None = None
    """Whose cluster it is: "gke" of Google Cloud, "ack" of Alibaba Cloud, "eks" of AWS, "aks" of Azure, "oke" of Oracle
    Cloud, or "bare" for machines of your own. What follows from that for Slurm is then added and checked."""
    pools: list[NodePoolSpec] = []
    """The Kubernetes nodes that node sets run on, by kind."""

    @property
    def kubernetes_cluster(self) -> tuple[str, ...]:
        """What tells its Kubernetes cluster from those of other stacks; empty where the configuration doesn't say."""
        says = self.kind != "local" and (self.cluster_identifier or self.context)
        return (self.cluster_identifier or "", self.context or "") if says else ()

    def slurm_files(self) -> dict[str, str]:
        """Return Slurm's files, by name."""
        return slinky_texts(self.cluster, self.pools)

    @classmethod
    def rules(cls) -> Sequence[Rule]:
        """Return the rules that warnings of such a stack may come from."""
        return (*ALL_RULES, *PROVIDER_RULES)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ConfigReading:
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        remaining = dict(data)
        # Read apart, so that errors in one part don't hide those in another.
        cluster, pools = remaining.pop("cluster", None), remaining.pop("pools", [])
        errors: list[FieldError] = []
        on_this_machine: list[FieldError] = []
        outer: KubernetesConfig | None = None
        try:
            outer = load_model(KubernetesConfig, {"cluster": {"name": "unnamed"}, **remaining}, SUBJECT)
        except SpecError as error:
            errors += error.errors
        spec: SlurmSpec | None = None
        read_pools: list[NodePoolSpec] = []
        if not isinstance(cluster, dict):
            errors.append(not_a_mapping("cluster", cluster, CLUSTER_FIX))
        elif not isinstance(pools, list):
            errors.append(FieldError(("pools",), pools, "this is not a list", "Write a list of node pools."))
        else:
            try:
                with collected_warnings() as warned:
                    spec, read_pools = load(cluster, pools, at=("cluster",))
            except SpecError as error:
                errors += error.errors
            is_embedded = remaining.get("kind") == "local"
            without_warnings(warning for warning in warned if not (is_embedded and warning.code == _OPERATOR_DEFECTS))
        if outer:
            outer = outer.with_context()
            unusable, on_this_machine = outer.errors_of_kubeconfig()
            errors += unusable
            if spec and outer.provider:
                try:
                    spec = on_provider(Provider(outer.provider), spec, read_pools, at=("cluster",))
                except SpecError as error:
                    errors += error.errors
            if spec:
                outer = outer.model_copy(update={"cluster": spec, "pools": read_pools})
        return ConfigReading(None if errors else outer, spec, errors, on_this_machine=on_this_machine)


CONFIG = KubernetesConfig
