"""RAM: roles and their policies, of which a new account has none.

ACK can do nothing without its roles: https://www.alibabacloud.com/help/doc-detail/86483.htm. They can be granted in the
console, after which the setting "serviceRoles" is true.
"""

from collections.abc import Iterable, Iterator

from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, known_kind
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

ROLE = "alicloud:ram/role:Role"
ATTACHMENT = "alicloud:ram/rolePolicyAttachment:RolePolicyAttachment"
OF_CLUSTERS = (
    "AliyunCSDefaultRole",
    "AliyunCSManagedKubernetesRole",
    "AliyunCSManagedNetworkRole",
    "AliyunCSManagedCsiRole",
    # When it comes after the cluster, ACK's autoscaler does nothing.
    "AliyunCSManagedAutoScalerRole",
)
_POLICIES = {"AliyunRDSInstanceEncryptionDefaultRole": "AliyunRDSInstanceEncryptionRolePolicy"}
OF_MANAGED_POOLS = ("AliyunCSManagedNlcRole",)
GRANTED = (*OF_CLUSTERS, *OF_MANAGED_POOLS, "AliyunCISDefaultRole", "AliyunCSManagedLogRole", "AliyunCSManagedCmsRole")
"""Those that the console has granted, as far as anything here depends on them, and some more."""


@known_kind
class Role(AlibabaKind):
    token = ROLE
    terraform = "alicloud_ram_role"
    action = "ram:CreateRole"
    name_property = "roleName"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return str(inputs["roleName"])

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if old is None and _exists(inputs["roleName"], scope):
            raise self.error(409, "EntityAlreadyExists.Role", f"The role {inputs['roleName']} already exists.")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        arn = f"acs:ram::1234567890123456:role/{inputs['roleName'].lower()}"
        return {"maxSessionDuration": 3600, **super().state(inputs, scope, old), "arn": arn}


@known_kind
class RolePolicyAttachment(AlibabaKind):
    token = ATTACHMENT
    terraform = "alicloud_ram_role_policy_attachment"
    action = "ram:AttachPolicyToRole"
    name_property = "roleName"
    references = (Reference("roleName", ROLE),)

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"role:{inputs['policyName']}:{inputs['policyType']}:{inputs['roleName']}"


def missing(roles: Iterable[str], scope: Scope) -> Iterator[str]:
    """Yield the roles that the account doesn't have, with their policies."""
    if not scope.cloud.settings.get("serviceRoles"):
        for role in roles:
            if scope.cloud.get(ATTACHMENT, f"role:{_POLICIES.get(role, f'{role}Policy')}:System:{role}") is None:
                yield role


def _exists(role: str, scope: Scope) -> bool:
    granted = scope.cloud.settings.get("serviceRoles") and role.startswith("Aliyun")
    return bool(granted or scope.cloud.get(ROLE, role))
