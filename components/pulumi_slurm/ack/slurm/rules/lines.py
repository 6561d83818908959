"""Lines of configuration files that the Slurm in this route's image reads: an older one than the specification's."""

from collections.abc import Iterator
from dataclasses import replace

from pulumi_slurm.ack.slurm.rules.case import ACK, CLUSTER, Case
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.known_keys import slurm_knows_the_files, slurm_knows_the_lines
from pulumi_slurm.slurmconf.catalogue import key_issue


def slurm_knows_them(case: Case) -> Iterator[FieldError]:
    """Refuse keys and values at which the image's Slurm would stop, or which it would take without any effect."""
    # The rules of the specification, with the image's series in place of the specification's.
    older = case.spec.model_copy(update={"slurm_version": case.ack.slurm_version})
    version = (*ACK, "slurm_version")
    for error in (*slurm_knows_the_lines(older), *slurm_knows_the_files(older)):
        yield replace(error, path=(*CLUSTER, *error.path), depends_on_fields=(version,))
    conf = case.conf
    stated = {name.lower() for name in case.spec.slurm_conf.extra}
    for name in conf.options:
        if name.lower() not in stated and (issue := key_issue(conf.file, name, case.ack.series)):
            problem = f"a line that is needed here has the key {name}: {issue.problem}"
            yield FieldError(version, case.ack.slurm_version, problem, issue.fix)
