"""How the operator replaces and keeps the pods of a NodeSet, as fields of a node set."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.model.node_set import ClaimRetention, UpdateStrategySpec, UpdateType
from pulumi_slurm.model.node_set_fields import fields_copied


def node_set_fields(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a node set for those of a NodeSet, as far as they aren't the CRD's defaults."""
    return {
        **fields_copied(spec),
        **_retention(spec.get("persistentVolumeClaimRetentionPolicy") or {}),
        **_update_strategy(spec.get("updateStrategy") or {}),
    }


def _retention(policy: Mapping[str, Any]) -> dict[str, Any]:
    fields = {"claimsWhenDeleted": policy.get("whenDeleted"), "claimsWhenScaled": policy.get("whenScaled")}
    return {name: value for name, value in fields.items() if value not in (None, ClaimRetention.RETAIN)}


def _update_strategy(strategy: Mapping[str, Any]) -> dict[str, Any]:
    update = strategy.get("type", UpdateType.ROLLING_UPDATE)
    rolling, scheduled = strategy.get("rollingUpdate") or {}, strategy.get("scheduledUpdate") or {}
    fields = {
        "type": update,
        "maxUnavailable": rolling.get("maxUnavailable") if update == UpdateType.ROLLING_UPDATE else None,
        **(scheduled if update == UpdateType.SCHEDULED_UPDATE else {}),
    }
    defaults = UpdateStrategySpec().model_dump(mode="json", by_alias=True)
    fields = {name: value for name, value in fields.items() if value and value != defaults.get(name)}
    return {"updateStrategy": {"type": update, **fields}} if fields else {}
