"""Pulumi's schema of the components, with which programs in other languages use them."""

import pulumi
import pytest
from pulumi.provider.experimental.analyzer import Analyzer

from pulumi_slurm import ack

COMPONENTS: list[type[pulumi.ComponentResource]] = [
    ack.AckCluster,
    ack.AckDatabase,
    ack.AckNetwork,
    ack.AckNodePool,
    ack.AckSharedStorage,
    ack.AckSlurmCluster,
    ack.AckSlurmOperator,
    ack.AckSystemPool,
    ack.SlurmCopilot,
]


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_has_a_schema(component: type[pulumi.ComponentResource]) -> None:
    assert set(Analyzer("slurm").analyze([component])["component_definitions"]) == {component.__name__}


def test_all_components_have_one_schema() -> None:
    assert len(Analyzer("slurm").analyze(COMPONENTS)["component_definitions"]) == len(COMPONENTS)
