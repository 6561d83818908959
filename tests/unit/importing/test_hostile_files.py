"""What an import and an adoption read goes into a stack's file as text, and never becomes a key of it."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import event, example, given, strategies as st
from hypothesis.strategies import DrawFn
from ruamel.yaml import YAML

from pulumi_slurm_cli.engine_yaml import read
from pulumi_slurm_cli.importing.stack_yaml import settings_yaml
from tests.unit.adopting.chart import objects, record
from tests.unit.adopting.test_command import listed
from tests.unit.arbitrary import positions
from tests.unit.hostile_texts import conf_texts, hostile_texts, inserted
from tests.unit.importing.command_line import Result, run
from tests.unit.providers.nodes import listed as list_of, node

FILES = {
    "slurm.conf": """\
# A small cluster.
ClusterName=aspen
SlurmctldHost=ctl
Prolog=/etc/slurm/prolog.sh
Epilog=/etc/slurm/missing.sh
MailProg=/usr/bin/mail
NoSuchKey=x
SlurmctldParameters="enable_configless,idle_on_node_suspend"
SwitchParameters=a
NodeName=n[1-2] CPUs=4 RealMemory=4096 Features=fast Reason="new disk" State=UNKNOWN
NodeName=g1 CPUs=4 RealMemory=4096 Gres=gpu:a100:2
PartitionName=main Nodes=n[1-2] Default=YES AllowAccounts=physics QOS=normal
PartitionName=gpu Nodes=g1
""",
    "gres.conf": "# GPUs\nNodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n",
    "job_submit.lua": "-- Nothing.\nfunction slurm_job_submit(job, parts, uid)\n  return slurm.SUCCESS\nend\n",
    "prolog.sh": "#!/bin/sh\n\ntrue  # and no more\n",
}


@st.composite
def conf_files(draw: DrawFn) -> dict[str, str]:
    """Draw the files of a cluster, with something hostile in one of them."""
    name = draw(st.sampled_from(["slurm.conf", *FILES]))
    # In one of Slurm's files a line break is one.
    texts = conf_texts(FILES[name]) if name.endswith(".conf") else inserted(FILES[name], hostile_texts)
    return {**FILES, name: draw(texts)}


def assert_only_settings(text: str) -> Any:
    """Check that all readers of YAML see the same settings, and nothing beside them; return these."""
    data = yaml.safe_load(text)
    assert [*data] == ["config"]
    assert YAML(typ="safe").load(text) == data
    assert YAML(typ="safe", pure=True).load(text) == data
    assert read(text).value == data
    assert all(char.isprintable() or char == "\n" for char in text)
    return data["config"]


def written(*arguments: object) -> tuple[Result, str | None]:
    """Return what a command says, and the settings that it prints."""
    result = run(*arguments)
    assert "Traceback" not in result.stderr
    return result, result.stdout or None


def slurm_conf(key: str, value: str) -> dict[str, str]:
    return {**FILES, "slurm.conf": f"{FILES['slurm.conf']}{key}={value}\n"}


@given(conf_files())
@example(slurm_conf("FooBar", '"a\u2028environment: [theirs/env]\u2028z"'))
@example(slurm_conf("Epilog", "/x/a\u2028environment: [theirs/env]"))
@example(slurm_conf("NodeName", "z\u2028y CPUs=1"))
@example(slurm_conf("FooBar", "\x1b[31m"))
@example({**FILES, "prolog.sh": "#!/bin/sh\n# a\u2028environment: [theirs/env]\n"})
@example({**FILES, "prolog.sh": "#!/bin/sh\n# a\x85\n"})
@example({**FILES, "prolog.sh": "#!/bin/sh\n# a\ufeff\n"})
def test_no_file_of_a_cluster_writes_keys_of_the_stack(texts: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in texts.items():
            (folder / file).write_text(text)
        result, found = written("import", folder / "slurm.conf")
    assert (found is not None) == (result.returncode < 2)
    if found is not None:
        cluster = assert_only_settings(found)["slurm:cluster"]
        for script in cluster.get("hooks", {}).get("prolog", {}).values():
            # What is text stays the same text.
            assert script == texts["prolog.sh"].replace("\r\n", "\n").replace("\r", "\n")


@given(st.text())
def test_a_value_is_read_as_it_was_written_whoever_reads_it(text: str) -> None:
    for value in (text, f"a\n{text}\n", f"{text}\n\n"):
        config = {"slurm:kind": value, f"slurm:{text[:100]}": [value]}
        assert assert_only_settings(settings_yaml(config, [])) == config


@given(hostile_texts)
def test_a_comment_ends_where_its_line_ends(text: str) -> None:
    assert assert_only_settings(settings_yaml({"slurm:kind": "local"}, [f"# {text}"])) == {"slurm:kind": "local"}


VALUES: dict[str, Any] = {
    "controller": {"extraConf": "SchedulerParameters=bf_continue\n", "metadata": {"annotations": {"a": "b"}}},
    "prologScripts": {"a.sh": "#!/bin/sh\nexit 0\n"},
    "configFiles": {"job_submit.lua": "-- Nothing.\n"},
}
NODE = node("n1", "gke", {"cloud.google.com/gke-nodepool": "cpu", "team": "physics"}, [{"key": "a", "value": "b"}])


def texts_in(data: Any) -> list[tuple[Any, Any]]:
    return [(container, key) for container, key in positions(data) if isinstance(container[key], str)]


@st.composite
def lists_of_objects(draw: DrawFn) -> list[Any]:
    """Draw the objects of a release as they are, or as the chart made them, with something hostile in one value."""
    live, manifest = objects(VALUES), objects(VALUES, helm=False)
    container, key = draw(st.sampled_from(texts_in(live) + texts_in(manifest)))
    container[key] = draw(inserted(container[key], hostile_texts))
    return [*live, record(manifest)]


@given(lists_of_objects())
def test_no_object_of_a_release_writes_keys_of_the_stack(items: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result, found = written("adopt", listed(Path(folder), *items))
    assert (found is not None) == (result.returncode == 0)
    event(str(result.returncode))
    if found is not None:
        assert_only_settings(found)


@st.composite
def lists_of_nodes(draw: DrawFn) -> Any:
    nodes = json.loads(json.dumps(list_of(NODE, NODE)))
    container, key = draw(st.sampled_from(texts_in(nodes["items"])))
    container[key] = draw(inserted(container[key], hostile_texts))
    return nodes


@given(lists_of_nodes())
def test_no_node_of_kubernetes_writes_keys_of_the_stack(nodes: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nodes.json"
        file.write_text(json.dumps(nodes))
        _, found = written("pools", file)
    if found is not None:
        assert_only_settings(found)


@pytest.mark.parametrize("name", ["a\udc80b", "a\nenvironment: [x]", "a\u2028environment: [x]"])
def test_the_name_of_a_folder_writes_no_keys(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "slurm.conf").write_text("ClusterName=a\nNoSuchKey=x\nInclude more.conf\n")
    (folder / "more.conf").write_text("NoOtherKey=x\n")
    _, found = written("import", folder / "slurm.conf")
    assert found is not None
    assert_only_settings(found)
    output = tmp_path / "Pulumi.hpc.yaml"
    assert run("import", folder / "slurm.conf", "-o", output).returncode == 0
    assert output.read_text() == found
