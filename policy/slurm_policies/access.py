"""Policies on who can reach a cluster, and on its keys: whoever has them ends any job."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.ack import resources as alibaba
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke import resources as google
from pulumi_slurm.model.load_balancers import CLOUD_LOAD_BALANCERS
from pulumi_slurm.secrecy import is_secret_name
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy, whole_number
from slurm_policies.reading import UNKNOWN, at, is_number, items_at, lines, number, text_at
from slurm_policies.types import (
    ACCOUNTING,
    ACK_SLURM_CLUSTER,
    CONFIG_MAP,
    CONTROLLER,
    LOGIN_SET,
    NODE_SET,
    REST_API,
    SERVICE,
    TOKEN,
)

SSH_PORT = 22
SLURM_PORTS = frozenset({6817, 6818, 6819, 6820})
"""slurmctld, slurmd, slurmdbd, slurmrestd: https://slurm.schedmd.com/slurm.conf.html and slurmdbd.conf.html."""
_EVERYBODY = ("0.0.0.0/0", "::/0")


def _is_public(service: Any, metadata: Any) -> bool:
    """Return whether the load balancer of a Service lets everybody in, as far as the Service says it.

    Where a cloud's load balancers are internal without being told, as with the AWS Load Balancer Controller, say so by
    its annotation.
    """
    if at(service, "type") != "LoadBalancer":
        return False
    ranges, annotations = at(service, "loadBalancerSourceRanges"), at(metadata, "annotations")
    annotation_map = annotations if isinstance(annotations, Mapping) else {}
    if UNKNOWN in (ranges, annotations):
        return False
    open_to_all = not ranges or not isinstance(ranges, list) or any(one in _EVERYBODY for one in ranges)
    load_balancer_class = text_at(service, "loadBalancerClass")
    for cloud in CLOUD_LOAD_BALANCERS:
        if any(annotation_map.get(name) in (value, UNKNOWN) for name, value in cloud.internal.items()):
            return False
        # Of one that exists already nothing is known.
        if any(name in annotation_map for name in cloud.existing) or cloud.classes.get(load_balancer_class):
            return False
    return open_to_all


_ADMIT_SOME = (
    "Write loadBalancerSourceRanges with the networks that may connect, or the cloud's annotation for an internal load "
    "balancer."
)


def _service_of(resource: Resource) -> tuple[Path, Any, Any]:
    """Return the path of the Service's spec, the spec and the metadata."""
    if resource.type == SERVICE:
        return ("spec",), at(resource.inputs, "spec"), at(resource.inputs, "metadata")
    service = at(resource.inputs, "spec", "service")
    return ("spec", "service", "spec"), at(service, "spec"), at(service, "metadata")


def _ports(service: Any) -> set[Any]:
    ports = items_at(service, "ports")
    return {port for one in ports for port in (at(one, "port"), at(one, "targetPort")) if is_number(port)}


