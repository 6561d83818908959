"""The image of all daemons: an address that somebody has chosen, and what its release of Slurm lets users do."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.plugstack import plugstack_lines
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.rules.slurm_security import (
    slurm_release_has_no_known_vulnerability as published_vulnerabilities,
)
from pulumi_slurm.slurmconf.plugstack import PLUGSTACK, Directive
from pulumi_slurm.slurmconf.version import Series

_PLACEHOLDERS = ("/your-namespace/", "crpi-example")
"""Parts of the image's address in the examples of this package, which nobody can pull."""

_MENDED: Mapping[Series, int] = MappingProxyType({Series(23, 11): 11, Series(24, 5): 8, Series(24, 11): 5})
"""By series the patch that mended CVE-2025-43904, from the files in CHANGELOG/ of branch slurm-25.05 of Slurm's source.
No older series was mended; 25.05 was, before its first release."""


@warns
def image_is_not_the_example(context: RuleContext) -> Iterator[FieldError]:
    """Warn about the image's address of the examples: pods would wait for an image that nobody can pull."""
    image = context.ack.image
    if image and any(part in image for part in _PLACEHOLDERS):
        yield FieldError(
            (*ACK, "image"),
            image,
            "this is the address of the example, and no pod could pull from there",
            "Write the address that your registry shows (docs/ack-image.md).",
        )


@warns
def slurm_release_has_no_known_vulnerability(context: RuleContext) -> Iterator[FieldError]:
    """Warn of a release of Slurm with published vulnerabilities, as with slurm-operator."""
    release = context.ack.slurm_version
    for error in published_vulnerabilities(context.spec.model_copy(update={"slurm_version": release})):
        at = ACK if error.path == ("slurm_version",) else CLUSTER
        yield replace(error, path=(*at, *error.path))


@warns
def required_plugins_are_in_the_image(context: RuleContext) -> Iterator[FieldError]:
    """Warn of required SPANK plugins where daemons run Alibaba's own image, of which nobody knows whether it has them.

    Without one slurmd exits, and so do srun, sbatch and salloc.
    """
    ack, spec = context.ack, context.spec
    controller = ack.controller.image or spec.controller.image
    images = [controller, *(ack.worker(one.name).image or one.image for one in spec.node_sets)]
    for line in plugstack_lines(spec) if not ack.image and not all(images) else ():
        if line.directive is Directive.REQUIRED:
            problem = f"{line.location}: slurmd and srun exit without it, and Alibaba's image may not have it"
            fix = "Set ack.slurm.image to an image that has it (docs/ack-image.md), or leave the line out."
            depends_on: tuple[Path, ...] = ((*ACK, "image"), (*CLUSTER, "node_sets"))
            yield FieldError((*CLUSTER, "config_files", PLUGSTACK), str(line), problem, fix, depends_on)


@warns
def coordinators_stay_coordinators(context: RuleContext) -> Iterator[FieldError]:
    """Warn about coordinators of accounts where Slurm lets them make administrators, by CVE-2025-43904."""
    accounting = context.spec.accounting
    if accounting is None or accounting.external or not _is_open(context.ack.slurm_version):
        return
    for index, account in enumerate(accounting.accounts):
        if account.coordinators:
            path: Path = (*CLUSTER, "accounting", "accounts", index, "coordinators")
            yield FieldError(
                path,
                account.coordinators,
                f"in Slurm {context.ack.slurm_version} a coordinator can make any user an administrator "
                "(CVE-2025-43904)",
                "Leave it out, or build an image with 23.11.11, 24.05.8, 24.11.5 or later and write "
                "ack.slurm.slurmVersion.",
                depends_on_fields=((*ACK, "slurm_version"),),
            )


def _is_open(release: str) -> bool:
    """Return whether a release lacks the mend; False for a series that has a mended release, without its patch."""
    series, patch = Series.of(release), release.split(".")[2:]
    if series in _MENDED:
        return bool(patch) and int(patch[0]) < _MENDED[series]
    return series < max(_MENDED)


RULES: tuple[Rule, ...] = (
    slurm_release_has_no_known_vulnerability,
    image_is_not_the_example,
    required_plugins_are_in_the_image,
    coordinators_stay_coordinators,
)
