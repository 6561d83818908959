"""Random alerts, drawn from the fields of their models."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pulumi_slurm import model as s
from pulumi_slurm.derived.alerts import ALERTS, Alert
from tests.unit.value_strategies import label_maps, partial_model

AGES = st.sampled_from(["10m", "90m", "1h30m"])
DURATIONS = st.sampled_from(["1s", "90s", "1m", "5m", "1h30m", "3h"])
VALUES: dict[Any, SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(1, 100_000),
    float: st.floats(1, 100).map(lambda number: round(number, 2)),
    str: DURATIONS,
}
"""Values of fields by their type; a field of another type is one of severities."""

SHORTER_THAN_A_SCRAPE = st.floats(1, 24).map(lambda number: round(number, 2))
"""Seconds that a scrape may take, which by default ends after 25."""
SOME_CLUSTERS = ("database_queue", "backfill_late", "nodes_kill_jobs", "gpus_idle")
"""Alerts that only some clusters can have."""


NAMED: dict[str, SearchStrategy[Any]] = {"age": AGES, "seconds": SHORTER_THAN_A_SCRAPE}


def options(alert: Alert, fixed: dict[str, SearchStrategy[Any]]) -> SearchStrategy[Any]:
    """Draw any fields of an alert, and in any case those that are given."""
    model = type(alert.options(s.AlertRulesSpec()))
    drawn = {
        name: NAMED.get(name, VALUES.get(field.annotation, st.sampled_from(s.AlertSeverity)))
        for name, field in model.model_fields.items()
    }
    return partial_model(model, fixed, **{name: value for name, value in drawn.items() if name not in fixed})


alert_rules = partial_model(
    s.AlertRulesSpec,
    {},
    labels=label_maps,
    annotations=label_maps,
    page=st.sampled_from(["https://wiki.example.org/alerts", "alerts.md"]),
    **{
        alert.field: options(alert, {"enabled": st.just(False)} if alert.field in SOME_CLUSTERS else {})
        for alert in ALERTS
    },
)