@policy(LOGIN_SET, SERVICE, level=Level.MANDATORY, severity=Severity.HIGH)
def logins_are_not_open_to_everybody(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Not everybody on the Internet reaches SSH.

    Source: https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer.
    """
    path, service, metadata = _service_of(resource)
    is_login = resource.type != SERVICE or SSH_PORT in _ports(service)
    if is_login and _is_public(service, metadata):
        yield FieldError((*path, "type"), "LoadBalancer", "everybody on the Internet may try to log in", _ADMIT_SOME)


@policy(CONTROLLER, ACCOUNTING, REST_API, SERVICE, level=Level.MANDATORY, severity=Severity.CRITICAL)
def daemons_are_not_open_to_everybody(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Not everybody on the Internet reaches slurmctld, slurmdbd and slurmrestd.

    Source: https://slurm.schedmd.com/rest_quickstart.html#security, and https://www.schedmd.com/security-policy/.
    """
    path, service, metadata = _service_of(resource)
    is_daemon = resource.type != SERVICE or bool(SLURM_PORTS & _ports(service))
    if is_daemon and _is_public(service, metadata):
        yield FieldError(
            (*path, "type"), "LoadBalancer", "everybody on the Internet may call Slurm's daemons", _ADMIT_SOME
        )


@policy(google.FIREWALL, alibaba.SECURITY_GROUP_RULE, level=Level.MANDATORY, severity=Severity.HIGH)
def firewalls_do_not_let_everybody_in(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """No firewall lets the whole Internet reach SSH or Slurm's daemons.

    Sources: https://cloud.google.com/firewall/docs/firewalls; `portRange` in
    https://www.pulumi.com/registry/packages/alicloud/api-docs/ecs/securitygrouprule/.
    """
    inputs = resource.inputs
    if resource.type == google.FIREWALL:
        ranges = items_at(inputs, "sourceRanges")
        inward = text_at(inputs, "direction") != "EGRESS" and at(inputs, "disabled") is not True
        path: Path = ("sourceRanges",)
        ports = [port for one in items_at(inputs, "allows") for port in _ports_allowed(one)]
    else:
        ranges = [at(inputs, field) for field in ("cidrIp", "ipv6CidrIp")]
        path = ("cidrIp",) if at(inputs, "cidrIp") in _EVERYBODY else ("ipv6CidrIp",)
        inward = text_at(inputs, "type") == "ingress" and text_at(inputs, "policy") != "drop"
        ports = [text_at(inputs, "portRange").replace("/", "-")]
    public = [one for one in ranges if one in _EVERYBODY]
    if inward and public and any(map(_reaches_slurm, ports)):
        yield FieldError(
            path, public[0], "everybody on the Internet reaches SSH or Slurm", "Write the networks that may connect."
        )


def _ports_allowed(one: Any) -> list[Any]:
    if text_at(one, "protocol") not in ("tcp", "all", "6"):
        return []
    # Without ports a protocol is allowed as a whole.
    return items_at(one, "ports") or ([] if at(one, "ports") is UNKNOWN else ["1-65535"])


def _reaches_slurm(ports: Any) -> bool:
    if ports == "-1--1":
        return True
    match = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", str(ports))
    if not match:
        return False
    first, last = int(match[1]), int(match[2] or match[1])
    return any(first <= port <= last for port in (SSH_PORT, *SLURM_PORTS))


@policy(google.CLUSTER, level=Level.ADVISORY, severity=Severity.HIGH)
def the_control_plane_is_not_open_to_everybody(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """The Internet doesn't reach the Kubernetes API by its address.

    Source: https://cloud.google.com/kubernetes-engine/docs/how-to/authorized-networks.
    """
    path = ("masterAuthorizedNetworksConfig", "cidrBlocks")
    for index, block in enumerate(items_at(resource.inputs, *path)):
        if at(block, "cidrBlock") in _EVERYBODY:
            yield FieldError(
                (*path, index, "cidrBlock"),
                at(block, "cidrBlock"),
                "everybody on the Internet reaches the API server",
                "Write the networks that may connect, or use the DNS endpoint.",
            )


_KEY_FILES = frozenset({"jwt_hs256.key", "jwt.key", "slurm.key", "munge.key"})
_PASSWORDS = frozenset({"storagepass", "accountingstoragepass", "jobcomppass"})


@policy(
    CONFIG_MAP,
    CONTROLLER,
    ACCOUNTING,
    NODE_SET,
    LOGIN_SET,
    REST_API,
    ACK_SLURM_CLUSTER,
    level=Level.MANDATORY,
    severity=Severity.CRITICAL,
)
def keys_and_passwords_are_in_secrets(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Keys and passwords of Slurm stand in Secrets, and nowhere else.

    Whoever may read ConfigMaps or pods, and every state of Pulumi, has them else; with a key anybody is root to Slurm:
    https://slurm.schedmd.com/authentication.html and https://kubernetes.io/docs/concepts/configuration/secret/.
    """
    data = at(resource.inputs, "data")
    for name, value in data.items() if isinstance(data, Mapping) else ():
        passwords = [key for key, text in lines(value) if key in _PASSWORDS and text] if isinstance(value, str) else []
        if name in _KEY_FILES or passwords:
            yield FieldError(("data", name), FieldError.ABSENT, _READABLE, _TAKE_A_SECRET)
    for path, container in _containers(at(resource.inputs, "spec"), ("spec",)):
        for index, one in enumerate(items_at(container, "env")):
            if is_secret_name(text_at(one, "name")) and text_at(one, "value"):
                yield FieldError(
                    (*path, "env", index, "value"),
                    FieldError.ABSENT,
                    f"{text_at(one, 'name')} may be a secret, and whoever may read pods reads it",
                    "Take it from a Secret by valueFrom.secretKeyRef.",
                )


_READABLE = "whoever may read ConfigMaps can become anybody in Slurm, or change its database"
_TAKE_A_SECRET = "Put it into a Secret, and mount that."


def _containers(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield what has `env` and `image`, wherever it stands."""
    if isinstance(value, Mapping):
        if "env" in value:
            yield path, value
        for key, item in value.items():
            yield from _containers(item, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _containers(item, (*path, index))


@policy(
    TOKEN,
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    mostDays=whole_number(366, "how long a token may live", minimum=1),
)
def tokens_end(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A token that leaks expires.

    Nobody can call back a token; only another key ends all: https://slurm.schedmd.com/jwt.html. `lifetime` in
    api/v1beta1/token_types.go of slurm-operator, v1.1.0.
    """
    hours = re.fullmatch(r"(\d+)h(?:\d+m)?(?:\d+s)?", text_at(resource.inputs, "spec", "lifetime"))
    if hours and int(hours[1]) > 24 * settings["mostDays"]:
        yield FieldError(
            ("spec", "lifetime"),
            text_at(resource.inputs, "spec", "lifetime"),
            "whoever has the token acts as its user until then, and nobody can call it back",
            f'Write "{24 * number(settings["mostDays"])}h" or less, and refresh: true.',
        )


@policy(LOGIN_SET, level=Level.ADVISORY, severity=Severity.HIGH)
def root_does_not_log_in_by_password(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Login nodes let root in with a key at most.

    Source: PermitRootLogin in https://man.openbsd.org/sshd_config.
    """
    for line in text_at(resource.inputs, "spec", "extraSshdConfig").splitlines():
        if line.lower().split() == ["permitrootlogin", "yes"]:
            yield FieldError(
                ("spec", "extraSshdConfig"),
                line.strip(),
                "whoever finds the password of root on a login node acts for all its users",
                'Write "PermitRootLogin prohibit-password", and rootSshAuthorizedKeys.',
            )


POLICIES: tuple[Policy, ...] = (
    logins_are_not_open_to_everybody,
    daemons_are_not_open_to_everybody,
    firewalls_do_not_let_everybody_in,
    the_control_plane_is_not_open_to_everybody,
    keys_and_passwords_are_in_secrets,
    tokens_end,
    root_does_not_log_in_by_password,
)
