"""AckServiceRoles: the RAM roles that ACK, ECS and RDS assume, for a new account."""

import json

import pulumi
from pulumi_alicloud import ram
from pydantic import field_validator

from pulumi_slurm.ack.model.service_roles import KEY_ROLES, SERVICE_ROLES, key_role_names, policy_of, role_names
from pulumi_slurm.kube.component import Args, Component, Options


class AckServiceRolesArgs(Args):
    """Arguments of `AckServiceRoles`."""

    existing: list[str] = []
    """Roles that the account has already."""
    for_encryption: list[str] = []
    """Roles by which services use keys of KMS, where such keys are named: AliyunCSManagedSecurityRole for
    `secrets_encryption_key`, AliyunECSDiskEncryptDefaultRole for the key of a class of disks, and
    AliyunRDSInstanceEncryptionDefaultRole for that of a database."""

    _existing = field_validator("existing")(role_names)
    _for_encryption = field_validator("for_encryption")(key_role_names)


class AckServiceRoles(Component[AckServiceRolesArgs]):
    """The RAM roles that ACK assumes to manage clusters, nodes, networks and volumes, each with its system policy.

    A new account has none of them. Its owner can create them in ACK's console as well; then leave this component out.
    The roles belong to the account, so they stay when the component is destroyed. Create clusters after it.
    """

    def __init__(self, resource_name: str, args: AckServiceRolesArgs, opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        wanted = {**SERVICE_ROLES, **{role: KEY_ROLES[role] for role in self._args.for_encryption}}
        self.finish(*(self._role(role, service) for role, service in wanted.items() if role not in self._args.existing))

    def _role(self, name: str, service: str) -> pulumi.Resource:
        """Create a role with its policy; return the last resource."""
        trust = {
            "Version": "1",
            "Statement": [{"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": {"Service": [service]}}],
        }
        role = ram.Role(
            f"{self._name}-{name}",
            role_name=name,
            description="Assumed by Container Service for Kubernetes (ACK)"
            if name in SERVICE_ROLES
            else "Assumed to use keys of KMS",
            assume_role_policy_document=json.dumps(trust, sort_keys=True),
            # Other clusters of the account need it too.
            opts=self.child(retain_on_delete=True),
        )
        return ram.RolePolicyAttachment(
            f"{self._name}-{name}",
            policy_name=policy_of(name),
            policy_type="System",
            role_name=role.role_name,
            opts=self.child(role, retain_on_delete=True),
        )
