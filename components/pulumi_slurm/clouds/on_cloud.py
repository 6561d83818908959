"""A Slurm cluster and the Kubernetes cluster on a cloud that it runs on, as a user describes both: what follows."""

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Any, ClassVar, TypeGuard, TypeVar

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.cloud import Cloud, CloudSpec, NeededSecret
from pulumi_slurm.clouds.managed_nodes import with_managed_nodes
from pulumi_slurm.clouds.pool import CloudPoolSpec, unread_pool
from pulumi_slurm.errors import FieldError, Severity, SpecError
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.identity import bind_password_issue
from pulumi_slurm.model.installation import SlurmInstallation
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.rules import check_cluster, check_pools

S = TypeVar("S", bound=CloudSpec)
P = TypeVar("P")


class OnCloud(SlurmInstallation):
    """Both clusters. A subclass has a field called as its cloud, with the specification of the Kubernetes cluster.

    It is the configuration of a stack and the arguments of a component; paths of errors begin at it.
    """

    _cloud: ClassVar[Cloud[Any, Any]]

    @classmethod
    def cloud(cls) -> Cloud[Any, Any]:
        """Return the cloud that both are on."""
        return cls._cloud

    @property
    def cloud_spec(self) -> CloudSpec:
        """The Kubernetes cluster, and the cloud's services for it."""
        spec: CloudSpec = getattr(self, self._cloud.key)
        return spec

    @property
    def name(self) -> str:
        """The Kubernetes cluster's name, with which the names of all else begin."""
        return self.cloud_spec.cluster_name

    @cached_property
    def plan(self) -> Any:
        """The plan of its cloud, which follows from the specification of the Kubernetes cluster."""
        return self._cloud.plan(with_managed_nodes(self.cloud_spec, self.cluster))

    @cached_property
    def slurm(self) -> SlurmSpec:
        """The Slurm cluster as it is built: with the cloud's storage and database.

        Raises:
            SpecError: when these and what the user wrote of the same don't go together; `errors_as_built` tells before.
        """
        return self._cloud.complete(self.plan, self.cluster)

    @cached_property
    def pools(self) -> list[NodePoolSpec]:
        """The node pools, as node sets see them."""
        return list(self._cloud.pools(self.plan))

    def needed_secrets(self) -> dict[str, NeededSecret]:
        """Return the secrets that both need in addition to the root key, by their keys in a stack's file."""
        return {**secrets_of(self.cluster), **self._cloud.needed_secrets(self.plan, self.cluster)}

    def errors(self) -> list[FieldError]:
        """Return all that is wrong with both, and between them."""
        # Each cloud has pools of a type of its own.
        cloud_pools: Sequence[CloudPoolSpec] = getattr(self.cloud_spec, "pools", ())
        pools = pools_to_name(self._cloud, self.plan, {pool.name for pool in cloud_pools})
        release = self._cloud.other_release(self.plan)
        of_slurm = [
            *check_cluster(self.cluster, other_release=release),
            *check_pools(self.cluster, pools, other_release=release),
        ]
        cloud_errors = (error.below(self._cloud.key) for error in self._cloud.check(self.cloud_spec))
        settings = {field: getattr(self, field) for field in self.model_fields_set}
        errors = [
            *cloud_errors,
            *_of_slurm(of_slurm),
            *self.errors_between(),
            *self._cloud.check_settings(self.plan, settings),
        ]
        refused = any(error.severity is Severity.ERROR for error in errors)
        return errors if refused else [*errors, *self.errors_as_built()]

    def errors_between(self) -> list[FieldError]:
        """Return what is wrong between the Kubernetes cluster and the Slurm cluster as the user wrote it."""
        return errors_between(self._cloud, self.plan, self.cluster, self.pools)

    def errors_as_built(self) -> Iterator[FieldError]:
        """Yield the errors of the combined specification, which no rule for either part has found."""
        try:
            slurm = self.slurm
        except SpecError as error:
            yield from _of_slurm(error.errors)
            return
        yield from _of_slurm(check_pools(slurm, self.pools, other_release=self._cloud.other_release(self.plan)))
        yield from self._cloud.check_built(self.plan, slurm, self.pools)


def pools_to_name(cloud: Cloud[Any, P], plan: P | None, names: Set[str]) -> list[NodePoolSpec]:
    """Return the pools that node sets can name; one with an error of its own has room for every node set.

    Args:
        cloud: the cloud that they are on.
        plan: what follows from its specification, as far as that can be read.
        names: the names of pools in the specification, those too that the plan leaves out.
    """
    pools = list(cloud.pools_to_name(plan)) if plan else []
    left_out = sorted(names - {pool.name for pool in pools})
    return [*pools, *(unread_pool(name, cloud.pool_label) for name in left_out)]


def errors_between(cloud: Cloud[S, P], plan: P, slurm: SlurmSpec, pools: Sequence[NodePoolSpec]) -> list[FieldError]:
    """Return what is wrong between a cloud's specification and a Slurm cluster as the user wrote it."""
    return [*_of_slurm(cloud.check_slurm(plan, slurm)), *cloud.check_together(plan, slurm, pools)]


def _of_slurm(errors: Iterable[FieldError]) -> Iterator[FieldError]:
    return (error.below("cluster") for error in errors)


def default_name(cloud: Cloud[Any, Any], slurm_name: str) -> str | None:
    """Return the name of a Kubernetes cluster that has none of its own: the Slurm cluster's.

    None if that is no name of a Slurm cluster either.

    Raises:
        SpecError: if it is too long, and only for that reason.
    """
    try:
        return dns_label(slurm_name, cloud.max_name_length)
    except PydanticCustomError:
        if not is_label(slurm_name):
            return None
    problem = f'the Slurm cluster\'s name, "{slurm_name}", is too long to be that of the {cloud.cluster}'
    fix = f"Write one with {cloud.max_name_length} characters at most."
    raise SpecError([FieldError((cloud.key, "name"), FieldError.ABSENT, problem, fix)], cloud.cluster)


def is_label(name: object) -> TypeGuard[str]:
    """Return whether it is a name that Kubernetes takes."""
    try:
        return isinstance(name, str) and bool(dns_label(name))
    except PydanticCustomError:
        return False


def secrets_of(cluster: SlurmSpec | None) -> dict[str, NeededSecret]:
    """Return the secrets that a Slurm cluster needs in addition to the root key, by their keys in a stack's file."""
    ldap = cluster.identity.ldap if cluster and cluster.identity else None
    if ldap is None or not ldap.bind_dn:
        return {}
    return {"ldapBindPassword": NeededSecret(f'SSSD binds as "{ldap.bind_dn}"', bind_password_issue)}
