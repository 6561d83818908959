"""KMS, which a new account hasn't activated, and the roles by which services use keys that their users name.

Once its owner has activated it, the setting "kms" is true. Sources: "InvalidParameter.Encrypted.KmsNotEnabled" among
the error codes of ECS, https://api.aliyun.com/document/Ecs/2014-05-26/errorCode;
https://www.alibabacloud.com/help/en/ecs/user-guide/encryption-related-permissions.
"""

from collections.abc import Iterator

from tests.clouds.alibaba import roles
from tests.clouds.simulator.kind import Scope

ACCOUNT_ID = "1234567890123456"
OF_DATABASES = "AliyunRDSInstanceEncryptionDefaultRole"
OF_SECRETS = "AliyunCSManagedSecurityRole"


def refused_encryption(scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield code and message of what encrypts by KMS in an account that hasn't activated it."""
    if not scope.cloud.settings.get("kms"):
        yield (
            "InvalidParameter.Encrypted.KmsNotEnabled",
            "The encrypted disk need enable KMS. You must activate KMS before you can encrypt disks.",
        )


def refused_key(role: str, scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield why a service can't use a key of KMS that its user names."""
    yield from refused_encryption(scope)
    for missing in roles.missing([role], scope):
        yield "KMSUnauthorized", f"The service is not authorized to assume the role {missing}."
