"""What a proof expects by what a cloud promises."""

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.gke.model.storage import FilestoreSpec, FilestoreTier, LustreSpec
from pulumi_slurm_cli.commands.prove import _of_cloud
from pulumi_slurm_cli.commands.stack_configuration import stack_configuration
from pulumi_slurm_cli.proof import Trial
from pulumi_slurm_cli.proof.place import Place
from pulumi_slurm_cli.proof.storage_rates import _floor

STACK = """
config:
  slurm:kind: gke
  slurm:gke:
    project: my-project
    region: us-central1
    zones: [us-central1-a]
    pools: [{name: gpu, machineType: a3-megagpu-8g, nodes: 2}]
    storage:
      - {name: home, mountPath: /home, filestore: {tier: BASIC_SSD, capacityGib: 2560}}
      - {name: data, mountPath: /data, bucket: {}}
  slurm:cluster: {name: c, slurmVersion: "26.05", nodeSets: [{name: gpu, pool: gpu, replicas: 2}]}
"""


def test_a_stack_on_gke_says_machine_types_and_what_storage_promises() -> None:
    config = stack_configuration(STACK, "Pulumi.dev.yaml")
    trial = Trial(config.slurm, config.pools, Place(None, "", "", "", ""), **_of_cloud(config))  # type: ignore[arg-type]
    assert trial.machine_types == {"gpu": "a3-megagpu-8g"}
    assert trial.written == {"home": pytest.approx(350 * 1024**2 / 1e6)}


@given(st.integers(1, 16), st.sampled_from([125, 250, 500, 1000]))
def test_lustre_promises_by_its_size(steps: int, rate: int) -> None:
    size = 9_000_000 // rate * steps
    assert LustreSpec(capacity_gib=size, throughput_per_tib=rate).written == pytest.approx(rate * size / 1024)


@given(st.sampled_from(FilestoreTier))
def test_filestore_promises_no_less_where_it_is_larger(tier: FilestoreTier) -> None:
    small, large = (FilestoreSpec(tier=tier, capacity_gib=size).written for size in (2560, 12800))
    assert (small is None) == (large is None) == (tier is FilestoreTier.REGIONAL)
    assert (small or 0) <= (large or 0)


@given(st.floats(1, 1e6), st.integers(1, 32))
def test_nodes_are_asked_for_no_more_than_they_send_or_a_tier_takes(promised: float, nodes: int) -> None:
    floor = _floor(promised, nodes)
    assert floor
    assert floor.rate <= min(promised, 100 * nodes)
    assert _floor(None, nodes) is None
