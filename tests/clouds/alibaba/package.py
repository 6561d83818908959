"""The simulated provider alicloud."""

from tests.clouds.alibaba import (  # noqa: F401
    clusters,
    data_sources,
    database,
    firewalls,
    keys,
    nat,
    networks,
    node_pools,
    roles,
    storage,
)
from tests.clouds.alibaba.alicloud import KINDS
from tests.clouds.simulator.provider import Package

VERSION = "4.0.0"
"""The version of the SDK whose resources it has."""

PACKAGE = Package(
    name="alicloud",
    version=VERSION,
    sdk="pulumi_alicloud",
    kinds=KINDS,
    functions={
        "alicloud:cs/getClusterCredential:getClusterCredential": clusters.get_cluster_credential,
        **data_sources.FUNCTIONS,
        "alicloud:index/getAccount:getAccount": lambda _, __: {"id": keys.ACCOUNT_ID},
    },
)
