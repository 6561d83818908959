"""What people mistype: units, spellings, characters that can't be seen, and sizes that only a machine would write."""

import json

import pytest

from pulumi_slurm.errors import FieldError, SpecError, SpecWarning, nearest
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.topology import from_text
from pulumi_slurm.slurmconf.version import SERIES
from tests.stack_configuration import errors
from tests.unit.spec_errors.harness import errors_of

NODE_SET = "name: c\nnodeSets:\n- {name: n, machine: {cpus: 4, memory: 16Gi}"


@pytest.mark.parametrize(
    ("text", "path", "fix"),
    [
        (f"{NODE_SET}, sharedMemory: 64}}", "nodeSets[0].sharedMemory", 'Write "64Gi".'),
        ("name: c\nnodeSets: []\ncontroller: {state: {size: 20}}", "controller.state.size", 'Write "20Gi".'),
        (
            "name: c\nnodeSets: []\ncontroller: {resources: {cpu: 1, memory: 4}}",
            "controller.resources.memory",
            'Write "4Gi".',
        ),
        (f"{NODE_SET}, sharedMemory: 500m}}", "nodeSets[0].sharedMemory", 'Write "20Gi".'),
    ],
)
def test_a_size_without_a_unit_is_in_bytes(text: str, path: str, fix: str) -> None:
    (error,) = errors_of(text)
    assert error.startswith(f"{path} = ")
    assert error.endswith(f"this is less than 1 MiB, since a size without a unit is in bytes. {fix}")


def test_an_unknown_field_is_shown_as_the_user_wrote_it() -> None:
    (error,) = errors_of(f"{NODE_SET}, node_pool: a}}")
    assert error.startswith("nodeSets[0].node_pool: there is no such field.")


def test_unknown_settings_of_a_stack_are_shown_as_the_user_wrote_them() -> None:
    settings = {"slurm:kind": "local", "slurm:Cluster": {}, "slurm:create_namespace": False, "slurm:cluster": {}}
    messages = [error for error in errors(settings) if "no such field" in error]
    assert messages[0] == 'slurm:Cluster: there is no such field. Did you mean "cluster"?'
    assert messages[1].startswith("slurm:create_namespace: there is no such field.")


@pytest.mark.parametrize(
    ("word", "names"), [("version", ["region", "zones"]), ("databasePassword", ["ldapBindPassword"])]
)
def test_names_that_have_little_in_common_are_no_suggestion(word: str, names: list[str]) -> None:
    assert nearest(word, names) == f"Write one of: {', '.join(names)}."


def test_spelling_alone_is_a_suggestion() -> None:
    assert nearest("Create_Namespace", ["createNamespace"]) == 'Did you mean "createNamespace"?'


@pytest.mark.parametrize(
    ("name", "shown"),
    [("gp\u200bu", "gp\\u200bu"), ("a\u00a0b", "a\\u00a0b"), ("e\u0301", "e\\u0301"), ("\u202ea", "\\u202ea")],
)
def test_characters_that_cannot_be_seen_are_escaped(name: str, shown: str) -> None:
    assert str(FieldError(("labels", name), name, "x", "Y.")) == f'labels["{shown}"] = "{shown}": x. Y.'


@pytest.mark.parametrize("value", ["9" * 5000, f"{'9' * 5000}Gi", f"0.{'0' * 5000}1"])
def test_thousands_of_digits_are_an_error_of_ours(value: str) -> None:
    for field in ("sharedMemory", "weight"):
        (error,) = errors_of(f"{NODE_SET}, {field}: '{value}'}}")
        assert "limit" not in error


def test_a_number_that_python_does_not_read() -> None:
    settings = {"slurm:kind": "local", "slurm:cluster": f'{{"name": "c", "nodeSets": {"9" * 5000}}}'}
    assert any(
        error.startswith("slurm:cluster: this has a number of thousands of digits") for error in errors(settings)
    )


@pytest.mark.parametrize("depth", [150, 700, 20_000])
def test_hundreds_of_levels_are_an_error_of_ours(depth: int) -> None:
    inner: object = 1
    for _ in range(depth):
        inner = {"a": inner}
    with pytest.raises(SpecError, match="there are more than 100 levels of mappings and lists"):
        load({"name": "c", "nodeSets": [], "controller": {"overrides": inner}})


def test_deep_settings_of_a_stack() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert any("a thousand levels deep" in error for error in errors({"slurm:kind": "local", "slurm:cluster": deep}))


def test_a_deep_topology() -> None:
    with pytest.raises(ConfError, match="it has hundreds of levels"):
        from_text("a: {" * 3000 + "}" * 3000, SERIES[-1])


def test_a_pattern_is_asked_for_in_words() -> None:
    volume = "{name: v, mountPath: home, claim: {size: 10Gi}}"
    assert not [error for error in errors_of(f"name: c\nnodeSets: []\nsharedVolumes: [{volume}]") if "^/" in error]


def test_the_number_of_jobs_that_share_a_resource_has_a_field() -> None:
    (error,) = errors_of(f"{NODE_SET}}}\npartitions: [{{name: p, nodeSets: [n], overSubscribe: 'FORCE:4'}}]")
    assert error.endswith("Write overSubscribe: FORCE and overSubscribeJobs: 4.")


@pytest.mark.parametrize(("value", "form"), [("hpc", "a mapping"), (json.dumps("x"), "a mapping")])
def test_what_a_section_holds_is_said(value: str, form: str) -> None:
    messages = errors({"slurm:kind": "local", "slurm:cluster": value})
    assert any(f"this is not {form}" in message for message in messages)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST", "ip6-localhost"])
def test_the_pod_itself_is_no_host_of_slurmdbd(host: str) -> None:
    (error,) = errors_of(f"name: c\nnodeSets: []\naccounting: {{external: {{host: {host}, port: 6819}}}}")
    assert error.endswith("in a pod this is the pod itself. Write a name or address that pods can reach.")


@pytest.mark.parametrize("key", ["ControlMachine", "ControlAddr", "BackupController", "BackupAddr", "CryptoType"])
def test_older_names_of_the_operators_lines_are_refused(key: str) -> None:
    (error,) = errors_of(f"name: c\nnodeSets: []\nslurmConf: {{extra: {{{key}: x}}}}")
    assert "pulumi-slurm and the operator decide this" in error


def test_an_empty_section_is_none_and_warned_of() -> None:
    with pytest.warns(SpecWarning, match="accounting = null: this section is empty"):
        load({"name": "c", "nodeSets": [], "accounting": None})


@pytest.mark.parametrize(
    ("memory", "fix"), [("16GB", '"16Gi"'), ("16 Gi", '"16Gi"'), ("1.5TB", '"1.5Ti"'), ("512mb", '"512Mi"')]
)
def test_sizes_as_they_are_written_elsewhere(memory: str, fix: str) -> None:
    (error,) = errors_of(f"name: c\nnodeSets: [{{name: n, machine: {{cpus: 4, memory: {memory}}}}}]")
    assert error.endswith(f"this is not a Kubernetes quantity. Write {fix}.")


def test_a_key_of_slurm_conf_that_is_no_field() -> None:
    (error,) = errors_of(f"{NODE_SET}}}\nslurmConf: {{killWait: 60}}")
    assert error == "slurmConf.killWait: there is no such field. Write it in slurmConf.extra, as KillWait."
