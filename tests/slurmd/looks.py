"""A look at a cluster of these tests, as the command line takes one of a living cluster."""

import json
from collections.abc import Mapping

from pulumi_slurm.live import Answer, Slurmrestd
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import KEYS
from tests.slurmd.rest import token


def slurmrestd(cluster: Cluster) -> Slurmrestd:
    """Return slurmrestd as the command line reads it, asked from the host that it runs on."""
    rest = cluster.rest
    assert rest

    def get(path: str, headers: Mapping[str, str]) -> Answer:
        assert "X-SLURM-USER-NAME" not in headers
        _, kind, version, what = path.split("/", 3)
        assert kind == "slurm"
        status, answer = rest.request("GET", what, headers["X-SLURM-USER-TOKEN"], api=version, user=None)
        return Answer(status, str(answer["text"]) if answer.keys() == {"text"} else json.dumps(answer))

    key = KEYS["jwt.key"]
    return Slurmrestd(get, token(key if isinstance(key, bytes) else key.encode()))
