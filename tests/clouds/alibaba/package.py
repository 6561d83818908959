"""The simulated provider alicloud."""

from tests.clouds.alibaba import clusters, database, firewalls, nat, networks, node_pools, roles, storage  # noqa: F401
from tests.clouds.alibaba.alicloud import KINDS
from tests.clouds.simulator.provider import Package

VERSION = "4.0.0"
"""The version of the SDK whose resources it has."""

PACKAGE = Package(
    name="alicloud",
    version=VERSION,
    sdk="pulumi_alicloud",
    kinds=KINDS,
    functions={"alicloud:cs/getClusterCredential:getClusterCredential": clusters.get_cluster_credential},
)
