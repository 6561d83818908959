"""Jobs and nodes as slurmctld has them, with only what a test is about."""

from typing import Any

from pulumi_slurm_cli.live import LiveJob, LiveNode

_JOB: dict[str, Any] = {
    **{"number": 7, "array": None, "task": None, "waiting_tasks": "", "heterogeneous_job": None, "component": None},
    **{"name": "train", "user": "ada", "user_number": 1000, "account": "a", "qos": "normal", "partitions": ("all",)},
    **{"states": ("PENDING",), "reason": "Resources", "explanation": "", "held": False, "nodes": (), "node_count": 1},
    **{"cpus": 1, "cpus_per_node": 1, "memory": None, "memory_per_node": None, "memory_per_cpu": 100, "gpus": 0},
    **{
        "tres": {},
        "gres_per_node": "",
        "gres_per_job": "",
        "gres_per_task": "",
        "tasks": 1,
        "most_nodes": None,
        "time_limit": 60,
        "submitted": 1,
        "start": None,
        "end": None,
        "features": "",
    },
    **{"required_nodes": (), "excluded_nodes": (), "reservation": "", "dependency": "", "requeue": True, "batch": True},
    **{"restarts": 0, "exclusive": ""},
}
_NODE: dict[str, Any] = {
    **{"name": "cpu-0", "states": ("IDLE",), "reason": "", "reason_by": "", "reason_at": None, "comment": ""},
    **{"partitions": (), "features": ("cpu",), "active_features": ("cpu",), "cpus": 4, "allocated_cpus": 0},
    **{"memory": 8000, "allocated_memory": 0, "gres": "", "weight": 1, "reservation": ""},
    **{"address": "", "hostname": "", "instance_id": "", "instance_type": "", "extra": "", "topology": ""},
    **{"version": "", "booted": None},
}


def waiting(**fields: Any) -> LiveJob:
    """Return a job that waits."""
    return LiveJob(**{**_JOB, **fields})


def running(*nodes: str, **fields: Any) -> LiveJob:
    """Return a job that runs on nodes since a thousand seconds, with an hour of time."""
    times = {"start": 1000, "end": 4600, "nodes": nodes, "node_count": len(nodes), "states": ("RUNNING",)}
    return LiveJob(**{**_JOB, **times, **fields})


def node(name: str) -> LiveNode:
    """Return a node of the node set that its name begins with."""
    feature = name.rpartition("-")[0]
    return LiveNode(**{**_NODE, "name": name, "features": (feature,), "active_features": (feature,)})
