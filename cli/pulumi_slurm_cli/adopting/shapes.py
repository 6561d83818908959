"""The shapes of live objects, as far as they are read.

The CRDs of slurm-operator leave pods and containers open, and somebody may have edited a List that was saved.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import Field

from pulumi_slurm_cli.adopting.live import CONFIG_MAP, KINDS, LiveObjects, title
from pulumi_slurm_cli.adopting.refusal import IN_THE_CHART, Refusal
from pulumi_slurm_cli.shapes import Fields, Shape, shape_errors


def wrong_shapes(live: LiveObjects) -> list[Refusal]:
    """Return where objects that a stack may take over have another shape than is read."""
    return [
        Refusal(f"{title(item)}: {error.where}", error.problem, f"{error.fix} {IN_THE_CHART}")
        for kind in (*KINDS, CONFIG_MAP)
        for item in live.of(kind)
        for error in shape_errors(_SHAPES[kind], item)
    ]


class _OwnedSpec(Shape):
    of_spec: Fields | None = Field(None, alias="f:spec")


class _ManagedFields(Shape):
    fields_v1: _OwnedSpec | None = None


class _Metadata(Shape):
    name: str
    namespace: str
    labels: Fields | None = None
    annotations: Fields | None = None
    managed_fields: list[_ManagedFields] | None = None


class _Reference(Shape):
    name: str


class _KeyReference(Shape):
    name: str | None = None
    key: str | None = None


class _Container(Shape):
    image: str | None = None
    image_pull_policy: str | None = None
    env: list[Fields] | None = None


class _PodMetadata(Shape):
    labels: Fields | None = None
    annotations: Fields | None = None


class _PodSpec(Shape):
    hostname: str | None = None
    tolerations: list[Fields] | None = None
    image_pull_secrets: list[Fields] | None = None


class _Template(Shape):
    metadata: _PodMetadata | None = None
    spec: _PodSpec | None = None


class _WithPods(Shape):
    template: _Template | None = None


class _Resources(Shape):
    requests: Fields | None = None


class _Persistence(Shape):
    access_modes: list[Any] | None = None
    resources: _Resources | None = None


class _Controller(_WithPods):
    extra_conf: str | None = None
    external_config: Fields | None = None
    config_file_refs: list[_Reference] | None = None
    prolog_script_refs: list[_Reference] | None = None
    epilog_script_refs: list[_Reference] | None = None
    prolog_slurmctld_script_refs: list[_Reference] | None = None
    epilog_slurmctld_script_refs: list[_Reference] | None = None
    slurm_key_ref: _KeyReference | None = None
    jwt_key_ref: _KeyReference | None = None
    jwt_hs256_key_ref: _KeyReference | None = None
    jwks_key_ref: _KeyReference | None = None
    persistence: _Persistence | None = None
    metrics: Fields | None = None
    slurmctld: _Container | None = None
    reconfigure: _Container | None = None
    logfile: _Container | None = None


class _StorageConfig(Shape):
    password_key_ref: _KeyReference | None = None


class _Accounting(_WithPods):
    extra_conf: str | None = None
    external_config: Fields | None = None
    storage_config: _StorageConfig | None = None
    slurmdbd: _Container | None = None


class _RestApi(_WithPods):
    slurmrestd: _Container | None = None


class _Ssh(Shape):
    sssd_conf_ref: _KeyReference | None = None


class _Partition(Shape):
    config: str | None = None


class _UpdateStrategy(Shape):
    rolling_update: Fields | None = None
    scheduled_update: Fields | None = None


class _NodeSet(_WithPods):
    extra_conf: str | None = None
    partition: _Partition | None = None
    persistent_volume_claim_retention_policy: Fields | None = None
    update_strategy: _UpdateStrategy | None = None
    ssh: _Ssh | None = None
    slurmd: _Container | None = None
    logfile: _Container | None = None


class _LoginSet(_WithPods):
    sssd_conf_ref: _KeyReference | None = None
    login: _Container | None = None
    initconf: _Container | None = None


_Spec = TypeVar("_Spec", bound=Shape)


class _Object(Shape, Generic[_Spec]):
    metadata: _Metadata
    spec: _Spec


class _ConfigMap(Shape):
    metadata: _Metadata
    data: dict[str, str] | None = None


_SHAPES: Mapping[str, type[Shape]] = MappingProxyType(
    {
        "Controller": _Object[_Controller],
        "Accounting": _Object[_Accounting],
        "RestApi": _Object[_RestApi],
        "NodeSet": _Object[_NodeSet],
        "LoginSet": _Object[_LoginSet],
        CONFIG_MAP: _ConfigMap,
    }
)
