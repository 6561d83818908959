"""In-cluster parts that every cloud shares, and how plain objects become Pulumi resources."""

from pulumi_slurm.kube.alert_rules import AlertRules, AlertRulesArgs
from pulumi_slurm.kube.dashboards import Dashboards, DashboardsArgs
from pulumi_slurm.kube.database import Database, DatabaseArgs
from pulumi_slurm.kube.directory import Directory, DirectoryArgs
from pulumi_slurm.kube.keda import Keda, KedaArgs
from pulumi_slurm.kube.network_policies import NetworkPolicies, NetworkPoliciesArgs
from pulumi_slurm.kube.node_topology import NodeTopology, NodeTopologyArgs
from pulumi_slurm.kube.prometheus import Prometheus, PrometheusArgs
from pulumi_slurm.kube.shared_volume import SharedVolume, SharedVolumeArgs

__all__ = [
    "AlertRules",
    "AlertRulesArgs",
    "Dashboards",
    "DashboardsArgs",
    "Database",
    "DatabaseArgs",
    "Directory",
    "DirectoryArgs",
    "Keda",
    "KedaArgs",
    "NetworkPolicies",
    "NetworkPoliciesArgs",
    "NodeTopology",
    "NodeTopologyArgs",
    "Prometheus",
    "PrometheusArgs",
    "SharedVolume",
    "SharedVolumeArgs",
]
