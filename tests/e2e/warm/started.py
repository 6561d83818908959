"""The process that the tests start, and what an engine is told of it."""

import atexit
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from devcluster.environments import Packages, environment
from devcluster.parts import LANGUAGE_HOST
from tests.e2e.warm.process import PROCESS

_KUBERNETES = (
    *("pulumi", "pydantic", "yaml", "cryptography.hazmat.primitives.kdf.hkdf"),
    *("pulumi_kubernetes.core.v1", "pulumi_kubernetes.apps.v1", "pulumi_kubernetes.batch.v1"),
    *("pulumi_kubernetes.rbac.v1", "pulumi_kubernetes.networking.v1", "pulumi_kubernetes.storage.v1"),
    *("pulumi_kubernetes.policy.v1", "pulumi_kubernetes.apiextensions", "pulumi_kubernetes.helm.v3"),
    *("pulumi_kubernetes.helm.v4", "pulumi_kubernetes.yaml.v2"),
)
_MODULES = {
    Packages.BASE: _KUBERNETES,
    Packages.GKE: (
        *_KUBERNETES,
        *("pulumi_gcp.container", "pulumi_gcp.compute", "pulumi_gcp.sql", "pulumi_gcp.projects", "pulumi_gcp.storage"),
        *("pulumi_gcp.organizations", "pulumi_gcp.filestore", "pulumi_gcp.kms", "pulumi_gcp.artifactregistry"),
        *("pulumi_gcp.servicenetworking", "pulumi_gcp.serviceaccount", "pulumi_gcp.lustre", "pulumi_gcp.cloudquota"),
    ),
    Packages.ACK: (
        *_KUBERNETES,
        *("pulumi_alicloud.cs", "pulumi_alicloud.ecs", "pulumi_alicloud.vpc", "pulumi_alicloud.nas"),
        *("pulumi_alicloud.ram", "pulumi_alicloud.rds"),
    ),
}
"""What programs import of others' packages. One that imports more does so by itself."""


@cache
def _process(packages: Packages) -> str:
    """Start the process for programs with these packages, once for all tests; return the variable's value."""
    python = environment(packages)
    folder = Path(tempfile.mkdtemp(prefix="warm-"))
    path = folder / "socket"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(python), "-P", str(Path(__file__).with_name("process.py")), str(path), *_MODULES[packages]]
    warm = subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert warm.stdout
    assert warm.stdout.readline() == "ready\n", f"{python} has not what programs import"
    atexit.register(_end, warm, path)
    return os.pathsep.join([str(path), str(python)])


def _end(warm: "subprocess.Popen[str]", path: Path) -> None:
    assert warm.stdin
    warm.stdin.close()
    warm.wait()
    path.unlink()
    path.parent.rmdir()


def with_host(packages: Packages) -> dict[str, str]:
    """Return the variables by which an engine runs programs with these packages by the host."""
    return {LANGUAGE_HOST: str(Path(__file__).with_name("host.py")), PROCESS: _process(packages)}
