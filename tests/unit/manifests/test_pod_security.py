"""Pods of ours have no token of Kubernetes that they don't use, and no rights that their images don't need."""

from collections.abc import Iterable
from typing import Any

from hypothesis import given

from pulumi_slurm.ack_slurm.manifests.objects import render as render_ack
from pulumi_slurm.ack_slurm.manifests.token_signer import token_signer
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.gke.model import NcclSpec
from pulumi_slurm.gke.nccl_installers import nccl_installers
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm_cli.rehearsal.files import files_of_spec
from tests.pod_security import AS_ROOT, UNRESTRICTED, names, unrestricted, with_a_token_for_nothing
from tests.pod_volumes import pods_in
from tests.unit.ack_slurm.examples import IMAGE
from tests.unit.ack_slurm.strategies import AckCluster, ack_clusters
from tests.unit.rehearsal.test_objects import KEYS, objects as rehearsal, spec as rehearsed
from tests.unit.strategies import specs


def check(made: Iterable[Any]) -> None:
    made = [*made]
    assert with_a_token_for_nothing(made) == []
    assert unrestricted(made) == []


@given(specs())
def test_of_whatever_cluster_by_slurm_operator(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    check(render(*drawn))


@given(ack_clusters())
def test_of_whatever_cluster_by_ack_slurm_operator(drawn: AckCluster) -> None:
    check(render_ack(*drawn, IMAGE))


def test_of_what_signs_tokens_of_a_slurm_outside() -> None:
    outside = OutsideSlurmSpec.model_validate(
        {"name": "hpc", "addresses": ["10.1.0.10"], "jwtKeySecret": {"name": "jwt", "key": "jwt_hs256.key"}}
    )
    check(token_signer(ClusterRef(name="hpc"), outside).values())


def test_of_a_rehearsal() -> None:
    check(rehearsal(files_of_spec(rehearsed(), [], KEYS, with_database=True), rehearsed()).values())


def test_of_installers_on_gke() -> None:
    made = nccl_installers(NcclSpec(), {fabric: ["a"] for fabric in GkeFabric})
    check(made)
    assert {name for pod in pods_in(made, "containers") for name in names(pod)} <= UNRESTRICTED.keys()


def test_what_needs_more_is_no_default() -> None:
    assert not AS_ROOT.keys() & UNRESTRICTED.keys()
