"""Rules between Slurm clusters of one Kubernetes cluster."""

from itertools import combinations
from typing import Any

from hypothesis import given, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
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


def test_no_two_clusters_have_one_persistent_volume() -> None:
    def cluster(namespace: str, name: str, *volumes: dict[str, Any]) -> SlurmSpec:
        shared = [{"mountPath": f"/{index}", **volume} for index, volume in enumerate(volumes)]
        return load({"name": name, "namespace": namespace, "sharedVolumes": shared}, [])[0]

    nfs = {"nfs": {"server": "nfs.example.org", "path": "/x"}}
    one = cluster("a", "b", {"name": "c-d", **nfs})
    for other in (
        cluster("a-b", "c", {"name": "e", **nfs}, {"name": "d", **nfs}),
        cluster("a-b", "c-d", {"name": "e", **nfs}),
    ):
        made = [
            {item["metadata"]["name"] for item in render(spec, []) if item["kind"] == "PersistentVolume"}
            for spec in (one, other)
        ]
        errors = [*check_clusters([one, other])]
        assert bool(made[0] & made[1]) == bool(errors)
        assert [error.path for error in errors] in ([], [(1, "shared_volumes", 1, "name")])
    (error,) = check_clusters([one, cluster("a-b", "c", {"name": "d", **nfs})])
    assert error.problem == (
        'its PersistentVolume is called "a-b-c-d", as is one of the Slurm cluster "b" in namespace "a"'
    )
    assert error.fix == "Choose another name."
    # A StorageClass names its own, and who brings a claim has a volume.
    for kind in ({"storageClass": "x"}, {"existingClaim": "x"}):
        assert [*check_clusters([one, cluster("a-b", "c", {"name": "d", **kind})])] == []


def test_releases_confuse_clusters_of_one_name_until_the_one_that_mends_it() -> None:
    defect = "this release stops the node sets of two Slurm clusters that have one name, whatever their namespaces are"
    without = [
        release for release in RELEASES if defect not in {found.value for found in operator_version(release).defects}
    ]
    assert without == ["1.1.3", "1.2.2", "1.3.0"]


def test_a_release_that_crashes_for_it_has_no_cluster_without_accounting_beside_one_with_it() -> None:
    def errors(release: str, *accounting: bool) -> list[str]:
        stated: list[dict[str, Any]] = [
            {"name": f"c{index}", "namespace": f"c{index}", "operatorVersion": release}
            | ({"accounting": {}} if has_accounting else {})
            for index, has_accounting in enumerate(accounting)
        ]
        return [str(error) for error in check_clusters([load(spec, [])[0] for spec in stated])]

    assert [len(errors("1.1.0", *both)) for both in ((True, True), (False, False), (True, False), (False, True))] == [
        *(0, 0, 1, 1)
    ]
    (error,) = errors("1.1.0", False, True)
    assert '[1].accounting: the Slurm cluster "c0" has none, and slurm-operator 1.1.0 crashes' in error
    assert [release for release in RELEASES if errors(release, True, False)] == ["1.1.0"]
