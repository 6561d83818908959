"""Wrong GKE specifications, and the lines that a user reads about them: path, value, problem, fix."""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.model import GkePoolSpec, GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules import check_slurm, checked_gke
from pulumi_slurm.model import SlurmSpec

BASE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}

Case = tuple[str, list[str]]

# Each case: what is wrong, what is written beside BASE, and every error that is reported, in this order.
CASES: dict[str, Case] = {
    "machine type unknown": (
        """
        pools: [{name: p, machineType: n2-standard-9, maxNodes: 1}]
        """,
        [
            (
                'pools[0].machineType = "n2-standard-9": there is no such machine type. Did you mean '
                '"n2-standard-96" or "n2d-standard-96" or "n2-standard-8"?'
            ),
        ],
    ),
    "GPUs on a machine that is no N1": (
        """
        pools: [{name: p, machineType: n2-standard-8, accelerator: {type: nvidia-tesla-t4, count: 1}, maxNodes: 1}]
        """,
        [
            (
                'pools[0].accelerator = {"type": "nvidia-tesla-t4", "count": 1}: GPUs can be attached to N1 '
                'machines only, and this is a n2-standard-8. Choose a type such as "n1-standard-8", or one '
                "that comes with GPUs."
            ),
        ],
    ),
    "a number of GPUs that can't be attached": (
        """
        pools: [{name: p, machineType: n1-standard-8, accelerator: {type: nvidia-tesla-t4, count: 3}, maxNodes: 1}]
        """,
        [
            (
                'pools[0].accelerator = {"type": "nvidia-tesla-t4", "count": 3}: nvidia-tesla-t4 can\'t be '
                "attached 3 times. Write one of: 1, 2, 4."
            ),
        ],
    ),
    "system pool with GPUs": (
        """
        systemPool: {machineType: g2-standard-8, minNodes: 3, maxNodes: 2}
        """,
        [
            (
                'systemPool.machineType = "g2-standard-8": this has GPUs, and GKE taints such nodes: Slurm\'s '
                'daemons would stay Pending. Write for example "e2-standard-4".'
            ),
            "systemPool.minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
    "system pool of Arm machines": (
        """
        systemPool: {machineType: t2a-standard-8}
        """,
        [
            (
                'systemPool.machineType = "t2a-standard-8": this is an Arm machine, and GKE taints such '
                'nodes: Slurm\'s daemons would stay Pending. Write for example "e2-standard-4".'
            ),
        ],
    ),
    "system pool of unknown machines": (
        """
        systemPool: {machineType: e2-standrd-4}
        """,
        [
            (
                'systemPool.machineType = "e2-standrd-4": there is no such machine type. Did you mean '
                '"e2-standard-4" or "n2-standard-4" or "g2-standard-4"?'
            ),
        ],
    ),
    "reserves that leave nothing": (
        """
        pools: [{name: p, machineType: n2-standard-4, reservedCpus: 3, reservedMemory: 16Gi, maxNodes: 1}]
        """,
        [
            (
                "pools[0].reservedCpus = 3: GKE leaves 3 CPUs and 12114Mi of n2-standard-4, and this takes "
                "them all. Write less, or choose a larger machine type."
            ),
            (
                'pools[0].reservedMemory = "16Gi": GKE leaves 3 CPUs and 12114Mi of n2-standard-4, and this '
                "takes them all. Write less, or choose a larger machine type."
            ),
        ],
    ),
    "zone of another region": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, zones: [us-east4-a], maxNodes: 1}
        storage:
          - {name: home, mountPath: /home, filestore: {zone: europe-west4-a}}
          - {name: scratch, mountPath: /scratch, lustre: {zone: europe-west4-a}}
        """,
        [
            (
                'pools[0].zones[0] = "us-east4-a": this zone is not in us-central1, the region of the '
                'cluster. Write a zone such as "us-central1-b", or another region.'
            ),
            (
                'storage[0].filestore.zone = "europe-west4-a": this zone is not in us-central1, the region '
                'of the cluster. Write a zone such as "us-central1-b", or another region.'
            ),
            (
                'storage[1].lustre.zone = "europe-west4-a": this zone is not in us-central1, the region of '
                'the cluster. Write a zone such as "us-central1-b", or another region.'
            ),
        ],
    ),
    "zone that is no zone": (
        """
        storage: [{name: home, mountPath: /home, filestore: {zone: us-central1}}]
        """,
        [
            ('storage[0].filestore.zone = "us-central1": this is not a zone. Write for example "us-central1-b".'),
        ],
    ),
    "zones that don't offer the machine": (
        """
        zones: [us-central1-b, us-central1-c]
        catalogue: {zones: {g2-standard-4: [us-central1-a, us-central1-b, us-east4-a], e2-standard-4: [us-east4-a]}}
        pools:
          - {name: p, machineType: g2-standard-4, zones: [us-central1-c], maxNodes: 1}
          - {name: q, machineType: g2-standard-4, maxNodes: 1}
        """,
        [
            (
                'pools[0].zones[0] = "us-central1-c": catalogue.zones says that g2-standard-4 is offered in '
                "us-central1-a, us-central1-b, us-east4-a. Write one of: us-central1-a, us-central1-b."
            ),
            (
                "pools[1].zones: catalogue.zones says that g2-standard-4 is offered in us-central1-a, "
                "us-central1-b, us-east4-a, not in us-central1-c, where the cluster's nodes are. Write one "
                "of: us-central1-a, us-central1-b."
            ),
            (
                "systemPool.zones: catalogue.zones says that e2-standard-4 is offered in us-east4-a, not in "
                "us-central1-b, us-central1-c, where the cluster's nodes are. Choose another machine type, "
                "or another region."
            ),
        ],
    ),
    "a name that a capacity option takes": (
        """
        pools:
          - {name: a-spot, machineType: n2-standard-8, maxNodes: 1}
          - {name: a, machineType: n2-standard-8, priorities: [{capacity: spot, maxNodes: 1}, {maxNodes: 1}]}
          - {name: a, machineType: n2-standard-8, maxNodes: 1}
          - {name: system, machineType: n2-standard-8, maxNodes: 1}
        """,
        [
            ('pools[1].name = "a": "a-spot" would be the name of a pool of "a-spot" too. Choose another name.'),
            'pools[2].name = "a": this name is used before. Choose another name.',
            'pools[3].name = "system": the pool of Slurm\'s daemons has this name. Choose another name.',
        ],
    ),
    "two capacity options of a kind": (
        """
        pools:
          - name: a
            machineType: n2-standard-8
            priorities: [{capacity: spot, maxNodes: 1}, {capacity: spot, maxNodes: 2}]
        """,
        [
            (
                'pools[0].priorities[1].capacity = "spot": the priorities has a capacity option of this kind '
                "already, and both "
                "would have one name in GKE. Join them, or make a pool of its own for this one."
            ),
        ],
    ),
    "capacity beside priorities": (
        """
        pools: [{name: a, machineType: n2-standard-8, capacity: spot, maxNodes: 4, priorities: [{maxNodes: 1}]}]
        """,
        [
            (
                'pools[0].capacity = "spot": the capacity options of the pool say it, each for its own nodes. Leave '
                "capacity out here, and state it in the capacity options."
            ),
            (
                "pools[0].maxNodes = 4: the capacity options of the pool say it, each for its own nodes. Leave "
                "maxNodes out here, and state it in the capacity options."
            ),
        ],
    ),
    "no number of nodes": (
        """
        pools:
          - {name: p, machineType: n2-standard-8}
          - {name: q, machineType: n2-standard-8, priorities: [{capacity: spot}]}
        """,
        [
            ("pools[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or nodes for a fixed number."),
            (
                "pools[1].priorities[0].maxNodes: nothing says how many nodes there can be. Add maxNodes, or "
                "nodes for a fixed number."
            ),
        ],
    ),
    "fewest above most": (
        """
        pools: [{name: p, machineType: n2-standard-8, minNodes: 3, maxNodes: 2}]
        """,
        [
            "pools[0].minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
    "bounds of a fixed number": (
        """
        pools: [{name: p, machineType: n2-standard-8, nodes: 3, maxNodes: 4}]
        """,
        [
            ("pools[0].maxNodes = 4: a fixed number of nodes has no bounds. Keep nodes, or minNodes and maxNodes."),
        ],
    ),
    "a fixed number that zones can't share": (
        """
        pools: [{name: p, machineType: n2-standard-8, nodes: 3, zones: [us-central1-a, us-central1-b]}]
        """,
        [
            ("pools[0].nodes = 3: GKE keeps as many nodes in each of 2 zones. Write 2 or 4, or fewer zones."),
        ],
    ),
    "reservation without a name": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: reservation, maxNodes: 1}]
        """,
        [
            "pools[0].reservation: nothing says which reservation the machines come from. Add its name.",
        ],
    ),
    "reservation of another capacity": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: spot, reservation: mine, maxNodes: 1}]
        """,
        [
            (
                'pools[0].reservation = "mine": with capacity spot no reservation is used. Leave it out, or '
                'write capacity "reservation".'
            ),
        ],
    ),
    "reservation in two zones": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, capacity: reservation, reservation: mine, maxNodes: 1,
             zones: [us-central1-a, us-central1-b]}
        """,
        [
            (
                'pools[0].zones = ["us-central1-a", "us-central1-b"]: a reservation lies in one zone, and '
                "the nodes in us-central1-a, us-central1-b could not all use it. Write the one zone of the "
                "reservation."
            ),
        ],
    ),
    "reservation in another form": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: reservation, reservation: reservations/a, maxNodes: 1}]
        """,
        [
            (
                'pools[0].reservation = "reservations/a": this is not a reservation. Write its name, or '
                "projects/P/reservations/N, or projects/P/reservations/N/reservationBlocks/B."
            ),
        ],
    ),
    "an end for nodes that have none": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxRunDuration: 1-0, maxNodes: 1}]
        """,
        [
            (
                'pools[0].maxRunDuration = "1-0": nodes of capacity on-demand have no end. Leave it out, or '
                'write capacity "flex-start".'
            ),
        ],
    ),
    "flex-start for too long": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, maxRunDuration: 8-0, maxNodes: 1}]
        """,
        [
            (
                'pools[0].maxRunDuration = "8-0": Google runs such nodes for 7 days at most. Write for '
                'example "7-00:00:00" or "12:00:00".'
            ),
        ],
    ),
    "flex-start with a fixed number": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, nodes: 2}]
        """,
        [
            (
                "pools[0].nodes = 2: with capacity flex-start nodes come and go, so GKE keeps no fixed "
                "number. Write maxNodes instead."
            ),
        ],
    ),
    "queued with a least number": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: queued, minNodes: 1, maxNodes: 2}]
        """,
        [
            ("pools[0].minNodes = 1: with capacity queued a pool begins and ends at no nodes. Leave it out."),
        ],
    ),
    "flex-start of a machine without it": (
        """
        pools: [{name: p, machineType: n2-standard-8, capacity: flex-start, maxNodes: 2}]
        """,
        [
            (
                'pools[0].capacity = "flex-start": n2-standard-8 can\'t be had by flex-start. Write one of: '
                "reservation, spot, on-demand."
            ),
        ],
    ),
    "on demand of a machine without it": (
        """
        pools: [{name: p, machineType: a3-highgpu-1g, maxNodes: 2}]
        """,
        [
            ("pools[0].capacity: a3-highgpu-1g can't be had on demand. Write one of: reservation, spot, flex-start."),
        ],
    ),
    "compact placement of a machine without it": (
        """
        pools: [{name: p, machineType: e2-standard-8, compactPlacement: true, maxNodes: 2}]
        """,
        [
            "pools[0].compactPlacement = true: e2-standard-8 can't be placed so. Leave it out.",
        ],
    ),
    "compact placement in two zones": (
        """
        zones: [us-central1-b, us-central1-c]
        pools: [{name: p, machineType: c2-standard-60, compactPlacement: true, maxNodes: 2}]
        """,
        [
            (
                "pools[0].zones: nodes in us-central1-b, us-central1-c can't be close to each other. Write "
                "one zone, or leave compactPlacement out."
            ),
        ],
    ),
    "compact placement of too many": (
        """
        pools: [{name: p, machineType: c2-standard-60, compactPlacement: true, maxNodes: 1501}]
        """,
        [
            (
                "pools[0].maxNodes = 1501: no more than 1500 nodes can be placed close to each other. Write "
                "1500 or less, or leave compactPlacement out."
            ),
        ],
    ),
    "compact placement by flex-start": (
        """
        pools:
          - name: p
            machineType: a3-megagpu-8g
            compactPlacement: true
            priorities: [{capacity: flex-start, maxNodes: 2}, {capacity: queued, maxNodes: 2}]
        """,
        [
            (
                "pools[0].compactPlacement = true: a3-megagpu-8g by flex-start can't be placed so. Leave it "
                "out, or choose another capacity."
            ),
            (
                "pools[0].compactPlacement = true: capacity queued has no compact placement. Leave it out, "
                "or write flex-start."
            ),
        ],
    ),
    "RDMA in two zones": (
        """
        zones: [us-central1-b, us-central1-c]
        pools: [{name: p, machineType: a3-ultragpu-8g, disk: {type: hyperdisk-balanced}, maxNodes: 2}]
        """,
        [
            (
                "pools[0].zones: a network of RoCE is bound to a zone, and the nodes are in us-central1-b, "
                "us-central1-c. Write one zone here and make a pool for each of the others, or write fabric: "
                "false."
            ),
        ],
    ),
    "more nodes than the fast networks hold": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, maxNodes: 3000}]
        """,
        [
            (
                'network.fabricRange = "192.168.0.0/16": its 32 parts have 2044 addresses each, and 3001 '
                "nodes need as many. Write a /15 or larger."
            ),
        ],
    ),
    "more interfaces than there is room for": (
        """
        catalogue:
          machineTypes:
            - {name: x9-mega-32g, vcpus: 8, memoryGib: 64, fabric: RoCE,
               gpus: {googleType: gpu-x, count: 32, gresType: x}}
        pools: [{name: p, machineType: x9-mega-32g, maxNodes: 2}]
        """,
        [
            ("pools[0].fabric = true: x9-mega-32g would need 33 interfaces, and there is room for 19. Write false."),
        ],
    ),
    "local SSDs that the machine can't have": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, localSsd: {count: 3}, maxNodes: 1}
          - {name: q, machineType: a3-megagpu-8g, capacity: spot, localSsd: {count: 8}, maxNodes: 1}
        """,
        [
            (
                "pools[0].localSsd.count = 3: n2-standard-8 has 0 or 1 or 2 or 4 or 8 or 16 or 24 local "
                "SSDs. Write 0 or 1 or 2 or 4 or 8 or 16 or 24."
            ),
            "pools[1].localSsd.count = 8: a3-megagpu-8g has 16 local SSDs. Leave it out.",
        ],
    ),
    "raw disks where there are none": (
        """
        pools:
          - {name: p, machineType: e2-standard-8, localSsd: {use: block}, maxNodes: 1}
          - {name: q, machineType: c2-standard-60, localSsd: {use: block}, maxNodes: 1}
        """,
        [
            (
                'pools[0].localSsd.use = "block": the nodes have no local SSDs, so there is nothing to use. '
                "Leave it out, or choose a machine type with local SSDs."
            ),
            (
                'pools[1].localSsd.use = "block": the nodes have no local SSDs, so there is nothing to use. '
                "Set count to one of: 8."
            ),
        ],
    ),
    "boot disks that the machine can't have": (
        """
        pools:
          - {name: p, machineType: c4-standard-8, disk: {type: pd-balanced}, maxNodes: 1}
          - {name: q, machineType: n1-standard-8, disk: {type: hyperdisk-balanced}, maxNodes: 1}
          - {name: r, machineType: n1-standard-8, disk: {type: pd-extreme}, maxNodes: 1}
        systemPool: {disk: {type: hyperdisk-balanced}}
        """,
        [
            (
                'pools[2].disk.type = "pd-extreme": there is no such boot disk. Write one of: '
                "hyperdisk-balanced, pd-balanced, pd-ssd, pd-standard."
            ),
            (
                'pools[0].disk.type = "pd-balanced": c4-standard-8 takes no pd-balanced, and GKE would refuse '
                'the pool. Leave it out, or write "hyperdisk-balanced".'
            ),
            (
                'pools[1].disk.type = "hyperdisk-balanced": n1-standard-8 takes no hyperdisk-balanced, and '
                'GKE would refuse the pool. Leave it out, or write "pd-balanced".'
            ),
            (
                'systemPool.disk.type = "hyperdisk-balanced": e2-standard-4 takes no hyperdisk-balanced, and '
                'GKE would refuse the pool. Leave it out, or write "pd-balanced".'
            ),
        ],
    ),
    "Lustre on Ubuntu": (
        """
        pools: [{name: p, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": the storage "scratch" is Lustre, which GKE mounts '
                "on Container-Optimized OS alone. Write COS_CONTAINERD."
            ),
        ],
    ),
    "GPUDirect on Ubuntu": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, imageType: UBUNTU_CONTAINERD, maxNodes: 1}]
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": GPUDirect-TCPXO runs on Container-Optimized OS '
                "alone. Write COS_CONTAINERD, or fabric: false."
            ),
        ],
    ),
    "image streaming on Ubuntu": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, maxNodes: 1}
          - {name: q, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, imageStreaming: false, maxNodes: 1}
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": image streaming, which is on unless it is switched '
                "off, runs on Container-Optimized OS alone. Write COS_CONTAINERD, or imageStreaming: false."
            ),
        ],
    ),
    "driver without GPUs": (
        """
        pools: [{name: p, machineType: n2-standard-8, driver: latest, maxNodes: 1}]
        """,
        [
            ('pools[0].driver = "latest": n2-standard-8 has no GPUs, so no driver is installed. Leave it out.'),
        ],
    ),
    "more nodes than GKE manages": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, maxNodes: 9000}
          - {name: q, machineType: n2-standard-8, maxNodes: 9000}
        """,
        [
            (
                "pools: with the system pool these are up to 18004 nodes, and GKE manages 15000 in a "
                "cluster. Write fewer nodes in some of them."
            ),
        ],
    ),
    "ranges that overlap": (
        """
        network: {nodesRange: 10.0.0.0/20, podsRange: 10.0.0.0/12, servicesRange: 172.16.0.0/20}
        """,
        [
            (
                'network.podsRange = "10.0.0.0/12": it overlaps with nodesRange, 10.0.0.0/20. Write a range '
                "that is apart from it."
            ),
            (
                'network.controlPlaneRange = "172.16.0.32/28": it overlaps with servicesRange, '
                "172.16.0.0/20. Write a range that is apart from it."
            ),
        ],
    ),
    "range of the Internet": (
        """
        network: {podsRange: 8.0.0.0/12}
        """,
        [
            (
                'network.podsRange = "8.0.0.0/12": this range is not private, so nodes would no longer reach '
                "its owners on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ),
        ],
    ),
    "ranges that are too small": (
        """
        network:
          nodesRange: 10.0.0.0/27
          podsRange: 10.4.0.0/20
          servicesRange: 10.8.0.0/28
          privateServicesRange: 10.9.0.0/24
          controlPlaneRange: 172.16.0.0/27
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 100}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'network.controlPlaneRange = "172.16.0.0/27": GKE takes a /28 for the control plane, no more '
                'and no less. Write for example "172.16.0.32/28".'
            ),
            ('network.servicesRange = "10.8.0.0/28": GKE takes from a /27 to a /16 for Services. Write a /20.'),
            (
                'network.nodesRange = "10.0.0.0/27": nodes of all pools at their most, with upgrades and '
                "load balancers, take 130 addresses, and this has 32. Write a /24 or larger, or leave it out."
            ),
            (
                'network.podsRange = "10.4.0.0/20": pods of all nodes at their most, by maxPodsPerNode, take '
                "8768 addresses, and this has 4096. Write a /18 or larger, or leave it out."
            ),
            (
                'network.privateServicesRange = "10.9.0.0/24": Filestore, Lustre and Cloud SQL take 512 '
                "addresses, and this has 256. Write a /23 or larger, or leave it out."
            ),
        ],
    ),
    "no room for the pods": (
        """
        network: {nodesRange: 10.0.0.0/8, fabricRange: 172.16.0.0/12, controlPlaneRange: 192.168.255.0/28}
        """,
        [
            (
                "network.privateServicesRange: the private ranges that are left are too small for it. Make "
                "the other ranges smaller, or state this one."
            ),
            (
                "network.podsRange: the private ranges that are left are too small for it. Make the other "
                "ranges smaller, or state this one."
            ),
        ],
    ),
    "two storages in one place": (
        """
        storage:
          - {name: home, mountPath: /home, filestore: {}}
          - {name: home, mountPath: /home/, filestore: {}}
        """,
        [
            'storage[1].name = "home": this name is used before. Choose another name.',
            'storage[1].mountPath = "/home/": "home" is mounted there. Choose another path.',
        ],
    ),
    "a bucket in two places": (
        """
        storage:
          - {name: data, mountPath: /data, bucket: {name: ours}}
          - {name: new, mountPath: /new, bucket: {}}
          - {name: newer, mountPath: /newer, bucket: {}}
          - {name: same, mountPath: /same, bucket: {name: ours, readOnly: true}}
        """,
        [
            (
                'storage[3].bucket.name = "ours": this bucket is the storage "data" already, and pods with '
                "both would never start. Mount it once, and reach its parts by folders."
            ),
        ],
    ),
    "storage of no kind": (
        """
        storage: [{name: home, mountPath: /home}]
        """,
        [
            (
                "storage[0]: nothing says what it is. Give exactly one of filestore, lustre and bucket; {} "
                "takes all defaults."
            ),
        ],
    ),
    "storage of two kinds": (
        """
        storage: [{name: home, mountPath: /home, filestore: {}, lustre: {}}]
        """,
        [
            (
                "storage[0]: it is 2 things, filestore and lustre. Give exactly one of filestore, lustre and "
                "bucket; {} takes all defaults."
            ),
        ],
    ),
    "a bucket for homes": (
        """
        storage:
          - {name: home, mountPath: /home, bucket: {}}
          - {name: ann, mountPath: /home/ann, bucket: {}}
        """,
        [
            (
                'storage[0].mountPath = "/home": a bucket has no file locks, no atomic renames and no '
                'owners, which shells and SSH need of homes. Mount it elsewhere, for example at "/data", and '
                "give /home a filestore."
            ),
            (
                'storage[1].mountPath = "/home/ann": a bucket has no file locks, no atomic renames and no '
                'owners, which shells and SSH need of homes. Mount it elsewhere, for example at "/data", and '
                "give /home a filestore."
            ),
        ],
    ),
    "a bucket's name": (
        """
        storage: [{name: data, mountPath: /data, bucket: {name: "gs://data"}}]
        """,
        [
            (
                'storage[0].bucket.name = "gs://data": no bucket has such a name. Write 3 to 63 lower-case '
                'letters, digits, "-" and "_", without gs://.'
            ),
        ],
    ),
    "where an existing bucket lies": (
        """
        storage: [{name: data, mountPath: /data, bucket: {name: data-of-mine, location: EU}}]
        """,
        [
            (
                'storage[0].bucket.location = "EU": the bucket "data-of-mine" exists already, and its '
                "location is fixed. Leave it out; or leave name out, and a bucket is made there."
            ),
        ],
    ),
    "Filestore of a size that there is not": (
        """
        storage:
          - {name: a, mountPath: /a, filestore: {capacityGib: 99}}
          - {name: b, mountPath: /b, filestore: {capacityGib: 10241}}
          - {name: c, mountPath: /c, filestore: {tier: BASIC_SSD}}
          - {name: d, mountPath: /d, filestore: {tier: BASIC_HDD, capacityGib: 70000}}
        """,
        [
            ("storage[0].filestore.capacityGib = 99: the smallest of tier ZONAL has 100. Write 100 or more."),
            (
                "storage[1].filestore.capacityGib = 10241: sizes of tier ZONAL go in steps of 2560. Write "
                "10240 or 12800."
            ),
            ("storage[2].filestore.capacityGib: the smallest of tier BASIC_SSD has 2560. Write 2560 or more."),
            ("storage[3].filestore.capacityGib = 70000: the largest of tier BASIC_HDD has 65433. Write 65433 or less."),
        ],
    ),
    "zone of a regional Filestore": (
        """
        storage: [{name: a, mountPath: /a, filestore: {tier: REGIONAL, zone: us-central1-b}}]
        """,
        [
            (
                'storage[0].filestore.zone = "us-central1-b": an instance of tier REGIONAL lies in all zones '
                "of the region. Leave it out, or write tier ZONAL."
            ),
        ],
    ),
    "Lustre of a size that there is not": (
        """
        storage:
          - {name: a, mountPath: /a, lustre: {capacityGib: 8000}}
          - {name: b, mountPath: /b, lustre: {throughputPerTib: 500, capacityGib: 20000}}
          - {name: c, mountPath: /c, lustre: {throughputPerTib: 300}}
          - {name: d, mountPath: /d, lustre: {throughputPerTib: 125}}
        """,
        [
            (
                "storage[0].lustre.capacityGib = 8000: the smallest with 1000 MB/s for each TiB has 9000. "
                "Write 9000 or more."
            ),
            (
                "storage[1].lustre.capacityGib = 20000: sizes with 500 MB/s for each TiB go in steps of "
                "18000. Write 18000 or 36000."
            ),
            (
                "storage[2].lustre.throughputPerTib = 300: Managed Lustre has no such tier. Write one of: "
                "125, 250, 500, 1000."
            ),
            ("storage[3].lustre.capacityGib: the smallest with 125 MB/s for each TiB has 72000. Write 72000 or more."),
        ],
    ),
    "Cloud SQL without backups in two zones": (
        """
        database: {regional: true, backups: false}
        """,
        [
            (
                "database.backups = false: the second instance of a regional one is kept up by backups and "
                "the log between them. Write true, or leave regional out."
            ),
        ],
    ),
    "Cloud SQL of another edition": (
        """
        database: {edition: ENTERPRISE_PLUS}
        """,
        [
            ('database.tier: edition ENTERPRISE_PLUS has no such machine. Write for example "db-perf-optimized-N-2".'),
        ],
    ),
    "Cloud SQL machines that there are not": (
        """
        database: {tier: db-custom-3-8192}
        """,
        [
            (
                'database.tier = "db-custom-3-8192": edition ENTERPRISE has no such machine. Write 1 CPU, or '
                "an even number up to 96."
            ),
        ],
    ),
    "Cloud SQL memory that there is not": (
        """
        database: {tier: db-custom-2-65536}
        """,
        [
            (
                'database.tier = "db-custom-2-65536": edition ENTERPRISE has no such machine. With 2 CPUs '
                "write 3840 to 13312 MiB, a multiple of 256."
            ),
        ],
    ),
    "a flag that slurmdbd needs": (
        """
        database: {flags: {innodb_lock_wait_timeout: "50", "--sort": "1"}}
        """,
        [
            (
                'database.flags = {"innodb_lock_wait_timeout": "50", "--sort": "1"}: slurmdbd needs '
                "innodb_lock_wait_timeout to be 900, and it is set so. Leave it out."
            ),
        ],
    ),
    "key of another region": (
        """
        controlPlane: {secretsEncryptionKey: projects/p/locations/europe-west4/keyRings/k/cryptoKeys/c}
        """,
        [
            (
                "controlPlane.secretsEncryptionKey = "
                '"projects/p/locations/europe-west4/keyRings/k/cryptoKeys/c": the key has to lie where the '
                "control plane does, in us-central1. Write a key of locations/us-central1."
            ),
        ],
    ),
    "key that is none": (
        """
        controlPlane: {secretsEncryptionKey: my-key}
        """,
        [
            (
                'controlPlane.secretsEncryptionKey = "my-key": this is not the full name of a key. Write '
                "projects/P/locations/R/keyRings/K/cryptoKeys/C."
            ),
        ],
    ),
    "version that is none": (
        """
        controlPlane: {version: latest}
        """,
        [
            (
                'controlPlane.version = "latest": this is not a version of GKE. Write for example "1.35" or '
                '"1.35.2-gke.1842000".'
            ),
        ],
    ),
    "version before the add-on": (
        """
        operator: gke-addon
        controlPlane: {version: 1.35.1-gke.9000000}
        """,
        [
            (
                'controlPlane.version = "1.35.1-gke.9000000": operator gke-addon needs 1.35.2-gke.1842000. '
                'Write "1.35.2-gke.1842000" or a later one.'
            ),
        ],
    ),
    "version before Lustre and flex-start": (
        """
        controlPlane: {version: "1.32.1"}
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'controlPlane.version = "1.32.1": capacity flex-start needs 1.32.2-gke.1652000. Write '
                '"1.32.2-gke.1652000" or a later one.'
            ),
            (
                'controlPlane.version = "1.32.1": Lustre needs 1.33.2-gke.1111000. Write '
                '"1.33.2-gke.1111000" or a later one.'
            ),
        ],
    ),
    "version before Lustre on Arm": (
        """
        controlPlane: {version: "1.33"}
        pools: [{name: p, machineType: t2a-standard-8, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'controlPlane.version = "1.33": Lustre on the Arm machines of "p" needs 1.34.1-gke.2541000. '
                'Write "1.34.1-gke.2541000" or a later one.'
            ),
        ],
    ),
    "control plane open to the world": (
        """
        controlPlane: {authorizedNetworks: [{cidr: 0.0.0.0/0, name: all}, {cidr: office, name: office}]}
        """,
        [
            (
                'controlPlane.authorizedNetworks[1].cidr = "office": this is not a network in CIDR form. '
                'Write for example "192.0.2.0/24".'
            ),
            (
                'controlPlane.authorizedNetworks[0].cidr = "0.0.0.0/0": this opens the control plane to '
                "everyone. Name the networks that need it, or leave it out and use the DNS name, which IAM "
                "guards."
            ),
        ],
    ),
    "window that ends before it begins": (
        """
        controlPlane: {maintenanceWindow: {start: "2026-01-03T02:00:00Z", end: "2026-01-03T01:00:00Z"}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.end = "2026-01-03T01:00:00Z": this is not after the start, '
                "2026-01-03T02:00:00Z. Write a later end."
            ),
        ],
    ),
    "window that is too short": (
        """
        controlPlane: {maintenanceWindow: {end: "2026-01-03T05:59:00Z"}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.end = "2026-01-03T05:59:00Z": the window is shorter than 4 '
                "hours, the least that GKE takes. Write a later end."
            ),
        ],
    ),
    "windows that are too rare": (
        """
        controlPlane: {maintenanceWindow: {recurrence: "FREQ=WEEKLY;BYDAY=SA"}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.recurrence = "FREQ=WEEKLY;BYDAY=SA": that gives 32 hours in '
                "32 days, and GKE takes no less than 48. Add days, or write a later end."
            ),
        ],
    ),
    "window of no form": (
        """
        controlPlane: {maintenanceWindow: {start: "2026-01-03", recurrence: weekly}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.start = "2026-01-03": this is not a time in RFC 3339 form. '
                'Write for example "2026-01-03T02:00:00Z", in quotes.'
            ),
            (
                'controlPlane.maintenanceWindow.recurrence = "weekly": this is not a recurrence of days, '
                'weeks or months. Write for example "FREQ=WEEKLY;BYDAY=SA,SU".'
            ),
        ],
    ),
    "exclusion that is too long": (
        """
        controlPlane:
          maintenanceExclusions:
            - {name: run, start: "2026-01-01T00:00:00Z", end: "2026-03-01T00:00:00Z", scope: NO_UPGRADES}
            - {name: run, start: "2026-05-01T00:00:00Z", end: "2026-04-01T00:00:00Z"}
        """,
        [
            (
                'controlPlane.maintenanceExclusions[0].end = "2026-03-01T00:00:00Z": that is 59 days, and '
                "GKE goes without any upgrade for 30 at most. Write an earlier end, or scope "
                "NO_MINOR_OR_NODE_UPGRADES."
            ),
            (
                'controlPlane.maintenanceExclusions[1].end = "2026-04-01T00:00:00Z": this is not after the '
                "start, 2026-05-01T00:00:00Z. Write a later end."
            ),
        ],
    ),
    "everything at once, in spite of required fields": (
        """
        project: My Project
        zones: []
        pools:
          - {name: p, machineType: n2-standard-9, maxNodes: 1}
          - {name: q, machineType: g2-standard-4, nodes: 2, capacity: flex-start}
        database: {regional: true, backups: "no"}
        """,
        [
            (
                'project = "My Project": this is not the id of a project. Write what `gcloud projects list` '
                "shows as PROJECT_ID."
            ),
            "zones = []: there are too few items. Give at least 1.",
            (
                "database.backups = false: the second instance of a regional one is kept up by backups and "
                "the log between them. Write true, or leave regional out."
            ),
            (
                'pools[0].machineType = "n2-standard-9": there is no such machine type. Did you mean '
                '"n2-standard-96" or "n2d-standard-96" or "n2-standard-8"?'
            ),
            (
                "pools[1].nodes = 2: with capacity flex-start nodes come and go, so GKE keeps no fixed "
                "number. Write maxNodes instead."
            ),
        ],
    ),
}

