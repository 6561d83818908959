"""Labels and annotations, as far as they reach pods, and files that pods read only when they are replaced."""

from typing import Any

from tests.unit.manifests.rendered import MACHINE, WHOLE, rendered, rendered_by_kind

SSH: dict[str, Any] = {**WHOLE, "nodeSets": [{"name": "cpu", "machine": MACHINE, "ssh": {}}]}
KEY = "ssh-ed25519 AAAA alice@example.org"


def test_labels_of_slurmdbd_s_pod_are_on_the_object_itself() -> None:
    """The operator ignores those of the template, and copies the object's own from 1.1 on."""
    accounting = {"pod": {"labels": {"team": "a"}, "annotations": {"example.org/scrape": "yes"}}}
    metadata = rendered_by_kind(accounting=accounting)["Accounting"]["metadata"]
    assert metadata["labels"]["team"] == "a"
    assert metadata["labels"]["app.kubernetes.io/part-of"] == "hpc"
    assert metadata["annotations"] == {"example.org/scrape": "yes"}


def test_labels_of_the_cluster_are_on_every_object_and_pod() -> None:
    cluster = {**WHOLE, "identity": {"directory": {}}, "labels": {"cost-center": "a"}}
    for item in rendered(**cluster):
        assert item["metadata"]["labels"]["cost-center"] == "a", item["kind"]
        template = item.get("spec", {}).get("template", {})
        if "metadata" in template:
            assert template["metadata"]["labels"]["cost-center"] == "a", item["kind"]


def test_a_revoked_root_key_replaces_the_login_pods() -> None:
    """The operator mounts the file by subPath, which Kubernetes never refreshes."""
    with_key, without = (
        rendered_by_kind(**{**WHOLE, "loginSets": [{"name": "login", "rootAuthorizedKeys": keys}]})["LoginSet"]
        for keys in ([KEY], [])
    )
    assert with_key["spec"]["template"] != without["spec"]["template"]


def test_a_changed_sssd_conf_replaces_workers_with_ssh_and_no_others() -> None:
    changed = {**WHOLE["identity"]["ldap"], "userSearchBase": "ou=people,dc=example,dc=org"}
    for identity in ({"ldap": changed}, {**WHOLE["identity"], "generation": 2}):
        assert template({**SSH, "identity": identity}) != template(SSH)
        assert template({**WHOLE, "identity": identity}) == template(WHOLE)


def template(cluster: dict[str, Any]) -> Any:
    return rendered_by_kind(**cluster)["NodeSet"]["spec"]["template"]
