"""The identity of a cluster, and the settings that all of its parts share."""

from pydantic import field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.adopted import AdoptedSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_fields import (
    cluster_namespace,
    cluster_prefix,
    conf_cluster_name,
    operator_release,
    slurm_release,
)
from pulumi_slurm.model.images import ImagesSpec
from pulumi_slurm.model.keys import KeysSpec
from pulumi_slurm.model.names import operators_cluster_name
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR, OperatorVersion, operator_version
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES


class ClusterSettings(Model):
    """The fields of a `SlurmSpec` that every part of its cluster has to know."""

    name: str
    """The prefix of the names of all objects, and ClusterName unless `clusterName` is set. Another one makes all
    objects anew, and ends all jobs."""
    cluster_name: str | None = None
    """ClusterName in slurm.conf, under which slurmdbd keeps jobs and accounts; by default `name`. Slurm turns it into
    lower case. Where slurmctld's state is on a volume, a preview refuses another one; see "Rename a cluster"."""
    namespace: str = "slurm"
    """The Kubernetes namespace of the cluster's objects; it can hold only one Slurm cluster."""
    slurm_version: str = str(DEFAULT_SERIES)
    """The Slurm series, or a release of it. With ack-slurm-operator the image decides: see `ack.slurm.slurmVersion`."""
    operator_version: str = DEFAULT_OPERATOR
    """The release of slurm-operator that reconciles the objects. A patch release that is not known here is treated as
    the newest known one of its minor release, with a warning."""
    images: ImagesSpec = ImagesSpec()
    """Registry, tag and pulling of the images."""
    keys: KeysSpec = KeysSpec()
    """Slurm's authentication keys: their generations, or Secrets with existing keys."""
    labels: dict[str, str] = {}
    """Labels of all of the cluster's objects and pods, for example for cost allocation."""
    priority_class_name: str | None = None
    """The PriorityClass of all pods that have none of their own, Jobs, database and directory included."""

    adopted: AdoptedSpec | None = None
    """What the cluster keeps of Slinky's chart, if that made it; see "Adopt a chart"."""

    _labels = field_validator("labels")(kubernetes_names.labels)
    _priority_class = field_validator("priority_class_name")(kubernetes_names.object_name)
    _name = field_validator("name")(cluster_prefix)
    _cluster_name = field_validator("cluster_name")(conf_cluster_name)
    _namespace = field_validator("namespace")(cluster_namespace)
    _slurm_version = field_validator("slurm_version", mode="before")(slurm_release)
    _operator_version = field_validator("operator_version")(operator_release)

    @property
    def slurm_name(self) -> str:
        """The cluster's name in slurm.conf."""
        # A chart may give none.
        default = operators_cluster_name(self.namespace, self.name) if self.adopted else self.name
        return self.cluster_name or default

    @property
    def operator(self) -> OperatorVersion:
        """The row of the operator's release: its features and the form of its objects."""
        return operator_version(self.operator_version)
