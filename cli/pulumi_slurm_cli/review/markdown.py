"""A review as Markdown for a comment: what a tired reviewer needs first, and the rest in folds.

Forges cut, or refuse, what is too long. So there is a budget, spent from the top: a section that doesn't fit becomes a
line that says so with its count, and never a fold or a table that doesn't end.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.review.effect import SEVERE, Verdict
from pulumi_slurm_cli.review.jobs import Outcome
from pulumi_slurm_cli.review.picture import mermaid
from pulumi_slurm_cli.review.report import (
    Review,
    ShownAmount,
    ShownCluster,
    ShownCost,
    ShownEffect,
    ShownJob,
    ShownResource,
    ShownSize,
)
from pulumi_slurm_cli.review.text import fenced, folded, plain, table

BUDGET = 60_000
"""Characters. GitHub takes 262,144 bytes for a comment, and says 65,536 characters: dead-claudia/github-limits#13. With
60,000 there is room whichever holds, since none takes more than four bytes."""
MARKER = "<!-- pulumi-slurm review: {} -->"
_RESERVE = 400
"""What the end takes, and the line in place of a section."""
_ROWS = 50
"""Rows of a table before the rest is counted."""
_SIGNS = MappingProxyType(
    {
        Verdict.NOTHING: "✅",
        Verdict.RECONFIGURE: "✅",
        Verdict.RESTART: "🔄",
        Verdict.UNJUDGED: "❓",
        Verdict.DRAINS: "⏳",
        Verdict.ENDS: "🛑",
        Verdict.LOSES: "🛑",
    }
)
_OUTCOMES = MappingProxyType(
    {
        Outcome.ENDS: ("ends", "end", "may end"),
        Outcome.REQUEUED: (
            "starts again from its beginning",
            "start again from their beginning",
            "may start again from the beginning",
        ),
        Outcome.HOLDS_UP: ("holds the update up", "hold the update up", "may hold the update up"),
        Outcome.DRAINED: ("is waited for", "are waited for", "may be waited for"),
        Outcome.NEVER_STARTS: ("can never start", "can never start", "may never start"),
    }
)
"""The texts for one job, for several jobs, and for jobs that may be concerned."""


_Ends = tuple[float, float]
_NOTHING: _Ends = (0.0, 0.0)


@dataclass(frozen=True)
class _Section:
    name: str
    """What stands in its place where it doesn't fit."""
    count: int
    text: str


def marker(project: str, stack: str) -> str:
    """Return the first line, by which the comment of a stack is found again."""
    data = json.dumps({"schema": 1, "project": project, "stack": stack}, ensure_ascii=True)
    # Nothing in it may end the comment.
    return MARKER.format(data.replace("<", "\\u003c").replace(">", "\\u003e").replace("--", "\\u002d\\u002d"))


def markdown(review: Review, budget: int = BUDGET) -> str:
    """Return the whole text, at most ``budget`` characters, which is at least 4,000."""
    parts = [marker(review.project, review.stack), _head(review)]
    end = _end(review)
    remaining = budget - sum(len(part) + 2 for part in parts) - len(end) - _RESERVE
    for section in _sections(review):
        if len(section.text) + 2 <= remaining:
            parts.append(section.text)
            remaining -= len(section.text) + 2
        else:
            line = f"_{section.name}: {section.count}, left out here; the whole report has them._"
            if len(line) + 2 <= remaining:
                parts.append(line)
                remaining -= len(line) + 2
    return "\n\n".join([*parts, end]) + "\n"


def _head(review: Review) -> str:
    stack = f"{plain(review.project)}/{plain(review.stack)}"
    if review.changes_nothing:
        return f"### {stack}: no change"
    title, failed = f"### {_SIGNS[review.verdict]} {stack}: {review.verdict}", []
    if review.forbidden or review.errors:
        why = "a policy forbids it" if review.forbidden else "the preview failed"
        title = f"### ❌ {stack}: {why}; as far as it went: {review.verdict}"
        failed = ["**The preview failed, so the change may be more than what is here.**"]
    five = [
        f"- **Partitions**: {_partitions_line(review)}",
        f"- **Nodes**: {_nodes_line(review)}",
        f"- **GPUs**: {_gpus_line(review)}",
        f"- **Jobs**: {_jobs_line(review)}",
        f"- **Money**: {_money_line(review)}",
        *([f"- **Policies**: {_policies_line(review)}"] if review.policies else []),
    ]
    return "\n\n".join([title, *failed, "\n".join(five)])


