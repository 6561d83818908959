"""The RAM roles that ACK assumes, which a new account doesn't have.

Sources: their list, https://www.alibabacloud.com/help/doc-detail/86483.htm; how to create them,
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/developer-reference/use-terraform-to-assign-default-roles-to-ack-when-you-use-ack-for-the-first-time;
the last two, website/docs/r/cs_kubernetes_node_pool.html.markdown of Terraform's provider alicloud.
"""

from types import MappingProxyType

from pulumi_slurm.errors import check_each, check_unique, field_error, nearest

SERVICE_ROLES = MappingProxyType(
    {
        "AliyunCISDefaultRole": "cs.aliyuncs.com",
        "AliyunCSDefaultRole": "cs.aliyuncs.com",
        "AliyunCSKubernetesAuditRole": "cs.aliyuncs.com",
        "AliyunCSManagedAcrRole": "cs.aliyuncs.com",
        "AliyunCSManagedArmsRole": "cs.aliyuncs.com",
        "AliyunCSManagedCmsRole": "cs.aliyuncs.com",
        "AliyunCSManagedCostRole": "cs.aliyuncs.com",
        "AliyunCSManagedCsiPluginRole": "cs.aliyuncs.com",
        "AliyunCSManagedCsiProvisionerRole": "cs.aliyuncs.com",
        "AliyunCSManagedCsiRole": "cs.aliyuncs.com",
        "AliyunCSManagedKubernetesRole": "cs.aliyuncs.com",
        "AliyunCSManagedLogRole": "cs.aliyuncs.com",
        "AliyunCSManagedNetworkRole": "cs.aliyuncs.com",
        "AliyunCSManagedVKRole": "cs.aliyuncs.com",
        "AliyunCSServerlessKubernetesRole": "cs.aliyuncs.com",
        "AliyunOOSLifecycleHook4CSRole": "oos.aliyuncs.com",
        "AliyunCSManagedAutoScalerRole": "cs.aliyuncs.com",
        "AliyunCSManagedNlcRole": "cs.aliyuncs.com",
    }
)
"""By name: the service that assumes the role. The system policy of each has its name with "Policy" appended."""


def role_names(value: list[str]) -> list[str]:
    """Return the values if they are service roles, without duplicates."""
    check_each(value, _check_role)
    check_unique(value, "this role is in the list twice", "Leave it out.")
    return value


def _check_role(name: str) -> None:
    if name not in SERVICE_ROLES:
        raise field_error("this is no role that ACK assumes", nearest(name, SERVICE_ROLES))
