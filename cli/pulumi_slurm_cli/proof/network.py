"""A step for NetworkPolicies: whether the network of the cluster enforces those that the specification makes."""

from collections.abc import Iterator

from pulumi_slurm.manifests.database import database_name
from pulumi_slurm.manifests.network_policies import MARIADB_PORT
from pulumi_slurm.model import DatabaseKind
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import NO_WAY, Trial, jobs_in

_SCRIPT = """
command -v bash >/dev/null && getent hosts {host} >/dev/null || exit 3
timeout 5 bash -c 'exec 3<>/dev/tcp/{host}/{port}' 2>/dev/null && echo open || echo closed
"""


def daemons_are_out_of_reach(trial: Trial) -> Iterator[Result]:
    """Connect from a job to the database, which only slurmdbd may."""
    spec, subject = trial.spec, "the database's port"
    in_cluster = spec.accounting and spec.accounting.database.kind == DatabaseKind.IN_CLUSTER
    way, is_guarded = trial.any_way(), in_cluster and spec.network_policies.are_made
    if way is None or not is_guarded:
        why = NO_WAY if is_guarded else "no NetworkPolicy is made for it"
        yield untried("isolation", subject, why)
        return
    partition, node = way
    host = f"{database_name(ClusterRef.of(spec))}.{spec.namespace}"
    done = trial.srun(partition, [node], _SCRIPT.format(host=host, port=MARIADB_PORT))
    is_open = "open" in done.lines
    if not is_open and "closed" not in done.lines:
        why = trial.excuse(done, partition, [node]) or f"{node.name} doesn't resolve {host}, or has no bash"
        yield untried("isolation", subject, why, jobs_in(done))
        return
    yield judged(
        "isolation",
        subject,
        f"a job is {'let in' if is_open else 'kept out'} by {host}, port {MARIADB_PORT}",
        wrong=is_open,
        expected="it is kept out, by networkPolicies",
        fix="See whether the network of this Kubernetes cluster enforces NetworkPolicies.",
        jobs=jobs_in(done),
    )
