"""A node pool in a cluster that this library did not create."""

import pulumi

from pulumi_slurm.ack import AckNodePool, AckNodePoolArgs, AckPoolSpec
from tests.components.ack.requests import inputs_of, requests_of

ZONES = ["cn-hangzhou-h", "cn-hangzhou-i"]


class Company(pulumi.ComponentResource):
    """A placeholder for the program that created the cluster; its outputs are known when it has run."""

    def __init__(self) -> None:
        super().__init__("company:index:Network", "company")

    def output(self, name: str) -> pulumi.Output[str]:
        """Return the id of a resource of the company's."""
        return self.urn.apply(lambda _: f"{name}-of-the-company")


def program() -> None:
    """Add GPU nodes to a cluster of the company's."""
    company = Company()
    vswitches = {zone: company.output(f"vsw-{zone}") for zone in ZONES}
    args = AckNodePoolArgs(
        cluster_id=company.output("cluster"),
        node_vswitches=vswitches,
        security_group_id=company.output("sg"),
        zones=ZONES,
        pool=AckPoolSpec(name="gpu", instance_types=["ecs.gn7i-c8g1.2xlarge"], max_nodes=8),
        tags={"team": "hpc"},
    )
    AckNodePool("gpu", args)


def test_one_pool_needs_no_specification_of_the_cluster() -> None:
    requests = requests_of(program)
    registered = {key for key in requests if not key.startswith(("Stack ", "Network company"))}
    assert registered == {"AckNodePool gpu", "NodePool gpu-pool"}
    assert inputs_of(requests["AckNodePool gpu"]) == {
        "zones": ZONES,
        "pool": {"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "maxNodes": 8},
        "tags": {"team": "hpc"},
    }
    pool = inputs_of(requests["NodePool gpu-pool"])
    assert (pool["nodePoolName"], pool["clusterId"]) == ("gpu", "cluster-of-the-company")
    assert pool["vswitchIds"] == [f"vsw-{zone}-of-the-company" for zone in ZONES]
    assert pool["securityGroupIds"] == ["sg-of-the-company"]
    assert pool["instanceTypes"] == ["ecs.gn7i-c8g1.2xlarge"]
    assert pool["scalingConfig"] == {"enable": True, "minSize": 0, "maxSize": 8, "type": "gpu"}
    assert pool["labels"] == [{"key": "slurm.pulumi.com/pool", "value": "gpu"}]
    assert pool["taints"] == [{"key": "slurm.pulumi.com/pool", "value": "gpu", "effect": "NoSchedule"}]
    assert pool["tags"] == {"team": "hpc"}
    assert pool["imageType"] == "AliyunLinux3"
