"""Whatever specification there is: its files are the same each time, and nothing of a secret is in them."""

import json

from hypothesis import given, settings, strategies as st

from pulumi_slurm.keys import ROOT_KEY_OF_ZEROS, Purpose, derive
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_cli.offline.rendering import Files, render
from tests.stack_configuration import ROOT_KEY
from tests.unit.strategies import specs

PASSWORD = "correct-horse-battery-staple"
GENERATIONS = range(1, 10)


def rendered(spec: SlurmSpec, pools: list[NodePoolSpec], *, in_clear: bool) -> Files:
    def dumped(model: SlurmSpec | NodePoolSpec) -> object:
        return model.model_dump(mode="json", by_alias=True, exclude_unset=True)

    config = {"kind": "kubernetes", "cluster": dumped(spec), "pools": [dumped(pool) for pool in pools]}
    if in_clear:
        config |= {"rootKey": ROOT_KEY, "ldapBindPassword": PASSWORD}
    text = json.dumps({"config": {f"slurm:{key}": value for key, value in config.items()}})
    return render(text, "Pulumi.hpc.yaml").files


@settings(max_examples=25, deadline=None)
@given(specs(), st.booleans())
def test_files_are_the_same_each_time_and_have_no_secret(
    drawn: tuple[SlurmSpec, list[NodePoolSpec]], in_clear: bool
) -> None:
    spec, pools = drawn
    files = rendered(spec, pools, in_clear=in_clear)
    assert files == rendered(spec, pools, in_clear=not in_clear)
    assert [*files] == sorted(files)
    keys = [
        derive(root, spec.name, purpose, generation)
        for root in (ROOT_KEY, ROOT_KEY_OF_ZEROS)
        for purpose in Purpose
        for generation in GENERATIONS
    ]
    whole = "\0".join(files.values())
    assert [
        text for text in (ROOT_KEY, ROOT_KEY_OF_ZEROS, PASSWORD, "stands-in-for-a-secret", *keys) if text in whole
    ] == []
