"""Pulumi's analyser of components, without which other languages can't use them."""

import pulumi
from pulumi.provider.experimental.analyzer import Analyzer

from pulumi_slurm import gke


def test_every_component_passes() -> None:
    components = [
        value
        for value in (getattr(gke, name) for name in dir(gke))
        if isinstance(value, type) and issubclass(value, pulumi.ComponentResource)
    ]
    definitions = Analyzer("slurm").analyze(components)["component_definitions"]
    assert {*definitions} == {
        *(
            "GkeNetwork",
            "GkeNewProject",
            "GkeNodeAccount",
            "GkeCluster",
            "GkeExistingCluster",
            "GkeSlurm",
            "GkeSystemPool",
            "GkeNodePool",
        ),
        *("GkeRegistry", "GkeSharedStorage", "GkeWorkloadIdentity", "GkeDatabase"),
    }
