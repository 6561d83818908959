"""Stack configuration: read whole, refused with every error at once."""

import json
from pathlib import Path
from typing import Any

import pulumi
import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm_stacks.running import read_config
from tests.stack_configuration import ROOT_KEY, read

NODE_SET = {"name": "cpu", "pool": "cpu", "partition": {"defMemPerCpu": "3G"}}
CLUSTER: dict[str, Any] = {"name": "hpc", "nodeSets": [NODE_SET]}
POOLS = [{"name": "cpu", "machine": {"cpus": 16, "memory": "64Gi"}, "nodeLabels": {"pool": "cpu"}}]
GOOD: dict[str, Any] = {"kind": "local", "cluster": CLUSTER, "pools": POOLS, "rootKey": ROOT_KEY}


IN_CLEAR = (
    "slurm:rootKey: it stands in the stack's file in clear, for everyone who can read that. Encrypt it, with the "
    "same value: pulumi config set --secret slurm:rootKey"
)

KUBECONFIG = """
contexts: [{name: mine, context: {cluster: mine, user: me}}]
"""


@pytest.fixture(autouse=True)
def _kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubeconfig").write_text(KUBECONFIG)
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))


def read_with(**fields: Any) -> Any:
    """Read a good configuration with some fields changed; None takes one out."""
    return read({f"slurm:{key}": value for key, value in {**GOOD, **fields}.items() if value is not None})


def refused(**fields: Any) -> str:
    with pytest.raises(SpecError) as raised:
        read_with(**fields)
    return str(raised.value)


def test_a_good_configuration() -> None:
    config, secrets = read_with()
    assert config.kind == "local"
    assert config.cluster.node_sets[0].pool == config.pools[0].name
    assert secrets.root_key == ROOT_KEY
    assert ROOT_KEY not in repr(secrets)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kind": None}, "slurm:kind: this field is required. Add kind: which stack"),
        ({"kind": "locall"}, "slurm:kind = \"locall\": this is not one of the choices. Write one of: 'local', 'kub"),
        ({"cluster": None}, "slurm:cluster: this field is required. Write cluster: {name: ...,"),
        ({"cluster": [1]}, "slurm:cluster: this is not a mapping. Write cluster: {name: ..."),
        ({"cluster": "hpc"}, "slurm:cluster: this is not a mapping. Write a mapping."),
        ({"pools": {"cpu": {}}}, "slurm:pools: this is not a list. Write a list of node pools."),
        ({"rootKey": None}, "slurm:rootKey: it is not set, and every key is derived from it. Set it: pulumi config"),
        ({"rootKey": "abc"}, "slurm:rootKey: it is not the base64 form of 32 bytes. Set it anew: pulumi config"),
        (
            {"gke": {}},
            "slurm:gke: this describes a cluster to make on Google Cloud, and a stack of this kind makes none.",
        ),
        (
            {"ack": {}},
            "slurm:ack: this describes a cluster to make on Alibaba Cloud, and a stack of this kind makes none.",
        ),
        (
            {"kind": "gke", "ack": {}},
            "slurm:ack: this describes a cluster to make on Alibaba Cloud, and this stack makes one on Google Cloud. "
            "Write kind: ack, or leave it out.",
        ),
        (
            {"provider": "gkee"},
            "slurm:provider = \"gkee\": this is not one of the choices. Write one of: 'gke', 'ack', 'eks', 'aks'",
        ),
        (
            {"kind": "gke", "provider": "gke"},
            "slurm:provider: a stack of this kind is always on Google Cloud. Leave it out.",
        ),
        ({"clusterr": "x"}, 'slurm:clusterr: there is no such field. Did you mean "cluster"?'),
        ({"createNamespace": "maybe"}, 'slurm:createNamespace = "maybe": this is not true or false.'),
        (
            {"operator": {"installed": True}},
            'slurm:operator.installed = true: there is no such field. Did you mean "pre',
        ),
        (
            {"cluster": {**CLUSTER, "nodeSets": [{"name": "cpu", "pool": "cpuu"}]}},
            'slurm:cluster.nodeSets[0].pool = "cpuu": there is no such node pool. Did you mean "cpu"?',
        ),
        (
            {"pools": [{**POOLS[0], "machine": {"cpus": 0, "memory": "64Gi"}}]},
            "slurm:pools[0].machine.cpus = 0: ",
        ),
    ],
)
def test_a_error_names_path_value_and_remedy(fields: dict[str, Any], expected: str) -> None:
    assert expected in refused(**fields)


def test_all_errors_come_at_once() -> None:
    text = refused(kind="x", rootKey=None, cluster={"name": "A", "nodeSets": [{"name": "cpu", "pool": "no"}]}, typo="1")
    for path in ("slurm:kind", "slurm:rootKey", "slurm:typo", "slurm:cluster.name", "slurm:cluster.nodeSets[0].pool"):
        assert f"  - {path}" in text
    assert text.startswith("The stack's configuration has 5 errors:")


