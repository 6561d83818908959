"""``pulumi-slurm prove``: send jobs through a living cluster, and tell whether it does what its stack's file says."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import nearest
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl import plugin_fabric
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.user_error import UserError
from pulumi_slurm.visible import visible_json
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.cluster import add_cluster, cluster_of, operated_cluster
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line, print_text
from pulumi_slurm_cli.commands.signals import sigterm_as_ctrl_c
from pulumi_slurm_cli.commands.stack_configuration import stack_configuration
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.proof import BAD, LEVELS, Result, Trial, find_place, results_of
from pulumi_slurm_cli.proof.baseline import read_baseline, save_baseline
from pulumi_slurm_cli.proof.keeping import keep
from pulumi_slurm_cli.proof.reports import json_of, junit_of, line_of, markdown_of, summary_of

_FORMS: Mapping[str, Callable[[Sequence[Result]], str]] = MappingProxyType(
    {"json": lambda results: visible_json(json_of(results)), "junit": junit_of, "markdown": markdown_of}
)
"""Reports by their options."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, metavar="Pulumi.<stack>.yaml", help=INPUT)
    add_cluster(command)
    command.add_argument("--partition", metavar="NAME", help="the partition that is tried, by default all")
    command.add_argument("--user", metavar="NAME", help='whose the jobs are, by default "nobody"')
    command.add_argument("--account", metavar="NAME", help="the account of the jobs, by default the user's own")
    command.add_argument("--level", choices=[*LEVELS], default="quick", help='what is tried, by default "quick"')
    command.add_argument("--save-baseline", action="store_true", help="keep the rates for later proofs to compare with")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a report for programs")
    form.add_argument("--junit", action="store_true", help="print a report in the form of JUnit")
    form.add_argument("--markdown", action="store_true", help="print a report as a table")


def run(options: argparse.Namespace) -> int:
    """Print what each step comes to; return whether one fails or is slow."""
    source = Source(options.settings)
    config = stack_configuration(source.text(), source.name)
    spec = operated_cluster(config, source.name)
    partitions = [name for _, name, _ in all_partitions(spec)]
    if options.partition not in (None, *partitions):
        fix = nearest(options.partition, partitions)
        raise UserError(f"--partition={options.partition}: the file makes no such partition. {fix}")
    kubectl = cluster_of(options, source, config, writes=True)
    place = find_place(spec, kubectl, options.user)
    baseline = {} if options.level == "quick" else read_baseline(spec, kubectl)
    trial = Trial(
        *(spec, config.pools, place, options.account),
        baseline=baseline,
        only=options.partition,
        **_of_cloud(config),
    )
    form = next((report for name, report in _FORMS.items() if getattr(options, name)), None)
    results: list[Result] = []
    try:
        with sigterm_as_ctrl_c():
            for result in results_of(trial, options.level):
                results.append(result)
                if form is None:
                    print_line(line_of(result))
    except KeyboardInterrupt:
        raise UserError("interrupted: its jobs are cancelled") from None
    finally:
        # What is known is told, also where it couldn't go on.
        if form:
            print_text(form(results) + "\n")
        else:
            print_line(summary_of(results))
    try:
        keep(trial, options.level, results)
    except KubectlError as error:
        print_line(f"warning: what it came to isn't kept in the cluster: {error}", sys.stderr)
    if options.save_baseline and trial.measured:
        save_baseline(spec, kubectl, {**baseline, **trial.measured})
    return DIFFERENT if any(result.verdict in BAD for result in results) else SAME


def _of_cloud(config: Any) -> dict[str, Any]:
    """Return the fields of a `Trial` that tell what a cloud promises of its machines and storage."""
    gke = getattr(config, "gke", None)
    if gke is None:
        return {}
    plan = GkePlan.of(gke)
    return {
        "machine_types": {
            planned.pool.name: planned.pool.machine_type
            for planned in plan.pools
            if plugin_fabric(plan, planned) is not GkeFabric.NONE
        },
        "written": {storage.name: storage.written for storage in gke.storage if storage.written},
    }
