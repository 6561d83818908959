"""Rules between Slurm clusters of one Kubernetes cluster."""

from itertools import combinations

from hypothesis import given, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from pulumi_slurm.rules import check_clusters

NAMES = st.sampled_from(["a", "b", "a-b", "b-c", "c", "a-b-c"])
CLUSTERS = st.builds(
    lambda name, namespace, release: load({"name": name, "namespace": namespace, "operatorVersion": release}, [])[0],
    NAMES,
    NAMES,
    st.sampled_from(["1.1.2", "1.1.3"]),
)


def in_the_way(one: SlurmSpec, other: SlurmSpec) -> bool:
    confused = "1.1.2" in (one.operator_version, other.operator_version)
    return (
        one.namespace == other.namespace
        or (confused and one.name == other.name)
        or f"{one.namespace}-{one.name}" == f"{other.namespace}-{other.name}"
    )


@given(st.lists(CLUSTERS, max_size=4))
def test_each_cluster_that_is_in_the_way_of_an_earlier_one_is_refused(specs: list[SlurmSpec]) -> None:
    pairs = [(one, other) for one, other in combinations(range(len(specs)), 2) if in_the_way(specs[one], specs[other])]
    errors = [*check_clusters(specs)]
    assert {error.path[0] for error in errors} == {later for _, later in pairs}
    assert all(error.code for error in errors)


def test_releases_confuse_clusters_of_one_name_until_the_one_that_mends_it() -> None:
    defect = "this release stops the node sets of two Slurm clusters that have one name, whatever their namespaces are"
    without = [
        release for release in RELEASES if defect not in {found.value for found in operator_version(release).defects}
    ]
    assert without == ["1.1.3", "1.2.2", "1.3.0"]
