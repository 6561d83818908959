"""Whole GKE specifications: valid ones, and one created in Python."""

import re

import pytest

from pulumi_slurm.errors import Severity, SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.model import GkePoolSpec, GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules import check_gke, check_slurm, checked_gke
from tests.unit.gke.errors.harness import BASE, slurm_spec, with_base

pytestmark = pytest.mark.usefixtures("spelled_as_in_files")

GOOD = """
slurmOperator: gke-addon
controlPlane:
  version: "1.35"
  releaseChannel: EXTENDED
  secretsEncryptionKey: projects/p/locations/us-central1/keyRings/k/cryptoKeys/c
  authorizedNetworks: [{cidr: 198.51.100.0/24, name: office}]
  maintenanceWindow: {start: "2026-01-03T02:00:00+01:00", hours: 4, recurrence: FREQ=DAILY}
  maintenanceExclusions: [{name: run, start: "2026-06-01T00:00:00Z", end: "2026-09-01T00:00:00Z"}]
network: {nodesRange: 10.8.0.0/20, podsRange: 100.64.0.0/14}
registry: {}
storage:
  - {name: home, mountPath: /home, filestore: {tier: REGIONAL, capacityGib: 10240}}
  - {name: scratch, mountPath: /scratch, lustre: {throughputPerTib: 500, capacityGib: 36000, zone: us-central1-a}}
  - {name: data, mountPath: /data, bucket: {name: my_data.example.org, readOnly: true}}
  - {name: new, mountPath: /new, bucket: {location: EU}}
database: {highAvailability: true, tier: db-custom-4-16384, flags: {innodb_buffer_pool_size: "2147483648"}}
catalogue: {zones: {g2-standard-4: [us-central1-a, us-central1-b]}}
pools:
  - {name: cpu, machineType: c4-standard-8, minNodes: 1, maxNodes: 10}
  - {name: none, machineType: n2-standard-8, nodes: 0}
  - {name: arm, machineType: t2a-standard-16, maxNodes: 10, maxPodsPerNode: 110}
  - name: t4
    machineType: n1-standard-8
    accelerator: {type: nvidia-tesla-t4, count: 2}
    localSsd: {count: 1, use: block}
    nodes: 4
    zones: [us-central1-b, us-central1-c]
  - {name: l4, machineType: g2-standard-4, driver: latest, capacity: spot, maxNodes: 100}
  - name: h100
    machineType: a3-megagpu-8g
    compactPlacement: true
    priorities:
      - {capacity: reservation, reservation: projects/p/reservations/mine/reservationBlocks/b, nodes: 16,
         placementPolicy: near, hostMaintenance: periodic}
      - {capacity: spot, maxNodes: 16}
  - {name: h200, machineType: a3-ultragpu-8g, capacity: flex-start, compactPlacement: true, maxRunDuration: 3-0,
     disk: {type: hyperdisk-balanced}, maxNodes: 8}
"""

GOOD_SLURM = """
nodeSets:
  - {name: cpu, pool: cpu, replicas: 2}
  - {name: h100, pool: h100, replicas: 32}
  - {name: h200, pool: h200, replicas: 8}
  - {name: every, pool: t4, scalingMode: DaemonSet}
partitions:
  - {name: cpu, nodeSets: [cpu, every], default: true}
  - {name: h100, nodeSets: [h100]}
  - {name: h200, nodeSets: [h200], maxTime: 1-0}
accounting: {}
sharedVolumes: [{name: more, mountPath: /more, storageClass: standard-rwx}]
slurmConf: {extra: {JobRequeue: 1}}
"""


def test_a_valid_specification_is_accepted() -> None:
    gke = load_gke(with_base(GOOD))
    assert [pool.name for pool in gke.pools] == ["cpu", "none", "arm", "t4", "l4", "h100", "h200"]
    assert list(check_slurm(GkePlan.of(gke), slurm_spec(GOOD_SLURM))) == []


def test_rules_also_run_for_specifications_created_in_python() -> None:
    with pytest.raises(SpecError) as caught:
        checked_gke(GkeSpec(**BASE, pools=[GkePoolSpec(name="p", machine_type="n2-standard-8")]))
    assert [error.path for error in caught.value.errors] == [("pools", 0, "max_nodes")]


TWO_SCALED = "[{capacity: flex-start, maxNodes: 8}, {capacity: spot, maxNodes: 16}]"
FLEX = "pools: [{name: p, machineType: a3-highgpu-8g, capacity: flex-start, maxNodes: 4}]"


