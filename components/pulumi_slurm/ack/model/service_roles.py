"""The RAM roles that ACK, ECS and RDS assume, which a new account doesn't have.

Sources: their list, https://www.alibabacloud.com/help/doc-detail/86483.htm; how to create them,
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/developer-reference/use-terraform-to-assign-default-roles-to-ack-when-you-use-ack-for-the-first-time;
the last two, website/docs/r/cs_kubernetes_node_pool.html.markdown of Terraform's provider alicloud.

Those for keys of KMS: https://www.alibabacloud.com/help/en/ecs/user-guide/encryption-related-permissions,
https://www.alibabacloud.com/help/en/rds/apsaradb-rds-for-mysql/authorize-apsaradb-rds-for-mysql-to-access-kms, and for
Secrets the list above.
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

ROLE_FOR_SCALING = "AliyunCSManagedAutoScalerRole"
"""By it ACK's autoscaler adds nodes."""
ROLE_FOR_POOLS = "AliyunCSManagedNlcRole"
"""By it ACK repairs and upgrades the nodes of managed pools."""
ROLES_OF_CLUSTERS = (
    "AliyunCSDefaultRole",
    "AliyunCSManagedKubernetesRole",
    "AliyunCSManagedNetworkRole",
    "AliyunCSManagedCsiRole",
    ROLE_FOR_POOLS,
)
"""Those of `SERVICE_ROLES` without which a cluster isn't made, or its nodes, load balancers and disks aren't."""
ROLES_OF_COMPONENTS = ("AliyunCSManagedCsiPluginRole", "AliyunCSManagedCsiProvisionerRole")
"""Those that newer releases of components of every cluster assume."""
ROLES_FOR_LOGS = ("AliyunCSManagedLogRole", "AliyunCSKubernetesAuditRole")
"""Those by which a control plane's logs, and those of its requests, are kept."""
ROLE_FOR_SECRETS = "AliyunCSManagedSecurityRole"
"""By it ACK encrypts Secrets with a key of KMS."""
ROLE_FOR_DISKS = "AliyunECSDiskEncryptDefaultRole"
"""By it ECS encrypts disks with a key of KMS other than its own."""
ROLE_FOR_DATABASES = "AliyunRDSInstanceEncryptionDefaultRole"
"""By it RDS encrypts disks with a key of KMS other than its own."""

KEY_ROLES = MappingProxyType(
    {
        ROLE_FOR_SECRETS: "cs.aliyuncs.com",
        ROLE_FOR_DISKS: "ecs.aliyuncs.com",
        ROLE_FOR_DATABASES: "rds.aliyuncs.com",
    }
)
"""By name: the service that assumes the role to use a key of KMS, which only some specifications name."""

_POLICIES = MappingProxyType(
    {
        ROLE_FOR_DISKS: "AliyunECSDiskEncryptRolePolicy",
        ROLE_FOR_DATABASES: "AliyunRDSInstanceEncryptionRolePolicy",
    }
)


def policy_of(role: str) -> str:
    """Return the system policy of a role."""
    return _POLICIES.get(role, f"{role}Policy")


def role_names(value: list[str]) -> list[str]:
    """Return the values if they are roles that a service assumes, without duplicates."""
    check_each(value, lambda name: _check_role(name, (*SERVICE_ROLES, *KEY_ROLES)))
    check_unique(value, "this role is in the list twice", "Leave it out.")
    return value


def key_role_names(value: list[str]) -> list[str]:
    """Return the values if they are roles for keys of KMS, without duplicates."""
    check_each(value, lambda name: _check_role(name, tuple(KEY_ROLES)))
    check_unique(value, "this role is in the list twice", "Leave it out.")
    return value


def _check_role(name: str, roles: tuple[str, ...]) -> None:
    if name not in roles:
        raise field_error("no service assumes a role of this name for a cluster", nearest(name, roles))