def _partitions_line(review: Review) -> str:
    changed = []
    for cluster in review.clusters:
        for partition in cluster.partitions:
            if partition.before is None:
                changed.append(f"{plain(partition.name)} is new")
            elif partition.after is None:
                changed.append(f"**{plain(partition.name)} goes**")
            elif partition.limits:
                changed.append(f"{plain(partition.name)} ({few(map(plain, partition.limits))})")
            elif partition.before != partition.after:
                changed.append(f"{plain(partition.name)} {_sizes(partition.before, partition.after)}")
    return few(changed) if changed else "as they are"


def _sizes(before: ShownSize, after: ShownSize) -> str:
    return f"{_arrow(before.nodes, after.nodes)} nodes, {_arrow(before.cpus, after.cpus)} CPUs"


def _nodes_line(review: Review) -> str:
    texts = []
    for cluster in review.clusters:
        before, after = cluster.nodes
        changed = [
            f"{plain(item.name)} {_arrow(_nodes(item.before), _nodes(item.after))}"
            for item in cluster.node_sets
            if _nodes(item.before) != _nodes(item.after)
        ]
        texts.append(_arrow(before.nodes, after.nodes) + (f" ({few(changed)})" if changed else ""))
    return few(texts) or "none"


def _nodes(size: ShownSize | None) -> ShownAmount:
    return size.nodes if size else _ZERO


def _gpus_line(review: Review) -> str:
    texts = []
    for cluster in review.clusters:
        before, after = (size.gpus for size in cluster.nodes)
        for kind in dict.fromkeys([*before, *after]):
            texts.append(f"{plain(kind)} {_arrow(before.get(kind, _ZERO), after.get(kind, _ZERO))}")
    return few(texts) or "none"


def _jobs_line(review: Review) -> str:
    jobs = review.jobs
    if not jobs.looked:
        return f"**not looked at**: {plain(jobs.why_not, 200)}"
    if not jobs.there:
        return "none: the cluster is new"
    counts = []
    for outcome, (one, many, _) in _OUTCOMES.items():
        sure = sum(job.outcome is outcome and not job.may for job in jobs.in_the_way)
        if sure:
            counts.append(f"**{sure} {one if sure == 1 else many}**")
    for outcome, (_, _, maybe) in _OUTCOMES.items():
        unsure = sum(job.outcome is outcome and job.may for job in jobs.in_the_way)
        if unsure:
            counts.append(f"{unsure} {maybe}")
    if jobs.gpu_hours_lost:
        counts.append(f"{jobs.gpu_hours_lost:g} GPU-hours lost")
    of = f"of {jobs.running} running and {jobs.waiting} waiting"
    if not counts and not jobs.running and not jobs.waiting:
        return "none in the queue"
    if not counts:
        return f"none in the way, {of}"
    when = f"; costs nothing from {_time(jobs.costs_nothing_from)}" if jobs.costs_nothing_from else ""
    return f"{', '.join(counts)}, {of}{when}"


def _policies_line(review: Review) -> str:
    mandatory = sum(policy.level == "mandatory" for policy in review.policies)
    others = len(review.policies) - mandatory
    texts = [f"**{mandatory} {'forbids' if mandatory == 1 else 'forbid'} it**"] if mandatory else []
    return ", ".join([*texts, *([f"{others} {'advises' if others == 1 else 'advise'} against"] if others else [])])


