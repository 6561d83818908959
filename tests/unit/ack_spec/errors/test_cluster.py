"""The cluster: its name, tags, control plane and Slurm operator."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
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
                '"acs:", or contains a URL. Write another.'
            ),
            (
                'tags.team = "aliyun": Alibaba Cloud keeps such a value to itself: it begins with "aliyun" '
                'or "acs:", or contains a URL. Write another.'
            ),
        ],
    ),
    "control plane": (
        """
        controlPlane: {version: 1.32.1-aliyun.1, upgradeChannel: stable, edition: ack.standard,
          secretsEncryptionKey: key-1, addons: [{name: flannel}, {name: a}, {name: b}]}
        """,
        [
            (
                "controlPlane.secretsEncryptionKey: edition ack.standard doesn't encrypt "
                "Secrets by a key of KMS. Leave it out, or write edition ack.pro.small."
            ),
            (
                'controlPlane.version = "1.32.1-aliyun.1": channel stable upgrades the cluster '
                "automatically, and the next `pulumi up` would request this version again. Leave it out, "
                "or leave upgradeChannel out."
            ),
            (
                'controlPlane.addons[0].name = "flannel": the network plugin of the cluster is terway, '
                'and there can only be one. Leave it out, or write cni "flannel".'
            ),
        ],
    ),
    "more zones than the control plane has": (
        """
        zones: [cn-hangzhou-b, cn-hangzhou-g, cn-hangzhou-h, cn-hangzhou-i, cn-hangzhou-j, cn-hangzhou-k]
        """,
        [
            'zones = ["cn-hangzhou-b", "cn-hangzhou-g", "cn-hangzhou-h", "cn-hangzhou-i", "cn-hang...: these are 6 '
            "zones, and ACK's control plane is in 5 at most. Write fewer here, and others in the zones of pools.",
        ],
    ),
    "a version before the autoscaler": (
        """
        controlPlane: {version: 1.22.15-aliyun.1}
        """,
        [
            'controlPlane.version = "1.22.15-aliyun.1": ACK\'s autoscaler needs Kubernetes 1.24. Write a version of '
            "1.24 or later.",
            "systemPool.requireMetadataTokens: it is true by default and needs Kubernetes 1.28, and this is "
            "1.22.15-aliyun.1. Write false, or another controlPlane.version.",
        ],
    ),
    "more nodes than a Basic cluster has": (
        """
        controlPlane: {edition: ack.standard}
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 8}]
        """,
        [
            "pools: with the system pool these are up to 11 nodes, and ACK manages 10 in a cluster of ack.standard. "
            'Write fewer nodes in some of them, or controlPlane.edition "ack.pro.small".',
        ],
    ),
    "more tags than a node has": (
        """
        pools:
          - {name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 8}
          - {name: q, instanceTypes: [ecs.g8i.xlarge], nodes: 8}
        tags: {a: '', b: '', c: '', d: '', e: '', f: '', g: '', h: '', i: '', j: '', k: '', l: '', m: '', n: ''}
        """,
        [
            'tags = {"a": "", "b": "", "c": "", "d": "", "e": "", "f": "", "g": "", "h": "", "i":...: ACK gives '
            'nodes of "p" 7 tags for itself and for their labels and taints, and with 14 of yours that is more than '
            "20, the most that a node can have. Leave some out, or labels or taints of the pool.",
        ],
    ),
    "an addon twice": (
        """
        controlPlane: {addons: [{name: a}, {name: a}]}
        """,
        [
            'controlPlane.addons[1].name = "a": this component is in the list twice. Keep one of them.',
        ],
    ),
    "no version and no domain": (
        """
        controlPlane: {version: latest, clusterDomain: Cluster_local, maintenanceWindow: {start: tonight,
          days: [Monday, Monday], hours: 25}}
        """,
        [
            (
                'controlPlane.version = "latest": this is not a version of ACK. Write all of it, for example '
                '"1.32.1-aliyun.1".'
            ),
            ('controlPlane.clusterDomain = "Cluster_local": this is not a domain. Write for example "cluster.local".'),
            (
                'controlPlane.maintenanceWindow.start = "tonight": this is not a time in RFC 3339 form. Write for '
                'example "2026-01-03T02:00:00Z", in quotes.'
            ),
            "controlPlane.maintenanceWindow.hours = 25: this is too large. Write 24 or less.",
            'controlPlane.maintenanceWindow.days[1] = "Monday": this day is named before. Leave it out.',
        ],
    ),
    "options of the other operator": (
        """
        slurm: {copilot: {}}
        """,
        [
            (
                'slurm = {"copilot": {}}: slurmOperator "slinky" has no ack-slurm-operator, so this would '
                'have no effect. Leave it out, or write slurmOperator "ack-slurm-operator".'
            ),
        ],
    ),
    "colocation without nodes to share": (
        """
        slurmOperator: ack-slurm-operator
        slurm: {copilot: {}}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], nodes: 2}]
        """,
        [
            (
                "slurm.copilot = {}: all pools are dedicated to Slurm, so it has no nodes to share with "
                "other pods. Write dedicated: false in the pools to share, or leave copilot out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
