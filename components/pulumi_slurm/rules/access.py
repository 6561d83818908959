"""Users, Services and tokens: who gets in, and how."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.pod import ServiceSpec, ServiceType
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import duration_seconds

LONGEST_MIGHTY_TOKEN = 366 * 24 * 3600
"""Seconds that a token of root or slurm may be valid."""


def users_come_from_somewhere(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse SSH servers without a source of users: SSSD would not start, and the pods with it."""
    if spec.identity:
        return
    wanting = [f'login set "{item.name}"' for item in spec.login_sets]
    wanting += [f'SSH into node set "{item.name}"' for item in spec.node_sets if item.ssh]
    if wanting:
        yield FieldError(
            ("identity",),
            FieldError.ABSENT,
            f"{wanting[0]} needs SSSD, and SSSD needs a source of users",
            "Add identity, for example identity: {directory: {}} for a trial, or identity: {ldap: {...}}.",
        )


def services_agree(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse options of Services that their type doesn't have, and a port on nodes that is taken."""
    services: list[tuple[Path, ServiceSpec]] = [(("rest_api", "service"), spec.rest_api.service)]
    services += [(("login_sets", i, "service"), item.service) for i, item in enumerate(spec.login_sets)]
    taken: set[int] = set()
    for at, service in services:
        kind: tuple[Path, ...] = ((*at, "type"),)
        if service.node_port and service.type is ServiceType.CLUSTER_IP:
            yield FieldError(
                (*at, "node_port"),
                service.node_port,
                "a Service of type ClusterIP has no port on nodes",
                'Write type "NodePort" or "LoadBalancer", or leave nodePort out.',
                kind,
            )
        if service.node_port:
            if service.node_port in taken:
                yield FieldError(
                    (*at, "node_port"), service.node_port, "another Service has this port", "Choose another."
                )
            taken.add(service.node_port)
        if service.source_ranges and service.type is not ServiceType.LOAD_BALANCER:
            yield FieldError(
                (*at, "source_ranges"),
                service.source_ranges,
                "only a load balancer keeps other networks out",
                'Write type "LoadBalancer", or leave sourceRanges out.',
                kind,
            )


def tokens_are_sound(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse tokens of mighty users that hardly end."""
    for index, token in enumerate(spec.tokens):
        if token.username in {"root", "slurm"} and duration_seconds(token.lifetime) > LONGEST_MIGHTY_TOKEN:
            yield FieldError(
                ("tokens", index, "lifetime"),
                token.lifetime,
                f"a token of {token.username} that lasts more than a year is a key to the whole cluster",
                'Write "8760h" or less.',
            )
