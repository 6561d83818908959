"""Lines of slurm.conf that need other lines or files, and forms of values."""

import yaml

from pulumi_slurm.loading import load
from tests.unit.spec_errors.harness import errors_of


def test_an_image_of_ones_own_may_have_plugins_of_its_own() -> None:
    text = "{name: c, slurmConf: {extra: {JobSubmitPlugins: ours}}, controller: {image: example.com/slurmctld:1}}"
    assert load(yaml.safe_load(text))
    assert errors_of(text.replace("image: example.com/slurmctld:1", "")) != []
