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
from tests.slurmd.operated.operator import Given, Made, Operator
from tests.slurmd.operated.running import Running
from tests.slurmd.site import Site

OPERATOR = "1.1.0"
RANDOM = 20


def given() -> list[Given]:
    """Return the specifications of the files that users start from, and random ones.

    Each is for a namespace of its own and has a name of its own, because the operator confuses clusters of one name.
    """
    files = {name: (CHECKOUT / f"Pulumi.{name}.yaml").read_text() for name in ("local", "kubernetes")}
    files["readme"] = next(block.text for block in blocks("config") if block.file.name == "README.md")
    found: dict[str, Given] = {}
    for name, text in files.items():
        config = yaml.safe_load(text)["config"]
        found[name] = _placed(*load({**config["slurm:cluster"], "name": name}, config["slurm:pools"]))
    for spec, pools in draw(OPERATOR, 3 * RANDOM):
        if not spec.controller.external and len(found) < len(files) + RANDOM:
            found.setdefault(spec.name, _placed(spec, pools))
    return list(found.values())


def _placed(spec: SlurmSpec, pools: list[NodePoolSpec]) -> Given:
    return spec.model_copy(update={"namespace": f"of-{spec.name}", "operator_version": OPERATOR}), pools


@pytest.fixture(scope="package")
def made(operator: Operator) -> list[Made]:
    found = operator.files(given())
    assert len(found) == RANDOM + 3
    return found


def test_they_are_those_that_we_predict(made: list[Made]) -> None:
    for each in made:
        series = Series.of(each.spec.slurm_version)
        predicted = slinky_files(each.spec)
        assert {name for name in each.slurmctld if name in set(File)} == {file.value for file in predicted}
        for file, conf in predicted.items():
            differences = compare(conf, parse(str(each.slurmctld[file.value]), file, series), series)
            assert not differences, f"{each.spec.namespace}: {[str(difference) for difference in differences]}"


def test_daemons_start_from_them(made: list[Made], image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Site(image, tmp_path_factory.mktemp("operated")) as site:
        running = Running(site)
        for each in made:
            cluster = running.start(each)
            running.stop(cluster)
