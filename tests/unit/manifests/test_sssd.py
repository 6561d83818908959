"""sssd.conf of login and worker pods."""

from configparser import ConfigParser
from typing import Any

import pytest
from pydantic import ValidationError

from pulumi_slurm.manifests.directory import sssd_conf
from pulumi_slurm.model import IdentitySpec
from pulumi_slurm.model.cluster_ref import ClusterRef

LDAP: dict[str, Any] = {"uri": "ldaps://ldap.example.org", "baseDn": "dc=example,dc=org"}


def parsed(**identity: Any) -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    text = sssd_conf(ClusterRef(name="hpc"), IdentitySpec.model_validate(identity or {"ldap": LDAP}), "secret")
    parser.read_string(text)
    return parser


def test_the_directory_s_own_home_directories_count() -> None:
    domain = parsed()["domain/slurm"]
    assert domain["fallback_homedir"] == "/home/%u"
    assert "override_homedir" not in domain


def test_no_directory_replaces_the_users_of_the_image() -> None:
    nss = parsed()["nss"]
    assert nss["filter_users"] == nss["filter_groups"] == "root,slurm"


def test_newer_releases_read_it() -> None:
    assert "config_file_version" not in parsed()["sssd"]


def test_other_schemas_private_certificates_and_who_may_log_in() -> None:
    ldap = {**LDAP, "ldapSchema": "rfc2307bis", "caSecret": {"name": "ca", "key": "ca.crt"}, "accessFilter": "(a=b)"}
    domain = parsed(ldap=ldap)["domain/slurm"]
    assert domain["ldap_schema"] == "rfc2307bis"
    assert domain["ldap_tls_cacert"] == "/etc/ldap-ca/ca.crt"
    assert domain["access_provider"] == "ldap"
    assert domain["ldap_access_order"] == "filter"
    assert domain["ldap_access_filter"] == "(a=b)"
    assert not {"ldap_schema", "ldap_tls_cacert", "access_provider"} & parsed()["domain/slurm"].keys()


@pytest.mark.parametrize("text", ["(&(a=b)(!(c=d)))", "(a=\\29)"])
def test_one_filter_says_who_may_log_in(text: str) -> None:
    assert parsed(ldap={**LDAP, "accessFilter": text})["domain/slurm"]["ldap_access_filter"] == text


@pytest.mark.parametrize("text", ["(a)(b)", "((a)", "(a))", "(a))(", "a"])
def test_several_filters_or_half_of_one_are_none(text: str) -> None:
    with pytest.raises(ValidationError, match="this is not a filter of LDAP"):
        parsed(ldap={**LDAP, "accessFilter": text})
