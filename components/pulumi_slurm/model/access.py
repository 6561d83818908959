"""Access to Slurm for people and programs: REST API, login nodes, tokens."""

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each, field_error, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.autoscaling import AutoscalingSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import MAX_PART_NAME, dns_label_of, slurm_name
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.pod import PodSpec, ResourcesSpec, ServiceSpec
from pulumi_slurm.model.raw_volumes import raw_mounts, raw_volumes
from pulumi_slurm.model.units import duration

_KEY_TYPES = ("ssh-ed25519 ", "ssh-rsa ", "ecdsa-sha2-", "sk-ssh-ed25519@openssh.com ", "sk-ecdsa-sha2-")


class LoginUpdateType(StrEnum):
    """How login pods are replaced."""

    ROLLING_UPDATE = "RollingUpdate"
    RECREATE = "Recreate"


class RestApiSpec(Model):
    """slurmrestd. The operator itself queries jobs and nodes through it, so it can't be left out."""

    replicas: int = Field(default=1, ge=1)
    """Number of pods, at least 1: without any, the operator mistakes busy nodes for idle ones and ends their jobs."""
    service: ServiceSpec = ServiceSpec()
    """The Service in front of slurmrestd."""
    resources: ResourcesSpec | None = None
    """CPU and memory of slurmrestd; by default it requests 128Mi of memory, and has no limits."""
    image: str | None = None
    """The slurmrestd image, in place of the one from `images`."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pods."""
    overrides: dict[str, Any] = {}
    """Merged last into the RestApi's spec, in the operator's own form."""

    _image = field_validator("image")(kubernetes_names.image)


class LoginUpdateStrategySpec(Model):
    """How login pods are replaced, by slurm-operator 1.1 and later. Whoever is logged in to a pod loses the session."""

    type: OneOf[LoginUpdateType] = LoginUpdateType.ROLLING_UPDATE
    """RollingUpdate starts new pods before it ends old ones; Recreate ends all of them first."""
    max_unavailable: int | None = Field(default=None, ge=0)
    """With RollingUpdate: how many pods may be missing meanwhile; by default a quarter, rounded down."""
    max_surge: int | None = Field(default=None, ge=0)
    """With RollingUpdate: how many pods there may be beyond their number; by default a quarter, rounded up."""

    @model_validator(mode="after")
    def _numbers_fit(self) -> Self:
        """Refuse numbers with which nothing could be replaced, and those that Recreate doesn't have.

        Source: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#strategy.
        """
        errors = []
        for field in ("max_unavailable", "max_surge") if self.type is LoginUpdateType.RECREATE else ():
            if (value := getattr(self, field)) is not None:
                problem = "only RollingUpdate has it, and type is Recreate"
                errors.append(FieldError((field,), value, problem, "Leave it out, or change type.", (("type",),)))
        if self.max_unavailable == 0 and self.max_surge == 0:
            problem, fix = "maxSurge is 0 too, so no pod could be replaced", "Write 1 in one of them."
            errors.append(FieldError(("max_unavailable",), 0, problem, fix, (("max_surge",),)))
        if errors:
            raise field_errors(errors)
        return self


class LoginSetSpec(Model):
    """Login nodes: pods with an SSH server. Users come from `identity`."""

    _with_line_breaks = frozenset({"root_authorized_keys", "extra_sshd_config"})

    name: str
    """The login set's name."""
    replicas: int | None = Field(default=None, ge=0)
    """Number of pods; 1 by default. Can't be combined with autoscaling."""
    autoscaling: AutoscalingSpec | None = None
    """Let an autoscaler set the number of pods."""
    service: ServiceSpec = ServiceSpec()
    """The Service in front of the SSH port, 22."""
    root_authorized_keys: list[str] = []
    """Public keys that may log in as root; if empty, only users of `identity` can log in."""
    extra_sshd_config: str | None = None
    """Lines appended to sshd_config."""
    resources: ResourcesSpec | None = None
    """CPU and memory of a login pod; by default it requests 256Mi of memory, and has no limits."""
    update_strategy: LoginUpdateStrategySpec | None = None
    """How the pods are replaced when the login set changes."""
    extra_volumes: list[dict[str, Any]] = []
    """Further `volumes` of the pods, in the form of the Kubernetes API: ConfigMaps, Secrets, ephemeral volumes."""
    extra_volume_mounts: list[dict[str, Any]] = []
    """Further `volumeMounts` of the login container, in the form of the Kubernetes API."""
    image: str | None = None
    """The login image, in place of the one from `images`."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pods."""
    overrides: dict[str, Any] = {}
    """Merged last into the LoginSet's spec, in the operator's own form."""

    _extra_volumes = field_validator("extra_volumes")(raw_volumes)
    _extra_volume_mounts = field_validator("extra_volume_mounts")(raw_mounts)
    _image = field_validator("image")(kubernetes_names.image)

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_PART_NAME))

    @property
    def fixed_replicas(self) -> int | None:
        """The number of pods, or None if an autoscaler sets it."""
        if self.autoscaling:
            return None
        return 1 if self.replicas is None else self.replicas

    @field_validator("root_authorized_keys")
    @classmethod
    def _root_keys_are_public(cls, value: list[str]) -> list[str]:
        return check_each(value, _check_public_key)


def _check_public_key(line: str) -> None:
    if "PRIVATE KEY" in line:
        raise field_error("this is a private key", "Write the public key, the content of the file that ends in .pub.")
    if not line.startswith(_KEY_TYPES) or "\n" in line.strip():
        raise field_error("this is not a public key", 'Write one line such as "ssh-ed25519 AAAA... name@host".')


class TokenSpec(Model):
    """A JWT for a user of the REST API; the operator stores it in a Secret and renews it."""

    name: str
    """The token's name."""
    username: str
    """The Slurm user that the token authenticates. To submit jobs with it, slurmctld's image has to know the user."""
    lifetime: str = "1h"
    """How long a token is valid, as a duration such as "15m" or "24h"."""
    refresh: bool = True
    """Renew the token after four fifths of its lifetime; if false, the Secret is written once. Releases of the operator
    before 1.1.3 and 1.2.2 can stop renewing it, see "Troubleshooting"."""

    _name_is_a_label = field_validator("name")(dns_label_of(MAX_PART_NAME))

    _user_is_a_word = field_validator("username")(slurm_name)

    @field_validator("lifetime", mode="before")
    @classmethod
    def _lifetime_is_a_duration(cls, value: Any) -> str:
        return duration(str(value))
