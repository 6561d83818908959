"""Wrong ACK specifications, and the lines that a user reads about them: path, value, problem, fix.

A case whose name begins with a number shows the refusal of that line of reference/ack.md, part (i).
"""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckPoolSpec, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import check_slurm, checked_ack
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked

BASE = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"]}

Case = tuple[str, list[str]]

# Each case: what is wrong, what is written beside BASE, and every error that is reported, in this order.
CASES: dict[str, Case] = {
    "20: Services overlap with the VPC": (
        """
        network: {vpcRange: 172.16.0.0/12, servicesRange: 172.20.0.0/20}
        """,
        [
            (
                'network.servicesRange = "172.20.0.0/20": it overlaps with vpcRange, 172.16.0.0/12, so '
                "packets would go astray. Write a range that is apart from it."
            ),
        ],
    ),
    "20: Flannel's pods overlap with the VPC and with Services": (
        """
        cluster: {cni: flannel}
        network: {podsRange: 10.8.0.0/16, servicesRange: 10.8.16.0/20}
        """,
        [
            (
                'network.podsRange = "10.8.0.0/16": it overlaps with vpcRange, 10.0.0.0/8, so packets would '
                "go astray. Write a range that is apart from it."
            ),
            (
                'network.servicesRange = "10.8.16.0/20": it overlaps with vpcRange, 10.0.0.0/8, so packets '
                "would go astray. Write a range that is apart from it."
            ),
            (
                'network.servicesRange = "10.8.16.0/20": it overlaps with podsRange, 10.8.0.0/16, so packets '
                "would go astray. Write a range that is apart from it."
            ),
        ],
    ),
    "20: vSwitches overlap": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.3.0.0/18}, podRanges: {cn-hangzhou-h: 10.3.32.0/19}}
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"] = "10.3.32.0/19": it overlaps with '
                'nodeRanges["cn-hangzhou-h"], 10.3.0.0/18, so packets would go astray. Write a range that is '
                "apart from it."
            ),
        ],
    ),
    "20: pod_cidr with Terway": (
        """
        network: {podsRange: 172.24.0.0/16, podsPerNode: 32}
        """,
        [
            (
                'network.podsRange = "172.24.0.0/16": with terway pods get their addresses from vSwitches, '
                "podRanges, and a cluster takes one or the other. Leave it out, or write cluster.cni "
                '"flannel".'
            ),
            (
                "network.podsPerNode = 32: with terway pods get their addresses from vSwitches, podRanges, "
                'and a cluster takes one or the other. Leave it out, or write cluster.cni "flannel".'
            ),
        ],
    ),
    "20: pod vSwitches with Flannel": (
        """
        cluster: {cni: flannel}
        network: {podRanges: {cn-hangzhou-h: 10.9.0.0/16}}
        """,
        [
            (
                'network.podRanges = {"cn-hangzhou-h": "10.9.0.0/16"}: with flannel pods get their addresses '
                "from a range behind the nodes, podsRange, and a cluster takes one or the other. Leave it "
                'out, or write cluster.cni "terway".'
            ),
        ],
    ),
    "20: vSwitches that are too large and too small": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.0.0.0/15}, podRanges: {cn-hangzhou-h: 10.128.0.0/30}}
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/15": a vSwitch has a /16 to a /29. Write '
                'for example "10.0.0.0/16".'
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/30": a vSwitch has a /16 to a /29. Write '
                'for example "10.128.0.0/29".'
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/30": pods of all nodes at their most in '
                "this zone take 184 addresses, and this has 4. Write a /24 or larger, or leave it out."
            ),
        ],
    ),
    "20: a vSwitch outside of the VPC": (
        """
        network: {vpcRange: 192.168.0.0/16, nodeRanges: {cn-hangzhou-h: 10.0.0.0/18}}
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/18": a vSwitch lies within its VPC, '
                "192.168.0.0/16. Write a part of vpcRange, or another vpcRange."
            ),
        ],
    ),
    "20: a pod vSwitch in a zone without a node vSwitch": (
        """
        network: {podRanges: {cn-hangzhou-k: 10.9.0.0/16}}
        """,
        [
            (
                'network.podRanges["cn-hangzhou-k"] = "10.9.0.0/16": no pool has nodes in this zone, so '
                "nothing would use a vSwitch of pods there. Write one of: cn-hangzhou-h; or add the zone to "
                "zones."
            ),
        ],
    ),
    "20: a fixed number beside bounds": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2, minNodes: 0, maxNodes: 4}]
        """,
        [
            ("pools[0].minNodes = 0: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
            ("pools[0].maxNodes = 4: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
        ],
    ),
    "20: most not above least": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], minNodes: 4, maxNodes: 4}]
        """,
        [
            (
                "pools[0].maxNodes = 4: ACK wants it to be above minNodes, 4. Write 5 or more, or nodes: 4 "
                "for a fixed number."
            ),
        ],
    ),
    "20: price limits that leave types out": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge, ecs.g7.xlarge], capacity: spot,
          spotPriceLimits: {ecs.g8i.xlarge: 0.5, ecs.c7.xlarge: 0.4}, maxNodes: 4}]
        """,
        [
            (
                'pools[0].spotPriceLimits["ecs.c7.xlarge"] = 0.4: the pool has no such instance type. Write '
                "one of: ecs.g8i.xlarge, ecs.g7.xlarge."
            ),
            (
                'pools[0].spotPriceLimits = {"ecs.g8i.xlarge": 0.5, "ecs.c7.xlarge": 0.4}: there is no limit '
                "for ecs.g7.xlarge, and ACK takes limits for all types or for none. Add one for each "
                "instance type, or leave spotPriceLimits out."
            ),
        ],
    ),
    "20: price limits that are no prices": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], capacity: spot, spotPriceLimits: {ecs.g8i.xlarge: 0},
          maxNodes: 4}]
        """,
        [
            (
                'pools[0].spotPriceLimits["ecs.g8i.xlarge"] = 0.0: this is not a price. Write what an hour '
                "may cost, for example 1.5."
            ),
        ],
    ),
    "20: a password of managed nodes": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, password: Hush1234}]
        """,
        [
            (
                "pools[0].password: ACK manages these nodes, and such nodes take a key pair alone. Leave it "
                "out; write keyName where somebody has to get on to nodes."
            ),
        ],
    ),
    "20: labels as ACK's API has them": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, nodeLabels: [{key: a, value: b}],
          taints: {a: b}}]
        """,
        [
            (
                'pools[0].nodeLabels = [{"key": "a", "value": "b"}]: this is not a mapping. Write a mapping '
                "of names to values."
            ),
            'pools[0].taints = {"a": "b"}: this is not a list. Write a list.',
        ],
    ),
    "20: Extreme NAS outside of /share": (
        """
        storage: [{name: home, mountPath: /home, nas: {fileSystemType: extreme, capacityGib: 100, path: /home}}]
        """,
        [
            (
                'storage[0].nas.path = "/home": an extreme file system has nothing outside of /share, so no '
                'pod could mount it. Write "/share/home".'
            ),
        ],
    ),
    "instance type unknown": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.5xlarge], nodes: 1}]
        systemPool: {instanceTypes: [ecs.nope]}
        """,
        [
            (
                'pools[0].instanceTypes[0] = "ecs.g8i.5xlarge": there is no such instance type. Did you mean '
                '"ecs.g8i.xlarge" or "ecs.g8i.8xlarge" or "ecs.g8i.6xlarge"?'
            ),
            (
                'systemPool.instanceTypes[0] = "ecs.nope": there is no such instance type. Write one such as '
                '"ecs.g8i.4xlarge", or add it to machineTypes.'
            ),
        ],
    ),
    "instance types that are not alike": (
        """
        pools: [{name: p, instanceTypes: [ecs.gn7i-c8g1.2xlarge, ecs.gn6i-c8g1.2xlarge, ecs.g8y.2xlarge], nodes: 1}]
        """,
        [
            (
                'pools[0].instanceTypes[1] = "ecs.gn6i-c8g1.2xlarge": it has 1 T4, and ecs.gn7i-c8g1.2xlarge '
                "has 1 A10: slurmd would find other GPUs than slurm.conf says, and the node would be "
                "drained. Put it into a pool of its own."
            ),
            (
                'pools[0].instanceTypes[2] = "ecs.g8y.2xlarge": its instruction set is arm64, and that of '
                "ecs.gn7i-c8g1.2xlarge is amd64. Put it into a pool of its own."
            ),
            (
                'pools[0].instanceTypes[1] = "ecs.gn6i-c8g1.2xlarge": ecs.gn6i-c8g1.2xlarge has addresses '
                "for 10 pods, and with Terway ACK lets no node with 11 or fewer into the cluster. Choose a "
                "larger instance type, or Flannel."
            ),
        ],
    ),
    "instance type twice": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge, ecs.g8i.xlarge], nodes: 1}]
        """,
        [
            'pools[0].instanceTypes[1] = "ecs.g8i.xlarge": this type is named before. Leave it out.',
        ],
    ),
    "machines that leave nothing": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], reservedCpus: 3, reservedMemory: 16Gi, nodes: 1}]
        """,
        [
            (
                "pools[0].reservedCpus = 3: ACK leaves 3 CPUs and 14236Mi of an ecs.g8i.xlarge, and this "
                "takes them all. Write less, or choose a larger instance type."
            ),
            (
                'pools[0].reservedMemory = "16Gi": ACK leaves 3 CPUs and 14236Mi of an ecs.g8i.xlarge, and '
                "this takes them all. Write less, or choose a larger instance type."
            ),
        ],
    ),
    "too small for Terway": (
        """
        pools: [{name: p, instanceTypes: [ecs.hfg7.large], nodes: 1, reservedCpus: 0}]
        """,
        [
            (
                'pools[0].instanceTypes[0] = "ecs.hfg7.large": ecs.hfg7.large has addresses for 6 pods, and '
                "with Terway ACK lets no node with 11 or fewer into the cluster. Choose a larger instance "
                "type, or Flannel."
            ),
        ],
    ),
    "a driver that the machine can't take": (
        """
        pools: [{name: p, instanceTypes: [ecs.gn7-c12g1.3xlarge], driverVersion: 515.65.01, nodes: 1}, {name: q,
          instanceTypes: [ecs.g8i.xlarge], driverVersion: 550.144.03, nodes: 1}]
        """,
        [
            (
                'pools[0].driverVersion = "515.65.01": ecs.gn7-c12g1.3xlarge does not work with drivers 510 '
                "and 515, nor safely with others before 525.125.06. Write 525.125.06 or later, or a version "
                "before 510 and turn GSP off."
            ),
            (
                'pools[1].driverVersion = "550.144.03": ecs.g8i.xlarge has no GPU, and so no driver. Leave '
                "the driver's version out."
            ),
        ],
    ),
    "an image that Arm doesn't have": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8y.2xlarge], imageType: ContainerOS, nodes: 1}]
        """,
        [
            (
                'pools[0].imageType = "ContainerOS": an ecs.g8y.2xlarge is an Arm machine, and ACK has no '
                "such image for Arm. Write one of: AliyunLinux3, AliyunLinux4, "
                "AliyunLinux4ContainerOptimized."
            ),
        ],
    ),
    "system pool that Slurm's daemons can't use": (
        """
        systemPool: {instanceTypes: [ecs.gn7i-c8g1.2xlarge, ecs.g8y.2xlarge], minNodes: 3, maxNodes: 2}
        """,
        [
            (
                'systemPool.instanceTypes[0] = "ecs.gn7i-c8g1.2xlarge": this has GPUs, and Slurm\'s daemons '
                'have no use for it. Write for example "ecs.g8i.xlarge".'
            ),
            (
                'systemPool.instanceTypes[1] = "ecs.g8y.2xlarge": this is an Arm machine, and images of '
                "Slurm's daemons and of ACK's components are for amd64. Write for example \"ecs.g8i.xlarge\"."
            ),
            "systemPool.minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
    "zones of another region": (
        """
        zones: [cn-hangzhou-h, cn-beijing-h]
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, zones: [ap-southeast-1a]}]
        """,
        [
            (
                'zones[1] = "cn-beijing-h": this zone is not in cn-hangzhou, the region of the cluster. '
                'Write a zone such as "cn-hangzhou-a", or another region.'
            ),
            (
                'pools[0].zones[0] = "ap-southeast-1a": this zone is not in cn-hangzhou, the region of the '
                'cluster. Write a zone such as "cn-hangzhou-a", or another region.'
            ),
        ],
    ),
    "a zone as the region": (
        """
        region: ap-southeast-1a
        zones: [ap-southeast-1a]
        """,
        [
            ('region = "ap-southeast-1a": this is a zone. Write its region, "ap-southeast-1", and the zone in zones.'),
        ],
    ),
    "a zone as the region, with a hyphen": (
        """
        region: cn-hangzhou-h
        """,
        [
            ('region = "cn-hangzhou-h": this is a zone. Write its region, "cn-hangzhou", and the zone in zones.'),
        ],
    ),
    "no region and no zone": (
        """
        region: Hangzhou
        zones: [hangzhou]
        """,
        [
            ('region = "Hangzhou": this is not a region. Write for example "cn-hangzhou" or "ap-southeast-1".'),
            ('zones[0] = "hangzhou": this is not a zone. Write for example "cn-hangzhou-h" or "ap-southeast-1a".'),
        ],
    ),
    "a zone that doesn't offer the machine": (
        """
        catalogue: {zones: {ecs.g8i.xlarge: [cn-hangzhou-i, cn-beijing-a]}}
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: q, instanceTypes: [ecs.g8i.xlarge],
          nodes: 1, zones: [cn-hangzhou-h]}]
        systemPool: {instanceTypes: [ecs.g7.xlarge]}
        """,
        [
            (
                "pools[0].zones: catalogue.zones says that ecs.g8i.xlarge is offered in cn-hangzhou-i, "
                "cn-beijing-a, not in cn-hangzhou-h, where the cluster's nodes are. Write one of: "
                "cn-hangzhou-i."
            ),
            (
                'pools[1].zones[0] = "cn-hangzhou-h": catalogue.zones says that ecs.g8i.xlarge is offered in '
                "cn-hangzhou-i, cn-beijing-a. Write one of: cn-hangzhou-i."
            ),
        ],
    ),
    "pool names": (
        """
        pools: [{name: system, instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: p,
          instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1}]
        """,
        [
            'pools[0].name = "system": the pool of Slurm\'s daemons has this name. Choose another name.',
            'pools[2].name = "p": this name is used before. Choose another name.',
        ],
    ),
    "labels that are ours": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, nodeLabels: {slurm.pulumi.com/pool: q,
          ack.aliyun.com/nvidia-driver-version: 550.144.03}, taints: [{key: slurm.pulumi.com/pool}]}]
        """,
        [
            (
                'pools[0].nodeLabels["slurm.pulumi.com/pool"] = "q": this label is set already: it tells the '
                "pools apart. Leave it out."
            ),
            (
                'pools[0].nodeLabels["ack.aliyun.com/nvidia-driver-version"] = "550.144.03": this label is '
                "set already: driverVersion says it. Leave it out."
            ),
            (
                'pools[0].taints[0].key = "slurm.pulumi.com/pool": this taint is set already on a dedicated '
                "pool. Leave it out."
            ),
        ],
    ),
    "no number of nodes": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge]}]
        """,
        [
            ("pools[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or nodes for a fixed number."),
        ],
    ),
    "more nodes than ACK scales": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 1001}]
        """,
        [
            "pools[0].maxNodes = 1001: this is too large. Write 1000 or less.",
        ],
    ),
    "spot fields without spot": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], spotPriceLimits: {ecs.g8i.xlarge: 1},
          onDemandInstead: true, maxNodes: 1}]
        """,
        [
            (
                'pools[0].spotPriceLimits = {"ecs.g8i.xlarge": 1.0}: machines of capacity on-demand are no '
                'spot machines. Leave it out, or write capacity "spot".'
            ),
            (
                "pools[0].onDemandInstead = true: machines of capacity on-demand are no spot machines. Leave "
                'it out, or write capacity "spot".'
            ),
        ],
    ),
    "name too long": (
        """
        name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        """,
        [
            ('name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": this name has 41 characters. Use 40 at most.'),
        ],
    ),
    "tags that Alibaba Cloud keeps to itself": (
        """
        tags: {"acs:team": hpc, team: aliyun}
        """,
        [
            (
                'tags.acs:team = "hpc": Alibaba Cloud keeps such a key to itself: it begins with "aliyun" or '
                '"acs:", or holds a URL. Write another.'
            ),
            (
                'tags.team = "aliyun": Alibaba Cloud keeps such a value to itself: it begins with "aliyun" '
                'or "acs:", or holds a URL. Write another.'
            ),
        ],
    ),
    "disks": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, disk: {performance: PL2, sizeGib: 120},
          dataDisks: [{mountPath: /mnt/a, type: cloud_ssd, performance: PL1}, {mountPath: /mnt/a/},
          {mountPath: /mnt/b, type: cloud_esd}]}]
        """,
        [
            (
                "pools[0].disk.sizeGib = 120: a disk of PL2 has 461 GiB or more, and this has 120. Write 461 "
                "or more, or a lower performance level."
            ),
            (
                'pools[0].dataDisks[0].performance = "PL1": only cloud_essd comes in performance levels, and '
                "this is cloud_ssd. Leave it out, or write type cloud_essd."
            ),
            'pools[0].dataDisks[2].type = "cloud_esd": there is no such disk. Did you mean "cloud_essd"?',
            ('pools[0].dataDisks[1].mountPath = "/mnt/a": another disk is mounted there. Choose another path.'),
        ],
    ),
    "VPC not private": (
        """
        network: {vpcRange: 11.0.0.0/8}
        """,
        [
            (
                'network.vpcRange = "11.0.0.0/8": this range is not private, so nodes would no longer reach '
                "its owners on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ),
        ],
    ),
    "VPC too large": (
        """
        network: {vpcRange: 10.0.0.0/7}
        """,
        [
            'network.vpcRange = "10.0.0.0/7": a VPC has a /8 to a /28. Write "10.0.0.0/8".',
        ],
    ),
    "VPC of a size that none has": (
        """
        network: {vpcRange: 10.0.0.0/29}
        """,
        [
            'network.vpcRange = "10.0.0.0/29": a VPC has a /8 to a /28. Write "10.0.0.0/8".',
        ],
    ),
    "a range that is an address": (
        """
        network: {vpcRange: 10.0.0.1/8, servicesRange: half, podsPerNode: 48}
        """,
        [
            'network.vpcRange = "10.0.0.1/8": this is an address within a range. Write "10.0.0.0/8".',
            'network.servicesRange = "half": this is not an IPv4 range. Write for example "10.0.64.0/18".',
            "network.podsPerNode = 48: Flannel hands out addresses in powers of two. Write 64.",
        ],
    ),
    "vSwitches that are too small for the pools": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.0.0.0/24}, podRanges: {cn-hangzhou-h: 10.128.0.0/24}}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 1000}]
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/24": nodes of all pools at their most, with '
                "load balancers, in this zone take 1040 addresses, and this has 256. Write a /21 or larger, "
                "or leave it out."
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/24": pods of all nodes at their most in '
                "this zone take 32184 addresses, and this has 256. Write a /17 or larger, or leave it out."
            ),
        ],
    ),
    "more pods than a vSwitch holds": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], dedicated: false, maxNodes: 1000}]
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"]: pods of all nodes at their most take 210184 addresses '
                "in this zone, and the largest vSwitch has 65532. Spread the pools over more zones, or write "
                "fewer nodes."
            ),
        ],
    ),
    "Flannel's range too small": (
        """
        cluster: {cni: flannel}
        network: {podsRange: 172.24.0.0/20}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 100}]
        """,
        [
            (
                'network.podsRange = "172.24.0.0/20": podsPerNode on all nodes at their most take 6656 '
                "addresses, and this has 4096. Write a /19 or larger, or leave it out."
            ),
        ],
    ),
    "no room in the VPC": (
        """
        network: {vpcRange: 192.168.0.0/22}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 100}]
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"]: the VPC has no room left that is large enough for it. '
                "Write a larger vpcRange, or smaller ranges for the others."
            ),
        ],
    ),
    "control plane": (
        """
        cluster: {version: 1.32.1-aliyun.1, upgradeChannel: stable, spec: ack.standard,
          secretsEncryptionKey: key-1, addons: [{name: flannel}, {name: a}, {name: b}]}
        """,
        [
            (
                'cluster.secretsEncryptionKey = "key-1": edition ack.standard doesn\'t encrypt Secrets by a '
                "key of yours. Leave it out, or write spec ack.pro.small."
            ),
            (
                'cluster.version = "1.32.1-aliyun.1": channel stable upgrades the cluster by itself, and '
                "each `pulumi up` would then ask for this version again. Leave it out, or leave "
                "upgradeChannel out."
            ),
            (
                'cluster.addons[0].name = "flannel": the network plugin of the cluster is terway, and there '
                'can be one. Leave it out, or write cni "flannel".'
            ),
        ],
    ),
    "an addon twice": (
        """
        cluster: {addons: [{name: a}, {name: a}]}
        """,
        [
            'cluster.addons[1].name = "a": this component is stated before. Keep one of them.',
        ],
    ),
    "no version and no domain": (
        """
        cluster: {version: latest, clusterDomain: Cluster_local, maintenanceWindow: {start: tonight,
          days: [Monday, Monday], hours: 25}}
        """,
        [
            (
                'cluster.version = "latest": this is not a version of ACK. Write all of it, for example '
                '"1.32.1-aliyun.1".'
            ),
            ('cluster.clusterDomain = "Cluster_local": this is not a domain. Write for example "cluster.local".'),
            (
                'cluster.maintenanceWindow.start = "tonight": this is not a time in RFC 3339 form. Write for '
                'example "2026-01-03T02:00:00.000+08:00".'
            ),
            "cluster.maintenanceWindow.hours = 25: this is too large. Write 24 or less.",
            'cluster.maintenanceWindow.days[1] = "Monday": this day is named before. Leave it out.',
        ],
    ),
    "ack-slurm-operator on an older cluster": (
        """
        runtime: ack-slurm-operator
        cluster: {version: 1.20.11-aliyun.1}
        """,
        [
            (
                'cluster.version = "1.20.11-aliyun.1": ack-slurm-operator needs Kubernetes 1.22. Write a '
                "version of 1.22 or later."
            ),
        ],
    ),
    "options of the other runtime": (
        """
        slurm: {copilot: {}}
        """,
        [
            (
                'slurm = {"copilot": {}}: runtime "slinky" has no ack-slurm-operator, so nothing would read '
                'this. Leave it out, or write runtime "ack-slurm-operator".'
            ),
        ],
    ),
    "colocation without nodes to share": (
        """
        runtime: ack-slurm-operator
        slurm: {copilot: {}}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], nodes: 2}]
        """,
        [
            (
                "slurm.copilot = {}: all pools are dedicated to Slurm, so there is no node that it could share with "
                "other pods. Write dedicated: false in the pools to share, or leave copilot out."
            ),
        ],
    ),
    "storage": (
        """
        storage: [{name: home, mountPath: /home}, {name: home, mountPath: /home/}, {name: x, mountPath: /x,
          nas: {existing: abc-1.cn-beijing.nas.aliyuncs.com, zone: cn-hangzhou-h}}]
        """,
        [
            (
                'storage[2].nas.zone = "cn-hangzhou-h": "abc-1.cn-beijing.nas.aliyuncs.com" exists already, '
                "and this can't be changed any more. Leave it out; or leave existing out, and one is made."
            ),
            'storage[1].name = "home": this name is used before. Choose another name.',
            'storage[1].mountPath = "/home/": "home" is mounted there. Choose another path.',
            (
                'storage[2].nas.existing = "abc-1.cn-beijing.nas.aliyuncs.com": this mount target is not in '
                "cn-hangzhou, and nodes reach none elsewhere. Write one that ends in "
                ".cn-hangzhou.nas.aliyuncs.com."
            ),
        ],
    ),
    "NAS": (
        """
        storage: [{name: a, mountPath: /a, nas: {capacityGib: 200, storageType: advance}}, {name: b,
          mountPath: /b, nas: {fileSystemType: extreme, nfs: '4.0'}}, {name: c, mountPath: /c,
          nas: {existing: nfs.example.org, path: ../x}}, {name: d, mountPath: /d, nas: {zone: cn-beijing-a}}]
        """,
        [
            (
                'storage[0].nas.storageType = "advance": a file system of type "standard" has no such '
                "storage type. Write one of: Performance, Capacity, Premium."
            ),
            (
                "storage[0].nas.capacityGib = 200: a standard file system has no size of its own: it grows "
                'with what is in it. Leave it out, or write fileSystemType "extreme".'
            ),
            (
                "storage[1].nas.capacityGib: an extreme file system has a fixed size, and nothing says "
                "which. Add capacityGib, for example 512."
            ),
            'storage[1].nas.nfs = "4.0": an extreme file system speaks NFS 3 alone. Leave it out.',
            'storage[2].nas.path = "../x": this is not a plain path. Write for example "/home".',
            (
                'storage[2].nas.existing = "nfs.example.org": this is not the domain of a mount target. '
                'Write for example "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com".'
            ),
            (
                'storage[3].nas.zone = "cn-beijing-a": this zone is not in cn-hangzhou, the region of the '
                'cluster. Write a zone such as "cn-hangzhou-a", or another region.'
            ),
        ],
    ),
    "database": (
        """
        database: {highAvailability: true, instanceType: mysql.n2.medium.1, diskGib: 42,
          parameters: {innodb_lock_wait_timeout: '50', Big: '1'}}
        """,
        [
            "database.diskGib = 42: RDS sells disks in steps of 5 GiB. Write 40 or 45.",
            (
                'database.parameters.innodbLockWaitTimeout = "50": slurmdbd needs it to be 900, and it is '
                "set so. Leave it out."
            ),
            ('database.parameters.Big = "1": RDS has no such parameter. Write it as MySQL does, in lower case.'),
            (
                'database.instanceType = "mysql.n2.medium.1": this type has no second instance, and '
                "highAvailability is true. Write one that ends in .2c, or highAvailability: false."
            ),
            (
                "database.highAvailability = true: its second instance would lie in cn-hangzhou-h too, the "
                "only zone. Add a zone to zones, or leave highAvailability out."
            ),
        ],
    ),
    "second instance without a zone": (
        """
        database: {highAvailability: true}
        """,
        [
            (
                "database.highAvailability = true: its second instance would lie in cn-hangzhou-h too, the "
                "only zone. Add a zone to zones, or leave highAvailability out."
            ),
        ],
    ),
    "disk above its largest": (
        """
        database: {diskGib: 1000}
        """,
        [
            "database.largestDiskGib: it is below diskGib, 1000. Write 1000 or more.",
        ],
    ),
}

# Likewise, with what is written of the Slurm cluster, whose errors these are.
WITH_SLURM: dict[str, tuple[str, str, list[str]]] = {
    "15: ResumeTimeout too short for a pool that begins with no node": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}]
        slurmConf: {extra: {resumeTimeout: 300}}
        """,
        [
            (
                'slurmConf.extra.resumeTimeout = "300": the pool "p" begins with no node, and one takes '
                "longer to start: Slurm would take it for down, and queue its jobs again. Write 600 or more, "
                "or leave it out."
            ),
        ],
    ),
    "DaemonSet on a pool that begins with no node": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, scalingMode: DaemonSet}]
        """,
        [
            (
                'nodeSets[0].scalingMode = "DaemonSet": pods of a DaemonSet make ACK start no node, and the '
                'pool "p" begins with none. Write "StatefulSet", or nodes or minNodes in the pool.'
            ),
        ],
    ),
    "spot jobs that are lost": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], capacity: spot, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}]
        slurmConf: {slurmdTimeout: 0, extra: {JobRequeue: 0}}
        """,
        [
            (
                'slurmConf.extra.JobRequeue = "0": the nodes of "a" are of capacity spot, and jobs there '
                "would be lost whenever Alibaba Cloud takes a node. Leave it out; a job that must not run "
                "twice is submitted with --no-requeue."
            ),
            (
                'slurmConf.slurmdTimeout = 0: the nodes of "a" are of capacity spot, and with this a node '
                "that was taken would stay up for Slurm, with its jobs. Leave it out, or write seconds."
            ),
        ],
    ),
    "volumes of two owners": (
        """
        storage: [{name: home, mountPath: /home}]
        """,
        """
        nodeSets: [{name: a, pool: p}, {name: b, pool: p, volumeClaims: [{name: s, mountPath: /home}]}]
        sharedVolumes: [{name: home, mountPath: /h, storageClass: x}]
        """,
        [
            (
                'sharedVolumes[0].name = "home": the storage of this name in the ACK specification becomes a '
                "shared volume by itself. Leave this volume out, or choose another name."
            ),
            (
                'nodeSets[1].volumeClaims[0].mountPath = "/home": the storage "home" of the ACK '
                "specification is mounted there. Choose another path."
            ),
        ],
    ),
    "database of two owners": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        accounting: {database: {kind: external, host: db, passwordSecret: {name: x, key: y}}}
        """,
        [
            (
                'accounting.database = {"kind": "external", "host": "db", "passwordSecret": {"name": "x", '
                '"key": "y"}}: the ACK specification makes the database and says how slurmdbd reaches it. '
                "Leave it out, or leave database out in the ACK specification."
            ),
        ],
    ),
    "database without slurmdbd": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        """,
        [
            (
                "accounting: the ACK specification has a database for slurmdbd, and there is no slurmdbd. "
                "Add accounting: {}, or leave database out there."
            ),
        ],
    ),
    "database beside a slurmdbd elsewhere": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        accounting: {external: {host: dbd.example.org, port: 6819}}
        keys: {slurm: {existing: {name: x, key: y}}, jwt: {existing: {name: x, key: z}}}
        """,
        [
            (
                'accounting.external = {"host": "dbd.example.org", "port": 6819}: a slurmdbd outside the '
                "cluster has a database of its own, and the ACK specification makes another. Leave it out, "
                "or leave database out in the ACK specification."
            ),
        ],
    ),
}

GOOD = """
name: hpc
zones: [cn-hangzhou-h, cn-hangzhou-i]
tags: {team: hpc}
runtime: slinky
cluster:
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
  - {name: every, pool: a100, scalingMode: DaemonSet}
