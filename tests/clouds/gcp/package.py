"""The simulated provider gcp."""

from tests.clouds.gcp import (  # noqa: F401
    clusters,
    data_sources,
    database,
    networks,
    new_projects,
    node_pools,
    placement,
    projects,
    quotas,
    service_agents,
    storage,
)
from tests.clouds.gcp.google import KINDS
from tests.clouds.simulator.provider import Package

VERSION = "10.2.0"
"""The version of the SDK whose resources it knows."""

PACKAGE = Package(
    name="gcp",
    version=VERSION,
    sdk="pulumi_gcp",
    kinds=KINDS,
    functions={
        "gcp:cloudquota/getSQuotaInfos:getSQuotaInfos": quotas.get_quota_infos,
        "gcp:compute/getMachineTypes:getMachineTypes": data_sources.get_machine_types,
        "gcp:compute/getReservation:getReservation": data_sources.get_reservation,
        "gcp:compute/getSubnetwork:getSubnetwork": data_sources.get_subnetwork,
        "gcp:container/getCluster:getCluster": data_sources.get_cluster,
        "gcp:storage/getProjectServiceAccount:getProjectServiceAccount": service_agents.get_storage_agent,
        "gcp:organizations/getProject:getProject": projects.get_project,
        "gcp:projects/getProject:getProject": new_projects.get_projects,
    },
)
