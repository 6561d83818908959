"""A small client of the cluster's own API server: apply, read, delete, and ask whether it is ready.

The full Python client takes longer to import than the control plane takes to start, and the launcher touches half a
dozen kinds. Those stand in the table below; anything else is for kubectl or a real client.
"""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from devcluster.errors import DevclusterError

Object = dict[str, Any]
MANAGER = "pulumi-slurm-devcluster"
TOO_MANY_REQUESTS = 429
AWAY = {503, 504}
"""Answers while the server, or its database, is too slow; what has been asked for may have been done all the same."""
PATIENCE = 600.0
"""Seconds for which a request is sent again while the server says that it is too busy for it; only for what hangs."""
ANSWER_SECONDS = 120.0
"""Only for a server that hangs: on a slow machine, a list of everything or an admission webhook takes its time, and
after this time a request is sent once more, a POST too."""
CLUSTER_KINDS = {
    ("v1", "Namespace"): "namespaces",
    ("v1", "Node"): "nodes",
    ("v1", "PersistentVolume"): "persistentvolumes",
    ("storage.k8s.io/v1", "StorageClass"): "storageclasses",
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"): "customresourcedefinitions",
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"): "validatingwebhookconfigurations",
    ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"): "mutatingwebhookconfigurations",
    ("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy"): "mutatingadmissionpolicies",
    ("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicyBinding"): "mutatingadmissionpolicybindings",
}


NAMESPACED_KINDS = {
    ("v1", "Service"): "services",
    ("discovery.k8s.io/v1", "EndpointSlice"): "endpointslices",
}


class ApiError(DevclusterError):
    """An answer of the API server other than success."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


class Api:
    """Talks to the API server that a kubeconfig names; may be used from several threads."""

    def __init__(self, kubeconfig: Path) -> None:
        config = json.loads(kubeconfig.read_text())
        address = urlsplit(config["clusters"][0]["cluster"]["server"])
        self._host, self._port = address.hostname or "127.0.0.1", address.port or 443
        authority = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
        self._tls = ssl.create_default_context(cadata=authority)
        user = config["users"][0]["user"]
        # Python's ssl takes a client certificate from a file only.
        with tempfile.NamedTemporaryFile() as pem:
            pem.write(base64.b64decode(user["client-certificate-data"]) + base64.b64decode(user["client-key-data"]))
            pem.flush()
            self._tls.load_cert_chain(pem.name)
        self._local = threading.local()

    def apply(self, item: Object) -> Object:
        """Server-side apply; takes over fields that others set."""
        path = f"{path_of(item)}?fieldManager={MANAGER}&force=true"
        return self.request("PATCH", path, item, "application/apply-patch+yaml")

    def get(self, path: str) -> Object:
        """Return an object or a list."""
        return self.request("GET", path)

    def follow(self, path: str) -> Iterator[Object]:
        """Yield the objects of a list, and each one again that changes, until the server ends this, as it does in time.

        Raises:
            ApiError, OSError, http.client.HTTPException: where the server is away.
        """
        listing = self.get(path)
        yield from listing["items"]
        connection = self._connection()
        try:
            since = quote(listing["metadata"]["resourceVersion"])
            # The server ends a watch without changes before the connection is taken to be dead.
            connection.request("GET", f"{path}?watch=1&timeoutSeconds={ANSWER_SECONDS / 2:.0f}&resourceVersion={since}")
            answer = connection.getresponse()
            if answer.status >= 300:
                raise ApiError(answer.status, _message(answer.read()))
            for line in answer:
                # The connection may end within a line; an error says that the version is too old.
                if not line.endswith(b"\n") or (event := json.loads(line))["type"] == "ERROR":
                    return
                if event["type"] != "DELETED":
                    yield event["object"]
        finally:
            connection.close()

    def delete(self, path: str) -> None:
        """Delete an object; one that is not there is fine."""
        try:
            self.request("DELETE", path)
        except ApiError as error:
            if error.status != 404:
                raise

    def ready(self) -> bool:
        """Say whether the API server answers and has finished its start."""
        try:
            self.request("GET", "/readyz", plain=True)
        except (ApiError, OSError, http.client.HTTPException):
            return False
        return True

    def request(
        self, method: str, path: str, body: Object | None = None, kind: str = "application/json", *, plain: bool = False
    ) -> Object:
        """Send a request, again while the server asks for patience, as it does for custom resources after its start."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self._request(method, path, body, kind, plain=plain)
            except ApiError as error:
                again = error.status == TOO_MANY_REQUESTS or (error.status in AWAY and method != "POST")
                if not again or time.monotonic() > deadline:
                    raise
            time.sleep(0.5)

    def _request(
        self, method: str, path: str, body: Object | None = None, kind: str = "application/json", *, plain: bool = False
    ) -> Object:
        """Send one request; a connection that the server closed meanwhile is opened again once."""
        # Text as it is: the server reads an apply as YAML, which doesn't know JSON's pairs of escapes.
        payload = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        for attempt in (1, 2):
            connection = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = self._connection()
            try:
                connection.request(method, path, payload, {"Content-Type": kind, "Accept": "application/json"})
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                self._local.connection = None
                if attempt == 2:
                    raise
                continue
            if answer.status >= 300:
                raise ApiError(answer.status, _message(content))
            return {} if plain else json.loads(content)
        raise AssertionError("unreachable")

    def _connection(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(self._host, self._port, context=self._tls, timeout=ANSWER_SECONDS)


def path_of(item: Object) -> str:
    """Return the API path of an object of the kinds that the launcher makes."""
    version, kind, metadata = item["apiVersion"], item["kind"], item["metadata"]
    plural = {**CLUSTER_KINDS, **NAMESPACED_KINDS}.get((version, kind))
    if not plural:
        raise DevclusterError(f"the launcher does not know the kind {version} {kind}: add it to devcluster/api.py")
    root = "/api" if "/" not in version else "/apis"
    namespace = f"/namespaces/{metadata['namespace']}" if (version, kind) in NAMESPACED_KINDS else ""
    return f"{root}/{version}{namespace}/{plural}/{quote(metadata['name'])}"


def _message(content: bytes) -> str:
    try:
        return str(json.loads(content)["message"])
    except (ValueError, KeyError):
        return content.decode(errors="replace")[:300]
