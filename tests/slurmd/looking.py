"""slurmrestd of a site, read as the command line reads it."""

import http.client
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from pulumi_slurm_cli.live import Answer, Slurmrestd
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import KEYS
from tests.slurmd.rest import PORT, enter_network, token
from tests.waiting import HANGS


def key() -> bytes:
    """Return the key by which tokens of these sites are signed."""
    found = KEYS["jwt.key"]
    return found if isinstance(found, bytes) else found.encode()


def slurmrestd(cluster: Cluster, text: str | None = None) -> Slurmrestd:
    """Return slurmrestd, asked from its own host in place of the API server's proxy."""
    rest = cluster.rest
    assert rest

    def get(path: str, headers: Mapping[str, str]) -> Answer:
        def ask() -> Answer:
            # Only this thread enters the host's network, and it ends with the request.
            enter_network(rest.host.pid)
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=HANGS)
            connection.request("GET", path, headers=dict(headers))
            response = connection.getresponse()
            answer = Answer(response.status, response.read().decode())
            connection.close()
            return answer

        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(ask).result()

    return Slurmrestd(get, text or token(key()))
