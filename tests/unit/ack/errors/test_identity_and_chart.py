"""Users of LDAP with an image that doesn't look them up, and fields for which the chart has no value."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

ONE: dict[str, Any] = {"partitions": None, "accounting": None, "loginSets": None}
NO_VALUE = "the chart has no value for it, so it would have no effect"
FIX = "Leave it out, or leave ack.slurm.clusterChart out."

CASES: dict[str, Case] = {
    "21: users of LDAP with Alibaba's image": (
        {"ack": {"image": None}},
        [
            (
                "ack.slurm.image: Alibaba's image, which the controller would have, contains no nslcd, so Slurm would "
                "know no user of LDAP. Write an image that does (docs/ack-image.md), or leave cluster.identity out."
            ),
        ],
    ),
    "21: users of LDAP with Alibaba's image in some workers": (
        {
            "ack": {"image": None, "controller": {"image": "own"}, "workers": {"cpu": {"image": "own"}}},
        },
        [
            (
                'ack.slurm.image: Alibaba\'s image, which the workers of "gpu" would have, contains no nslcd, so Slurm '
                "would know no user of LDAP. Write an image that does (docs/ack-image.md), or leave cluster.identity "
                "out."
            ),
        ],
    ),
    "21: fields of LDAP that nslcd doesn't have": (
        {
            "cluster": {
                "identity": {
                    "ldap": {
                        "uri": "ldaps://ldap.example.org",
                        "baseDn": "dc=example,dc=org",
                        "caSecret": {"name": "ca", "key": "ca.crt"},
                        "ldapSchema": "rfc2307bis",
                        "accessFilter": "(memberOf=cn=hpc)",
                    }
                }
            }
        },
        [
            (
                'cluster.identity.ldap.caSecret = {"name": "ca", "key": "ca.crt"}: nslcd reads certificates from a '
                "file. Leave it out; write ack.slurm.ldap.caFile."
            ),
            ('cluster.identity.ldap.ldapSchema = "rfc2307bis": nslcd is configured for rfc2307 alone. Leave it out.'),
            (
                'cluster.identity.ldap.accessFilter = "(memberOf=cn=hpc)": nslcd would let in other users too. '
                "Leave it out."
            ),
        ],
    ),
    "22: fields that the chart's values don't have": (
        {
            "ack": {
                "clusterChart": {},
                "copilot": {"token": True},
                "prometheus": True,
                "controller": {"initBash": "true"},
                "workers": {"cpu": {"initBash": "true"}},
            },
            "cluster": {
                **ONE,
                "restApi": {"replicas": 2, "pod": {"env": {"A": "b"}}},
                "controller": {"pod": {"labels": {"a": "b"}}},
                "nodeSets": [
                    {
                        "name": "cpu",
                        "pool": "cpu",
                        "slurmdOptions": {"MemSpecLimit": 512},
                        "sidecars": [{"name": "logs", "image": "logs"}],
                        "pod": {"runtimeClassName": "runc", "annotations": {"a": "b"}},
                    }
                ],
            },
        },
        [
            (
                "ack.slurm.copilot.token = true: the chart lets slurmctld write its token, which would replace this "
                f"one. {FIX}"
            ),
            (
                "ack.slurm.ldap.startNslcd = true: pods of the chart start by the operator's scripts, which start no "
                f"nslcd. {FIX}"
            ),
            f"ack.slurm.prometheus = true: {NO_VALUE}. {FIX}",
            f"cluster.restApi.replicas = 2: {NO_VALUE}. {FIX}",
            f'ack.slurm.controller.initBash = "...": {NO_VALUE}. {FIX}',
            f'ack.slurm.workers.cpu.initBash = "...": {NO_VALUE}. {FIX}',
            f'cluster.nodeSets[0].sidecars = ["logs"]: {NO_VALUE}. {FIX}',
            (
                'cluster.nodeSets[0].slurmdOptions = ["MemSpecLimit"]: workers of the chart start by the operator\'s '
                f"script, which passes neither features nor options. {FIX}"
            ),
            f'cluster.nodeSets[0].pod.annotations = {{"a": "b"}}: {NO_VALUE}. {FIX}',
            f'cluster.nodeSets[0].pod.runtimeClassName = "runc": {NO_VALUE}. {FIX}',
            f'cluster.controller.pod.labels = {{"a": "b"}}: {NO_VALUE}. {FIX}',
            f'cluster.restApi.pod.env = {{"A": "b"}}: {NO_VALUE}. {FIX}',
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
