"""Registries that nodes on the Chinese mainland can't rely on.

Alibaba Cloud says so of builds there: https://help.aliyun.com/en/yunxiao/user-guide/issues-in-image-building.
"""

from collections.abc import Iterator

from pulumi_slurm.ack.model.slurm_operator import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.accounting import DatabaseKind
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

_ABROAD = ("docker.io", "ghcr.io", "quay.io", "registry.k8s.io", "gcr.io", "nvcr.io")
_CERT_MANAGER = "quay.io/jetstack/cert-manager-controller"
"""An image of cert-manager, which comes with slurm-operator unless it is there already."""
_COPIES = "copies in operator.certManagerValues (leave it if cert-manager runs already)"
_NOT_ON_THE_MAINLAND = ("cn-hongkong",)


@warns
def nodes_reach_the_registries(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn about images from registries abroad, which nodes in regions of the Chinese mainland may not reach."""
    region = plan.spec.region
    if not region.startswith("cn-") or region in _NOT_ON_THE_MAINLAND:
        return
    by_registry: dict[str, tuple[Path, str]] = {}
    for path, image in _images(plan, slurm):
        registry = _registry_of(image)
        if registry in _ABROAD and registry not in plan.spec.registry_mirrors:
            by_registry.setdefault(registry, (path, image))
    if by_registry:
        path, image = next(iter(by_registry.values()))
        yield FieldError(
            path,
            image,
            f"nodes in {region} would pull images from {' and '.join(by_registry)} abroad, which is slow or fails, and "
            "`pulumi up` then waits in vain",
            f"Name {_COPIES if image == _CERT_MANAGER else 'copies in a registry of yours'}, or mirrors in "
            "ack.registryMirrors.",
            depends_on_fields=(("ack", "region"),),
        )


def _images(plan: AckPlan, slurm: SlurmSpec) -> Iterator[tuple[Path, str]]:
    if plan.spec.slurm_operator is AckOperator.SLINKY:
        yield ("images", "registry"), slurm.images.registry
        yield ("images", "logfile"), slurm.images.logfile
        if slurm.monitoring.prometheus:
            yield ("monitoring", "prometheus", "image"), slurm.monitoring.prometheus.image
        # Its chart's values, which the operator's settings have, may name copies.
        yield ("images",), _CERT_MANAGER
    if slurm.identity and slurm.identity.directory:
        yield ("identity", "directory", "image"), slurm.identity.directory.image
    accounting = slurm.accounting
    own_database = accounting and not accounting.external and not plan.spec.database
    if accounting and own_database and accounting.database.kind is not DatabaseKind.EXTERNAL:
        yield ("accounting", "database", "image"), accounting.database.image


def _registry_of(image: str) -> str:
    """Return the host of an image's name, by default Docker Hub: https://github.com/distribution/reference."""
    host, slash, _ = image.partition("/")
    return host if slash and ("." in host or ":" in host or host == "localhost") else "docker.io"


RULES_WITH_SLURM: tuple[Rule, ...] = (nodes_reach_the_registries,)
