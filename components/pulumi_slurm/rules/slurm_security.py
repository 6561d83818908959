"""The rule on releases of Slurm with published vulnerabilities."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.releases.slurm_security import known_problems, release_in, tag_of
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


@warns
def slurm_release_has_no_known_vulnerability(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of releases of Slurm with published vulnerabilities, by versions and by tags of images.

    A series such as "25.11" names the tag that Slinky moves to each new release, so nothing is known of it.
    """
    for path, text in _versions(spec):
        release = release_in(text)
        for fix, mended_in in known_problems(release) if release else ():
            yield FieldError(
                path,
                text,
                f"this release has {fix.listed}: {fix.problem}",
                f"Take {mended_in} of {fix.date} or a later release.",
            )


def _versions(spec: SlurmSpec) -> Iterator[tuple[Path, str]]:
    """Yield what says which release a daemon is, with its path: a version, or the tag of an image."""
    controller, accounting = spec.controller, spec.accounting
    images: list[tuple[Path, str | None]] = [(("rest_api", "image"), spec.rest_api.image)]
    images += [(("node_sets", index, "image"), one.image) for index, one in enumerate(spec.node_sets)]
    images += [(("login_sets", index, "image"), one.image) for index, one in enumerate(spec.login_sets)]
    own_versions: list[tuple[Path, str | None]] = []
    if not controller.external:
        images.append((("controller", "image"), controller.image))
        own_versions.append((("controller", "slurm_version"), controller.slurm_version))
    if accounting and not accounting.external:
        images.append((("accounting", "image"), accounting.image))
        own_versions.append((("accounting", "slurm_version"), accounting.slurm_version))
    for path, image in images:
        if image:
            yield path, tag_of(image)
    if any(image is None for _, image in images):
        if spec.images.tag:
            yield ("images", "tag"), spec.images.tag
        else:
            yield ("slurm_version",), spec.slurm_version
            yield from ((path, version) for path, version in own_versions if version)


RULES: tuple[Rule, ...] = (slurm_release_has_no_known_vulnerability,)
RULES_OF_SLINKY = RULES
