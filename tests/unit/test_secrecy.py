"""Messages repeat no secret, wherever it stands: what people put into wrong places."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.secrecy import is_secret_name, may_be_secret, without_secrets
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.diff import compare
from pulumi_slurm.slurmconf.version import SERIES
from tests.stack_configuration import ROOT_KEY
from tests.unit.telling import read_stack, told

HUNTER = "hunter2"
KUBECONFIG = f"apiVersion: v1\nkind: Config\nusers:\n  - name: me\n    user: {{token: {HUNTER}}}\n"
PEM = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{HUNTER}\n-----END OPENSSH PRIVATE KEY-----\n"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLWh1bnRlcjI"
NODE_SETS = [{"name": "a", "machine": {"cpus": 4, "memory": "8Gi"}}]


GKE = {"project": "my-project", "zones": ["us-central1-b"], "pools": []}
ACK = {"zones": ["cn-hangzhou-i"], "pools": []}
EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown field called password": (
        "accounting.database.password",
        {"accounting": {"database": {"password": HUNTER}}},
    ),
    "StoragePass in slurmdbd.conf": (
        "accounting.extraConf.StoragePass",
        {"accounting": {"extraConf": {"StoragePass": HUNTER}}},
    ),
    "a key as text": ("keys.jwt", {"keys": {"jwt": HUNTER}}),
    "a registry's address": ("images.registry", {"images": {"registry": f"https://u:{HUNTER}@r/x"}}),
    "a token beside its name": ("tokens[0].token", {"tokens": [{"name": "a", "username": "slurm", "token": HUNTER}]}),
    "a private key": ("loginSets[0].rootAuthorizedKeys", {"loginSets": [{"name": "l", "rootAuthorizedKeys": [PEM]}]}),
    "the first lines of a private key": (
        "loginSets[0].rootAuthorizedKeys",
        {"loginSets": [{"name": "l", "rootAuthorizedKeys": f"-----BEGIN PRIVATE KEY-----\n{HUNTER}"}]},
    ),
    "the directory's password": (
        "identity.ldap.bindPassword",
        {"identity": {"ldap": {"uri": "ldaps://l", "baseDn": "dc=x", "bindPassword": HUNTER}}},
    ),
    "a Secret's content in place of its name": (
        "accounting.database.passwordSecret",
        {"accounting": {"database": {"kind": "external", "host": "db", "passwordSecret": HUNTER}}},
    ),
    "a Secret's content in place of a reference's name": (
        "accounting.database.passwordSecret.name",
        {
            "accounting": {
                "database": {"kind": "external", "host": "db", "passwordSecret": {"name": f"{HUNTER}!", "key": "k"}}
            }
        },
    ),
    "text in place of a mapping": ("accounting", {"accounting": HUNTER}),
    "a number in place of a mapping": ("keys.jwt", {"keys": {"jwt": 90210}}),
    "a value of the environment": (
        "controller.pod.env",
        {"controller": {"pod": {"env": [{"name": "DB_PASSWORD", "value": HUNTER}]}}},
    ),
    "text in place of a hostlist, of which the error quotes parts": (
        "externalNodes[0].nodes",
        {"externalNodes": [{"name": "x", "nodes": f"[{{user: {{token: {HUNTER}}}}}]"}]},
    ),
    "a password in a line that is refused": (
        "slurmConf.extra.AccountingStoragePass",
        {"slurmConf": {"extra": {"AccountingStoragePass": HUNTER}}},
    ),
}


@pytest.mark.parametrize(("path", "fields"), EXAMPLES.values(), ids=EXAMPLES)
def test_no_error_of_a_specification_repeats_it(path: str, fields: dict[str, Any]) -> None:
    text = told(load, {"name": "c", **fields})
    assert path in text
    assert HUNTER not in text
    assert "90210" not in text


OF_STACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "a kubeconfig": ("slurm:kubeconfig", {"kind": "kubernetes", "cluster": {"name": "c"}, "kubeconfig": KUBECONFIG}),
    "an address in place of a kubeconfig": (
        "slurm:kubeconfig",
        {"kind": "kubernetes", "cluster": {"name": "c"}, "kubeconfig": f"https://me:{HUNTER}@r.example.org/x"},
    ),
    "the copilot's token": (
        "slurm:ack.slurm.copilot.token",
        {
            "kind": "ack",
            "cluster": {"name": "c"},
            "ack": {**ACK, "slurmOperator": "ack-slurm-operator", "slurm": {"copilot": {"token": HUNTER}}},
        },
    ),
    "a password of the database for completed jobs": (
        "slurm:ack.slurm.jobCompletion.password",
        {
            "kind": "ack",
            "cluster": {"name": "c"},
            "ack": {**ACK, "slurm": {"jobCompletion": {"host": "h", "password": HUNTER}}},
        },
    ),
    "a setting that there isn't": (
        "slurm:dbPassword",
        {"kind": "local", "cluster": {"name": "c"}, "dbPassword": HUNTER},
    ),
    "a cluster as text": ("slurm:cluster", {"kind": "local", "cluster": f"{{password: {HUNTER}"}),
    "a cluster as text in quotes": ("slurm:cluster", {"kind": "gke", "cluster": json.dumps(HUNTER), "gke": GKE}),
    "an operator as text": ("slurm:operator", {"kind": "local", "cluster": {"name": "c"}, "operator": HUNTER}),
    "a root key in another form": ("slurm:rootKey", {"kind": "local", "cluster": {"name": "c"}, "rootKey": HUNTER}),
}


@pytest.mark.parametrize(("path", "settings"), OF_STACKS.values(), ids=OF_STACKS)
def test_no_error_of_a_stack_repeats_it(path: str, settings: dict[str, Any]) -> None:
    text = told(read_stack, {"rootKey": ROOT_KEY, **settings})
    assert path in text
    assert HUNTER not in text


def test_the_remedy_for_an_address_names_the_rest_of_it() -> None:
    with pytest.raises(SpecError) as refused:
        load({"name": "c", "images": {"registry": f"https://u:{HUNTER}@r.example.org/x"}})
    assert [str(error) for error in refused.value.errors] == [
        'images.registry = "https://…@r.example.org/x": an image\'s name has no user and password, '
        'which nodes take from a Secret. Write "r.example.org/x", and the name of a Secret in pullSecrets.'
    ]


def test_pydantic_s_own_error_shows_no_value() -> None:
    with pytest.raises(ValidationError) as refused:
        SlurmSpec.model_validate({"name": "c", "accounting": {"database": {"password": HUNTER}}})
    assert HUNTER not in str(refused.value)


def test_harmless_values_are_shown() -> None:
    with pytest.raises(SpecError) as refused:
        load({"name": "c", "slurmVersion": "25.10", "nodeSets": [{**NODE_SETS[0], "replicas": "three"}]})
    assert 'replicas = "three"' in str(refused.value)
    assert 'slurmVersion = "25.10"' in str(refused.value)


def test_of_a_mapping_only_what_may_be_a_secret_is_left_out() -> None:
    error = FieldError(
        ("volume",), {"name": "a", "size": 5, "dbPassword": HUNTER}, f"of {HUNTER}", f'Write "{HUNTER}".'
    )
    assert str(error) == 'volume = {"name": "a", "size": 5, "dbPassword": "…"}: of …. Write "…".'
    assert HUNTER not in repr(error)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"StoragePass {HUNTER}\n", "slurmdbd.conf:1: (not shown): is not key=value"),
        (f'StoragePass="{HUNTER} x\n', "slurmdbd.conf:1: "),
        (f"DbdPort=6819 StoragePass={HUNTER}\n", "slurmdbd.conf:1: StoragePass=(not shown): "),
        (f'AuthInfo="{HUNTER}","b"\n', "slurmdbd.conf:1: AuthInfo=(not shown): "),
        (f"StoragePass +={HUNTER}\n", "slurmdbd.conf:1: StoragePass+=: "),
        (f"DbdPort={JWT}\n", "slurmdbd.conf:1: DbdPort=(not shown): "),
    ],
)
def test_no_error_of_a_file_of_slurm_repeats_it(text: str, expected: str) -> None:
    shown = told(parse, text, File.SLURMDBD, SERIES[-1])
    assert expected in shown
    assert HUNTER not in shown
    assert JWT not in shown


def test_no_difference_of_two_files_repeats_it() -> None:
    old, new = (
        parse(f"AuthInfo={word}\nStoragePass={word}\n", File.SLURMDBD, SERIES[-1]) for word in (HUNTER, f"{HUNTER}x")
    )
    lines = [str(difference) for difference in compare(old, new)]
    assert len(lines) == 2
    assert all("(not shown) -> (not shown)" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *((name, True) for name in ("password", "StoragePass", "rootKey", "DB_PASSWD", "copilot_token", "apikey")),
        *(
            (name, True)
            for name in ("clientSecret", "credentials", "MYSQL_PWD", "accessKeyId", "tokens", "client-key-data")
        ),
        *((name, False) for name in ("tokenLifetime", "compactPlacement", "wckey", "passive", "bypassed")),
        *((name, False) for name in ("name", "jwtPath", "keyboard", "JobCompPassScript", "secretName")),
    ],
)
def test_names_of_secrets(name: str, is_secret: bool) -> None:
    assert is_secret_name(name) == is_secret


@pytest.mark.parametrize(
    "text",
    [
        *("ghcr.io/slinkyproject/slurmctld:25.11-ubuntu24.04", "us-central1-docker.pkg.dev/my-project/repository"),
        *("projects/p/regions/us-central1/resourcePolicies/near", "2026-01-03T10:00:00Z", "ecs.gn7i-c16g1.4xlarge"),
        *("gres/gpu:nvidia_h100_80gb_hbm3=8", "db-perf-optimized-N-2", "slurm-operator.slinky.svc.cluster.local:6817"),
        *("node[001-128,200-256]", "innodb_lock_wait_timeout=900", "10.0.0.0/16", "ldaps://ldap.example.org:636"),
        *(
            "alice@example.org",
            "serviceaccount@my-project-123456.iam.gserviceaccount.com",
            "jwt_key=/etc/slurm/jwt.key",
        ),
        *("c" * 41, "a" * 20 + "1", "r/x:1@sha256:" + "0123456789abcdef" * 4, "topology.kubernetes.io/zone"),
        *("vsw-bp1n6h2a3wz5g4kq8d1lx", "c82e6987e2961451182edacd74faf1234", "np0a1b2c3d4e5f60718293a4b5c6d7e8f9"),
    ],
)
def test_ordinary_values_are_not_taken_for_secrets(text: str) -> None:
    assert not may_be_secret(text)
    assert without_secrets(f'Write "{text}".') == f'Write "{text}".'
