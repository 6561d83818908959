"""The control plane: features of its edition and version, and requirements of ack-slurm-operator.

Sources: the provider's description of alicloud_cs_managed_kubernetes; Alibaba Cloud's guide for containerised Slurm.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack.model.control_plane import AckEdition, Cni, ProxyMode
from pulumi_slurm.ack.model.pool import AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.model.versions import is_before
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule, warns

MIN_KUBERNETES_OF_AUTOSCALER = "1.24"
"""https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/instant-elasticity"""

_MIN_KUBERNETES_OF_METADATA_TOKENS: Mapping[str, str] = MappingProxyType({Cni.TERWAY: "1.30", Cni.FLANNEL: "1.28"})
"""By network plugin, since Terway's component that sends tokens needs a newer cluster than the others:
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/security-and-compliance/secure-access-to-ecs-instance-metadata"""

_DEPRECATES_IPVS = "1.35"

_ADDONS_OF_OTHER_CNI: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        Cni.TERWAY: ("flannel",),
        Cni.FLANNEL: ("terway", "terway-eni", "terway-eniip", "terway-controlplane"),
    }
)


def edition_supports_encryption(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse the encryption of Secrets in a Basic cluster, which doesn't support it."""
    key = plan.spec.control_plane.secrets_encryption_key
    if key and plan.spec.control_plane.edition is AckEdition.STANDARD:
        yield FieldError(
            ("control_plane", "secrets_encryption_key"),
            key,
            f"edition {AckEdition.STANDARD} doesn't encrypt Secrets by a key of KMS",
            f"Leave it out, or write edition {AckEdition.PRO}.",
            depends_on_fields=(("control_plane", "edition"),),
        )


def version_excludes_upgrade_channel(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a version together with a channel that changes it."""
    control_plane = plan.spec.control_plane
    if control_plane.version and control_plane.upgrade_channel:
        yield FieldError(
            ("control_plane", "version"),
            control_plane.version,
            f"channel {control_plane.upgrade_channel} upgrades the cluster automatically, and the next `pulumi up` "
            "would request this version again",
            "Leave it out, or leave upgradeChannel out.",
            depends_on_fields=(("control_plane", "upgrade_channel"),),
        )


def options_match_the_slurm_operator(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse options of ack-slurm-operator in a cluster that doesn't use it."""
    options = plan.spec.slurm
    if plan.spec.slurm_operator is not AckOperator.ACK_SLURM_OPERATOR and options != type(options)():
        yield FieldError(
            ("slurm",),
            options,
            f'slurmOperator "{plan.spec.slurm_operator}" has no ack-slurm-operator, so this would have no effect',
            f'Leave it out, or write slurmOperator "{AckOperator.ACK_SLURM_OPERATOR}".',
            depends_on_fields=(("slurm_operator",),),
        )


def addons_fit_the_network_plugin(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse components of the other network plugin."""
    for index, addon in enumerate(plan.spec.control_plane.addons):
        if addon.name in _ADDONS_OF_OTHER_CNI[plan.spec.control_plane.cni] and not addon.disabled:
            other = Cni.FLANNEL if plan.spec.control_plane.cni is Cni.TERWAY else Cni.TERWAY
            yield FieldError(
                ("control_plane", "addons", index, "name"),
                addon.name,
                f"the network plugin of the cluster is {plan.spec.control_plane.cni}, and there can only be one",
                f'Leave it out, or write cni "{other}".',
                depends_on_fields=(("control_plane", "cni"),),
            )


def autoscaler_supports_the_version(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a version that is too old for ACK's autoscaler, which every cluster gets.

    ack-slurm-operator needs 1.22; `check_ack_slurm` checks the version for its copilot.
    """
    version = plan.spec.control_plane.version
    if version and is_before(version, MIN_KUBERNETES_OF_AUTOSCALER):
        yield FieldError(
            ("control_plane", "version"),
            version,
            f"ACK's autoscaler needs Kubernetes {MIN_KUBERNETES_OF_AUTOSCALER}",
            f"Write a version of {MIN_KUBERNETES_OF_AUTOSCALER} or later.",
        )


def metadata_tokens_are_supported(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse pools whose machines require tokens for their metadata, in a cluster that is too old for it."""
    version, cni = plan.spec.control_plane.version, plan.spec.control_plane.cni
    minimum = _MIN_KUBERNETES_OF_METADATA_TOKENS[cni]
    if not version or not is_before(version, minimum):
        return
    pools: list[tuple[Path, AckPoolSpec | AckSystemPoolSpec]] = []
    if plan.makes_system_pool:
        pools.append((("system_pool",), plan.spec.system_pool))
    for at, pool in [*pools, *(((*planned.at,), planned.pool) for planned in plan.new_pools)]:
        if pool.require_metadata_tokens:
            yield FieldError(
                (*at, "require_metadata_tokens"),
                True if "require_metadata_tokens" in pool.model_fields_set else FieldError.ABSENT,
                f"it is true by default and needs Kubernetes {minimum} with {cni}, and this is {version}",
                "Write false." if plan.spec.existing_cluster else "Write false, or another controlPlane.version.",
                depends_on_fields=(("control_plane", "version"), ("control_plane", "cni")),
            )


@warns
def proxy_mode_has_a_future(plan: AckPlan) -> Iterator[FieldError]:
    """Warn about IPVS in a new version: the cluster would have to be replaced when Kubernetes drops it.

    Source: https://kubernetes.io/blog/2025/11/26/kubernetes-v1-35-sneak-peek/, "Deprecation of ipvs mode".
    """
    version, mode = plan.spec.control_plane.version, plan.spec.control_plane.proxy_mode
    is_set = "proxy_mode" in plan.spec.control_plane.model_fields_set
    if version and not is_before(version, _DEPRECATES_IPVS) and mode is ProxyMode.IPVS and not is_set:
        yield FieldError(
            ("control_plane", "proxy_mode"),
            FieldError.ABSENT,
            f"it is {mode}, which Kubernetes has deprecated since {_DEPRECATES_IPVS}, and a cluster keeps it for ever",
            f'Write "{ProxyMode.NFTABLES}" for a new cluster, and "{mode}" for one that exists: a change replaces it.',
            depends_on_fields=(("control_plane", "version"),),
        )


def existing_roles_are_for_others(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a list of roles that exist where none are created."""
    if plan.spec.existing_service_roles and not plan.spec.create_service_roles:
        yield FieldError(
            ("existing_service_roles",),
            plan.spec.existing_service_roles,
            "createServiceRoles is false, so no roles are created",
            "Leave it out, or write createServiceRoles: true.",
            depends_on_fields=(("create_service_roles",),),
        )


RULES: tuple[Rule, ...] = (
    edition_supports_encryption,
    version_excludes_upgrade_channel,
    addons_fit_the_network_plugin,
    autoscaler_supports_the_version,
    existing_roles_are_for_others,
    metadata_tokens_are_supported,
    options_match_the_slurm_operator,
    proxy_mode_has_a_future,
)
