"""The files that slurm-operator makes are those that we predict, and real daemons of both releases take them."""

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.diff import compare
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks
from tests.e2e.random_specs import draw
from tests.slurmd.operated.operated_cluster import OperatedClusters
from tests.slurmd.operated.operator import Operator, OperatorFiles, SpecAndPools
from tests.slurmd.site import Site

OPERATOR = "1.1.0"
RANDOM, MORE = 6, 20
"""How many specifications are drawn; the second in `make test-all`."""
STARTED = 5
"""With how many of all files daemons are started always."""
OTHERS = pytest.mark.repeats("tests/slurmd/operated/test_files.py, with predicted files in ../test_random_specs.py")


def specs_and_pools(seed: int, count: int) -> list[SpecAndPools]:
    """Return the specifications of the files that users start from, and random ones.

    Each is for a namespace of its own and has a name of its own, because the operator confuses clusters of one name.
    """
    files = {name: (CHECKOUT / f"Pulumi.{name}.yaml").read_text() for name in ("local", "kubernetes")}
    files["page"] = next(block.text for block in blocks("config") if block.file.name == "existing-cluster.md")
    specs: dict[str, SpecAndPools] = {}
    for name, text in files.items():
        config = yaml.safe_load(text)["config"]
        specs[name] = _in_namespace(*load({**config["slurm:cluster"], "name": name}, config["slurm:pools"]))
    for spec, pools in draw(OPERATOR, 3 * count, seed):
        if not spec.controller.external and len(specs) < len(files) + count:
            specs.setdefault(spec.name, _in_namespace(spec, pools))
    return list(specs.values())


def _in_namespace(spec: SlurmSpec, pools: list[NodePoolSpec]) -> SpecAndPools:
    return spec.model_copy(update={"namespace": f"of-{spec.name}", "operator_version": OPERATOR}), pools


@pytest.fixture(scope="package")
def all_operator_files(operator: Operator, seed: int, request: pytest.FixtureRequest) -> list[OperatorFiles]:
    count = MORE if request.config.getoption("repeats") else RANDOM
    all_operator_files = operator.files(specs_and_pools(seed, count))
    assert len(all_operator_files) == count + 3
    return all_operator_files


def test_they_are_those_that_we_predict(all_operator_files: list[OperatorFiles]) -> None:
    for operator_files in all_operator_files:
        series = Series.of(operator_files.spec.slurm_version)
        predicted = slinky_files(operator_files.spec, operator_files.pools)
        assert {name for name in operator_files.slurmctld if name in set(File)} == {file.value for file in predicted}
        for file, conf in predicted.items():
            differences = compare(conf, parse(str(operator_files.slurmctld[file.value]), file, series), series)
            assert not differences, (
                f"{operator_files.spec.namespace}: {[str(difference) for difference in differences]}"
            )


@pytest.mark.parametrize(
    "part",
    [pytest.param(slice(STARTED), id="first"), pytest.param(slice(STARTED, None), id="others", marks=OTHERS)],
)
def test_daemons_start_from_them(
    all_operator_files: list[OperatorFiles], image: SlurmImage, part: slice, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Site(image, tmp_path_factory.mktemp("operated")) as site:
        clusters = OperatedClusters(site)
        for operator_files in all_operator_files[part]:
            cluster = clusters.start(operator_files)
            clusters.stop(cluster)
