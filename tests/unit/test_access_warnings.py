"""What is accepted and only warned of: users, groups and accounts that slurmctld may not know."""

from typing import Any

import pytest

from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load

CLUSTER: dict[str, Any] = {
    "name": "c",
    "operatorVersion": "1.1.3",
    "nodeSets": [{"name": "a", "machine": {"cpus": 1, "memory": "8Gi"}, "partition": {"allowGroups": ["lab"]}}],
    "tokens": [{"name": "ci", "username": "alice"}, {"name": "admin", "username": "slurm"}],
}


def warnings_of(config: dict[str, Any]) -> list[str]:
    with collected_warnings() as warnings:
        load(config)
    return [str(warning) for warning in warnings]


def test_groups_and_users_are_those_of_the_image_of_slurmctld() -> None:
    assert warnings_of(CLUSTER) == [
        (
            'nodeSets[0].partition.allowGroups = ["lab"]: Slinky\'s image of slurmctld knows no groups of a directory, '
            "and then only root may submit jobs. Set controller.image to an image whose slurmctld can look them up, "
            "or use allowAccounts."
        ),
        (
            'tokens[0].username = "alice": Slinky\'s image of slurmctld knows no users of a directory, and jobs with '
            "this token never start. Set controller.image to an image whose slurmctld can look them up, or use login "
            "nodes."
        ),
    ]


JWKS = {"name": "provider", "key": "keys.json"}


def test_users_of_an_identity_provider_are_those_of_the_image_of_slurmctld() -> None:
    assert warnings_of({"name": "c", "operatorVersion": "1.1.3", "keys": {"jwks": JWKS}}) == [
        (
            'keys.jwks = {"name": "provider", "key": "keys.json"}: Slinky\'s image of slurmctld knows no users of a '
            "directory, and jobs with their tokens never start. Set controller.image to an image whose slurmctld can "
            "look them up, or use login nodes."
        )
    ]


def test_an_image_of_ones_own_may_know_them() -> None:
    cluster = {**CLUSTER, "keys": {"jwks": JWKS}}
    assert warnings_of({**cluster, "controller": {"image": "registry.example.org/slurmctld-with-sssd:1"}}) == []


BRIDGE: dict[str, Any] = {
    "name": "c",
    "operatorVersion": "1.1.3",
    "partitions": [{"name": "pods", "nodeSets": ["x"]}],
    "bridge": {
        "partition": "pods",
        "namespaces": [{"name": "a", "users": ["slurm", "1000"], "groups": ["lab"]}, {"name": "b", "users": ["slurm"]}],
        "externalNodes": [{"name": "x", "nodeSelector": {"pool": "x"}}],
    },
}
IMAGE = {"image": "registry.example.org/with-sssd:1"}


@pytest.mark.parametrize("fields", [{}, {"restApi": IMAGE}, {"controller": IMAGE}])
def test_users_of_the_bridge_are_those_of_both_images(fields: dict[str, Any]) -> None:
    assert warnings_of({**BRIDGE, **fields}) == [
        (
            'bridge.namespaces[0].users = ["slurm", "1000"]: Slinky\'s images of slurmrestd and slurmctld know no '
            "users of a directory, so no pod with user-id ever starts. Set restApi.image and controller.image to "
            "images that can look them up, or leave this out."
        ),
        (
            'bridge.namespaces[0].groups = ["lab"]: Slinky\'s images of slurmrestd and slurmctld know no groups of a '
            "directory, so no pod with group-id ever starts. Set restApi.image and controller.image to images that can "
            "look them up, or leave this out."
        ),
    ]


def test_images_of_ones_own_may_know_the_users_of_the_bridge() -> None:
    assert warnings_of({**BRIDGE, "restApi": IMAGE, "controller": IMAGE}) == []


OPEN = {"type": "LoadBalancer", "internal": False}


@pytest.mark.parametrize(
    ("ranges", "warned"),
    [
        (["192.0.2.0/24"], []),
        (["192.0.2.0/24", "2001:db8::/32"], []),
        (
            ["192.0.2.0/24", "0.0.0.0/0"],
            [
                'restApi.service.sourceRanges[1] = "0.0.0.0/0": the load balancer is on the Internet and lets everyone '
                "in. Write the networks that may connect, or leave it if that is what you want."
            ],
        ),
        (
            ["2001:db8::/32"],
            [
                'restApi.service.sourceRanges = ["2001:db8::/32"]: these are IPv6 networks alone, and a Service with '
                "an IPv4 address lets everyone in by that. Add the IPv4 networks that may connect, unless the "
                "Kubernetes cluster has IPv6 alone."
            ],
        ),
    ],
)
def test_load_balancers_that_let_everyone_in_are_warned_of(ranges: list[str], warned: list[str]) -> None:
    assert warnings_of({"name": "c", "restApi": {"service": {**OPEN, "sourceRanges": ranges}}}) == warned


def test_everyone_in_the_network_of_an_internal_load_balancer_is_no_warning() -> None:
    service = {"type": "LoadBalancer", "sourceRanges": ["0.0.0.0/0"]}
    assert warnings_of({"name": "c", "controller": {"service": service}}) == []


def of_accounts(accounting: dict[str, Any], **partition: list[str]) -> list[str]:
    return warnings_of(
        {
            **{"name": "c", "operatorVersion": "1.1.3", "accounting": accounting},
            "nodeSets": [{"name": "a", "machine": {"cpus": 1, "memory": "8Gi"}, "partition": partition}],
        }
    )


def test_a_list_of_accounts_that_there_are_not_is_open() -> None:
    physics = {"accounts": [{"name": "physics"}]}
    assert of_accounts(physics, allowAccounts=["physic"]) == [
        (
            'nodeSets[0].partition.allowAccounts[0] = "physic": accounting.accounts has no such account, and without '
            'one that the database has, this list lets every account in. Did you mean "physics"?'
        )
    ]
    assert of_accounts(physics, allowAccounts=["Physics", "by-hand"]) == [
        (
            'nodeSets[0].partition.allowAccounts[1] = "by-hand": accounting.accounts has no such account. Write one '
            "of: physics, root."
        )
    ]
    assert of_accounts({"accounts": []}, denyAccounts=["gone"]) == [
        (
            'nodeSets[0].partition.denyAccounts[0] = "gone": accounting.accounts has no such account, and without '
            "one that the database has, this list denies nobody. Write one of: root."
        )
    ]


def test_accounts_that_others_make_are_not_asked_for() -> None:
    assert of_accounts({}, allowAccounts=["by-hand"]) == []
    assert of_accounts({"accounts": [{"name": "a"}]}, allowAccounts=["root"], denyAccounts=[]) == []
