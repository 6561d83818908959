"""The configuration of a stack: what stands in Pulumi.<stack>.yaml under ``slurm:``."""

import json
import os
from enum import StrEnum
from typing import Any

import pulumi
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from pulumi_slurm.keys import SET_ROOT_KEY, decode_root_key
from pulumi_slurm.spec import Mistake, NodePool, SlurmSpec, SpecError, load, load_model
from pulumi_slurm.spec.mistakes import nearest
from pulumi_slurm.spec.model import Model

from .kubeconfig import check_kubeconfig

WHAT = "The stack's configuration"


class Kind(StrEnum):
    """Which of the stacks is built."""

    LOCAL = "local"
    KUBERNETES = "kubernetes"


class Operator(Model):
    """How slurm-operator comes into the Kubernetes cluster."""

    preinstalled: bool = False
    """It runs already, with its CRDs and its webhook."""
    namespace: str = "slinky"
    """The operator's namespace."""
    operator_chart: str | None = None
    """Where the operator's chart comes from: an OCI address, or a folder. Slinky's registry by default."""
    crds_chart: str | None = None
    """Where the CRDs' chart comes from: an OCI address, or a folder. Slinky's registry by default."""
    install_crds: bool = True
    """Install the CRDs too."""
    retain_crds: bool = True
    """Leave the CRDs, and with them all Slurm clusters, on `pulumi destroy`."""
    install_cert_manager: bool = True
    """Install cert-manager, which makes the webhook's certificate."""
    values: dict[str, Any] = {}
    """Further values of the operator's chart."""


class StackConfig(Model):
    """A stack's configuration, without its secrets."""

    model_config = ConfigDict(title="Configuration of a pulumi-slurm stack")

    kind: Kind
    """Which stack: "local" is the embedded cluster of `make up`; "kubernetes" is a cluster that exists already."""
    cluster: SlurmSpec
    """The Slurm cluster."""
    pools: list[NodePool] = []
    """The Kubernetes nodes that node sets run on, by kind."""
    operator: Operator = Operator()
    """How slurm-operator comes into the Kubernetes cluster."""
    kubeconfig: str | None = None
    """The path of a kubeconfig; by default $KUBECONFIG or the one in your home folder."""
    context: str | None = None
    """The context within the kubeconfig; by default $KUBE_CONTEXT or the current one."""
    cluster_identifier: str | None = None
    """A name for the Kubernetes cluster. As long as it stays, nothing is replaced when its address changes."""
    create_namespace: bool = True
    """Make the Slurm cluster's namespace."""


class StackSecrets(Model):
    """A stack's secrets."""

    root_key: str = Field(repr=False)
    """32 random bytes in base64, from which every key is derived."""
    ldap_bind_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.identity.ldap.bindDn`."""


_OBJECTS = ("cluster", "pools", "operator")
_BOOLEANS = ("createNamespace",)
_TEXTS = ("kind", "kubeconfig", "context", "clusterIdentifier")
_SECRETS = ("rootKey", "ldapBindPassword")


def read_config(config: pulumi.Config | None = None) -> tuple[StackConfig, StackSecrets]:
    """Return the configuration of the stack that runs.

    Raises:
        SpecError: with every mistake in it, before any resource is registered.
    """
    config = config or pulumi.Config("slurm")
    data, found = _raw(config)
    found += _unknown_keys(config)
    # Read apart, so that mistakes in one part don't hide those in another.
    cluster, pools = data.pop("cluster", None), data.pop("pools", [])
    frame: StackConfig | None = None
    try:
        placeholder = {"cluster": {"name": "unnamed"}}
        frame = load_model(StackConfig, {**placeholder, **data}, WHAT)
    except SpecError as error:
        found += error.mistakes
    spec: SlurmSpec | None = None
    read_pools: list[NodePool] = []
    if not isinstance(cluster, dict):
        problem = "this field is required" if cluster is None else "this is not a mapping"
        value = Mistake.ABSENT if cluster is None else cluster
        found.append(Mistake(("cluster",), value, problem, "Write cluster: {name: ..., nodeSets: [...]}."))
    elif not isinstance(pools, list):
        found.append(Mistake(("pools",), pools, "this is not a list", "Write a list of node pools."))
    else:
        try:
            spec, read_pools = load(cluster, pools, at=("cluster",))
        except SpecError as error:
            found += error.mistakes
    if frame:
        frame = frame.model_copy(update={"context": frame.context or os.environ.get("KUBE_CONTEXT")})
        found += check_kubeconfig(frame.kubeconfig, frame.context)
    secrets, missing = _secrets(config, spec)
    found += missing
    if found:
        raise SpecError([_prefixed(mistake) for mistake in found], WHAT)
    assert frame is not None
    assert spec is not None
    assert secrets is not None
    return frame.model_copy(update={"cluster": spec, "pools": read_pools}), secrets


def _raw(config: pulumi.Config) -> tuple[dict[str, Any], list[Mistake]]:
    data: dict[str, Any] = {}
    found: list[Mistake] = []
    for key in (*_TEXTS, *_BOOLEANS, *_OBJECTS):
        text = config.get(key)
        if text is None:
            continue
        if key in _TEXTS:
            data[key] = text
            continue
        try:
            data[key] = json.loads(text)
        except json.JSONDecodeError:
            kind = "a mapping or a list" if key in _OBJECTS else "true or false"
            found.append(Mistake((key,), text, f"this is not {kind}", f"Write {kind}."))
    return data, found


def _unknown_keys(config: pulumi.Config) -> list[Mistake]:
    known = {*_TEXTS, *_BOOLEANS, *_OBJECTS, *_SECRETS}
    prefix = f"{config.name}:"
    written = [key.removeprefix(prefix) for key in pulumi.runtime.config.CONFIG.get() if key.startswith(prefix)]
    return [
        Mistake((key,), Mistake.ABSENT, "there is no such field", nearest(key, known))
        for key in sorted(written)
        if key not in known
    ]


def _secrets(config: pulumi.Config, spec: SlurmSpec | None) -> tuple[StackSecrets | None, list[Mistake]]:
    found: list[Mistake] = []
    root_key = config.get("rootKey")
    if root_key is None:
        problem, remedy = "it is not set, and every key is derived from it", f"Set it: {SET_ROOT_KEY}"
        found.append(Mistake(("rootKey",), Mistake.ABSENT, problem, remedy))
    else:
        try:
            decode_root_key(root_key)
        except ValueError:
            # The value is a secret, so it is not repeated.
            problem, remedy = "it is not the base64 form of 32 bytes", f"Set it anew: {SET_ROOT_KEY}"
            found.append(Mistake(("rootKey",), Mistake.ABSENT, problem, remedy))
    password = config.get("ldapBindPassword")
    ldap = spec.identity.ldap if spec and spec.identity else None
    if ldap and ldap.bind_dn and password is None:
        found.append(
            Mistake(
                ("ldapBindPassword",),
                Mistake.ABSENT,
                f'it is not set, and SSSD binds as "{ldap.bind_dn}"',
                "Set it: pulumi config set --secret slurm:ldapBindPassword",
            )
        )
    if found:
        return None, found
    assert root_key is not None
    return StackSecrets(root_key=root_key, ldap_bind_password=password), []


def _prefixed(mistake: Mistake) -> Mistake:
    first, *rest = mistake.path or ("",)
    name = to_camel(first) if isinstance(first, str) else first
    return Mistake((f"slurm:{name}", *rest), mistake.value, mistake.problem, mistake.remedy)
