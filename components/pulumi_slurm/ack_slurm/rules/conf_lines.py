"""The lines of slurm.conf, which the Slurm in Alibaba's image has to support: it is older than Slinky's."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, RuleContext
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError
from pulumi_slurm.issue import Issue
from pulumi_slurm.model import PartitionOptionsSpec, SlurmConfSpec, SlurmSpec
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.rules.supported_keys import key_of_field
from pulumi_slurm.slurmconf.catalogue import key_issue
from pulumi_slurm.slurmconf.conf import Conf


def image_supports_the_lines(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a release that doesn't have the keys of our own lines; those of users are judged with all else."""
    version = (*ACK, "slurm_version")
    spec_keys = _stated_keys(context.spec)
    for keyword, name, key in _keys(context.conf):
        if (keyword, name, key.lower()) not in spec_keys and (issue := _key_issue(context, keyword, key)):
            problem = f"slurm.conf needs a line with the key {key}: {issue.problem}"
            yield FieldError(version, context.ack.slurm_version, problem, issue.fix)


def _keys(conf: Conf) -> Iterator[tuple[str | None, str, str]]:
    """Yield all keys of slurm.conf, each with the keyword and the name of its entry, if it is in one."""
    for key in conf.options:
        yield None, "", key
    for entry in conf.entries:
        yield None, "", entry.keyword
        for key in entry.options:
            yield entry.keyword, entry.name, key


def _stated_keys(spec: SlurmSpec) -> set[tuple[str | None, str, str]]:
    """Return the keys of which a rule of the specification speaks, in lower case."""
    models: list[tuple[str | None, str, SlurmConfSpec | PartitionOptionsSpec]] = [(None, "", spec.slurm_conf)]
    models += [("PartitionName", name, options) for _, name, options in all_partitions(spec)]
    return {
        (keyword, name, key.lower())
        for keyword, name, model in models
        for key in (*(key_of_field(field, keyword) for field in type(model).model_fields), *model.extra)
        if key
    }


def _key_issue(context: RuleContext, keyword: str | None, key: str) -> Issue | None:
    return key_issue(context.conf.file, key, context.ack.series, keyword)


RULES: tuple[Rule, ...] = (image_supports_the_lines,)
