"""Images of the chart: those that all daemons share, and each daemon's own where they differ."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pulumi_slurm.model.images import OS_BY_SERIES, Daemon, ImagesSpec
from pulumi_slurm.slurmconf.version import Series, is_release

_IMAGE = re.compile(r"(.+)/([^/:]+):([^:/]+)")


def slurm_version(image: str, app_version: str) -> str:
    """Return the Slurm series of an image, by its tag; that of the chart where the tag names none."""
    tag = image.rpartition(":")[2]
    match = re.match(r"[0-9]+\.[0-9]+", tag)
    return match[0] if match and is_release(match[0], OS_BY_SERIES) else app_version


def shared(images: Mapping[Daemon, str], version: str) -> dict[str, str]:
    """Return the fields of `images` for the daemons: registry and tag, where they are those of all."""
    parts = [_IMAGE.fullmatch(image) for image in images.values()]
    registries = {part[1] for part in parts if part}
    tags = {part[3] for part in parts if part}
    named = all(part and part[2] == daemon for daemon, part in zip(images, parts, strict=True))
    if not named or len(registries) != 1 or len(tags) != 1:
        return {}
    fields = {"registry": registries.pop(), "tag": tags.pop()}
    default = {"registry": ImagesSpec().registry, "tag": _default_tag(version)}
    return {name: value for name, value in fields.items() if value != default[name]}


def _default_tag(version: str) -> str | None:
    series = next((series for series in OS_BY_SERIES if str(series) == version), None)
    return f"{version}-{OS_BY_SERIES[series]}" if series else None


def image_of(fields: Mapping[str, Any], daemon: Daemon, version: str, image: str) -> dict[str, str]:
    """Return a daemon's own image, where the shared fields don't come to it."""
    is_supported = any(str(series) == version for series in OS_BY_SERIES)
    default = ImagesSpec(**fields).of(daemon, str(Series.of(version))) if is_supported else None
    return {} if image == default else {"image": image}


def pull_policy(container: Mapping[str, Any]) -> str:
    """Return when a container's image is pulled, also where it doesn't say.

    Source: https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting.
    """
    name, _, digest = str(container.get("image", "")).rpartition("/")[2].partition("@")
    tag = name.partition(":")[2]
    return str(
        container.get("imagePullPolicy") or ("IfNotPresent" if digest or tag not in ("", "latest") else "Always")
    )


def most_common(values: Iterable[str | None]) -> str | None:
    """Return what most of them are, or None."""
    counted = Counter(value for value in values if value)
    return counted.most_common(1)[0][0] if counted else None
