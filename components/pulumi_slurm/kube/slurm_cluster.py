"""The base of the components of whole Slurm clusters, whichever operator runs their pods."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pulumi

from pulumi_slurm.errors import respelled
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube.checked_secret import checked_secret
from pulumi_slurm.kube.namespace import create_cluster_namespace, create_only_cluster, outlives_the_cluster
from pulumi_slurm.manifests.parts.planned_part import PartKey, PlannedPart
from pulumi_slurm.model import IdentitySpec, SlurmSpec
from pulumi_slurm.model.identity import bind_password_issue

P = TypeVar("P", bound=PlannedPart)


def make_parts(
    plan: Iterable[P], make: Callable[[P, list[pulumi.Resource]], list[pulumi.Resource]]
) -> list[pulumi.Resource]:
    """Create the parts of a plan in its order, each after those that it names; return what nothing comes after.

    ``make`` takes a part and what that has to come after, and returns what comes last of the part.
    """
    last: dict[PartKey, list[pulumi.Resource]] = {}
    after: dict[PartKey, tuple[PartKey, ...]] = {}
    for part in plan:
        last[part.key] = make(part, [resource for key in part.after for resource in last[key]])
        after[part.key] = part.after

    def ends(key: PartKey) -> Iterator[pulumi.Resource]:
        """Yield the last resources of a part; one of which nothing is made stands for what it comes after."""
        yield from last[key] or (resource for before in after[key] for resource in ends(before))

    followed = {key for keys in after.values() for key in keys}
    return list(dict.fromkeys(resource for key in last if key not in followed for resource in ends(key)))


def make_namespace(
    name: str,
    child: Callable[..., pulumi.ResourceOptions],
    spec: SlurmSpec,
    root_key: pulumi.Output[str],
    *,
    create: bool,
) -> list[pulumi.Resource]:
    """Create a cluster's namespace, if that is wanted, and take the only place in it; return what comes last.

    ``name`` and ``child`` are those of the cluster's component.
    """
    namespace: list[pulumi.Resource] = []
    if create:
        options = child(retain_on_delete=outlives_the_cluster(spec))
        namespace.append(create_cluster_namespace(f"{name}-namespace", spec, options, root_key))
    return [create_only_cluster(f"{name}-only-cluster", spec, child(*namespace), root_key)]


def derived_key(
    root_key: pulumi.Output[str], cluster: str, purpose: Purpose, generation: int = 1
) -> pulumi.Output[str]:
    """Return a key or password of a cluster that is derived from the stack's root key."""
    return root_key.apply(lambda root: derive(root, cluster, purpose, generation))


def password_of(field: str, password: pulumi.Input[str] | None, setting: str) -> pulumi.Input[str]:
    """Return a password, or the stack's secret called ``setting``; ``field`` is what makes it necessary.

    Raises:
        pulumi.RunError: when there is neither.
    """
    value = password if password is not None else pulumi.Config("slurm").get_secret(setting)
    if value is None:
        command = f"pulumi config set --secret slurm:{setting}"
        raise pulumi.RunError(respelled(f"{field}: its password is not set. Set it: {command}"))
    return value


def bind_password(identity: IdentitySpec, password: pulumi.Input[str] | None) -> pulumi.Output[str | None]:
    """Return the password by which clients bind to the LDAP server of ``identity``; None where they bind as nobody."""
    bind_dn = identity.ldap.bind_dn if identity.ldap else None
    if not bind_dn:
        return pulumi.Output.from_input(None)
    value = password_of(f"identity.ldap.bindDn = {bind_dn!r}", password, "ldapBindPassword")
    return checked_secret(value, bind_password_issue).apply(lambda text: text)


def partition_names(spec: SlurmSpec) -> list[str]:
    """Return the names of all partitions: those of the specification, then those that node sets have of their own."""
    of_node_sets = [node_set.slurm_name for node_set in spec.node_sets if node_set.partition]
    return [*(partition.name for partition in spec.partitions), *of_node_sets]
