"""Requests to a Service through Kubernetes' API server, with the rights of a kubeconfig and without a port-forward.

kubectl knows each cloud's way to log in, but can't set headers, and slurmrestd wants the token in one. So `kubectl
proxy` runs beside, on a socket that only its user can reach, and passes on what is read.

Sources: https://kubernetes.io/docs/reference/kubectl/generated/kubectl_proxy/ and
https://kubernetes.io/docs/tasks/access-application-cluster/access-cluster-services/#manually-constructing-apiserver-proxy-urls.
"""

import contextlib
import http.client
import re
import socket
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pulumi_slurm_cli.kubectl import SECONDS, Kubectl
from pulumi_slurm_cli.live.error import LiveClusterError

_OTHERS = "^(POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE)$"


@dataclass(frozen=True)
class ServiceAddress:
    """A Service in a cluster."""

    namespace: str
    name: str
    port: str
    """A number, or the port's name."""
    kubectl: Kubectl = field(default_factory=Kubectl)

    @property
    def path(self) -> str:
        """The path of the Service below the API server."""
        return f"/api/v1/namespaces/{self.namespace}/services/{self.name}:{self.port}/proxy"

    def __str__(self) -> str:
        """Return how messages call it."""
        return f"Service {self.name} in namespace {self.namespace}"


@dataclass(frozen=True)
class Answer:
    """An answer to a request."""

    status: int
    text: str


class ServiceProxy:
    """A Service that is read through the API server."""

    def __init__(self, address: ServiceAddress, socket_file: Path) -> None:
        """Take where `kubectl proxy` listens."""
        self._address = address
        self._socket_file = socket_file

    def get(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Return the answer to a GET, the only request that there is.

        Raises:
            LiveClusterError: if there is none.
        """
        connection = _UnixConnection(self._socket_file)
        try:
            connection.request("GET", self._address.path + path, headers=headers)
            response = connection.getresponse()
            return Answer(response.status, response.read().decode(errors="replace"))
        except TimeoutError:
            problem = f"{self._address}: no answer in {SECONDS} s"
            raise LiveClusterError(f"{problem}. {_ADMITTED}") from None
        except (OSError, http.client.HTTPException) as error:
            raise LiveClusterError(f"{self._address}: kubectl proxy gave no answer: {error}. Try again.") from None
        finally:
            connection.close()


_ADMITTED = "Where networkPolicies is set, its slurmrestd has to name the addresses that the API server connects from."


@contextlib.contextmanager
def service_proxy(address: ServiceAddress) -> Iterator[ServiceProxy]:
    """Yield a way to a Service that is gone afterwards.

    Raises:
        LiveClusterError: if this machine can't have one.
        KubectlError: if kubectl can't be started, or ends at once.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise LiveClusterError("this machine has no Unix sockets. Look at the cluster from Linux, WSL or macOS.")
    with tempfile.TemporaryDirectory(prefix="pulumi-slurm-") as folder:
        file = Path(folder) / "api"
        allowed = f"--accept-paths=^{re.escape(address.path)}/slurm(db)?/"
        options = ("--accept-hosts=^localhost$", f"--reject-methods={_OTHERS}", allowed)
        with address.kubectl.running("proxy", f"--unix-socket={file}", *options):
            yield ServiceProxy(address, file)


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost", timeout=SECONDS)
        self._file = file

    def connect(self) -> None:
        """Connect to the socket in place of a host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._file))
