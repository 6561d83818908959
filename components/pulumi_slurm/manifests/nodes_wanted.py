"""How many workers a node set should have, as a query on slurmctld's metrics in Prometheus.

The metrics are those of slurmctld 25.11 and newer, as `src/slurmctld/statistics.c` of SchedMD/slurm counts them:

- A pending job is counted in one partition, the one in which slurmctld last tried to start it.
- Pending jobs include held ones, each task of an array, and jobs that wait for a time or for other jobs.
- `max_job_nodes_nohold` is the largest number of nodes of a pending job that is not held. A job that asks for tasks
  and not for nodes counts with one node for each task.
"""

import json

TOLERANCE = 10
"""A HorizontalPodAutoscaler ignores a change of up to a tenth, unless its cluster is configured otherwise.

See `--horizontal-pod-autoscaler-tolerance` of kube-controller-manager: 0.1.
"""


def nodes_wanted(namespace: str, partition: str, host_name: str, jobs_per_replica: int) -> str:
    """Return the query: the workers with jobs, and those that the pending jobs of a partition need.

    ``host_name`` is what the names of the workers' nodes begin with. Without the metrics the result is empty. It is one
    number even if slurmctld is scraped twice.
    """
    jobs = f"namespace={json.dumps(namespace)},partition={json.dumps(partition)}"
    nodes = f"namespace={json.dumps(namespace)},node=~{json.dumps(f'{host_name}[0-9]+')}"
    # Of no node there are no metrics, so that their sum would be empty.
    none = f"0 * max(slurm_partition_nodes{{{jobs}}})"
    busy = f"(sum(max by (node) (slurm_node_cpus_alloc{{{nodes}}}) > bool 0) or {none})"
    all_nodes = f"(count(max by (node) (slurm_node_cpus{{{nodes}}})) or {none})"
    largest = f"max(slurm_partition_jobs_max_job_nodes_nohold{{{jobs}}})"
    ready_jobs = f"max(slurm_partition_jobs_pending{{{jobs}}} - slurm_partition_jobs_hold{{{jobs}}})"
    by_number = f"ceil({ready_jobs} / {jobs_per_replica})"
    wanted = f"({busy} + ({largest} > {by_number} or {by_number}))"
    return f"{wanted} + ({wanted} > bool {all_nodes}) * floor({all_nodes} / {TOLERANCE})"
