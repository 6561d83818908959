"""Lines of configuration files that the Slurm in this route's image reads: an older one than the specification's."""

from collections.abc import Iterator
from dataclasses import replace

from pulumi_slurm.ack.slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.known_keys import slurm_knows_the_files, slurm_knows_the_lines
from pulumi_slurm.slurmconf.catalogue import key_issue


def slurm_knows_them(context: RuleContext) -> Iterator[FieldError]:
    """Refuse keys and values at which the image's Slurm would stop, or which it would take without any effect."""
    # The rules of the specification, with the image's series in place of the specification's.
    older = context.spec.model_copy(update={"slurm_version": context.ack.slurm_version})
    version = (*ACK, "slurm_version")
    for error in (*slurm_knows_the_lines(older), *slurm_knows_the_files(older)):
        yield replace(error, path=(*CLUSTER, *error.path), depends_on_fields=(version,))
    conf = context.conf
    own = {name.lower() for name in context.spec.slurm_conf.extra}
    for name in conf.options:
        if name.lower() not in own and (issue := key_issue(conf.file, name, context.ack.series)):
            problem = f"a line that is needed here has the key {name}: {issue.problem}"
            yield FieldError(version, context.ack.slurm_version, problem, issue.fix)
