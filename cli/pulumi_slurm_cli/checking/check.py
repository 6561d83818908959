"""All that is wrong with a stack's file, without an engine, a backend, secrets or a network."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pulumi_slurm.errors import FieldError, format_path
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_clusters
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.engine_yaml import EngineYamlError, Place
from pulumi_slurm_stacks.config import Judgement, SlurmStackConfig, StackConfig, judge, prefixed


class Level(StrEnum):
    """What a finding means for the stack."""

    ERROR = "error"
    """It is refused."""
    WARNING = "warning"
    """It is to be reviewed."""
    NOTE = "note"
    """There is nothing to do: the file accepts it, or it couldn't be judged."""


@dataclass(frozen=True)
class Finding:
    """Something about one field of a stack's file."""

    file: str
    place: Place
    level: Level
    path: str
    """The path of the field, "" for the file as a whole."""
    text: str
    """What is wrong, and what to write instead, on one line; it begins with the path and the value."""
    rule: str | None = None
    """The rule that reported it, under whose name the reference has it; None for a check of a single field."""


def check(text: str, name: str) -> list[Finding]:
    """Return what there is to say of a stack's file, errors first, then in the order of the file."""
    return check_files([(text, name)])


def check_files(files: Sequence[tuple[str, str]]) -> list[Finding]:
    """Return what there is to say of stacks' files, each a text and a name: of each as above, then between them."""
    findings: list[Finding] = []
    clusters: dict[tuple[str, ...], list[_Cluster]] = {}
    for text, name in files:
        try:
            file = StackFile.of(text)
        except EngineYamlError as error:
            findings.append(unreadable(error, name))
            continue
        judgement = judge(file)
        of_file = _findings(file, name, judgement)
        findings += sorted(of_file, key=lambda finding: (list(Level).index(finding.level), *_order(finding)))
        config = judgement.config
        if isinstance(config, SlurmStackConfig) and config.kubernetes_cluster:
            clusters.setdefault(config.kubernetes_cluster, []).append(_Cluster(file, name, config.cluster))
    return [*findings, *(finding for together in clusters.values() for finding in _between(together))]


@dataclass(frozen=True)
class _Cluster:
    """The Slurm cluster of a file."""

    file: StackFile
    name: str
    spec: SlurmSpec


def _between(clusters: Sequence[_Cluster]) -> Iterator[Finding]:
    """Yield what there is to say of Slurm clusters on one Kubernetes cluster."""
    for error in check_clusters([cluster.spec for cluster in clusters]):
        index, *path = error.path
        cluster = clusters[int(index)]
        yield finding(cluster.file, cluster.name, Level.ERROR, prefixed(replace(error, path=("cluster", *path))))


def unreadable(error: EngineYamlError, name: str) -> Finding:
    """Return what there is to say of a file that the engine can't read."""
    message = f"{error.problem}. Pulumi can't read the file: correct what is there."
    return Finding(name, error.place or Place(1, 1), Level.ERROR, "", message)


def finding(file: StackFile, name: str, level: Level, error: FieldError, text: str | None = None) -> Finding:
    """Return what an error says of a file; ``text`` is what to say in place of its own."""
    return Finding(name, file.place(error.path), level, format_path(error.path), text or str(error), error.code)


def configuration(text: str) -> tuple[StackConfig | None, list[FieldError]]:
    """Return what a stack's file comes to, and every error in it; secrets may be missing.

    Raises:
        EngineYamlError: if Pulumi can't read the file.
    """
    judgement = judge(StackFile.of(text), with_secrets=False)
    return judgement.config, judgement.errors


def _order(finding: Finding) -> tuple[int, int]:
    return finding.place.line, finding.place.column


def _findings(file: StackFile, name: str, judgement: Judgement) -> Iterator[Finding]:
    levels = [(Level.ERROR, error) for error in judgement.errors]
    levels += [(Level.WARNING, warning) for warning in judgement.warnings]
    levels += [(Level.NOTE, note) for note in (*judgement.unread, *judgement.unset)]
    for level, error in levels:
        yield finding(file, name, level, error)
    for warning, reason in judgement.accepted:
        yield finding(file, name, Level.NOTE, warning, f"{warning} Accepted: {reason}")
