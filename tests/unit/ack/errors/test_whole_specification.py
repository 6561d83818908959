"""Whole ACK specifications: correct ones, and one that is created in Python."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckPoolSpec, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import check_slurm, checked_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack.errors.harness import BASE, slurm_spec, with_base

GOOD = """
name: hpc
zones: [cn-hangzhou-h, cn-hangzhou-i]
tags: {team: hpc}
slurmOperator: slinky
controlPlane:
  version: 1.32.1-aliyun.1
  publicEndpoint: true
  secretsEncryptionKey: key-1
  addons: [{name: arms-prometheus, config: {prometheusMode: default}}, {name: flannel, disabled: true}]
  maintenanceWindow: {start: "2026-01-03T02:00:00Z", hours: 3, days: [Monday]}
network: {nodeRanges: {cn-hangzhou-h: 10.200.0.0/20}, servicesRange: 172.21.0.0/20, natBandwidthMbps: 200}
systemPool: {minNodes: 3, maxNodes: 3}
storage:
  - {name: home, mountPath: /home}
  - {name: fast, mountPath: /fast, nas: {fileSystemType: extreme, capacityGib: 512, path: /share/fast}}
  - {name: old, mountPath: /old, nas: {existing: 0123456789-abc12.cn-hangzhou.nas.aliyuncs.com, nfs: "4.0"}}
database: {highAvailability: true, instanceType: mysql.n4.medium.2c, parameters: {max_connections: "500"}}
catalogue: {zones: {ecs.g8i.4xlarge: [cn-hangzhou-h, cn-hangzhou-i]}}
pools:
  - {name: cpu, instanceTypes: [ecs.g8i.4xlarge, ecs.g7.4xlarge], minNodes: 1, maxNodes: 10}
  - {name: none, instanceTypes: [ecs.c8i.2xlarge], nodes: 0}
  - {name: arm, instanceTypes: [ecs.g8y.4xlarge], maxNodes: 10}
  - name: a10
    instanceTypes: [ecs.gn7i-c8g1.2xlarge, ecs.gn7i-c16g1.4xlarge]
    zones: [cn-hangzhou-i]
    capacity: spot
    spotPriceLimits: {ecs.gn7i-c8g1.2xlarge: 6.5, ecs.gn7i-c16g1.4xlarge: 7}
    driverVersion: 550.144.03
    dataDisks: [{mountPath: /var/lib/containerd, performance: PL2, sizeGib: 500}]
    maxNodes: 100
  - {name: a100, instanceTypes: [ecs.gn7e-c16g1.32xlarge], nodes: 4, imageType: Ubuntu}
"""

GOOD_SLURM = """
nodeSets:
  - {name: cpu, pool: cpu, replicas: 2}
  - {name: a10, pool: a10, replicas: 4}
  - {name: every, pool: a100, replicas: 4}
accounting: {}
controller: {state: {storageClass: slurm-disk}}
sharedVolumes: [{name: more, mountPath: /more, storageClass: alibabacloud-cnfs-nas}]
slurmConf: {extra: {JobRequeue: 1, ResumeTimeout: 900}}
"""


def test_correct_specifications_are_accepted() -> None:
    ack = load_ack(with_base(GOOD))
    assert [pool.name for pool in ack.pools] == ["cpu", "none", "arm", "a10", "a100"]
    warnings = check_slurm(AckPlan.of(ack), slurm_spec(GOOD_SLURM))
    # Slinky's workers in two pools that are scaled, and Slinky's images on the mainland.
    assert {warning.code for warning in warnings} == {
        "ack-pods-with-sidecars-have-fixed-pools",
        "ack-nodes-reach-the-registries",
    }


def test_rules_run_for_specifications_from_python_too() -> None:
    with pytest.raises(SpecError) as caught:
        checked_ack(AckSpec(**BASE, pools=[AckPoolSpec(name="p", instance_types=["ecs.g8i.xlarge"])]))
    assert [error.path for error in caught.value.errors] == [("pools", 0, "max_nodes")]