def test_what_is_not_json_is_told_once() -> None:
    assert refused(cluster="hpc").count("slurm:cluster") == 1


def test_a_root_key_is_never_repeated() -> None:
    assert "c2VjcmV0" not in refused(rootKey="c2VjcmV0")


def test_a_bind_account_needs_its_password() -> None:
    ldap = {"uri": "ldaps://l", "baseDn": "dc=x", "bindDn": "cn=s"}
    text = refused(cluster={**CLUSTER, "identity": {"ldap": ldap}})
    assert 'slurm:ldapBindPassword: it is not set, and SSSD binds as "cn=s". Set it: pulumi config set' in text


@pytest.mark.parametrize("password", ["pw\nldap_tls_reqcert = never", "s3cret\n", " s3cret", "s3\u2028cret", " ", ""])
def test_the_password_of_a_bind_account_is_one_line(password: str) -> None:
    ldap = {"uri": "ldaps://l", "baseDn": "dc=x", "bindDn": "cn=s"}
    text = refused(cluster={**CLUSTER, "identity": {"ldap": ldap}}, ldapBindPassword=password)
    assert "slurm:ldapBindPassword: this password does not make one line of sssd.conf" in text
    assert "cret" not in text.replace("secret", "")


def test_python_code_gets_the_same_error_as_configuration() -> None:
    with pytest.raises(SpecError, match=r"machine.cpus = 0: .* Write 1 or more") as raised:
        NodeSetSpec(name="cpu", machine={"cpus": 0, "memory": "1Gi"})
    # The engine prints a RunError as it is, and anything else with a traceback.
    assert isinstance(raised.value, pulumi.RunError)


@pytest.mark.parametrize("text", ["", "contexts", "{", "contexts: 3", "\x00"])
def test_a_file_that_is_no_kubeconfig_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "kubeconfig").write_text(text)
    assert "this file is not a kubeconfig. Set KUBECONFIG, or write the path here." in refused()


def test_no_path_of_a_kubeconfig_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", ":")
    assert "slurm:kubeconfig: there is no such file, so no Kubernetes cluster to talk to. Set KUBECONFIG" in refused()


def test_one_of_several_kubeconfigs_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "choice").write_text("kind: Config\ncurrent-context: mine\n")
    monkeypatch.setenv("KUBECONFIG", f"/no/such:{tmp_path / 'choice'}:{tmp_path / 'kubeconfig'}")
    assert read_with(context="mine")[0].context == "mine"


UNLISTED = {**CLUSTER, "operatorVersion": "1.0.999"}
LINE = (
    'slurm:cluster.operatorVersion = "1.0.999": this patch release of slurm-operator is not known here, so it is '
    "treated as 1.0.6, the newest known one. Look in its release notes for what has changed since 1.0.6, or write "
    '"1.0.6". [operator-release-is-listed]'
)


def test_an_unknown_patch_release_of_the_operator_is_accepted_and_the_preview_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", shown.append)
    config, _ = read_with(cluster=UNLISTED)
    assert config.cluster.operator_version == "1.0.999"
    assert shown == [LINE]


def test_what_is_warned_of_is_refused_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", shown.append)
    assert LINE in refused(cluster=UNLISTED, warningsAsErrors=True)
    assert not shown


def test_a_root_key_in_clear_is_remarked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", shown.append)
    texts = {f"slurm:{key}": value if isinstance(value, str) else json.dumps(value) for key, value in GOOD.items()}
    pulumi.runtime.set_all_config(texts, [])
    read_config(pulumi.Config("slurm"))
    assert shown == [IN_CLEAR]
    pulumi.runtime.set_all_config({**texts, "slurm:warningsAsErrors": "true"}, [])
    with pytest.raises(SpecError) as raised:
        read_config(pulumi.Config("slurm"))
    assert IN_CLEAR in str(raised.value)
    assert ROOT_KEY not in str(raised.value)
    pulumi.runtime.set_all_config(texts, ["slurm:rootKey"])
    shown.clear()
    read_config(pulumi.Config("slurm"))
    assert not shown
    pulumi.runtime.set_all_config({}, [])


@pytest.mark.parametrize(("kind", "count"), [("kubernetes", 2), ("local", 0)])
def test_errors_of_the_operator_are_of_no_interest_on_the_embedded_cluster(
    kind: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", shown.append)
    read_with(kind=kind, cluster={**CLUSTER, "operatorVersion": "1.1.0"})
    assert len(shown) == count


def test_defaults_give_nothing_to_refuse_as_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither with tokens nor with a bridge, which has one."""
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", shown.append)
    cluster = {
        **CLUSTER,
        "partitions": [{"name": "pods", "nodeSets": ["x"]}],
        "tokens": [{"name": "ci", "username": "slurm"}],
        "bridge": {
            "partition": "pods",
            "namespaces": [{"name": "jobs"}],
            "externalNodes": [{"name": "x", "nodeSelector": {"pool": "x"}}],
        },
    }
    read_with(kind="kubernetes", cluster=cluster, warningsAsErrors=True)
    assert shown == []
