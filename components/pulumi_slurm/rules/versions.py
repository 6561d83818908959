"""Rules on the Slurm series of the daemons, which differ during an upgrade."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.controller import ControllerSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.slurmconf.version import Series


def daemons_are_upgraded_in_order(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a slurmdbd older than slurmctld, and a slurmctld older than the others, which then can't connect to it.

    Source: https://slurm.schedmd.com/upgrades.html. The version in an image of the user's is not known.
    """
    controller, accounting = spec.controller, spec.accounting
    if not controller.external and not controller.image and controller.slurm_version:
        clients = "workers and login nodes (slurmVersion)"
        yield from _errors(spec, "controller", "slurmctld", controller.slurm_version, spec.slurm_version, clients)
    if accounting and not accounting.external and not accounting.image:
        of_slurmctld = "" if controller.external or controller.image else controller.slurm_version
        yield from _errors(
            spec, "accounting", "slurmdbd", accounting.slurm_version, of_slurmctld or spec.slurm_version, "slurmctld"
        )


def own_versions_choose_images(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a daemon's own Slurm version in addition to `images.tag`, which is the tag of its image all the same."""
    daemons: tuple[tuple[str, ControllerSpec | AccountingSpec | None], ...] = (
        ("controller", spec.controller),
        ("accounting", spec.accounting),
    )
    for field, daemon in daemons:
        if spec.images.tag and daemon and daemon.slurm_version and not daemon.image and not daemon.external:
            yield FieldError(
                (field, "slurm_version"),
                daemon.slurm_version,
                f'images.tag, "{spec.images.tag}", is the tag of its image too, so this has no effect',
                f"Write {field}.image, or leave images.tag out.",
                depends_on_fields=(("images", "tag"), (field, "image")),
            )


def _errors(
    spec: SlurmSpec, field: str, daemon: str, version: str | None, oldest: str, clients: str
) -> Iterator[FieldError]:
    at: Path = (field, "slurm_version")
    series = Series.of(version or spec.slurm_version)
    if series < Series.of(oldest):
        value = FieldError.ABSENT if version is None else version
        problem = f"{daemon} {series} would be older than {clients}, {oldest}, which can't connect to an older {daemon}"
        yield FieldError(
            at, value, problem, f'Write "{oldest}".', (("slurm_version",), ("controller", "slurm_version"))
        )
    elif version and str(series) not in spec.operator.slurm_series:
        problem = f"slurm-operator {spec.operator.version} doesn't speak to it"
        fix = f"Write one of: {', '.join(spec.operator.slurm_series)}, or choose another operatorVersion."
        yield FieldError(at, version, problem, fix, (("operator_version",),))


RULES: tuple[Rule, ...] = (
    daemons_are_upgraded_in_order,
    own_versions_choose_images,
)