@pytest.mark.parametrize(("max_time", "warned"), [("7-0", True), ("4-00:00:00", True), ("3-12:00:00", False)])
def test_jobs_on_nodes_with_an_end_may_begin_late(max_time: str, warned: bool) -> None:
    text = f"nodeSets: [{{name: a, pool: p}}]\npartitions: [{{name: long, nodeSets: [a], maxTime: {max_time}}}]"
    warnings = list(check_slurm(GkePlan.of(load_gke(with_base(FLEX))), slurm_spec(text)))
    assert [str(warning) for warning in warnings] == [
        f'partitions[0].maxTime = "{max_time}": nodes of "a" live for 7-00:00:00 and serve one job after the other, '
        "and Google ends a job with its node, however late it began there. Write half of that or less, or let jobs "
        "write checkpoints and be requeued."
    ] * warned
    assert all(warning.severity is Severity.WARNING for warning in warnings)


@pytest.mark.parametrize(
    ("priorities", "node_set", "warned"),
    [
        (
            "[{capacity: flex-start, maxNodes: 8}, {capacity: spot, maxNodes: 16}]",
            "autoscaling: {maxReplicas: 9}",
            True,
        ),
        (TWO_SCALED, "replicas: 4", False),
        (
            "[{capacity: reservation, reservation: r, nodes: 4}, {capacity: spot, maxNodes: 16}]",
            "autoscaling: {maxReplicas: 9}",
            False,
        ),
    ],
)
def test_later_priorities_start_nodes_for_the_same_jobs(priorities: str, node_set: str, warned: bool) -> None:
    gke = load_gke(with_base(f"pools: [{{name: p, machineType: a3-highgpu-8g, priorities: {priorities}}}]"))
    warnings = check_slurm(GkePlan.of(gke), slurm_spec(f"nodeSets: [{{name: a, pool: p, {node_set}}}]"))
    assert [str(warning).partition(": for")[2].partition(",")[0] for warning in warnings] == [
        ' the same waiting jobs the pool "p" starts nodes of flex-start and spot at once'
    ] * warned


@pytest.mark.parametrize(
    ("pool", "system_disk", "cache", "warned"),
    [
        ("machineType: n2-standard-8, disk: {sizeGib: 200}", 200, 100, []),
        ("machineType: n2-standard-8, disk: {sizeGib: 199}", 200, 100, ["pools[0].disk.sizeGib"]),
        ("machineType: n2-standard-8, disk: {sizeGib: 200}", 50, 100, ["systemPool.disk.sizeGib"]),
        ("machineType: a3-megagpu-8g, capacity: spot", 20000, 5100, []),
        ("machineType: a3-megagpu-8g, capacity: spot", 20000, 5101, ["pools[0].localSsd"]),
        (
            "machineType: a3-megagpu-8g, capacity: spot, localSsd: {use: block}",
            20000,
            51,
            ["pools[0].disk.sizeGib"],
        ),
    ],
)
def test_caches_of_buckets_fit_on_the_disks_of_nodes(
    pool: str, system_disk: int, cache: int, warned: list[str]
) -> None:
    text = f"""
    pools: [{{name: p, nodes: 1, {pool}}}]
    systemPool: {{disk: {{sizeGib: {system_disk}}}}}
    storage:
      - {{name: a, mountPath: /a, bucket: {{fileCacheGib: {cache - 1}}}}}
      - {{name: b, mountPath: /b, bucket: {{fileCacheGib: 1}}}}
      - {{name: c, mountPath: /c, bucket: {{profile: training}}}}
    """
    warnings = list(check_gke(GkeSpec.model_validate(with_base(text))))
    assert [str(warning).partition(": ")[0] for warning in warnings] == warned
    assert all(warning.severity is Severity.WARNING for warning in warnings)


