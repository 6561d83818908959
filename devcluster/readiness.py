"""How the launcher knows that something is ready: CRDs, nodes, and servers on the loopback."""

from __future__ import annotations

import http.client
import ssl
import time
from typing import Any

from devcluster.api import Api, path_of
from devcluster.errors import DevclusterError

ESTABLISH_SECONDS = 600.0
"""Only for what hangs: an API server that has just started, on a slow machine, takes its time for dozens of CRDs."""


def wait_established(api: Api, crd: dict[str, Any]) -> None:
    """Wait until the API server serves a CRD's kind."""
    deadline = time.monotonic() + ESTABLISH_SECONDS
    while time.monotonic() < deadline:
        conditions = api.get(path_of(crd)).get("status", {}).get("conditions") or []
        if any(item["type"] == "Established" and item["status"] == "True" for item in conditions):
            return
        time.sleep(0.05)
    raise DevclusterError(
        f"the API server does not establish {crd['metadata']['name']}: run `make down`, then try again"
    )


def node_ready(node: dict[str, Any]) -> bool:
    """Say whether pods can be scheduled on a node: ready, and the controllers have taken their taints off."""
    conditions = node.get("status", {}).get("conditions") or []
    tainted = any(taint["key"].startswith("node.kubernetes.io/") for taint in node["spec"].get("taints", []))
    return not tainted and any(item["type"] == "Ready" and item["status"] == "True" for item in conditions)


def healthy(port: int, path: str = "/readyz", *, tls: bool = False) -> bool:
    """Say whether a server on the loopback, whose certificate nobody has signed, answers a path with success."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    if tls:
        # Not the default context, which would read all authorities of the machine at each look.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=2, context=context)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def listening(port: int) -> bool:
    """Say whether anything listens on a port of the loopback."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.connect()
    except OSError:
        return False
    finally:
        connection.close()
    return True
