"""Slurm clusters on any Kubernetes, as Pulumi components.

What a user states is in `pulumi_slurm.model`; the components that build it are here. They are loaded when they are
first named, so that reading a specification doesn't load Pulumi and its Kubernetes package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pulumi_slurm.kube import Database, DatabaseArgs, Directory, DirectoryArgs, SharedVolume, SharedVolumeArgs
    from pulumi_slurm.manifests.objects import ClusterRef
    from pulumi_slurm.slinky import (
        Accounting,
        AccountingArgs,
        Controller,
        ControllerArgs,
        LoginSet,
        LoginSetArgs,
        NodeSet,
        NodeSetArgs,
        RestApi,
        RestApiArgs,
        SacctmgrJob,
        SacctmgrJobArgs,
        SlinkyOperator,
        SlinkyOperatorArgs,
        SlurmCluster,
        SlurmClusterArgs,
        Token,
        TokenArgs,
    )

__all__ = [
    "Accounting",
    "AccountingArgs",
    "ClusterRef",
    "Controller",
    "ControllerArgs",
    "Database",
    "DatabaseArgs",
    "Directory",
    "DirectoryArgs",
    "LoginSet",
    "LoginSetArgs",
    "NodeSet",
    "NodeSetArgs",
    "RestApi",
    "RestApiArgs",
    "SacctmgrJob",
    "SacctmgrJobArgs",
    "SharedVolume",
    "SharedVolumeArgs",
    "SlinkyOperator",
    "SlinkyOperatorArgs",
    "SlurmCluster",
    "SlurmClusterArgs",
    "Token",
    "TokenArgs",
]

_ELSEWHERE = {
    "ClusterRef": ".manifests.objects",
    **dict.fromkeys(("Database", "DatabaseArgs", "Directory", "DirectoryArgs"), ".kube"),
    **dict.fromkeys(("SharedVolume", "SharedVolumeArgs"), ".kube"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, ".slinky"), __name__), name)
