"""Whoever may run a program in a pod of whatever cluster reads no Secret in it, unless that is meant."""

from hypothesis import given

from pulumi_slurm.ack_slurm.manifests.chart_values import chart_values
from pulumi_slurm.ack_slurm.manifests.objects import render as render_ack
from pulumi_slurm.ack_slurm.manifests.token_signer import token_signer
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm_cli.rehearsal.files import files_of_spec
from tests.secret_volumes import open_to_all, secret_files, unreadable
from tests.unit.ack_slurm.examples import IMAGE
from tests.unit.ack_slurm.strategies import AckCluster, ack_clusters
from tests.unit.rehearsal.test_objects import KEYS, objects as rehearsal, spec as rehearsed
from tests.unit.strategies import specs


@given(specs())
def test_of_whatever_cluster_by_slurm_operator(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    made = [*render(*drawn)]
    assert open_to_all(made) == []
    assert unreadable(made) == []


@given(ack_clusters())
def test_of_whatever_cluster_by_ack_slurm_operator(drawn: AckCluster) -> None:
    made = [*render_ack(*drawn, IMAGE), chart_values(*drawn, IMAGE)]
    assert open_to_all(made) == []
    assert unreadable(made) == []
    keys = {(file.volume, file.path) for file in secret_files(made)}
    assert ("munge", "munge.key") in keys


def test_of_what_signs_tokens_of_a_slurm_outside() -> None:
    outside = OutsideSlurmSpec.model_validate(
        {"name": "hpc", "addresses": ["10.1.0.10"], "jwtKeySecret": {"name": "jwt", "key": "jwt_hs256.key"}}
    )
    made = [*token_signer(ClusterRef(name="hpc"), outside).values()]
    assert [file.volume for file in secret_files(made)] == ["jwt"]
    assert open_to_all(made) == unreadable(made) == []


def test_of_a_rehearsal() -> None:
    made = [*rehearsal(files_of_spec(rehearsed(), [], KEYS, with_database=True), rehearsed()).values()]
    assert [file.volume for file in secret_files(made)] == ["secrets"]
    assert open_to_all(made) == unreadable(made) == []
