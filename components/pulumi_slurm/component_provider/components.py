"""The components that programs in other languages can have: all that this package exports, by their tokens.

Those of a cloud need its SDK, which is big and brings the plugin of its provider along, so no plugin has more of them
than were installed for it. There is one package for all, `slurm`, not one for each cloud: its tokens are the types that
the components have in Python, so that a stack keeps its resources when its program is written in another language, and
nobody installs two plugins. Which SDKs are there follows from the folder that a user names: `provider/`,
`provider/gke/` or `provider/ack/`.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from pulumi_slurm.clouds.registry import CLOUDS
from pulumi_slurm.kube.component import Component

PREFIX = "slurm:index:"
"""What a token has before the name of a class: package and module."""
_SDKS = MappingProxyType({f"pulumi_slurm.{row.key}": row.sdk for row in CLOUDS})
PACKAGES: Mapping[str, str | None] = MappingProxyType(
    {
        package: _SDKS.get(package)
        for package in (
            "pulumi_slurm",
            "pulumi_slurm.bridge",
            "pulumi_slurm.gke",
            "pulumi_slurm.ack_slurm",
            "pulumi_slurm.ack",
        )
    }
)
"""Packages with components, and the SDK that each needs; each is after those whose models it uses."""


def components_of(package: str) -> Iterator[type[Component[Any]]]:
    """Yield the components that a package exports; those of a cloud load its SDK only when they are used."""
    exporting = import_module(package)
    for name in exporting.__all__:
        item = getattr(exporting, name)
        if isinstance(item, type) and issubclass(item, Component):
            yield item


def package_of(name: str) -> str | None:
    """Return which package exports a class; None where none does. It isn't loaded for that."""
    return next((package for package in PACKAGES if name in import_module(package).__all__), None)


def missing_sdk(package: str) -> str | None:
    """Return the SDK that the components of a package need, if it isn't installed."""
    sdk = PACKAGES[package]
    return sdk if sdk and find_spec(sdk) is None else None
