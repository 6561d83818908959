"""Accounting and job completion."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "17: slurmdbd without host and password": (
        {"cluster": {"accounting": {"database": {"kind": "external"}}}},
        [
            ("cluster.accounting.database.host: an external database needs a host. Add its host name or address."),
            (
                "cluster.accounting.database.passwordSecret: the password of an external database can't be "
                "derived. Add passwordSecret: {name: ..., key: ...}, a Secret in the cluster's namespace."
            ),
            (
                'cluster.partitions[1].qos = "low": there is no such QoS, and slurmctld would not start. '
                "Write one of: normal. Or add it: accounting.qos: [{name: low}]."
            ),
        ],
    ),
    "17: another AccountingStorageHost": (
        {"cluster": {"slurmConf": {"extra": {"AccountingStorageHost": "elsewhere"}}}},
        [
            (
                'cluster.slurmConf.extra.AccountingStorageHost = "elsewhere": this line is the operator\'s, '
                "and another would break the cluster. Instead set accounting."
            ),
        ],
    ),
    "17: another DbdHost": (
        {"cluster": {"accounting": {"qos": [{"name": "low"}], "extraConf": {"DbdHost": "hpc-slurmdbd"}}}},
        [
            (
                'cluster.accounting.extraConf.DbdHost = "hpc-slurmdbd": this line is the operator\'s, and '
                "another would break the cluster. Instead leave it to the operator, which names its own "
                "Service."
            ),
        ],
    ),
    "17: a path for job completion": (
        {"ack": {"jobCompletion": {"database": "/var/log/jobcomp.log"}}},
        [
            (
                'ack.slurm.jobCompletion.database = "/var/log/jobcomp.log": with jobcomp/mysql this is the '
                "name of a database, and Slurm would write to slurm_jobcomp_db instead. Write a name such "
                'as "slurm_jobcomp_db".'
            ),
        ],
    ),
    "17: job completion without a database": (
        {"ack": {"jobCompletion": {}}, "cluster": {"accounting": None, "partitions": None}},
        [
            (
                "ack.slurm.jobCompletion.host: there is no accounting database whose host could be used. "
                "Add the host's name or address."
            ),
        ],
    ),
    "17: lines about accounting without it": (
        {
            "cluster": {
                "accounting": None,
                "partitions": None,
                "slurmConf": {
                    "extra": {
                        "AccountingStoreFlags": "job_comment",
                        "AccountingStorageParameters": "max_step_records=1",
                    }
                },
            }
        },
        [
            (
                'cluster.slurmConf.extra.AccountingStorageParameters = "max_step_records=1": without '
                "accounting there is no slurmdbd. Add accounting, or leave this out."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
