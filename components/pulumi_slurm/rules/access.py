"""Rules on access: users, Services and tokens."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pydantic.alias_generators import to_camel

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.pod import ServiceSpec, ServiceType
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import duration_seconds
from pulumi_slurm.rules.run import Rule, warns

MAX_ADMIN_TOKEN_SECONDS = 366 * 24 * 3600
"""Maximum lifetime in seconds of a token of root or slurm."""


def users_have_a_source(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse SSH servers without a source of users: SSSD, and with it the pods, would not start."""
    if spec.identity:
        return
    users_of_sssd = [f'login set "{member.name}"' for member in spec.login_sets]
    users_of_sssd += [f'SSH into node set "{member.name}"' for member in spec.node_sets if member.ssh]
    if users_of_sssd:
        yield FieldError(
            ("identity",),
            FieldError.ABSENT,
            f"{users_of_sssd[0]} needs SSSD, and SSSD needs a source of users",
            "Add identity, for example identity: {directory: {}} for a trial, or identity: {ldap: {...}}.",
        )


def services_of(spec: SlurmSpec) -> list[tuple[Path, ServiceSpec]]:
    """Return the options of the Services in front of daemons, each with its path."""
    services: list[tuple[Path, ServiceSpec]] = [
        (("controller", "service"), spec.controller.service),
        (("rest_api", "service"), spec.rest_api.service),
    ]
    if spec.accounting:
        services.append((("accounting", "service"), spec.accounting.service))
    return services + [(("login_sets", i, "service"), item.service) for i, item in enumerate(spec.login_sets)]


def services_agree(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse options that a Service's type doesn't support, and node ports that another Service uses."""
    used_node_ports: set[int] = set()
    for at, service in services_of(spec):
        if service.node_port:
            if service.node_port in used_node_ports:
                yield FieldError(
                    (*at, "node_port"), service.node_port, "another Service has this port", "Choose another."
                )
            used_node_ports.add(service.node_port)
        for field, (types, problem) in _TYPES_BY_FIELD.items():
            value = getattr(service, field)
            if value != ServiceSpec.model_fields[field].get_default() and service.type not in types:
                choices = " or ".join(f'"{choice}"' for choice in types)
                fix = f"Write type {choices}, or leave {to_camel(field)} out."
                yield FieldError((*at, field), value, problem.format(service.type), fix, ((*at, "type"),))


_OUTSIDE = (ServiceType.NODE_PORT, ServiceType.LOAD_BALANCER)
_TYPES_BY_FIELD: Mapping[str, tuple[tuple[ServiceType, ...], str]] = MappingProxyType(
    {
        "node_port": (_OUTSIDE, "a Service of type {} has no port on nodes"),
        "internal": ((ServiceType.LOAD_BALANCER,), "a Service of type {} has no load balancer"),
        "source_ranges": ((ServiceType.LOAD_BALANCER,), "only a load balancer keeps other networks out"),
        "load_balancer_class": ((ServiceType.LOAD_BALANCER,), "a Service of type {} has no load balancer"),
        "external_traffic_policy": (_OUTSIDE, "no connection from outside reaches a Service of type {}"),
    }
)
"""Fields of a Service, the types that support them, and what is wrong with another type."""


def tokens_are_valid(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse tokens of root and slurm with a very long lifetime."""
    tokens: list[tuple[Path, str, str]] = [
        (("tokens", index, "lifetime"), token.username, token.lifetime) for index, token in enumerate(spec.tokens)
    ]
    if spec.bridge:
        tokens.append((("bridge", "token_lifetime"), "slurm", spec.bridge.token_lifetime))
    for at, username, lifetime in tokens:
        if username in {"root", "slurm"} and duration_seconds(lifetime) > MAX_ADMIN_TOKEN_SECONDS:
            yield FieldError(
                at,
                lifetime,
                f"a token of {username} that lasts more than a year is a key to the whole cluster",
                'Write "8760h" or less.',
            )


@warns
def slurmctld_knows_users_and_groups(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of groups of partitions and of users of tokens, an identity provider's too: slurmctld looks them up.

    It does so in its own pod. Slinky's image of slurmctld has no SSSD, and knows no users but its own: see the targets
    slurmctld and slurmd in the Dockerfiles of https://github.com/SlinkyProject/containers. An image of the user's may
    know them.
    """
    if spec.controller.image or spec.controller.external:
        return
    fix = "Set controller.image to an image whose slurmctld can look them up, or use {}."
    for at, _, options in all_partitions(spec):
        if options.allow_groups:
            problem = "Slinky's image of slurmctld knows no groups of a directory, and then only root may submit jobs"
            yield FieldError(
                (*at, "allow_groups"), options.allow_groups, problem, fix.format("allowAccounts"), (("controller",),)
            )
    for index, token in enumerate(spec.tokens):
        if token.username not in USERS_OF_IMAGE:
            problem = "Slinky's image of slurmctld knows no users of a directory, and jobs with this token never start"
            yield FieldError(
                ("tokens", index, "username"), token.username, problem, fix.format("login nodes"), (("controller",),)
            )

    if spec.keys.jwks:
        problem = "Slinky's image of slurmctld knows no users of a directory, and jobs with their tokens never start"
        yield FieldError(("keys", "jwks"), spec.keys.jwks, problem, fix.format("login nodes"), (("controller",),))


@warns
def slurmrestd_knows_users_of_workloads(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of users and groups that workloads of the bridge have to name: slurmrestd and slurmctld look them up.

    slurmrestd reads `user_id` and `group_id` of a job by the name service of its own pod, numbers too (USER_ID and
    GROUP_ID in src/plugins/data_parser/v0.0.44/parsers.c, `uid_from_string` in src/common/uid.c of SchedMD/slurm at
    slurm-25-11-3-1). Slinky's images of both have no SSSD: https://github.com/SlinkyProject/containers.
    """
    if spec.bridge is None or (spec.rest_api.image and spec.controller.image):
        return
    for index, namespace in enumerate(spec.bridge.namespaces):
        for field, annotation, names in (
            ("users", "user-id", namespace.users),
            ("groups", "group-id", namespace.groups),
        ):
            if {*names} - USERS_OF_IMAGE:
                yield FieldError(
                    ("bridge", "namespaces", index, field),
                    names,
                    f"Slinky's images of slurmrestd and slurmctld know no {field} of a directory, so no pod with "
                    f"{annotation} ever starts",
                    "Set restApi.image and controller.image to images that can look them up, or leave this out.",
                    (("rest_api",), ("controller",)),
                )


USERS_OF_IMAGE = frozenset({"nobody", "root", "slurm"})
"""Users that Slinky's images know."""


RULES: tuple[Rule, ...] = (
    users_have_a_source,
    services_agree,
    tokens_are_valid,
    slurmctld_knows_users_and_groups,
    slurmrestd_knows_users_of_workloads,
)
RULES_OF_SLINKY: tuple[Rule, ...] = (slurmctld_knows_users_and_groups,)
