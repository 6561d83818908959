"""Accounting: slurmdbd and its database."""

from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each_pair, each, field_error, optional, raise_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.accounts import AccountSpec, QosSpec
from pulumi_slurm.model.backup import BackupSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_fields import slurm_release
from pulumi_slurm.model.extra_lines import OF_OPERATOR, check_line, scalars_to_text, unique_keys
from pulumi_slurm.model.names import user_name
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.pod import PlacementSpec, PodSpec, ResourcesSpec, ServiceSpec
from pulumi_slurm.model.references import EndpointSpec, SecretKeyRef, reachable_host
from pulumi_slurm.model.storage import ClaimSpec
from pulumi_slurm.slurmconf.catalogue import File, find, key_issue
from pulumi_slurm.slurmconf.version import SERIES

OPERATOR_KEYS = MappingProxyType(
    {
        "authtype": "Leave it out: all daemons use the same",
        "authalttypes": "Leave it out: tokens need it",
        "authaltparameters": "Set keys.jwt instead, or with slurm-operator keys.jwks",
        "dbdhost": "Leave it out: daemons find each other by Services",
        "dbdaddr": "Leave it out: daemons find each other by Services",
        "dbdport": "Leave it out: the operator and all pods use 6819",
        "plugindir": "Leave it out: an image has its plugins in one folder",
        "slurmuser": "Leave it out: the operator's images run slurmdbd as slurm",
        "storagehost": "Set accounting.database.host instead",
        "storageport": "Set accounting.database.port instead",
        "storageloc": "Set accounting.database.name instead",
        "storagetype": "Leave it out: slurmdbd stores in MySQL and MariaDB only",
        "storageuser": "Set accounting.database.user instead",
        "storagepass": "Set accounting.database.passwordSecret instead",
    }
)
"""Keys of slurmdbd.conf, in lower case, that `extraConf` can't set, and what to do instead."""


class DatabaseKind(StrEnum):
    """How the database is run."""

    IN_CLUSTER = "in-cluster"
    MARIADB_OPERATOR = "mariadb-operator"
    EXTERNAL = "external"


class DatabaseSpec(Model):
    """The MariaDB or MySQL database of slurmdbd. Slurm supports no other databases."""

    kind: OneOf[DatabaseKind] = DatabaseKind.IN_CLUSTER
    """"in-cluster" is one MariaDB pod, for trials; "mariadb-operator" needs that operator; "external" is your own."""
    host: str | None = None
    """With "external": the database's host name or address."""
    port: int = Field(default=3306, ge=1, le=65535)
    """The database's port."""
    name: str = Field(default="slurm_acct_db", pattern=r"^[A-Za-z0-9_]+$")
    """The database's name."""
    user: str = Field(default="slurm", pattern=r"^[A-Za-z0-9_]+$")
    """The user that slurmdbd connects as."""
    password_secret: SecretKeyRef | None = None
    """A Secret with the password; required with "external". By default the password is derived from the root key."""
    volume: ClaimSpec = ClaimSpec()
    """The volume of a database in the cluster."""
    replicas: int = Field(default=1, ge=1)
    """With "mariadb-operator": number of servers; more than 1 form a Galera cluster."""
    backup: BackupSpec | None = None
    """With "mariadb-operator": regular backups."""
    image: str = "docker.io/library/mariadb:11.8"
    """The image of a database in the cluster."""
    resources: ResourcesSpec | None = None
    """CPU and memory of each server in the cluster. Its buffer pool alone takes 1 GiB; by default it requests 512Mi of
    memory, and has no limits."""
    pod: PlacementSpec = PlacementSpec()
    """Placement and metadata of the servers in the cluster. Several servers run on different nodes by default."""

    _image = field_validator("image")(kubernetes_names.image)

    _host = field_validator("host")(optional(reachable_host))

    @model_validator(mode="after")
    def _kind_agrees(self) -> Self:
        of_kind = self._of_external() if self.kind is DatabaseKind.EXTERNAL else self._of_one_in_the_cluster()
        raise_errors([*of_kind, *self._of_mariadb_operator()])
        return self

    def _of_external(self) -> Iterator[FieldError]:
        """Yield the errors of a database outside the cluster."""
        if not self.host:
            problem = "an external database needs a host"
            yield FieldError(("host",), FieldError.ABSENT, problem, "Add its host name or address.")
        if not self.password_secret:
            yield FieldError(
                ("password_secret",),
                FieldError.ABSENT,
                "the password of an external database can't be derived",
                "Add passwordSecret: {name: ..., key: ...}, a Secret in the cluster's namespace.",
            )
        for field in ("resources", "pod"):
            if getattr(self, field) != type(self).model_fields[field].default:
                yield FieldError(
                    (field,),
                    getattr(self, field).model_dump(mode="json", exclude_defaults=True),
                    "the database runs outside the cluster, so this has no effect",
                    'Leave it out, or write another kind than "external".',
                    depends_on_fields=(("kind",),),
                )

    def _of_one_in_the_cluster(self) -> Iterator[FieldError]:
        """Yield the errors of a database in the cluster."""
        if self.host:
            yield FieldError(
                ("host",),
                self.host,
                "the database runs in the cluster, so its host is known",
                'Leave host out, or write kind "external".',
                depends_on_fields=(("kind",),),
            )

    def _of_mariadb_operator(self) -> Iterator[FieldError]:
        """Yield the errors of fields that only mariadb-operator has."""
        by_operator = self.kind is DatabaseKind.MARIADB_OPERATOR
        if not by_operator and self.replicas != 1:
            yield FieldError(
                ("replicas",),
                self.replicas,
                "only mariadb-operator can run more than one server",
                'Write 1, or kind "mariadb-operator".',
                depends_on_fields=(("kind",),),
            )
        if not by_operator and self.backup:
            yield FieldError(
                ("backup",),
                self.backup.model_dump(mode="json", by_alias=True, exclude_defaults=True),
                "only mariadb-operator takes backups here",
                'Write kind "mariadb-operator", or leave it out.',
                depends_on_fields=(("kind",),),
            )
        if self.replicas == 2:
            yield FieldError(("replicas",), 2, "two Galera servers can't form a quorum", "Write 1, or 3 or more.")


