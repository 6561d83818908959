"""The identities of nodes and pods in Google Cloud."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import GkeNodeAccount, GkeNodeAccountArgs, GkeWorkloadIdentity, GkeWorkloadIdentityArgs
from tests.components.conftest import Build, Registered

ACCOUNT = GkeNodeAccountArgs(project="my-project", gke_cluster="abcdefghijklmnopqrst")
EMAIL: dict[str, Mapping[str, Any]] = {
    "hpc-account": {"email": "abcdefghijklmnopqrst-nodes@my-project.iam.gserviceaccount.com"}
}
POD = "serviceAccount:my-project.svc.id.goog[slurm/jobs]"


def of(resources: list[Registered], typ: str) -> list[Registered]:
    return [item for item in resources if item.typ == typ]


def test_nodes_have_an_account_with_few_roles(build: Build) -> None:
    emails: list[str] = []

    def program() -> None:
        account = GkeNodeAccount("hpc", ACCOUNT)
        account.email.apply(emails.append)

    resources = build(program, EMAIL)
    (account,) = of(resources, "gcp:serviceaccount/account:Account")
    assert account.inputs["accountId"] == "abcdefghijklmnopqrst-nodes"
    assert 6 <= len(account.inputs["accountId"]) <= 30, "Google's limits, even for the longest name"
    assert emails == [EMAIL["hpc-account"]["email"]]
    granted = of(resources, "gcp:projects/iAMMember:IAMMember")
    assert {item.inputs["role"] for item in granted} == {
        "roles/logging.logWriter",
        "roles/monitoring.metricWriter",
        "roles/monitoring.viewer",
        "roles/stackdriver.resourceMetadata.writer",
        "roles/artifactregistry.reader",
        "roles/container.defaultNodeServiceAccount",
        "roles/serviceusage.serviceUsageConsumer",
    }
    assert {item.inputs["member"] for item in granted} == {f"serviceAccount:{emails[0]}"}
    assert {item.inputs["project"] for item in granted} == {"my-project"}


def test_no_role_is_taken_from_other_members(build: Build) -> None:
    def program() -> None:
        GkeNodeAccount("hpc", ACCOUNT)
        GkeWorkloadIdentity("jobs", identity(buckets={"data": "hpc-data"}, project_roles=["roles/cloudsql.client"]))

    for item in build(program, EMAIL):
        assert "IAMBinding" not in item.typ
        assert "IAMPolicy" not in item.typ


def identity(**fields: Any) -> GkeWorkloadIdentityArgs:
    return GkeWorkloadIdentityArgs(
        **{"project": "my-project", "namespace": "slurm", "service_account": "jobs", **fields}
    )


def test_pods_can_only_use_the_buckets_that_they_mount(build: Build) -> None:
    args = identity(buckets={"data": pulumi.Output.from_input("b1")}, read_only_buckets={"models": "b2"})
    resources = build(lambda: GkeWorkloadIdentity("jobs", args))
    (account,) = of(resources, "kubernetes:core/v1:ServiceAccount")
    assert (account.inputs["metadata"]["namespace"], account.kubernetes_name) == ("slurm", "jobs")
    assert account.inputs["automountServiceAccountToken"] is False
    granted = of(resources, "gcp:storage/bucketIAMMember:BucketIAMMember")
    assert {(item.inputs["bucket"], item.inputs["role"], item.inputs["member"]) for item in granted} == {
        ("b1", "roles/storage.objectUser", POD),
        ("b2", "roles/storage.objectViewer", POD),
    }
    assert of(resources, "gcp:projects/iAMMember:IAMMember") == []


def test_pods_get_the_configured_roles(build: Build) -> None:
    resources = build(lambda: GkeWorkloadIdentity("jobs", identity(project_roles=["roles/cloudsql.client"])))
    (granted,) = of(resources, "gcp:projects/iAMMember:IAMMember")
    assert granted.inputs == {"project": "my-project", "role": "roles/cloudsql.client", "member": POD}


def test_resources_are_called_by_the_last_part_of_a_role(build: Build) -> None:
    roles = ["roles/cloudsql.client", "projects/my-project/roles/jobRunner", "organizations/123456789012/roles/reader"]
    resources = build(lambda: GkeWorkloadIdentity("jobs", identity(project_roles=roles)))
    granted = of(resources, "gcp:projects/iAMMember:IAMMember")
    assert {item.name: item.inputs["role"] for item in granted} == {
        "jobs-cloudsql.client": roles[0],
        "jobs-jobRunner": roles[1],
        "jobs-reader": roles[2],
    }


@pytest.mark.parametrize(
    "role",
    [
        "",
        "cloudsql.client",
        "roles/",
        "roles/a/b",
        "roles/a b",
        "role/a",
        "projects/roles/a",
        "organizations/x/roles/a",
    ],
)
def test_what_is_not_a_role_is_refused(role: str) -> None:
    with pytest.raises(SpecError) as caught:
        identity(project_roles=["roles/cloudsql.client", role])
    assert [str(error) for error in caught.value.errors] == [
        f'project_roles[1] = "{role}": this is not the full name of a role. Write for example "roles/cloudsql.client", '
        'or "projects/P/roles/R" for a custom role.'
    ]


def test_members_depend_on_the_cluster(build: Build) -> None:
    def program() -> None:
        cluster = pulumi.CustomResource("gcp:container/cluster:Cluster", "cluster", {})
        options = pulumi.ResourceOptions(depends_on=[cluster])
        GkeWorkloadIdentity("jobs", identity(buckets={"data": "b"}, project_roles=["roles/cloudsql.client"]), options)

    resources = build(program)
    for item in resources:
        if "IAMMember" in item.typ:
            assert any(urn.endswith("::cluster") for urn in item.depends_on), item.name


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"buckets": {"data": "b"}, "read_only_buckets": {"data": "b"}},
            "read_only_buckets.data: its pods read and write a bucket with this key already. Keep one of them.",
        ),
        (
            {"service_account": "default"},
            'service_account = "default": Kubernetes creates this one in every namespace, and every pod without a '
            "ServiceAccount has it. Use another ServiceAccount for the pods.",
        ),
        (
            {"project_roles": ["roles/cloudsql.client", "roles/cloudsql.client"]},
            'project_roles[1] = "roles/cloudsql.client": this role is named before. Leave it out.',
        ),
        (
            {"project_roles": ["roles/viewer", "projects/my-project/roles/viewer"]},
            'project_roles[1] = "projects/my-project/roles/viewer": another role ends in viewer too, and their '
            "resources would have the same name. Give one of them to the pods by another component or policy.",
        ),
    ],
)
def test_errors(fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as caught:
        identity(**fields)
    assert [str(error) for error in caught.value.errors] == [expected]


def test_the_longest_name_of_a_cluster() -> None:
    with pytest.raises(SpecError, match="gke_cluster = "):
        GkeNodeAccountArgs(project="my-project", gke_cluster="a" * 21)


def test_names_can_be_outputs(build: Build) -> None:
    project, cluster = pulumi.Output.from_input("my-project"), pulumi.Output.from_input("abcdefghijklmnopqrst")

    def program() -> None:
        GkeNodeAccount("hpc", GkeNodeAccountArgs(project=project, gke_cluster=cluster))
        GkeWorkloadIdentity("jobs", identity(project=project, project_roles=["roles/cloudsql.client"]))

    resources = build(program, EMAIL)
    assert of(resources, "gcp:serviceaccount/account:Account")[0].inputs["accountId"] == "abcdefghijklmnopqrst-nodes"
    assert POD in {item.inputs["member"] for item in of(resources, "gcp:projects/iAMMember:IAMMember")}
