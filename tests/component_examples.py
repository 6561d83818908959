"""The examples in the docstrings of components, and what stands for what they take from the rest of a program."""

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable
from functools import partial
from typing import Any

import pulumi

import pulumi_slurm
from pulumi_slurm import ack, ack_slurm, bridge, gke, model
from pulumi_slurm.ack import model as ack_model
from pulumi_slurm.gke import model as gke_model

Component = type[pulumi.ComponentResource]

PACKAGES = (pulumi_slurm, model, bridge, gke, gke_model, ack_slurm, ack, ack_model)
"""An example takes names from these, and from `pulumi`."""

OUTPUTS: dict[str, Any] = {
    "bucket_name": "my-bucket",
    "cluster_id": "c0123456789",
    "email": "hpc-nodes@my-project.iam.gserviceaccount.com",
    "name": "hpc",
    "network_id": "projects/my-project/global/networks/hpc",
    "node_vswitches": {"cn-hangzhou-i": "vsw-nodes"},
    "pod_vswitches": {"cn-hangzhou-i": "vsw-pods"},
    "region": "us-central1",
    "security_group_id": "sg-0123456789",
    "subnetwork_id": "projects/my-project/regions/us-central1/subnetworks/hpc",
    "vpc_id": "vpc-0123456789",
}
"""Outputs of other components that examples use."""


class OtherResource(pulumi.CustomResource):
    """Stands for any other resource of a program, with `OUTPUTS`."""

    def __init__(self, name: str) -> None:
        super().__init__("test:index:Resource", name)
        for output, value in OUTPUTS.items():
            setattr(self, output, pulumi.Output.from_input(value))

    @property
    def provider(self) -> pulumi.ProviderResource:
        """The provider of a Kubernetes cluster."""
        return pulumi.ProviderResource("kubernetes", f"{self._name}-provider", {})

    def private_services(self) -> list[pulumi.Resource]:
        """Return what services of a GKE network depend on."""
        return [self]


def _slurm_cluster_args() -> pulumi_slurm.SlurmClusterArgs:
    return pulumi_slurm.SlurmClusterArgs(spec=model.SlurmSpec(name="hpc"))


def _ack_slurm_cluster_args() -> ack_slurm.AckSlurmClusterArgs:
    return ack_slurm.AckSlurmClusterArgs(spec=model.SlurmSpec(name="hpc"), region="cn-hangzhou")


NAMES: dict[str, Callable[[], Any]] = {
    **{
        name: partial(OtherResource, name)
        for name in ("account", "cluster", "controller", "database", "namespace", "network", "operator", "storage")
    },
    "system_pool": partial(OtherResource, "system-pool"),
    "alibaba": lambda: pulumi.ProviderResource("alicloud", "alibaba", {}),
    "google": lambda: pulumi.ProviderResource("gcp", "google", {}),
    "kubernetes": lambda: pulumi.ProviderResource("kubernetes", "kubernetes", {}),
    "provider": lambda: pulumi.ProviderResource("kubernetes", "provider", {}),
    "opts": pulumi.ResourceOptions,
}
"""What stands for a name that an example doesn't define."""

NAMES_OF_COMPONENTS: dict[Component, dict[str, Callable[[], Any]]] = {
    pulumi_slurm.Keda: {"args": _slurm_cluster_args},
    pulumi_slurm.SlinkyOperator: {"args": _slurm_cluster_args},
    ack_slurm.AckSlurmOperator: {"args": _ack_slurm_cluster_args},
}
"""The same for the example of one component."""


def components() -> list[Component]:
    """Return all components of the library."""
    items = [
        getattr(package, name) for package in (pulumi_slurm, bridge, gke, ack_slurm, ack) for name in package.__all__
    ]
    return [item for item in items if isinstance(item, type) and issubclass(item, pulumi.ComponentResource)]


def example_of(component: Component) -> str:
    """Return the program in a component's docstring."""
    _, example = str(inspect.getdoc(component)).split("\nExample::\n\n")
    return f"{textwrap.dedent(example)}\n"


def run_example(component: Component) -> None:
    """Run the example of a component, within a program under mocks."""
    text = example_of(component)
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    defined = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    stubs = {**NAMES, **NAMES_OF_COMPONENTS.get(component, {})}
    program: dict[str, Any] = {"__name__": "__main__", "pulumi": pulumi}
    for name in sorted({name.id for name in names} - defined - {"pulumi"} - {*dir(builtins)}):
        package = next((package for package in PACKAGES if name in package.__all__), None)
        program[name] = getattr(package, name) if package else stubs[name]()
    exec(compile(text, f"<example of {component.__name__}>", "exec"), program)