# Each case: a GKE specification, a Slurm cluster on it, and what is wrong with that cluster.
WITH_SLURM: dict[str, tuple[str, str, list[str]]] = {
    "more workers than kube-dns knows": (
        """
        controlPlane: {dns: kube-dns}
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 1200}]
        """,
        """
        nodeSets: [{name: cpu, pool: p, replicas: 1001}]
        """,
        [
            (
                "nodeSets: these are up to 1001 workers, and kube-dns knows the names of 1000. Write "
                'controlPlane.dns "cloud-dns" in the GKE specification, or fewer replicas.'
            ),
        ],
    ),
    "a DaemonSet on a pool that begins empty": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: cpu, pool: p, scalingMode: DaemonSet}]
        """,
        [
            (
                'nodeSets[0].scalingMode = "DaemonSet": pods of a DaemonSet make GKE start no node, and the '
                'pool "p" begins with none. Write "StatefulSet", or nodes or minNodes in the pool.'
            ),
        ],
    ),
    "queued without Kueue": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: queued, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: gpu, pool: p}]
        """,
        [
            (
                'nodeSets[0].pod.labels: the pool "p" starts nodes for a ProvisioningRequest only, and '
                "nothing makes one. Run Kueue and add its label kueue.x-k8s.io/queue-name, or write capacity "
                '"flex-start" in the pool.'
            ),
        ],
    ),
    "fast network without the pod network": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: gpu, pool: p, pod: {hostNetwork: true}}]
        """,
        [
            (
                'nodeSets[0].pod.hostNetwork = true: the TCPXO interfaces of "p" are for pods of the pod '
                "network alone. Write false, or fabric: false in the pool."
            ),
        ],
    ),
    "jobs lost with spot nodes": (
        """
        pools: [{name: p, machineType: n2-standard-8, priorities: [{maxNodes: 1}, {capacity: spot, maxNodes: 2}]}]
        """,
        """
        nodeSets: [{name: cpu, pool: p}]
        slurmConf: {slurmdTimeout: 0, extra: {JobRequeue: 0}}
        """,
        [
            (
                'slurmConf.extra.JobRequeue = "0": the nodes of "cpu" are of capacity spot, and jobs there '
                "would be lost whenever Google takes a node. Leave it out; a job that must not run twice is "
                "submitted with --no-requeue."
            ),
            (
                'slurmConf.slurmdTimeout = 0: the nodes of "cpu" are of capacity spot, and with this a node '
                "that Google took would stay up for Slurm, with its jobs. Leave it out, or write seconds."
            ),
        ],
    ),
    "jobs longer than flex-start": (
        """
        pools:
          - {name: p, machineType: g2-standard-4, capacity: flex-start, maxNodes: 2}
          - {name: q, machineType: g2-standard-4, capacity: flex-start, maxRunDuration: "12:00:00", maxNodes: 2}
        """,
        """
        nodeSets: [{name: a, pool: p, partition: {}}, {name: b, pool: q}]
        partitions:
          - {name: all, nodeSets: [ALL], maxTime: 1-0}
          - {name: short, nodeSets: [b], maxTime: "12:00:00"}
          - {name: long, nodeSets: [a], maxTime: 7-0}
        """,
        [
            (
                'partitions[0].maxTime = "1-0": nodes of "b" live for 0-12:00:00, and Google ends longer '
                'jobs with them. Write "0-12:00:00" or less.'
            ),
            (
                'nodeSets[0].partition.maxTime: nodes of "a" live for 7-00:00:00, and Google ends longer '
                'jobs with them. Write "7-00:00:00" or less.'
            ),
        ],
    ),
    "volumes stated twice": (
        """
        storage: [{name: home, mountPath: /home, filestore: {}}]
        """,
        """
        sharedVolumes:
          - {name: home, mountPath: /h, storageClass: rwx}
          - {name: h, mountPath: /home/, storageClass: rwx}
        """,
        [
            (
                'sharedVolumes[0].name = "home": the storage of this name in the GKE specification becomes a '
                "shared volume by itself. Leave this volume out, or choose another name."
            ),
            (
                'sharedVolumes[1].mountPath = "/home/": the storage "home" of the GKE specification is '
                "mounted there. Leave this volume out, or choose another path."
            ),
        ],
    ),
    "buckets for pods in the node's network": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 2}]
        storage:
          - {name: home, mountPath: /home, filestore: {}}
          - {name: data, mountPath: /data, bucket: {}}
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}, {name: b, pool: p, replicas: 1, pod: {hostNetwork: true}}]
        loginSets: [{name: login, pod: {hostNetwork: true}}]
        identity: {directory: {}}
        """,
        [
            (
                'nodeSets[1].pod.hostNetwork = true: the storage "data" is a bucket, which pods in the node\'s '
                "network can't mount. Write false, or leave the bucket out in the GKE specification."
            ),
            (
                'loginSets[0].pod.hostNetwork = true: the storage "data" is a bucket, which pods in the node\'s '
                "network can't mount. Write false, or leave the bucket out in the GKE specification."
            ),
        ],
    ),
    "a database without slurmdbd": (
        """
        database: {}
        """,
        """
        nodeSets: []
        """,
        [
            (
                "accounting: the GKE specification has a database for slurmdbd, and there is no slurmdbd. "
                "Add accounting: {}, or leave database out there."
            ),
        ],
    ),
    "a database stated twice": (
        """
        database: {}
        """,
        """
        accounting: {database: {kind: mariadb-operator}}
        """,
        [
            (
                'accounting.database = {"kind": "mariadb-operator"}: the GKE specification makes the '
                "database and says how slurmdbd reaches it. Leave it out, or leave database out in the GKE "
                "specification."
            ),
        ],
    ),
    "a database for a slurmdbd elsewhere": (
        """
        database: {}
        """,
        """
        accounting: {external: {host: db.example.org, port: 6819}}
        keys: {slurm: {existing: {name: a, key: b}}, jwt: {existing: {name: a, key: c}}}
        keys: {slurm: {existing: {name: a, key: b}}, jwt: {existing: {name: a, key: c}}}
        keys: {slurm: {existing: {name: a, key: b}}, jwt: {existing: {name: a, key: c}}}
        """,
        [
            (
                'accounting.external = {"host": "db.example.org", "port": 6819}: a slurmdbd outside the '
                "cluster has a database of its own, and the GKE specification makes another. Leave it out, "
                "or leave database out in the GKE specification."
            ),
        ],
    ),
}

