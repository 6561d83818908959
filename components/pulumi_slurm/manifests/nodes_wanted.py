"""How many workers a node set should have, as a query on slurmctld's metrics in Prometheus.

The metrics are those of slurmctld 25.11 and newer, as `src/slurmctld/statistics.c` of SchedMD/slurm counts them:

- A pending job is counted in one partition, the one in which slurmctld last tried to start it.
- Pending jobs include held ones, each task of an array, and jobs that wait for a time or for other jobs.
- `max_job_nodes_nohold` is the largest number of nodes of a pending job that is not held. A job that asks for tasks
  and not for nodes counts with one node for each task.
- Nodes are drained and down at once where slurm-operator 1.2 has taken a drained worker away: its preStop hook says
  "down", and the record stays. Nothing else tells them apart from drained workers, so nodes that are down are taken off
  the drained ones: `lifecycle` in internal/builder/workerbuilder/worker_app.go of slurm-operator at v1.2.1.
"""

import json
from collections.abc import Sequence

TOLERANCE = 10
"""A HorizontalPodAutoscaler ignores a change of up to a tenth, unless its cluster is configured otherwise.

See `--horizontal-pod-autoscaler-tolerance` of kube-controller-manager: 0.1.
"""


def nodes_wanted(
    namespace: str, partition: str, host_name: str, jobs_per_replica: int, after: Sequence[tuple[str, int]] = ()
) -> str:
    """Return the query: the workers with jobs, and those that the pending jobs of a partition need.

    While jobs are pending, drained workers of the partition are replicas that take none of them. ``host_name`` is what
    the names of the workers' nodes begin with. ``after`` are workers that take pending jobs first, each with its host
    name and their number. Without the metrics the result is empty. It is one number even if
    slurmctld is scraped twice.
    """
    jobs = f"namespace={json.dumps(namespace)},partition={json.dumps(partition)}"
    # Of no node there are no metrics, so that their sum would be empty.
    none = f"0 * max(slurm_partition_nodes{{{jobs}}})"

    def nodes(name: str) -> str:
        return f"namespace={json.dumps(namespace)},node=~{json.dumps(f'{name}[0-9]+')}"

    def with_jobs(name: str) -> str:
        return f"(sum(max by (node) (slurm_node_cpus_alloc{{{nodes(name)}}}) > bool 0) or {none})"

    busy = with_jobs(host_name)
    all_nodes = f"(count(max by (node) (slurm_node_cpus{{{nodes(host_name)}}})) or {none})"
    largest = f"max(slurm_partition_jobs_max_job_nodes_nohold{{{jobs}}})"
    ready_jobs = f"max(slurm_partition_jobs_pending{{{jobs}}} - slurm_partition_jobs_hold{{{jobs}}})"
    by_number = f"ceil({ready_jobs} / {jobs_per_replica})"
    pending = f"({largest} > {by_number} or {by_number})"
    drained, down = (f"max(slurm_partition_nodes_{state}{{{jobs}}})" for state in ("drained", "down"))
    unusable = f"clamp_min({drained} - {down}, 0)"
    pending = f"(({pending} > 0) + {unusable} or {none})"
    if after:
        room = " + ".join(f"{count} - {with_jobs(name)}" for name, count in after)
        pending = f"clamp_min({pending} - ({room}), 0)"
        # Some of them may be among the others.
        unusable = f"({unusable} < {pending} - 1 or {pending} - 1)"
    wanted = f"({busy} + {pending})"
    more = f"({wanted} + ({wanted} > bool {all_nodes}) * floor({all_nodes} / {TOLERANCE}))"
    # From slurm-operator 1.2 on records of removed nodes stay, so that there may be fewer nodes than records.
    kept = f"({busy} + {unusable})"
    growing = f"({busy} + ({pending} > bool 0) * ({unusable} + floor({kept} / {TOLERANCE}) + 1))"
    return f"{more} > {growing} or {growing}"
