"""Files of users beside the start scripts, which are mounted with them."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.manifests.start_scripts import scripts
from pulumi_slurm.ack_slurm.rules.context import CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule


def files_are_no_start_scripts(context: RuleContext) -> Iterator[FieldError]:
    """Refuse files of the names of start scripts, which would be there in their place."""
    spec, start_scripts = context.spec, scripts(context.spec, context.ack)
    files: dict[Path, dict[str, str]] = {("config_files",): spec.config_files}
    files |= {("hooks", field): getattr(spec.hooks, field) for field in type(spec.hooks).model_fields}
    for at, by_name in files.items():
        for name in sorted(by_name.keys() & start_scripts.keys()):
            problem = "pods start by a script of this name, which would be there in its place"
            yield FieldError((*CLUSTER, *at, name), "...", problem, "Give it another name.")


RULES: tuple[Rule, ...] = (files_are_no_start_scripts,)