@pytest.mark.parametrize(
    ("zones", "system_zones", "warned"),
    [
        ("us-central1-ai1a", None, ["systemPool.zones: Slurm's daemons", '["us-central1-a"]']),
        ("us-central1-b", "us-central1-ai1a", ['systemPool.zones = ["us-central1-ai1a"]', '["us-central1-a"]']),
        ("us-central1-ai1a", "us-central1-a", []),
    ],
)
def test_daemons_run_in_standard_zones(zones: str, system_zones: str | None, warned: list[str]) -> None:
    system_pool = f"systemPool: {{zones: [{system_zones}]}}" if system_zones else ""
    text = f"zones: [{zones}]\npools: [{{name: p, machineType: a4-highgpu-8g, capacity: spot, maxNodes: 1}}]\n"
    warnings = list(check_gke(GkeSpec.model_validate(with_base(text + system_pool))))
    assert len(warnings) == bool(warned)
    assert all(part in str(warning) for part in warned for warning in warnings)
    assert all(warning.severity is Severity.WARNING for warning in warnings)


QUEUE = "kueue.x-k8s.io/queue-name: q"
GROUP = "kueue.x-k8s.io/pod-group-name: g"
COUNT = "kueue.x-k8s.io/pod-group-total-count"
ONE_BY_ONE = "Kueue takes each worker for a workload of its own"


@pytest.mark.parametrize(
    ("node_set", "warned"),
    [
        (f"replicas: 4, pod: {{labels: {{{QUEUE}}}}}", [f"nodeSets[0].pod.labels.* {ONE_BY_ONE}"]),
        (f"replicas: 4, pod: {{labels: {{{QUEUE}, {GROUP}}}}}", [f"nodeSets[0].pod.annotations: {ONE_BY_ONE}"]),
        (
            f'replicas: 4, pod: {{labels: {{{QUEUE}, {GROUP}}}, annotations: {{{COUNT}: "3"}}}}',
            [r'Kueue waits for 3 pods of the group "g", and removes what are more; here are 4. Write "4"\.'],
        ),
        (
            f'autoscaling: {{maxReplicas: 4}}, pod: {{labels: {{{QUEUE}, {GROUP}}}, annotations: {{{COUNT}: "4"}}}}',
            ["here are at times less than 4. Leave autoscaling out, and write replicas"],
        ),
        (f'replicas: 4, pod: {{labels: {{{QUEUE}, {GROUP}}}, annotations: {{{COUNT}: "4"}}}}', []),
        (f"replicas: 1, pod: {{labels: {{{QUEUE}}}}}", []),
    ],
)
def test_queued_workers_start_together_as_a_group(node_set: str, warned: list[str]) -> None:
    gke = load_gke(with_base("pools: [{name: p, machineType: a3-highgpu-8g, capacity: queued, maxNodes: 4}]"))
    text = f"nodeSets: [{{name: a, pool: p, {node_set}}}]\npartitions: [{{name: x, nodeSets: [a], maxTime: 1-0}}]"
    warnings = list(check_slurm(GkePlan.of(gke), slurm_spec(text)))
    assert len(warnings) == len(warned)
    for warning, pattern in zip(warnings, warned, strict=True):
        assert re.search(pattern.replace("[0]", r"\[0\]"), str(warning))
        assert warning.severity is Severity.WARNING


@pytest.mark.parametrize(("fields", "warned"), [("", True), ("fabric: false, ", False)])
def test_nvlink_between_machines_is_not_made(fields: str, warned: bool) -> None:
    a4x = f"{{name: a, machineType: a4x-highgpu-4g, {fields}capacity: reservation, reservation: r, nodes: 18}}"
    a4 = "{name: b, machineType: a4-highgpu-8g, capacity: spot, maxNodes: 2}"
    warnings = list(check_gke(GkeSpec.model_validate(with_base(f"pools: [{a4x}, {a4}]"))))
    assert [str(warning).partition(":")[0] for warning in warnings] == [
        'pools[0].machineType = "a4x-highgpu-4g"'
    ] * warned
    assert all(warning.severity is Severity.WARNING for warning in warnings)


@pytest.mark.parametrize(
    ("network", "count"),
    [
        ("{existing: {network: net, subnetwork: sub, podsRange: pods, servicesRange: services}}", 1),
        (
            "{existing: {network: n, subnetwork: s, podsRange: p, servicesRange: q}, controlPlaneRange: 172.20.0.0/28}",
            0,
        ),
        ("{}", 0),
    ],
)
def test_a_control_plane_whose_range_another_may_have_is_warned_of(network: str, count: int) -> None:
    warnings = list(check_gke(GkeSpec.model_validate(with_base(f"network: {network}"))))
    ranges = [warning for warning in warnings if warning.path == ("network", "control_plane_range")]
    assert [warning.severity for warning in ranges] == [Severity.WARNING] * count
