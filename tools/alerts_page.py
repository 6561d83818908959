"""The page of the alerts, a section for each, made from their table; ``make generate`` writes it anew."""

from pathlib import Path

from pulumi_slurm.derived.alerts import ALERTS, Alert
from pulumi_slurm.model.alerts import AlertRulesSpec
from tools.generate_reference import DO_NOT_EDIT

FILE = Path(__file__).parent.parent / "docs" / "alerts.md"
_INTRO = (
    "What to do when an alert on slurmctld's metrics fires, and what each means. How to get them: "
    "[Monitoring](monitoring.md). Behind each name are its field in `monitoring.rules` and the defaults; all fields: "
    "[Alerts](reference/alerts.md). `sinfo`, `sdiag` and `scontrol` run on a login node, or in slurmctld's pod."
)


def text() -> str:
    """Return the page."""
    sections = ("\n".join(_section(alert)) for alert in ALERTS)
    return "\n\n".join((DO_NOT_EDIT, "# Alerts", _INTRO, *sections)) + "\n"


def _section(alert: Alert) -> tuple[str, ...]:
    options = alert.options(AlertRulesSpec()).model_dump(mode="json", by_alias=True, exclude={"enabled"})
    values = ", ".join(f"{name} {_number(value)}" for name, value in options.items())
    field = AlertRulesSpec.model_fields[alert.field].alias
    return (
        f"## {alert.name}",
        "",
        f"- Meaning (`{field}`: {values}): {alert.meaning}",
        f"- First: {alert.first}",
        f"- Usual causes: {alert.causes}",
    )


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    FILE.write_text(text())
