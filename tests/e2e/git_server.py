"""A server of git repositories over HTTPS on the loopback, as forges have: git's own program answers."""

import os
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from devcluster.pki import Pki


class _Handler(BaseHTTPRequestHandler):
    """Hands requests to `git http-backend`, whose manual says how."""

    repositories: Path

    def do_GET(self) -> None:
        """Answer a question for references."""
        self._answer()

    def do_POST(self) -> None:
        """Answer a question for commits."""
        self._answer()

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests' output is theirs."""

    def _answer(self) -> None:
        url = urlsplit(self.path)
        env = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.repositories),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        done = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def git_server(repositories: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Serve the repositories in a folder; yield the address and the certificate of who has signed the server's."""
    pki = Pki(folder)
    pki.create()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pki.server.certificate, pki.server.key)
    handler = type("Handler", (_Handler,), {"repositories": repositories})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"https://localhost:{server.server_port}", pki.authority.certificate
        finally:
            server.shutdown()
            thread.join()
