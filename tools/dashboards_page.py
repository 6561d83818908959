"""The page of the dashboard's panels, made from their table; ``make generate`` writes it anew."""

from pathlib import Path

from pulumi_slurm.derived.dashboards import ROWS, Panel, Row
from tools.generate_reference import DO_NOT_EDIT

FILE = Path(__file__).parent.parent / "docs" / "dashboards.md"
_INTRO = (
    "What the panels of `monitoring.dashboards` show. How to get them: [Monitoring](monitoring.md#dashboards). In "
    "brackets are the lines or columns of a panel that has more than one."
)


def text() -> str:
    """Return the page."""
    return "\n\n".join((DO_NOT_EDIT, "# Dashboards", _INTRO, *map(_section, ROWS))) + "\n"


def _section(row: Row) -> str:
    return "\n".join((f"## {row.title}", "", *map(_item, row.panels)))


def _item(panel: Panel) -> str:
    names = f" ({', '.join(line.name for line in panel.lines)})" if len(panel.lines) > 1 else ""
    return f"- {panel.title}{names}: {panel.description}"


if __name__ == "__main__":
    FILE.write_text(text())
