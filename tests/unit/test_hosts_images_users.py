"""Names of images, hosts and users that are right."""

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.model.identity import LdapSpec
from pulumi_slurm.model.kubernetes_names import image
from pulumi_slurm.model.names import user_name
from pulumi_slurm.model.references import host, reachable_host


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


@pytest.mark.parametrize("name", ["localhost", "::1", "::", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "127.0.0.2"])
def test_an_address_of_the_pod_itself_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the pod itself"):
        reachable_host(name)


@pytest.mark.parametrize("name", ["fe80::1%eth0", "fe80::1% b c", "a..b", "a b", "db:3306", "[::1]", "", "-a"])
def test_what_is_no_host_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="neither a host name nor an address"):
        host(name)


@pytest.mark.parametrize("uri", ["ldaps://a", "LDAPS://a:636/", "ldaps://a, ldaps://b", "ldaps://[fd00::1]:636"])
def test_uris_of_ldap_are_accepted(uri: str) -> None:
    assert LdapSpec(uri=uri, base_dn="dc=a").uri == uri


@pytest.mark.parametrize(
    "uri",
    [
        "ldaps://a,ldap://b",
        "ldaps://a,https://b",
        "ldaps://a,\nldaps://b",
        "ldaps://[a",
        "ldaps://a:99999",
        "ldaps://localhost",
        "ldaps://u@a",
    ],
)
def test_uris_of_ldap_are_looked_at_one_by_one(uri: str) -> None:
    with pytest.raises(SpecError):
        LdapSpec(uri=uri, base_dn="dc=a")
