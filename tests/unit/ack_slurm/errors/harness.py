"""What is refused before anything is touched, and what a user reads about it: path, value, problem, fix.

The cases are in `tests/unit/refused/ack_slurm`; the tests beside this are of all else. The key of a case says what is
wrong.
"""

from typing import Any

from pulumi_slurm.ack_slurm.manifests import secret_checks
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm, check_ack_slurm_clusters
from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load, load_model
from tests.unit.ack_slurm.examples import CLUSTER, IMAGE, POOLS, cluster

MOUNTS = [{"name": "config", "mountPath": "/var/slurm"}, {"name": "munge", "mountPath": "/var/munge"}]
SECRETS = {
    "munge": secret_checks.munge_key,
    "jwt": secret_checks.jwt_key,
    "token": secret_checks.token,
    "password": secret_checks.database_password,
}

SUBJECTS = {
    1: "the cluster's name",
    2: "names of workers, which are longer",
    3: "names of groups of workers",
    4: "two clusters of one name under one operator",
    5: "the Service of slurmrestd, and the labels by which it is found",
    6: "a GenericNode's names and fields",
    7: "munge's key, and where it is mounted",
    8: "JWT: keys, and lines in Slurm's files",
    9: "tokens and passwords",
    10: "what colocation needs of the cluster",
    11: "GRES of colocation in gres.conf and GresTypes",
    13: "CPUs and memory of workers",
    14: "nodes in state CLOUD",
    15: "programs, times and rates of power saving",
    16: "fields of scaled groups that every `up` would set back",
    17: "slurmdbd, its database, and job completions",
    18: "several controllers",
    19: "a host name of slurmctld, initBash and keys of slurm.conf",
    21: "users from LDAP",
    22: "the chart, whose values have fewer fields",
    23: "the load balancer in front of the controller's SSH server",
    20: "the cloud: addresses, node pools and storage",
}
"""What has to be refused before `pulumi up`; cases of ACK specifications, in `tests.unit.ack.errors`, too."""


def errors_of(part: dict[str, Any]) -> list[str]:
    """Return the errors in a case."""
    for secret, check in SECRETS.items():
        if secret in part:
            issue = check(part[secret])
            return [str(issue)] if issue else []
    if "clusters" in part:
        return list(map(str, check_ack_slurm_clusters([cluster()[0], cluster(namespace="other")[0]])))
    try:
        if "outside" in part:
            load_model(OutsideSlurmSpec, part["outside"], "The outside")
            return []
        data = {key: value for key, value in {**CLUSTER, **part.get("cluster", {})}.items() if value is not None}
        spec, pools = load(data, POOLS, at=("cluster",), other_release="23.02.7")
        ack = load_model(AckSlurmSpec, {"image": IMAGE, **part.get("ack", {})}, "The route", at=("ack", "slurm"))
    except SpecError as error:
        return list(map(str, error.errors))
    errors: list[FieldError] = list(check_ack_slurm(spec, pools, ack, **part.get("more", {})))
    return list(map(str, errors))