def _money_line(review: Review) -> str:
    """Return the sums of what is known, and how many pools aren't."""
    texts = []
    for currency in dict.fromkeys(cost.currency for cost in review.costs if cost.before and cost.after):
        priced = [cost for cost in review.costs if cost.currency == currency and cost.before and cost.after]
        sums = [[sum((side or _NOTHING)[end] for side in sides) for end in (0, 1)] for sides in _sides(priced)]
        (low_before, high_before), (low, high) = sums
        days = dict.fromkeys(cost.prices_of for cost in priced)
        texts.append(
            f"{_difference(low_before, low)} {plain(currency)} a month at least, "
            f"{_difference(high_before, high)} at most, by list prices of {few(plain(of) for of in days)}"
        )
    unknown = sum(not (cost.before and cost.after) for cost in review.costs)
    if unknown:
        texts.append(f"{unknown} node pools without a price")
    return "; ".join(texts[:6]) or "no node pools of a cloud"


def _sides(costs: Sequence[ShownCost]) -> tuple[list[_Ends | None], list[_Ends | None]]:
    return [cost.before for cost in costs], [cost.after for cost in costs]


def _difference(before: float, after: float) -> str:
    change = f" (**{after - before:+,.0f}**)" if round(after - before) else ""
    return f"{after:,.0f}{change}"


def _money(review: Review) -> Iterator[_Section]:
    if not any(cost.before != cost.after for cost in review.costs):
        return
    rows = []
    # Those that change first.
    for cost in sorted(review.costs, key=lambda cost: cost.before == cost.after)[:_ROWS]:
        machine = " → ".join(dict.fromkeys(plain(name) for name in cost.machine if name))
        node_sets = [item for cluster in review.clusters for item in cluster.node_sets if item.pool == cost.pool]
        partitions = dict.fromkeys(plain(name) for item in node_sets for name in item.partitions)
        ends = [_difference(cost.before[end], cost.after[end]) if cost.before and cost.after else "?" for end in (0, 1)]
        rows.append([plain(cost.pool), machine, ", ".join(partitions), *ends, plain(cost.currency)])
    text = table(["Node pool", "Machine", "Partitions", "At least", "At most", "A month"], rows)
    note = "What it costs at least is what idles when no job runs."
    body = "\n".join([text, *_rest(len(review.costs), _ROWS), "", note])
    yield _Section("Costs of node pools", len(review.costs), folded("What node pools cost a month", body))


def _sections(review: Review) -> Iterator[_Section]:
    yield from _errors(review)
    yield from _policies(review, "mandatory")
    yield from _endings(review)
    yield from _effects(review)
    for cluster in review.clusters:
        yield from _partitions(cluster)
        yield from _picture(cluster)
    yield from _policies(review, "advisory")
    yield from _jobs(review)
    yield from _money(review)
    for cluster in review.clusters:
        yield from _lines(cluster)
    yield from _resources(review)
    yield from _unknown(review)


def _errors(review: Review) -> Iterator[_Section]:
    # The engine says this besides what has failed.
    errors = [error for error in review.errors if error != "preview failed"]
    if errors:
        text = "\n".join(fenced(_cut(error, 2000), "text") for error in errors[:5])
        yield _Section("Errors of the preview", len(errors), text)


def _endings(review: Review) -> Iterator[_Section]:
    """Yield what ends jobs or loses data, which is never in a fold, and never left out: a line each, or their count."""
    ends = [effect for effect in review.all_effects if effect.verdict in SEVERE]
    if ends:
        groups = _grouped(ends)
        lines = [f"- 🛑 **{subject}**: {_clause(effect.change, effect.meaning)}" for subject, effect in groups[:20]]
        yield _Section("What ends jobs", len(ends), "\n".join([*lines, *_rest(len(groups), 20)]))
    lost = [job for job in review.jobs.in_the_way if job.outcome in (Outcome.ENDS, Outcome.REQUEUED)]
    if lost:
        yield _Section("Jobs that end", len(lost), f"**Jobs that end**\n\n{_job_table(lost)}")


def _effects(review: Review) -> Iterator[_Section]:
    others = [effect for effect in review.all_effects if effect.verdict not in SEVERE]
    if others:
        groups = _grouped(others)
        rows = [
            [f"{_SIGNS[effect.verdict]} {effect.verdict}", subject, _clause(effect.change, effect.meaning)]
            for subject, effect in groups[:_ROWS]
        ]
        text = table(["For jobs", "What", "Change"], rows)
        yield _Section("Changes", len(others), "\n".join([text, *_rest(len(groups), _ROWS)]))


