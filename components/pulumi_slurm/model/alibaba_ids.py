"""Ids of what exists at Alibaba Cloud, and names of key pairs and roles: each check returns its value, or raises an
error.

Sources for the forms are ids in public texts. In website/docs/r/ and alicloud/*_test.go of
https://github.com/aliyun/terraform-provider-alicloud at 81c43b6: "m-61nk2opqjl3p0e5wiuzm160ks",
"ds-2ze78ef5kyj9eveue92m", "aliyun_3_x64_20G_alibase_20240819.vhd", the cluster "c0196d207b11d4a25ae4cad2a6f029a38" and
the key "494c98ce-f2b5-48ab-96ab-36c986b6****". In https://github.com/muzea/aliyun-sdk-node: the key
"key-hzz630494463ejqjx****", the node pool "np31da1b38983f4511b490fc62108a****", and the private pools
"crp-bp67acfmxazb4****" and "eap-bp67acfmxazb4****". Names of key pairs: website/docs/r/ecs_key_pair.html.markdown of
the provider; of roles: https://www.alibabacloud.com/help/en/ram/developer-reference/api-ram-2015-05-01-createrole.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from pulumi_slurm.errors import check_each, check_unique, field_error


class _Kind(NamedTuple):
    """What has ids of one form."""

    name: str
    prefixes: tuple[str, ...]
    suffix: str = "[a-z0-9]+"
    or_else: str | None = None
    """Another form."""
    hint: str = ""
    """What else there is to say of it."""
    fix: str = ""
    """What to write, in place of how it begins."""

    def fits(self, value: str) -> bool:
        """Return whether a value has one of its forms."""
        forms = [f"({'|'.join(self.prefixes)}){self.suffix}", *([self.or_else] if self.or_else else [])]
        return any(re.fullmatch(form, value) for form in forms)


_VPC = _Kind("a VPC", ("vpc-",))
_VSWITCH = _Kind("a vSwitch", ("vsw-",))
_GROUP = _Kind("a security group", ("sg-",))
_DEPLOYMENT_SET = _Kind("a deployment set", ("ds-",))
_PRIVATE_POOL = _Kind("a private pool", ("crp-", "eap-"))
_ACCESS_LIST = _Kind("an access control list", ("acl-",))
_KEY = _Kind(
    "a key of KMS",
    ("key-",),
    suffix="[a-z0-9-]+",
    or_else="[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    # Without quotes: values of such fields aren't shown, nor what is in quotes and in them.
    fix="Write the id that KMS shows, such as key-hzz630494463ejqjx1234 or a UUID.",
)
_IMAGE = _Kind(
    "an image",
    ("m-",),
    or_else=r"[A-Za-z0-9]+(_[A-Za-z0-9.-]+)+\.[a-z0-9]+",
    hint=', or that of a public image, such as "aliyun_3_x64_20G_alibase_20240819.vhd"',
)
_CLUSTER = _Kind("an ACK cluster", ("c",), suffix="[a-z0-9]{32}", hint=" and has 33 characters")
_POOL = _Kind("a node pool", ("np",), suffix="[a-z0-9]{32}", hint=" and has 34 characters")

_TOLD_BY_PREFIX = (_VPC, _VSWITCH, _GROUP, _DEPLOYMENT_SET, _PRIVATE_POOL, _ACCESS_LIST, _KEY, _IMAGE)

_KEY_PAIR = re.compile(r"(?!https?://)[^\W\d_][\w:-]{1,127}")
_ROLE = re.compile(r"[A-Za-z0-9._@-]{1,64}")


def _check_of(kind: _Kind) -> Callable[[str], str]:
    def check(value: str) -> str:
        if kind.fits(value):
            return value
        other = next((one for one in _TOLD_BY_PREFIX if one is not kind and value.startswith(one.prefixes)), None)
        problem = (
            f"this is the id of {other.name}, not of {kind.name}" if other else f"this is not the id of {kind.name}"
        )
        begins = " or ".join(f'"{prefix}"' for prefix in kind.prefixes)
        fix = f"Write the id that the console shows, which begins with {begins}{kind.hint}."
        raise field_error(problem, kind.fix or fix)

    return check


id_of_vpc = _check_of(_VPC)
id_of_group = _check_of(_GROUP)
id_of_cluster = _check_of(_CLUSTER)
id_of_pool = _check_of(_POOL)
id_of_key = _check_of(_KEY)
id_of_image = _check_of(_IMAGE)
id_of_private_pool = _check_of(_PRIVATE_POOL)
id_of_deployment_set = _check_of(_DEPLOYMENT_SET)
id_of_access_list = _check_of(_ACCESS_LIST)


def ids_of_vswitches(values: list[str]) -> list[str]:
    """Return ids of vSwitches, none of them twice."""
    check_each(values, _check_of(_VSWITCH))
    check_unique(values, "this vSwitch is in the list twice", "Leave it out.")
    return values


def key_pair(value: str) -> str:
    """Return the name of a key pair."""
    if not _KEY_PAIR.fullmatch(value):
        raise field_error(
            "ECS has no key pairs of such a name",
            'Write the name that the console shows, 2 to 128 letters, digits, ":", "_" and "-".',
        )
    return value


def role(value: str) -> str:
    """Return the name of a RAM role."""
    if not _ROLE.fullmatch(value):
        raise field_error(
            "RAM has no roles of such a name",
            'Write its name, without "acs:ram" and what else stands before it, for example "SlurmNodes".',
        )
    return value