accounting: {}
sharedVolumes: [{name: more, mountPath: /more, storageClass: alibabacloud-cnfs-nas}]
slurmConf: {extra: {JobRequeue: 1, ResumeTimeout: 900}}
"""


def written(text: str) -> dict[str, Any]:
    return {**BASE, **yaml.safe_load(dedent(text))}


def slurm_spec(text: str) -> SlurmSpec:
    return checked(SlurmSpec.model_validate({"name": "c", **yaml.safe_load(dedent(text))}))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_error_is_told_with_path_value_and_remedy(case: Case) -> None:
    text, expected = case
    with pytest.raises(SpecError) as caught:
        load_ack(written(text))
    assert [str(error) for error in caught.value.errors] == expected


@pytest.mark.parametrize("case", WITH_SLURM.values(), ids=WITH_SLURM.keys())
def test_a_error_of_a_slurm_cluster_on_ack(case: tuple[str, str, list[str]]) -> None:
    ack, slurm, expected = case
    found = check_slurm(AckPlan.of(checked_ack(AckSpec.model_validate(written(ack)))), slurm_spec(slurm))
    assert [str(error) for error in found] == expected


def test_what_is_right_is_accepted() -> None:
    ack = load_ack(written(GOOD))
    assert [pool.name for pool in ack.pools] == ["cpu", "none", "arm", "a10", "a100"]
    assert list(check_slurm(AckPlan.of(ack), slurm_spec(GOOD_SLURM))) == []


def test_a_cluster_with_too_many_nodes() -> None:
    pools = [{"name": f"p{number}", "instanceTypes": ["ecs.g8i.4xlarge"], "maxNodes": 1000} for number in range(15)]
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": pools})
    assert [str(error) for error in caught.value.errors] == [
        "pools: with the system pool these are up to 15004 nodes, and ACK manages 15000 in a cluster. Write fewer "
        "nodes in some of them."
    ]


def test_the_other_runtime_has_rules_of_its_own_for_nodes_that_start() -> None:
    text = "pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]\nruntime: ack-slurm-operator"
    slurm = slurm_spec("nodeSets: [{name: a, pool: p, replicas: 1}]\nslurmConf: {extra: {ResumeTimeout: 300}}")
    assert list(check_slurm(AckPlan.of(load_ack(written(text))), slurm)) == []


def test_a_password_is_never_shown() -> None:
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": [{"name": "p", "instanceTypes": ["ecs.g8i.xlarge"], "password": "Hush1234"}]})
    assert "Hush1234" not in str(caught.value)


def test_rules_are_run_for_specifications_made_in_python_too() -> None:
    with pytest.raises(SpecError) as caught:
        checked_ack(AckSpec(**BASE, pools=[AckPoolSpec(name="p", instance_types=["ecs.g8i.xlarge"])]))
    assert [error.path for error in caught.value.errors] == [("pools", 0, "max_nodes")]
