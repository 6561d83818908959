"""slurmrestd on a host of its own, requests to it, and tokens for them."""

from __future__ import annotations

import base64
import ctypes
import hashlib
import hmac
import http.client
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.slurmd.controller import Files, configure
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.waiting import HANGS, has

PORT = 6820
API = "v0.0.42"
"""A version of the API that both releases have."""
USER = "nobody"
CLONE_NEWNET = 0x40000000


class RestApi:
    """slurmrestd with the arguments and the environment that slurm-operator gives it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.daemon: Daemon | None = None

    def start(self, files: Files, *, accounting: bool = False) -> Daemon:
        """End what ran before and start slurmrestd with these files; return when it listens."""
        if self.daemon:
            self.daemon.stop()
        configure(self.host, files, owner=USER)
        only = () if accounting else ("-s", "openapi/slurmctld")
        env = {"SLURM_JWT": "daemon", "SLURMRESTD_SECURITY": "disable_unshare_files,disable_unshare_sysv"}
        self.daemon = self.host.start(["slurmrestd", *only, f"0.0.0.0:{PORT}"], user=USER, env=env)
        self.daemon.eventually("listening", self.host.ports, has(PORT))
        return self.daemon

    def get(self, path: str, token: str, *, user: str = "slurm") -> tuple[int, dict[str, Any]]:
        """Return the status and the answer of ``/slurm/<version>/<path>``."""
        return self.request("GET", path, token, user=user)

    def request(
        self, method: str, path: str, token: str, body: Any = None, *, api: str = API, user: str = "slurm"
    ) -> tuple[int, dict[str, Any]]:
        """Return the status and the answer of a request to ``/slurm/<api>/<path>``."""
        headers = {"X-SLURM-USER-NAME": user, "X-SLURM-USER-TOKEN": token, "Content-Type": "application/json"}

        def ask() -> tuple[int, dict[str, Any]]:
            # Only this thread enters the host's network, and it ends with the request.
            enter_network(self.host.pid)
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=HANGS)
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/slurm/{api}/{path}", body=content, headers=headers)
            response = connection.getresponse()
            text = response.read().decode()
            connection.close()
            return response.status, json.loads(text) if text.startswith("{") else {"text": text}

        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(ask).result()


def token(key: bytes, user: str = "slurm", *, seconds: int = 600, claim: str = "sun") -> str:
    """Return a JSON web token for a user, signed as Slurm's own and the operator's are (HS256)."""
    now = int(time.time())
    parts = ({"alg": "HS256", "typ": "JWT"}, {"iat": now, "exp": now + seconds, claim: user})
    text = ".".join(_base64(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    return f"{text}.{_base64(hmac.digest(key, text.encode(), hashlib.sha256))}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def enter_network(pid: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        if libc.setns(descriptor, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "a thread cannot enter the host's network")
    finally:
        os.close(descriptor)
