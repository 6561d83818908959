"""Errors in lines of slurm.conf that are given as text."""

from collections.abc import Iterator, Mapping

from pulumi_slurm.derived.operator_lines import lines_operator_writes
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.content import require
from pulumi_slurm.slurmconf.requirements import unmet
from pulumi_slurm.slurmconf.values import write
from pulumi_slurm.slurmconf.version import Series


def extra_conf_errors(
    text: str, cluster: ClusterRef, files: Mapping[str, str], *, own_plugins: bool
) -> Iterator[FieldError]:
    """Yield the errors of lines at the end of slurm.conf: what slurmctld doesn't read, and what it exits with.

    Args:
        text: the lines.
        cluster: the cluster, whose other lines the operator writes.
        files: the text of the other files in /etc/slurm by name.
        own_plugins: whether slurmctld's image is the user's, and may have plugins that Slurm's source has not.
    """
    series = Series.of(cluster.slurm_version)
    try:
        conf = parse(text, File.SLURM, series, name="extraConf", include=lambda _: "")
    except ConfError as error:
        for line in error.errors:
            yield FieldError(("extra_conf",), line.text, f"{line.location}: {line.issue.problem}", line.issue.fix)
        return
    keys = {name: require(File.SLURM, name, None) for name in conf.options}
    texts = {name: write(keys[name].type, value) for name, value in conf.options.items()}
    for name, value in texts.items():
        if (issue := keys[name].plugin_issue(value, series)) and not own_plugins:
            yield FieldError(("extra_conf",), f"{name}={value}", issue.problem, issue.fix)
    spec = SlurmSpec.model_validate({field: getattr(cluster, field) for field in ClusterRef.model_fields})
    of_operator = {name: str(value) for name, value in lines_operator_writes(spec).items() if value is not None}
    for item in unmet({**of_operator, **texts}, series, files):
        names = [name for name in item.keys if name in texts]
        if names:
            yield FieldError(("extra_conf",), f"{names[0]}={texts[names[0]]}", item.issue.problem, item.issue.fix)
