"""Written by `make generate`: what components take in place of models, for type checkers."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import pulumi

from pulumi_slurm.ack_slurm.model.options import (
    AckSlurmSpec,
    AckSshSpec,
    ClusterChartSpec,
    CopilotSpec,
    JobCompletionSpec,
    LdapClientSpec,
    OperatorChartSpec,
    PowerSavingSpec,
)
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec, SharedNodesSpec
from pulumi_slurm.ack_slurm.model.pods import PodExtrasSpec, StartedPodExtrasSpec, WorkerExtrasSpec, WorkerRequestsSpec
from pulumi_slurm.dicts import NodePoolSpecDict, SecretKeyRefDict, SlurmSpecDict
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.references import SecretKeyRef
from pulumi_slurm.model.slurm import SlurmSpec


class OperatorChartSpecDict(TypedDict):
    """`OperatorChartSpec` as a mapping."""

    install: NotRequired[bool]
    repository: NotRequired[str | None]
    chart: NotRequired[str]
    version: NotRequired[str | None]
    namespace: NotRequired[str]
    watch_namespace: NotRequired[str | None]
    values: NotRequired[Mapping[str, Any]]


class ClusterChartSpecDict(TypedDict):
    """`ClusterChartSpec` as a mapping."""

    repository: NotRequired[str | None]
    chart: NotRequired[str]
    version: NotRequired[str | None]
    values: NotRequired[Mapping[str, Any]]


class WorkerRequestsSpecDict(TypedDict):
    """`WorkerRequestsSpec` as a mapping."""

    cpu: NotRequired[str]
    memory: NotRequired[str]


class CopilotSpecDict(TypedDict):
    """`CopilotSpec` as a mapping."""

    submit_plugin: NotRequired[bool]
    token: NotRequired[bool]
    create_token_secret: NotRequired[bool]
    requests: NotRequired[WorkerRequestsSpec | WorkerRequestsSpecDict]


class PowerSavingSpecDict(TypedDict):
    """`PowerSavingSpec` as a mapping."""

    groups: NotRequired[Mapping[str, int]]
    suspend_time: NotRequired[int]
    suspend_timeout: NotRequired[int]
    resume_timeout: NotRequired[int | None]
    suspend_rate: NotRequired[int]
    resume_rate: NotRequired[int]
    suspend_program: NotRequired[str]
    resume_program: NotRequired[str]


class JobCompletionSpecDict(TypedDict):
    """`JobCompletionSpec` as a mapping."""

    host: NotRequired[str | None]
    port: NotRequired[int]
    user: NotRequired[str]
    database: NotRequired[str]


class AckSshSpecDict(TypedDict):
    """`AckSshSpec` as a mapping."""

    internal: NotRequired[bool]
    annotations: NotRequired[Mapping[str, str]]
    controller_type: NotRequired[str]
    access_control_list: NotRequired[str | None]


class LdapClientSpecDict(TypedDict):
    """`LdapClientSpec` as a mapping."""

    start_nslcd: NotRequired[bool]
    ca_file: NotRequired[str]
    admin_page: NotRequired[str | None]


class StartedPodExtrasSpecDict(TypedDict):
    """`StartedPodExtrasSpec` as a mapping."""

    image: NotRequired[str | None]
    set_hostname_as_fqdn: NotRequired[bool]
    pod_security_context: NotRequired[Mapping[str, Any]]
    security_context: NotRequired[Mapping[str, Any]]
    volumes: NotRequired[Sequence[Mapping[str, Any]]]
    volume_mounts: NotRequired[Sequence[Mapping[str, Any]]]
    init_bash: NotRequired[str | None]


class PodExtrasSpecDict(TypedDict):
    """`PodExtrasSpec` as a mapping."""

    image: NotRequired[str | None]
    set_hostname_as_fqdn: NotRequired[bool]
    pod_security_context: NotRequired[Mapping[str, Any]]
    security_context: NotRequired[Mapping[str, Any]]
    volumes: NotRequired[Sequence[Mapping[str, Any]]]
    volume_mounts: NotRequired[Sequence[Mapping[str, Any]]]


class WorkerExtrasSpecDict(TypedDict):
    """`WorkerExtrasSpec` as a mapping."""

    image: NotRequired[str | None]
    set_hostname_as_fqdn: NotRequired[bool]
    pod_security_context: NotRequired[Mapping[str, Any]]
    security_context: NotRequired[Mapping[str, Any]]
    volumes: NotRequired[Sequence[Mapping[str, Any]]]
    volume_mounts: NotRequired[Sequence[Mapping[str, Any]]]
    init_bash: NotRequired[str | None]
    requests: NotRequired[WorkerRequestsSpec | WorkerRequestsSpecDict | None]


class AckSlurmSpecDict(TypedDict):
    """`AckSlurmSpec` as a mapping."""

    slurm_version: NotRequired[str]
    image: NotRequired[str | None]
    operator: NotRequired[OperatorChartSpec | OperatorChartSpecDict]
    cluster_chart: NotRequired[ClusterChartSpec | ClusterChartSpecDict | None]
    copilot: NotRequired[CopilotSpec | CopilotSpecDict | None]
    power_saving: NotRequired[PowerSavingSpec | PowerSavingSpecDict]
    controller_hosts: NotRequired[Sequence[str]]
    slurmrestd: NotRequired[bool]
    job_completion: NotRequired[JobCompletionSpec | JobCompletionSpecDict | None]
    ssh: NotRequired[AckSshSpec | AckSshSpecDict | None]
    ldap: NotRequired[LdapClientSpec | LdapClientSpecDict]
    config_path: NotRequired[str]
    munge_path: NotRequired[str]
    jwt_path: NotRequired[str]
    drain_before_end: NotRequired[bool]
    wait: NotRequired[bool]
    prometheus: NotRequired[bool]
    controller: NotRequired[StartedPodExtrasSpec | StartedPodExtrasSpecDict]
    slurmdbd: NotRequired[PodExtrasSpec | PodExtrasSpecDict]
    rest: NotRequired[PodExtrasSpec | PodExtrasSpecDict]
    workers: NotRequired[Mapping[str, WorkerExtrasSpec | WorkerExtrasSpecDict]]
    overrides: NotRequired[Mapping[str, Any]]


class AckSlurmClusterArgsDict(TypedDict):
    """`AckSlurmClusterArgs` as a mapping."""

    spec: SlurmSpec | SlurmSpecDict
    pools: NotRequired[Sequence[NodePoolSpec | NodePoolSpecDict]]
    ack: NotRequired[AckSlurmSpec | AckSlurmSpecDict]
    region: NotRequired[str | None]
    kubernetes_version: NotRequired[str | None]
    cluster_domain: NotRequired[str]
    pools_from_zero: NotRequired[Sequence[str]]
    root_key: NotRequired[pulumi.Input[str] | None]
    database_password: NotRequired[pulumi.Input[str] | None]
    job_completion_password: NotRequired[pulumi.Input[str] | None]
    ldap_bind_password: NotRequired[pulumi.Input[str] | None]
    munge_key: NotRequired[pulumi.Input[str] | None]
    create_namespace: NotRequired[bool]


class AckSlurmOperatorArgsDict(TypedDict):
    """`AckSlurmOperatorArgs` as a mapping."""

    operator: NotRequired[OperatorChartSpec | OperatorChartSpecDict]
    install_copilot: NotRequired[bool]
    watch_namespace: NotRequired[str]
    create_namespace: NotRequired[bool]


class SharedNodesSpecDict(TypedDict):
    """`SharedNodesSpec` as a mapping."""

    name: str
    alias: str


class OutsideSlurmSpecDict(TypedDict):
    """`OutsideSlurmSpec` as a mapping."""

    name: str
    namespace: NotRequired[str]
    addresses: Sequence[str]
    port: NotRequired[int]
    slurm_nodes: NotRequired[str | None]
    nodes: NotRequired[Sequence[SharedNodesSpec | SharedNodesSpecDict]]
    submit_plugin: NotRequired[bool]
    jwt_key_secret: NotRequired[SecretKeyRef | SecretKeyRefDict | None]
    slurm_user: NotRequired[str]
    kubectl_image: NotRequired[str]


class SlurmCopilotArgsDict(TypedDict):
    """`SlurmCopilotArgs` as a mapping."""

    operator_namespace: NotRequired[str]
    tokens: NotRequired[Mapping[str, pulumi.Input[str]] | None]
    create_token_secret: NotRequired[bool]
    outside_slurm: NotRequired[OutsideSlurmSpec | OutsideSlurmSpecDict | None]