GOOD = """
operator: gke-addon
controlPlane:
  version: "1.35"
  releaseChannel: EXTENDED
  secretsEncryptionKey: projects/p/locations/us-central1/keyRings/k/cryptoKeys/c
  authorizedNetworks: [{cidr: 198.51.100.0/24, name: office}]
  maintenanceWindow: {start: "2026-01-03T02:00:00+01:00", end: "2026-01-03T06:00:00+01:00", recurrence: FREQ=DAILY}
  maintenanceExclusions: [{name: run, start: "2026-06-01T00:00:00Z", end: "2026-09-01T00:00:00Z"}]
network: {nodesRange: 10.8.0.0/20, podsRange: 100.64.0.0/14}
registry: {}
storage:
  - {name: home, mountPath: /home, filestore: {tier: REGIONAL, capacityGib: 10240}}
  - {name: scratch, mountPath: /scratch, lustre: {throughputPerTib: 500, capacityGib: 36000, zone: us-central1-a}}
  - {name: data, mountPath: /data, bucket: {name: my_data.example.org, readOnly: true}}
  - {name: new, mountPath: /new, bucket: {location: EU}}
database: {regional: true, tier: db-custom-4-16384, flags: {innodb_buffer_pool_size: "2147483648"}}
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
      - {capacity: reservation, reservation: projects/p/reservations/mine/reservationBlocks/b, nodes: 16}
      - {capacity: spot, maxNodes: 16}
  - {name: h200, machineType: a3-ultragpu-8g, capacity: flex-start, compactPlacement: true, maxRunDuration: 3-0,
     disk: {type: hyperdisk-balanced}, maxNodes: 8}
"""

