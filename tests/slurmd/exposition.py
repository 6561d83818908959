"""Metrics of our own on a host of a site, for numbers of nodes that no machine could run; and those of slurmctld."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

from tests.slurmd.host import Host
from tests.slurmd.rest import enter_network
from tests.slurmd.site import Site
from tests.waiting import HANGS

PORT = 6817


@contextmanager
def serve(site: Site, name: str, text: str) -> Iterator[str]:
    """Answer every request to a new host with a text, in the format of slurmctld; yield host and port."""
    host = site.host(name)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    def listen() -> HTTPServer:
        # A socket stays in the network in which it was made.
        enter_network(host.pid)
        return HTTPServer(("0.0.0.0", PORT), Handler)

    with ThreadPoolExecutor(max_workers=1) as threads:
        server = threads.submit(listen).result()
    answering = Thread(target=server.serve_forever, daemon=True)
    answering.start()
    try:
        yield f"{name}:{PORT}"
    finally:
        server.shutdown()
        server.server_close()
        answering.join()


def metrics_at(host: Host, path: str) -> set[str]:
    """Return the names of the metrics that slurmctld on a host has at a path."""

    def ask() -> str:
        # Only this thread enters the host's network, and it ends with the request.
        enter_network(host.pid)
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=HANGS)
        connection.request("GET", path)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    with ThreadPoolExecutor(max_workers=1) as threads:
        text = threads.submit(ask).result()
    return {line.partition("{")[0].partition(" ")[0] for line in text.splitlines() if line[:1] not in ("#", "")}