def _grouped(effects: Iterable[ShownEffect]) -> list[tuple[str, ShownEffect]]:
    """Return effects with their subjects; what means the same for several, such as node sets, is there once."""
    groups: dict[tuple[str, ...], list[ShownEffect]] = {}
    for effect in effects:
        kind = effect.subject.rpartition(" ")[0]
        groups.setdefault((effect.verdict, kind, effect.change, effect.meaning), []).append(effect)
    return [(_subject(group), group[0]) for group in groups.values()]


def _subject(group: Sequence[ShownEffect]) -> str:
    first, *others = (effect.subject for effect in group)
    return few([plain(first), *(plain(subject.rpartition(" ")[2]) for subject in others)], 12)


def _partitions(cluster: ShownCluster) -> Iterator[_Section]:
    changed = [item for item in cluster.partitions if item.before != item.after or item.limits]
    if not changed:
        return
    rows = []
    for item in changed[:_ROWS]:
        none = ShownSize(nodes=_ZERO, cpus=_ZERO, memory_mib=_ZERO, gpus={})
        before, after = item.before or none, item.after or none
        kinds = dict.fromkeys([*before.gpus, *after.gpus])
        gpus = [f"{plain(kind)} {_arrow(before.gpus.get(kind, _ZERO), after.gpus.get(kind, _ZERO))}" for kind in kinds]
        limits = [f"{plain(key)} {plain(old)} → {plain(new)}" for key, (old, new) in item.limits.items()]
        rows.append(
            [
                plain(item.name) + (" (new)" if item.before is None else " (goes)" if item.after is None else ""),
                _arrow(before.nodes, after.nodes),
                _arrow(before.cpus, after.cpus),
                ", ".join(gpus),
                _arrow(_gib(before.memory_mib), _gib(after.memory_mib)),
                ", ".join(limits),
            ]
        )
    text = table(["Partition", "Nodes", "CPUs", "GPUs", "Memory, GiB", "Limits"], rows)
    yield _Section("Partitions", len(changed), "\n".join([text, *_rest(len(changed), _ROWS)]))


def _picture(cluster: ShownCluster) -> Iterator[_Section]:
    if any(item.before != item.after or item.limits for item in cluster.partitions):
        text = folded("Picture of the cluster", fenced(mermaid(cluster), "mermaid"))
        yield _Section("Picture", len(cluster.node_sets), text)


def _policies(review: Review, level: str) -> Iterator[_Section]:
    """Yield what policies forbid, or, in a fold, what they advise."""
    forbids = level == "mandatory"
    policies = [item for item in review.policies if (item.level == "mandatory") is forbids]
    if not policies:
        return
    rows = [[plain(item.policy), plain(item.resource), plain(item.message, 500)] for item in policies[:_ROWS]]
    text = "\n".join([table(["Policy", "Resource", "Finding"], rows), *_rest(len(policies), _ROWS)])
    if forbids:
        yield _Section("What policies forbid", len(policies), f"**What policies forbid**\n\n{text}")
    else:
        yield _Section("What policies advise", len(policies), folded(f"What policies advise: {len(policies)}", text))


def _jobs(review: Review) -> Iterator[_Section]:
    jobs = [job for job in review.jobs.in_the_way if job.outcome not in (Outcome.ENDS, Outcome.REQUEUED)]
    if jobs:
        yield _Section("Jobs in the way", len(jobs), folded(f"Jobs in the way: {len(jobs)}", _job_table(jobs)))


def _job_table(jobs: Sequence[ShownJob]) -> str:
    rows = [
        [
            job.number if _NUMBER.fullmatch(job.number) else plain(job.number),
            plain(job.name),
            plain(job.user),
            plain(job.state),
            ("may be: " if job.may else "") + job.outcome.value,
            plain(job.why, 200),
            _time(job.ends_at) if job.ends_at else "",
        ]
        for job in jobs[:_ROWS]
    ]
    text = table(["Job", "Name", "User", "State", "What becomes of it", "Why", "Ends at the latest"], rows)
    return "\n".join([text, *_rest(len(jobs), _ROWS)])