GOOD_SLURM = """
nodeSets:
  - {name: cpu, pool: cpu, replicas: 2}
  - {name: h100, pool: h100}
  - {name: h200, pool: h200, replicas: 8}
  - {name: every, pool: t4, scalingMode: DaemonSet}
partitions:
  - {name: cpu, nodeSets: [cpu, every], default: true}
  - {name: h100, nodeSets: [h100]}
  - {name: h200, nodeSets: [h200], maxTime: 3-0}
accounting: {}
sharedVolumes: [{name: more, mountPath: /more, storageClass: standard-rwx}]
slurmConf: {extra: {JobRequeue: 1}}
"""


def written(text: str) -> dict[str, Any]:
    return {**BASE, **yaml.safe_load(dedent(text))}


def slurm_spec(text: str) -> SlurmSpec:
    return SlurmSpec.model_validate({"name": "c", **yaml.safe_load(dedent(text))})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_error_is_told_with_path_value_and_remedy(case: Case) -> None:
    text, expected = case
    with pytest.raises(SpecError) as caught:
        load_gke(written(text))
    assert [str(error) for error in caught.value.errors] == expected


@pytest.mark.parametrize("case", WITH_SLURM.values(), ids=WITH_SLURM.keys())
def test_a_error_of_a_slurm_cluster_on_gke(case: tuple[str, str, list[str]]) -> None:
    gke, slurm, expected = case
    found = check_slurm(GkePlan.of(load_gke(written(gke))), slurm_spec(slurm))
    assert [str(error) for error in found] == expected


def test_what_is_right_is_accepted() -> None:
    gke = load_gke(written(GOOD))
    assert [pool.name for pool in gke.pools] == ["cpu", "none", "arm", "t4", "l4", "h100", "h200"]
    assert list(check_slurm(GkePlan.of(gke), slurm_spec(GOOD_SLURM))) == []


def test_rules_are_run_for_specifications_made_in_python_too() -> None:
    with pytest.raises(SpecError) as caught:
        checked_gke(GkeSpec(**BASE, pools=[GkePoolSpec(name="p", machine_type="n2-standard-8")]))
    assert [error.path for error in caught.value.errors] == [("pools", 0, "max_nodes")]
