"""A status for programs."""

import json
from dataclasses import asdict
from typing import Any

from pulumi_slurm_cli.status.judgement import first_looks
from pulumi_slurm_cli.status.reading import Reading
from pulumi_slurm_cli.status.reasons import kept_from_jobs
from pulumi_slurm_cli.status.status import Status
from pulumi_slurm_cli.status.waits import oldest, users_of, waits_of


def json_of(status: Status) -> str:
    """Return a status as JSON; ``slurm`` is null where slurmctld doesn't answer, or can't be asked."""
    reading = status.reading
    answers = reading is not None and reading.partitions is not None
    pings = {name: [*map(asdict, getattr(reading, name, ()))] for name in ("slurmctld", "slurmdbd")}
    report = {
        "version": 1,
        "cluster": status.spec.name,
        "namespace": status.spec.namespace,
        "now": reading.now if reading else None,
        "first": first_looks(status),
        "daemons": {**pings, "pods": [*map(asdict, status.pods)]},
        "slurm": _slurm(status, reading) if reading and answers else None,
    }
    return json.dumps(report, indent=2)


def _slurm(status: Status, reading: Reading) -> dict[str, Any]:
    return {
        "partitions": [
            {
                "name": partition.name,
                "state": partition.state,
                "nodes": dict(partition.kinds),
                "gpus": {**asdict(partition.gpus), "free": partition.gpus.free},
                "waiting": partition.waiting,
            }
            for partition in status.partitions()
        ],
        "nodes": [{**asdict(node), "kind": node.kind} for node in reading.nodes],
        "kept": [{**asdict(group), "kinds": sorted(group.kinds)} for group in kept_from_jobs(reading.nodes)],
        "waits": [*map(asdict, waits_of(reading.waiting))],
        "users": dict(users_of(reading.waiting)),
        "oldest": oldest(reading.waiting),
        "threads": reading.threads,
        "databaseQueue": reading.database_queue,
        "backfillAt": reading.backfill_at,
    }
