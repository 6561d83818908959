"""Identity: the source of users, groups and their SSH keys, which SSSD reads in login and worker pods."""

import re
from enum import StrEnum
from itertools import accumulate
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.issue import Issue
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.pod import PlacementSpec, ResourcesSpec
from pulumi_slurm.model.references import SecretKeyRef, reachable_host
from pulumi_slurm.model.storage import ClaimSpec

_LDAP_URI = re.compile(r"ldaps?://(?:\[([0-9A-Fa-f:.]+)\]|([^/:@\s\[\]]+))(?::([0-9]{1,5}))?/?", re.IGNORECASE)


class LdapSchema(StrEnum):
    """How a directory describes users and groups, as in sssd-ldap(5)."""

    RFC2307 = "rfc2307"
    RFC2307BIS = "rfc2307bis"
    IPA = "IPA"
    AD = "AD"


class LdapSpec(Model):
    """An existing LDAP server."""

    uri: str
    """The server's URI, for example "ldaps://ldap.example.org"."""
    base_dn: str = Field(min_length=1)
    """The base DN of users and groups, for example "dc=example,dc=org"."""
    bind_dn: str | None = None
    """The DN to bind as; its password is the stack secret `slurm:ldapBindPassword`. By default binds are anonymous."""
    user_search_base: str | None = None
    """The base DN of users, if it is not `baseDn`."""
    group_search_base: str | None = None
    """The base DN of groups, if it is not `baseDn`."""
    start_tls: bool = False
    """Encrypt an ldap:// connection with StartTLS; SSSD refuses logins over an unencrypted one."""

    ca_secret: SecretKeyRef | None = None
    """A Secret with the certificate of the authority that has signed the server's, if it is a private one."""
    ldap_schema: OneOf[LdapSchema] = LdapSchema.RFC2307
    """How the directory describes users and groups; with rfc2307bis, groups have the DNs of their members."""
    access_filter: str | None = None
    """An LDAP filter of users who may log in, for example "(memberOf=cn=hpc,ou=groups,dc=example,dc=org)"."""

    @field_validator("uri", "base_dn", "bind_dn", "user_search_base", "group_search_base", "access_filter")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise field_error("this does not make one line of sssd.conf", "Write one line of text.")
        return value

    @field_validator("uri")
    @classmethod
    def _uri_is_ldap(cls, value: str) -> str:
        # ldap_uri in sssd-ldap(5) has several, with commas.
        for uri in value.split(","):
            match = _LDAP_URI.fullmatch(uri.strip())
            if not match or int(match[3] or 1) > 65535:
                problem = "this is not the address of an LDAP server"
                raise field_error(problem, 'Write "ldaps://host" or "ldap://host"; several with commas.')
            reachable_host(match[1] or match[2])
        return value

    @field_validator("access_filter")
    @classmethod
    def _in_parentheses(cls, value: str | None) -> str | None:
        if value is not None and not _is_one_filter(value):
            raise field_error("this is not a filter of LDAP", 'Write it in parentheses, for example "(uid=alice)".')
        return value

    @model_validator(mode="after")
    def _passwords_are_encrypted(self) -> Self:
        is_clear = any(uri.strip().lower().startswith("ldap://") for uri in self.uri.split(","))
        if is_clear and not self.start_tls:
            raise field_errors(
                [
                    FieldError(
                        ("uri",),
                        self.uri,
                        "SSSD would refuse every login, because passwords would cross the network in clear",
                        "Write ldaps://, or add startTls: true.",
                        depends_on_fields=(("start_tls",),),
                    )
                ]
            )
        return self


def _is_one_filter(value: str) -> bool:
    """Return whether the first parenthesis is closed by the last one; in values they are escaped (RFC 4515)."""
    depths = [*accumulate((char == "(") - (char == ")") for char in value)]
    return depths[:1] == [1] and depths[-1] == 0 and 0 not in depths[:-1]


class DirectorySpec(Model):
    """A small OpenLDAP server in the cluster, for trials."""

    domain: str = Field(default="slurm.local", pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")
    """The domain from which the base DN is derived: "slurm.local" becomes "dc=slurm,dc=local"."""
    volume: ClaimSpec = ClaimSpec(size="1Gi")
    """The volume for its data."""
    image: str = "docker.io/osixia/openldap:1.5.0"
    """The server's image; it has to take the environment variables of osixia/openldap."""
    resources: ResourcesSpec | None = None
    """CPU and memory of the server; by default it requests 64Mi of memory, and has no limits."""
    pod: PlacementSpec = PlacementSpec()
    """Placement and metadata of the server's pod."""

    _image = field_validator("image")(kubernetes_names.image)

    @property
    def base_dn(self) -> str:
        """The base DN."""
        return ",".join(f"dc={part}" for part in self.domain.split("."))


class IdentitySpec(Model):
    """The source of users; exactly one of the three fields."""

    ldap: LdapSpec | None = None
    """An existing LDAP server."""
    directory: DirectorySpec | None = None
    """A small OpenLDAP server in the cluster, for trials."""
    sssd_conf_secret: SecretKeyRef | None = None
    """A Secret with a complete sssd.conf, for any other source."""
    generation: int = Field(default=1, ge=1)
    """Increase it by one after changing the password of `bindDn` or the file in `sssdConfSecret`, so that workers with
    SSH are replaced and read it. Login nodes do so by themselves."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        sources = (self.ldap, self.directory, self.sssd_conf_secret)
        count = sum(source is not None for source in sources)
        if count != 1:
            raise field_errors(
                [
                    FieldError(
                        (),
                        FieldError.ABSENT,
                        "no source of users is given" if not count else f"{count} sources of users are given",
                        "Give exactly one of ldap, directory and sssdConfSecret.",
                        depends_on_fields=(("ldap",), ("directory",), ("sssd_conf_secret",)),
                    )
                ]
            )
        return self


def bind_password_issue(text: str) -> Issue | None:
    """Return the issue of the password of a bind DN, or None: it is the end of a line of sssd.conf or nslcd.conf."""
    if text and text.strip() == text and text.isprintable():
        return None
    problem = "this password does not make one line of sssd.conf"
    return Issue(problem, "Set it anew, without line breaks, and without spaces around it.")
