"""What the components for workloads of Slurm Bridge have in common."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pulumi
from pydantic import ValidationInfo, field_validator

from pulumi_slurm.bridge.pods import PodReader, metadata_errors
from pulumi_slurm.bridge.templates import Pattern, template_errors, with_templates
from pulumi_slurm.errors import check_each_pair, field_error, raise_errors
from pulumi_slurm.kube.component import Args
from pulumi_slurm.kube.resources import KubernetesObject
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.bridge import SCHEDULER
from pulumi_slurm.model.bridge_work import DEFAULT_BRIDGE, BridgedGpusSpec, BridgedWorkSpec, check_priority
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.releases.bridge_version import bridge_version

CREATED = MappingProxyType({"pulumi.com/waitFor": "jsonpath={.metadata.uid}", "pulumi.com/patchForce": "true"})
"""How Pulumi treats what waits in Slurm's queue: it is done once the object is there, however long that takes to run.

Deleting is waited for, in the foreground: the bridge's finalizer is off the pods before the bridge goes. By force: see
`annotated` in `pulumi_slurm.kube.resources`.
"""
DELETE_TIME = pulumi.CustomTimeouts(delete="5m")
"""The provider can miss an object's end, which it finds after this time; see the same place."""


class WorkloadArgs(Args):
    """What the arguments of all workloads have."""

    scheduler_name: str = SCHEDULER
    """The bridge's `schedulerName`."""
    version: str = DEFAULT_BRIDGE
    """The release of the bridge, which decides which annotations it reads."""
    slurm: BridgedWorkSpec = BridgedWorkSpec()
    """What Slurm is to know of the job; it becomes annotations."""
    gpus: BridgedGpusSpec | None = None
    """GPUs of every pod."""
    metadata: dict[str, pulumi.Input[Any]]
    """The object's metadata, as in Kubernetes; `namespace` is one whose pods Slurm schedules."""
    spec: dict[str, pulumi.Input[Any]]
    """The object's specification, as in Kubernetes; values within may be Outputs."""

    @classmethod
    def _templates(cls) -> tuple[Pattern, ...]:
        """Return where `spec` holds templates of pods."""
        return ()

    _scheduler_name = field_validator("scheduler_name")(dns_label)

    @field_validator("version")
    @classmethod
    def _version_is_known(cls, value: str) -> str:
        return bridge_version(value).version

    @field_validator("slurm")
    @classmethod
    def _bridge_reads_it(cls, value: BridgedWorkSpec, info: ValidationInfo) -> BridgedWorkSpec:
        version = info.data.get("version")
        if version is None:
            # The release itself is refused.
            return value
        return check_each_pair(value, [("priority", value.priority)], lambda _, number: check_priority(number, version))

    @field_validator("gpus")
    @classmethod
    def _said_once(cls, value: BridgedGpusSpec | None, info: ValidationInfo) -> BridgedGpusSpec | None:
        slurm = info.data.get("slurm")
        if value and slurm and slurm.gres:
            raise field_error("slurm.gres takes their place in what Slurm is asked for", "Keep one of them.")
        return value

    @field_validator("metadata")
    @classmethod
    def _metadata_is_for_the_bridge(cls, value: dict[str, Any]) -> dict[str, Any]:
        raise_errors(metadata_errors(value, (), root=True))
        return value

    @field_validator("spec")
    @classmethod
    def _pods_are_for_the_bridge(cls, value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        raise_errors(template_errors(value, cls._templates(), reader_of(info)), at=("spec",))
        return value

    def workload(self, name: str, api_version: str, kind: str, opts: pulumi.ResourceOptions) -> KubernetesObject:
        """Create the object."""
        spec = with_templates(self.spec, self._templates(), self.scheduler_name, self.gpus)
        manifest = {"apiVersion": api_version, "kind": kind, "metadata": self.metadata, "spec": spec}
        return bridged_object(name, manifest, self.slurm.annotations(), opts)


def reader_of(info: ValidationInfo) -> PodReader:
    """Return what reads the pods, from the fields that are validated already."""
    scheduler = info.data.get("scheduler_name", WorkloadArgs.model_fields["scheduler_name"].default)
    slurm = info.data.get("slurm")
    return PodReader(scheduler, info.data.get("gpus"), shares_nodes=slurm is not None and slurm.exclusive is False)


def bridged_object(
    name: str, manifest: Manifest, annotations: Mapping[str, str], opts: pulumi.ResourceOptions
) -> KubernetesObject:
    """Create an object that Slurm schedules, with additional annotations; Pulumi doesn't wait until it runs."""
    metadata = manifest["metadata"]
    noted = {**CREATED, **(metadata.get("annotations") or {}), **annotations}
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(custom_timeouts=DELETE_TIME))
    return KubernetesObject(name, {**manifest, "metadata": {**metadata, "annotations": noted}}, opts)


def object_name(item: KubernetesObject) -> pulumi.Output[str]:
    """Return the name of an object, which Pulumi chooses where its metadata have none."""
    return item.metadata.apply(lambda metadata: str(metadata.get("name", "")))
