"""References to existing objects in the cluster's namespace."""

from pydantic import Field, field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model


class SecretKeyRef(Model):
    """One key of a Secret in the namespace of the Slurm cluster."""

    name: str
    """The Secret's name."""
    key: str
    """The key within the Secret."""

    _name = field_validator("name")(kubernetes_names.object_name)
    _key = field_validator("key")(kubernetes_names.data_key)


class ConfigMapKeyRef(Model):
    """One key of a ConfigMap in the namespace of the Slurm cluster."""

    name: str
    """The ConfigMap's name."""
    key: str
    """The key within the ConfigMap."""

    _name = field_validator("name")(kubernetes_names.object_name)
    _key = field_validator("key")(kubernetes_names.data_key)


class EndpointSpec(Model):
    """A daemon that runs outside the cluster."""

    host: str = Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$")
    """Host name or address; pods have to be able to reach it."""
    port: int = Field(ge=1, le=65535)
    """The TCP port."""