class AccountingSpec(Model):
    """slurmdbd, which keeps job history, associations, QoS and limits."""

    database: DatabaseSpec = DatabaseSpec()
    """The database of the slurmdbd in the cluster."""
    external: EndpointSpec | None = None
    """A slurmdbd outside the cluster (usually on port 6819); no database is created then."""
    qos: list[QosSpec] = []
    """QoS to create; "normal" always exists. Those that are removed from this list are removed from the database; if
    it is the last one, write []."""
    accounts: list[AccountSpec] = []
    """Accounts to create, with their users. Those that are removed from this list are removed from the database, unless
    others have added users or accounts to them; if it is the last one, write []."""
    admins: list[str] = []
    """Users of accounts who may change everything in the database and in slurmctld."""
    extra_conf: dict[str, str] = {}
    """Additional lines of slurmdbd.conf, for example {"PurgeJobAfter": "12months"}."""
    slurm_version: str | None = None
    """The Slurm series of slurmdbd, or a release of it, while it is newer than `slurmVersion`: during an upgrade."""
    service: ServiceSpec = ServiceSpec()
    """The Service in front of slurmdbd, for example for Slurm clusters outside."""
    image: str | None = None
    """The slurmdbd image, in place of the one from `images`."""
    resources: ResourcesSpec | None = None
    """CPU and memory of slurmdbd; by default it requests 128Mi of memory, and has no limits."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pod."""
    overrides: dict[str, Any] = {}
    """Merged last into the Accounting's spec, in the operator's own form."""

    _admins_are_words = field_validator("admins")(each(user_name))

    _slurm_version_is_known = field_validator("slurm_version", mode="before")(optional(slurm_release))

    _extra_conf_as_text = field_validator("extra_conf", mode="before")(scalars_to_text)
    _extra_conf_once = field_validator("extra_conf")(unique_keys)

    @field_validator("extra_conf")
    @classmethod
    def _operator_keys_are_refused(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_extra_line)

    _image = field_validator("image")(kubernetes_names.image)

    @model_validator(mode="after")
    def _external_has_no_database(self) -> Self:
        of_daemon = ("database", "extra_conf", "service", "slurm_version", "image", "resources", "pod", "overrides")
        unused_fields = ("qos", "accounts", "admins", *of_daemon) if self.external else ()
        errors = [
            FieldError(
                (field,),
                getattr(self, field),
                "the slurmdbd runs outside the cluster, so this has no effect",
                "Leave it out, or leave external out.",
                depends_on_fields=(("external",),),
            )
            for field in unused_fields
            if field in self.model_fields_set and getattr(self, field) != type(self).model_fields[field].default
        ]
        raise_errors(errors)
        return self


def _check_extra_line(key: str, text: str) -> None:
    if key.lower() in OPERATOR_KEYS:
        raise field_error(OF_OPERATOR, f"{OPERATOR_KEYS[key.lower()]}.")
    check_line(key, text)
    if find(File.SLURMDBD, key) is None and (issue := key_issue(File.SLURMDBD, key, SERIES[-1])):
        raise field_error(issue.problem, issue.fix)
