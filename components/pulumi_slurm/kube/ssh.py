"""How people log in by the SSH server behind a Service."""

from pulumi_slurm.manifests.services import SSH_PORT

_LOCAL_PORT = 2222


def ssh_command(address: str | None, service: str, namespace: str, *, as_root: bool) -> str:
    """Return a command for a shell: by the address of a load balancer, without one through the API server.

    Its second form needs kubectl with a kubeconfig of the cluster. The name of the host key keeps it from another
    cluster behind the same local port, and what forwards ends with the session.
    """
    user = "root@" if as_root else ""
    if address:
        return f"ssh -p {SSH_PORT} {user}{address}"
    forward = f"kubectl -n {namespace} port-forward service/{service} {_LOCAL_PORT}:{SSH_PORT}"
    login = f"ssh -o HostKeyAlias={service}.{namespace} -p {_LOCAL_PORT} {user}127.0.0.1"
    return f"({forward} & sleep 3; {login}; kill $!)"
