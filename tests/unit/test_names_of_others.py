"""Names of images, hosts and users that are right."""

import pytest

from pulumi_slurm.model.kubernetes_names import image
from pulumi_slurm.model.names import user_name
from pulumi_slurm.model.references import host


@pytest.mark.parametrize(
    "name",
    [
        "busybox",
        "busybox:1.36",
        "library/busybox",
        "localhost/x",
        "localhost:5000/x:latest",
        "registry:5000/a/b_c/d-e--f.g__h:V1.0_x-y",
        "MyRegistry/x",
        "ghcr.io/slinkyproject/slurmd:25.11-ubuntu24.04",
        "registry.cn-hangzhou.aliyuncs.com/acs/x@sha256:" + "0" * 64,
        "us-docker.pkg.dev/p/r/x:tag@sha256:" + "a" * 64,
    ],
)
def test_an_image_is_accepted(name: str) -> None:
    assert image(name) == name


@pytest.mark.parametrize("name", ["db", "db.example.org", "my_db", "10.0.0.1", "fd00::1", "db.svc.cluster.local."])
def test_a_host_is_accepted(name: str) -> None:
    assert host(name) == name


def test_users_may_have_a_domain() -> None:
    assert user_name("alice@example.org") == "alice@example.org"
    with pytest.raises(ValueError, match="this is not the name of a user"):
        user_name("alice@")
