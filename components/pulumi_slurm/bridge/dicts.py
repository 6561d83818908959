"""Written by `make generate`: what components take in place of models, for type checkers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

import pulumi

from pulumi_slurm.model.bridge_work import BridgedGpusSpec, BridgedWorkSpec, GpuResource


class BridgedWorkSpecDict(TypedDict):
    """`BridgedWorkSpec` as a mapping."""

    account: NotRequired[str | None]
    constraints: NotRequired[str | None]
    cpus_per_task: NotRequired[int | None]
    exclusive: NotRequired[bool | None]
    gres: NotRequired[str | None]
    group_id: NotRequired[str | None]
    job_name: NotRequired[str | None]
    licenses: NotRequired[str | None]
    max_nodes: NotRequired[int | None]
    min_nodes: NotRequired[int | None]
    mem_per_node: NotRequired[str | None]
    partition: NotRequired[str | None]
    priority: NotRequired[int | None]
    qos: NotRequired[str | None]
    reservation: NotRequired[str | None]
    time_limit: NotRequired[str | None]
    user_id: NotRequired[str | None]
    wckey: NotRequired[str | None]


class BridgedGpusSpecDict(TypedDict):
    """`BridgedGpusSpec` as a mapping."""

    count: int
    resource: NotRequired[GpuResource | Literal["nvidia.com/gpu", "amd.com/gpu"]]
    device_class: NotRequired[str | None]


class BridgedJobArgsDict(TypedDict):
    """`BridgedJobArgs` as a mapping."""

    scheduler_name: NotRequired[str]
    version: NotRequired[str]
    slurm: NotRequired[BridgedWorkSpec | BridgedWorkSpecDict]
    gpus: NotRequired[BridgedGpusSpec | BridgedGpusSpecDict | None]
    metadata: Mapping[str, pulumi.Input[Any]]
    spec: Mapping[str, pulumi.Input[Any]]


class BridgedJobSetArgsDict(TypedDict):
    """`BridgedJobSetArgs` as a mapping."""

    scheduler_name: NotRequired[str]
    version: NotRequired[str]
    slurm: NotRequired[BridgedWorkSpec | BridgedWorkSpecDict]
    gpus: NotRequired[BridgedGpusSpec | BridgedGpusSpecDict | None]
    metadata: Mapping[str, pulumi.Input[Any]]
    spec: Mapping[str, pulumi.Input[Any]]


class BridgedLeaderWorkerSetArgsDict(TypedDict):
    """`BridgedLeaderWorkerSetArgs` as a mapping."""

    scheduler_name: NotRequired[str]
    version: NotRequired[str]
    slurm: NotRequired[BridgedWorkSpec | BridgedWorkSpecDict]
    gpus: NotRequired[BridgedGpusSpec | BridgedGpusSpecDict | None]
    metadata: Mapping[str, pulumi.Input[Any]]
    spec: Mapping[str, pulumi.Input[Any]]


class BridgedPodGroupArgsDict(TypedDict):
    """`BridgedPodGroupArgs` as a mapping."""

    scheduler_name: NotRequired[str]
    version: NotRequired[str]
    slurm: NotRequired[BridgedWorkSpec | BridgedWorkSpecDict]
    gpus: NotRequired[BridgedGpusSpec | BridgedGpusSpecDict | None]
    metadata: Mapping[str, pulumi.Input[Any]]
    spec: NotRequired[Mapping[str, pulumi.Input[Any]]]
    pods: NotRequired[Sequence[Mapping[str, pulumi.Input[Any]]]]
