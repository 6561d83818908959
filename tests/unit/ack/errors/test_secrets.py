"""Keys, tokens and passwords, and the lines of configuration files about them."""

import base64
from typing import Any

import pytest

from tests.unit.ack.errors.harness import SECRETS, Case, errors_of

TWICE = base64.b64encode(base64.b64encode(b"k" * 512)).decode()
TOKEN = base64.b64encode(b"a.b.c").decode()

CASES: dict[str, Case] = {
    "7: munge key too short": (
        {"munge": "k" * 31},
        [
            ("the munge key has 31 bytes, and munged takes 32 to 1024. Leave it out: it is derived from the root key."),
        ],
    ),
    "7: munge key too long": (
        {"munge": "k" * 1025},
        [
            (
                "the munge key has 1025 bytes, and munged takes 32 to 1024. Leave it out: it is derived "
                "from the root key."
            ),
        ],
    ),
    "7: munge key in base64 twice": (
        {"munge": TWICE},
        [
            (
                "the munge key is base64 of base64, as from `data` of a Secret: daemons elsewhere have a "
                "different key. Write the content of the key file itself."
            ),
        ],
    ),
    "7: munge key and files in one place": (
        {"ack": {"mungePath": "/var/slurm/munge"}},
        [
            (
                'ack.slurm.mungePath = "/var/slurm/munge": it overlaps with configPath, /var/slurm, '
                "and a pod can mount only one of them there. Choose another path."
            ),
        ],
    ),
    "7: another place in one pod": (
        {
            "ack": {"overrides": {"mungeConfPath": "/etc/munge"}},
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None, "accounting": None},
        },
        [
            (
                'ack.slurm.overrides.slurmctld.template.spec.containers[0].volumeMounts = "/var/munge": '
                "the start script looks for munge.key in /etc/munge, which is mungeConfPath. Leave it "
                "out; ack.slurm.mungePath and ack.slurm.configPath are the mount paths."
            ),
            (
                'ack.slurm.overrides.slurmrestd.template.spec.containers[0].volumeMounts = "/var/munge": '
                "the start script looks for munge.key in /etc/munge, which is mungeConfPath. Leave it "
                "out; ack.slurm.mungePath and ack.slurm.configPath are the mount paths."
            ),
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].volumeMounts = "
                '"/var/munge": the start script looks for munge.key in /etc/munge, which is '
                "mungeConfPath. Leave it out; ack.slurm.mungePath and ack.slurm.configPath are the mount "
                "paths."
            ),
        ],
    ),
    "8: lines about tokens in slurm.conf": (
        {
            "cluster": {
                "slurmConf": {"extra": {"AuthAltTypes": "auth/jwt", "AuthAltParameters": "jwt_key=/elsewhere/key"}}
            }
        },
        [
            (
                'cluster.slurmConf.extra.AuthAltTypes = "auth/jwt": this line is the operator\'s, and '
                "another would break the cluster. Instead leave it to the operator, which signs its own "
                "tokens with it."
            ),
            (
                'cluster.slurmConf.extra.AuthAltParameters = "jwt_key=/elsewhere/key": this line is the '
                "operator's, and another would break the cluster. Instead set keys.jwt or keys.jwks."
            ),
        ],
    ),
    "8: lines about tokens in slurmdbd.conf": (
        {
            "cluster": {
                "accounting": {"qos": [{"name": "low"}], "extraConf": {"AuthAltParameters": "jwt_key=/elsewhere/key"}}
            }
        },
        [
            (
                'cluster.accounting.extraConf.AuthAltParameters = "jwt_key=/elsewhere/key": this line is '
                "the operator's, and another would break the cluster. Instead set keys.jwt or keys.jwks."
            ),
        ],
    ),
    "8: key set of an identity provider": (
        {"cluster": {"operatorVersion": "1.1.0", "keys": {"jwks": {"name": "jwks", "key": "jwks.json"}}}},
        [
            (
                'cluster.keys.jwks = {"name": "jwks", "key": "jwks.json"}: the key set of an identity '
                "provider isn't mounted in ack-slurm-operator's pods. Leave it out."
            ),
        ],
    ),
    "8: JWT key too short": (
        {"jwt": "k" * 31},
        [
            ("the JWT key has 31 bytes, fewer than HS256 needs. Write 32 bytes or more."),
        ],
    ),
    "8: JWT key in PEM": (
        {"jwt": "-----BEGIN PRIVATE KEY-----kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"},
        [
            (
                "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text. Leave it "
                "out: it is derived from the root key."
            ),
        ],
    ),
    "8: JWT key as JWK": (
        {"jwt": '{"kty": "RSA", "n": "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"}'},
        [
            (
                "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text. Leave it "
                "out: it is derived from the root key."
            ),
        ],
    ),
    "9: token with a new line": (
        {"token": "a.b.c\n"},
        [
            ("the token has white space or a new line, and slurmrestd would refuse it. Write it as one word."),
        ],
    ),
    "9: token in base64": (
        {"token": TOKEN},
        [
            (
                "the token is in base64 already, and the Secret would contain base64 of base64. Write the "
                "text that `scontrol token` prints after SLURM_JWT=."
            ),
        ],
    ),
    "9: password with a hash": (
        {"password": "abc#def"},
        [
            ("Slurm reads everything after # as a comment, so the password would be cut off. Choose one without #."),
        ],
    ),
    "9: password in a configuration file": (
        {"cluster": {"configFiles": {"more.conf": "StoragePass=secret\n"}}},
        [
            (
                'cluster.configFiles["more.conf"] = "...": StoragePass is a password, and configuration files are in a '
                "ConfigMap that workers mount too. Leave it out: passwords come from Secrets."
            ),
        ],
    ),
    "9: password in slurm.conf": (
        {
            "cluster": {
                "slurmConf": {"extra": {"JobCompPass": "secret", "JobCompType": "jobcomp/mysql", "JobCompHost": "db"}}
            }
        },
        [
            (
                "cluster.slurmConf.extra.JobCompPass: JobCompPass is a password, and configuration files are "
                "in a ConfigMap that workers mount too. Leave it out: from 25.11 on Slurm reads it from the program "
                "JobCompPassScript, and with ack-slurm-operator from ack.slurm.jobCompletion."
            ),
        ],
    ),
    "9: database of finished jobs in slurm.conf": (
        {"cluster": {"slurmConf": {"extra": {"JobCompType": "jobcomp/mysql", "JobCompHost": "db"}}}},
        [
            (
                'cluster.slurmConf.extra.JobCompType = "jobcomp/mysql": it would be in a ConfigMap, '
                "together with its password. Leave it out; set ack.slurm.jobCompletion."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected


def test_messages_never_repeat_a_secret() -> None:
    for name in SECRETS:
        for secret in ("s3cret#", "s3cret\n", "s3cret"):
            assert "s3cret" not in " ".join(errors_of({name: secret}))
