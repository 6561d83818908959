"""Ids of what exists at Alibaba Cloud: their forms, in every field that holds one."""

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel, ValidationError

from pulumi_slurm.ack.model import AckSpec
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.model import alibaba_ids

NOT_IDS = [
    "a b",
    "x",
    "c82e",
    "ubuntu",
    "my-key/1",
    "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab",
    "acs:kms:cn-hangzhou:1234567890123456:key/key-hzz630494463ejqjx1234",
    "projects/p/locations/us-central1/keyRings/k/cryptoKeys/c",
    "vpc-",
    "494c98ce-f2b5-48ab-96ab-36c986b6****",
    "m-bp1example\n",
    "",
]
SAYS_SO = re.compile(r"\b(ids? (of|that|in ACK)|id, \"|key pair for|RAM role of)")


def fields_of(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[tuple[type[BaseModel], str]]:
    """Yield the fields of texts whose docstring says that they hold an id, of a model and of all below it."""
    seen.add(model)
    texts = docstrings(model)
    for name, field in model.model_fields.items():
        types = [*types_in(field.annotation)]
        if str in types and dict not in types and SAYS_SO.search(" ".join(texts.get(name, "").split())):
            yield model, name
        for below in types:
            if isinstance(below, type) and issubclass(below, BaseModel) and below not in seen:
                yield from fields_of(below, seen)


def types_in(annotation: Any) -> Iterator[Any]:
    """Yield a type and all that its brackets have."""
    yield get_origin(annotation) or annotation
    for inner in get_args(annotation):
        yield from types_in(inner)


FIELDS = sorted(set(fields_of(AckSpec, set())), key=str)


def refused(model: type[BaseModel], name: str, value: str) -> bool:
    """Return whether a model refuses a value of a field, whatever else it lacks."""
    is_list = get_origin(model.model_fields[name].annotation) is list
    try:
        model.model_validate({name: [value] if is_list else value})
    except ValidationError as error:
        return any(one["loc"][0] == name for one in error.errors())
    return False


def test_all_fields_of_ids_are_found() -> None:
    assert {name for _, name in FIELDS} == {
        *("access_control_list", "deployment_set", "encryption_key", "id", "image_id", "key_name", "pod_vswitches"),
        *("private_pool", "ram_role", "secrets_encryption_key", "security_group_id", "vpc_id", "vswitches"),
    }


@pytest.mark.parametrize(("model", "name"), FIELDS)
def test_every_field_of_an_id_refuses_what_is_none(model: type[BaseModel], name: str) -> None:
    looks_like_a_name = {"x", "ubuntu", "vpc-", "c82e", "494c98ce-f2b5-48ab-96ab-36c986b6****"[:-4]}
    values = [value for value in NOT_IDS if name not in {"key_name", "ram_role"} or value not in looks_like_a_name]
    assert [value for value in values if not refused(model, name, value)] == []


@pytest.mark.parametrize(
    ("check", "ids"),
    [
        (alibaba_ids.id_of_cluster, ["c0196d207b11d4a25ae4cad2a6f029a38", "c18c40b2b336840e2b2bbf8ab291758e2"]),
        (alibaba_ids.id_of_pool, ["np31da1b38983f4511b490fc62108a1234"]),
        (alibaba_ids.id_of_key, ["494c98ce-f2b5-48ab-96ab-36c986b61234", "key-hzz630494463ejqjx1234"]),
        (alibaba_ids.id_of_private_pool, ["crp-bp67acfmxazb4abcd", "eap-bp67acfmxazb4abcd"]),
        (alibaba_ids.id_of_deployment_set, ["ds-2ze78ef5kyj9eveue92m"]),
        (alibaba_ids.id_of_access_list, ["acl-abc123456"]),
        (
            alibaba_ids.id_of_image,
            [
                *("m-bp1d13fxs1ymbvw1dk5g", "m-61nk2opqjl3p0e5wiuzm160ks", "centos_7_06_64_20G_alibase_20190711.vhd"),
                *(
                    "aliyun_3_x64_20G_container_optimized_alibase_20251215.vhd",
                    "ubuntu_16_0402_64_20G_alibase_20180409.vhd",
                ),
                "win2022_21H2_x64_dtc_zh-cn_40G_containerd_alibase_20230915.vhd",
            ],
        ),
        (alibaba_ids.id_of_vpc, ["vpc-bp1b444zex5kv0jwh0je4"]),
        (alibaba_ids.id_of_group, ["sg-bp1fg655nh68xyz9i1pc"]),
        (alibaba_ids.key_pair, ["ops", "key-test-milvus", "my_public_key", "Key:1"]),
        (alibaba_ids.role, ["SlurmNodes", "AliyunECSDiskEncryptDefaultRole", "kubernetes.worker-1"]),
    ],
)
def test_real_ids_are_accepted(check: Callable[[str], str], ids: list[str]) -> None:
    assert [check(one) for one in ids] == ids
