"""The changed settings of a partition, a QoS or an account, as a reviewer reads them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic.alias_generators import to_camel

from pulumi_slurm.model.base import Model


def changed_settings(old: Model, new: Model, fields: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return those of some fields that differ, by their names in a stack's file, each as text before and after."""
    return {
        to_camel(field): (_shown(getattr(old, field)), _shown(getattr(new, field)))
        for field in fields
        if getattr(old, field) != getattr(new, field)
    }


def as_text(changed: Mapping[str, tuple[str, str]]) -> str:
    """Return them on one line: "maxTime 60 → 30, maxNodes not set → 2"."""
    return ", ".join(f"{field} {old} → {new}" for field, (old, new) in changed.items())


def _shown(value: Any) -> str:
    if value is None or value in ([], {}, ""):
        return "not set"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={amount}" for key, amount in value.items())
    return ",".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
