"""A rule on files of `configFiles` that nobody reads."""

import json
from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, nearest
from pulumi_slurm.model.hooks import SLURM_FILES
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


@warns
def slurm_knows_the_files(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of files that Slurm doesn't look for, and that nothing names: only slurmctld's pod has them, for nobody.

    Workers and login nodes get from slurmctld the files that Slurm knows, and those that these include, by
    `new_config_response` in src/common/fetch_config.c of Slurm.
    """
    others = json.dumps(spec.model_dump(mode="json", exclude={"config_files"}))
    for name in spec.config_files if not spec.controller.external else ():
        texts = [others, *(text for other, text in spec.config_files.items() if other != name)]
        if name in SLURM_FILES or name == "resources.yaml" or any(name in text for text in texts):
            continue
        problem = "Slurm looks for no file of this name, and nothing else names it, so nobody reads it"
        near = nearest(name.partition(".")[0], {file.partition(".")[0] for file in SLURM_FILES})
        fix = near if near.startswith("Did") else "Leave it out; extraVolumes of node sets mount files for jobs."
        yield FieldError(("config_files", name), "...", problem, fix, (("slurm_conf",), ("hooks",)))


RULES: tuple[Rule, ...] = (slurm_knows_the_files,)
RULES_OF_SLINKY: tuple[Rule, ...] = (slurm_knows_the_files,)
