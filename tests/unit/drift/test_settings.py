"""slurm.conf in a look: what slurmctld hasn't read, and what scontrol has set.

Its words are asked of a real slurmctld in tests/slurmd/test_drift_settings.py.
"""

from typing import Any

import pytest

from pulumi_slurm_cli.drift import Kind, of_slurm
from pulumi_slurm_cli.drift.adopt import changed
from tests.unit.drift.worlds import STACK, look, stated

READ: dict[str, Any] = {"KillWait": 30, "SlurmctldDebug": "info", "DebugFlags": [], "SlurmSchedLogLevel": 0}


def with_lines(lines: str) -> str:
    return STACK.replace("    partitions:\n", f"    slurmConf: {{ {lines} }}\n    partitions:\n")


@pytest.mark.parametrize(
    ("lines", "seen", "line"),
    [
        ("extra: { KillWait: 30 }", {}, None),
        ("extra: { PrologFlags: X11 }", {"PrologFlags": ["Alloc", "Contain", "X11"]}, None),
        ("extra: { TaskPlugin: cgroup }", {"TaskPlugin": ["task/cgroup"]}, None),
        ("extra: { MinJobAge: 0 }", {"MinJobAge": 2}, None),
        ("slurmctldDebug: debug", {"SlurmctldDebug": "debug"}, None),
        (
            "extra: { KillWait: 45 }",
            {},
            "slurm.conf: KillWait is 30 in slurmctld's memory, and 45 in the specification; "
            "slurmctld hasn't read it, or refuses the file. Back: scontrol reconfigure",
        ),
        (
            "schedulerParameters: [bf_interval=17]",
            {"SchedulerParameters": []},
            "slurm.conf: SchedulerParameters is not set in slurmctld's memory, and bf_interval=17 in the "
            "specification; slurmctld hasn't read it, or refuses the file. Back: scontrol reconfigure",
        ),
        (
            "extra: { EpilogTimeout: 5 }",
            {"EpilogTimeout": {"set": False, "infinite": False, "number": 0}},
            "slurm.conf: EpilogTimeout is not set in slurmctld's memory, and 5 in the specification; "
            "slurmctld hasn't read it, or refuses the file. Back: scontrol reconfigure",
        ),
        (
            "extra: { DebugFlags: 'Gres,Net' }",
            {"DebugFlags": ["Network", "Backfill"]},
            "slurm.conf: DebugFlags is Network,Backfill in slurmctld's memory, and Gres,Net in the "
            "specification; the next restart or reconfigure loses it. Back: scontrol setdebugflags +gres -backfill",
        ),
        (
            "extra: { KillWait: 30 }",
            {"SlurmctldDebug": "debug2"},
            "slurm.conf: SlurmctldDebug is debug2 in slurmctld's memory, and not set in the "
            "specification; the next restart or reconfigure loses it. Back: scontrol setdebug info",
        ),
    ],
)
def test_what_slurmctld_has_otherwise_is_found(lines: str, seen: dict[str, Any], line: str | None) -> None:
    text = with_lines(lines)
    findings = of_slurm(*stated(text), look(configuration={**READ, **seen}))
    assert [finding.line for finding in findings] == ([line] if line else [])
    for finding in findings:
        assert (finding.kind is Kind.DANGEROUS) == bool(finding.adoption)
        if finding.adoption:
            after = stated(changed(text, finding.adoption))
            assert of_slurm(*after, look(configuration={**READ, **seen})) == []


def test_nothing_is_found_where_slurmrestd_tells_no_slurm_conf() -> None:
    assert of_slurm(*stated(with_lines("extra: { KillWait: 45 }")), look(configuration=None)) == []