def _lines(cluster: ShownCluster) -> Iterator[_Section]:
    if cluster.lines:
        text = "\n".join(f"{line.file}: {_cut(line.text, 500)}" for line in cluster.lines[:200])
        body = "\n".join([fenced(text, "text"), *_rest(len(cluster.lines), 200)])
        title = f"Changes in Slurm's files: {len(cluster.lines)}"
        yield _Section(f"Lines of Slurm's files of {plain(cluster.name)}", len(cluster.lines), folded(title, body))


def _resources(review: Review) -> Iterator[_Section]:
    order = ("delete", "replace", "update", "create")
    direct = [item for item in review.resources if not item.derived and not item.hidden]
    direct.sort(key=lambda item: order.index(item.operation))
    derived = sum(item.derived for item in review.resources)
    hidden = [item for item in review.resources if item.hidden and not item.derived]
    if not review.resources:
        return
    lines = [
        f"- {_operation(item)} {plain(item.type.rpartition(':')[2])} {plain(item.name)}"
        + (f" (for {', '.join(map(plain, item.replaced_for))})" if item.replaced_for else "")
        + (f" ({few(map(plain, item.changed))})" if item.changed else "")
        + (" **protected: this fails**" if item.protected and item.operation in ("delete", "replace") else "")
        for item in direct[:200]
    ]
    lines += _rest(len(direct), 200)
    if derived:
        lines.append(f"- {derived} that follow: components, scripts, Jobs that run them, their tokens, parts of charts")
    if hidden:
        names = few(f"{plain(item.type.rpartition(':')[2])} {plain(item.name)}" for item in hidden)
        lines.append(f"- {len(hidden)} of which at most secrets differ: {names}")
    title = f"Resources that change: {len(direct)}" + (f", and {derived} that follow" if derived else "")
    yield _Section("Resources", len(direct), folded(title, "\n".join(lines)))


def _operation(item: ShownResource) -> str:
    return "leave where it is:" if item.retained and item.operation == "delete" else item.operation


def _unknown(review: Review) -> Iterator[_Section]:
    if review.unknown:
        lines = [f"- {plain(item, 200)}" for item in review.unknown[:_ROWS]]
        title = f"Not known before the update: {len(review.unknown)}"
        body = "\n".join([*lines, *_rest(len(review.unknown), _ROWS)])
        yield _Section("Values that are not known yet", len(review.unknown), folded(title, body))


def _end(review: Review) -> str:
    of = "the engine's preview" if review.source == "preview" else "the two files of settings, without the engine"
    commit = (review.commit or "")[:12]
    # As a link to it, if it is one.
    commit = f" of {commit if _COMMIT.fullmatch(commit) else plain(commit)}" if commit else ""
    return f"<sub>From {of}{commit}, {review.made_at.strftime('%Y-%m-%d %H:%M UTC')}</sub>"


_COMMIT = re.compile("[0-9a-f]{7,12}")
_NUMBER = re.compile("[0-9]{1,10}")
"""A job's, which people copy; Slurm's have 32 bits."""
_ZERO = ShownAmount(least=0, most=0)


def _arrow(before: ShownAmount, after: ShownAmount) -> str:
    return str(after) if str(before) == str(after) else f"{before} → **{after}**"


def _gib(mib: ShownAmount) -> ShownAmount:
    return ShownAmount(
        least=None if mib.least is None else mib.least // 1024, most=None if mib.most is None else mib.most // 1024
    )


def _clause(change: str, meaning: str) -> str:
    return plain(change, 300) + (f". {plain(meaning, 300)}" if meaning else "")


def _rest(count: int, shown: int) -> list[str]:
    return [f"\nand {count - shown} more"] if count > shown else []


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest} characters more)"


def _time(seconds: int | None) -> str:
    return datetime.fromtimestamp(seconds or 0, UTC).strftime("%Y-%m-%d %H:%M UTC")
