"""Lines of configuration files, which the Slurm in Alibaba's image has to support: it is older than Slinky's."""

from collections.abc import Iterator
from dataclasses import replace

from pulumi_slurm.ack.slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.supported_keys import slurm_supports_the_files, slurm_supports_the_lines
from pulumi_slurm.slurmconf.catalogue import key_issue


def image_supports_the_lines(context: RuleContext) -> Iterator[FieldError]:
    """Refuse keys and values that the image's Slurm would refuse or ignore."""
    # The rules of the Slurm specification, with the image's release instead of the specification's.
    spec = context.spec.model_copy(update={"slurm_version": context.ack.slurm_version})
    version = (*ACK, "slurm_version")
    for error in (*slurm_supports_the_lines(spec), *slurm_supports_the_files(spec)):
        yield replace(error, path=(*CLUSTER, *error.path), depends_on_fields=(version,))
    conf = context.conf
    user_keys = {name.lower() for name in context.spec.slurm_conf.extra}
    for name in conf.options:
        if name.lower() not in user_keys and (issue := key_issue(conf.file, name, context.ack.series)):
            problem = f"slurm.conf needs a line with the key {name}: {issue.problem}"
            yield FieldError(version, context.ack.slurm_version, problem, issue.fix)
