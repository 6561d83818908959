"""The text that an import writes: a stack's configuration that our own loader, and editors, accept."""

from pathlib import Path

import pytest
import yaml

from pulumi_slurm.errors import FieldError
from pulumi_slurm_cli.importing import import_cluster, stack_yaml
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig
from tests.editor import look
from tests.stack_configuration import ROOT_KEY, read
from tests.unit.importing.round_trip import CLUSTERS, round_trip
from tests.unit.test_stack_config import KUBECONFIG

each_cluster = pytest.mark.parametrize("name", sorted(folder.name for folder in CLUSTERS.iterdir()))


@pytest.fixture(autouse=True)
def _kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubeconfig").write_text(KUBECONFIG)
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))


def loaded(text: str) -> KubernetesConfig:
    config, _ = read({"slurm:rootKey": ROOT_KEY, **yaml.safe_load(text)["config"]})
    assert isinstance(config, KubernetesConfig)
    return config


@each_cluster
def test_our_loader_reads_the_specification_that_was_imported(name: str) -> None:
    imported = round_trip(name).imported
    assert loaded(stack_yaml(imported)).cluster == imported.spec


@each_cluster
def test_editors_find_nothing_wrong(name: str) -> None:
    look(yaml.safe_load(stack_yaml(round_trip(name).imported)))


@each_cluster
def test_comments_at_the_top_tell_everything_that_is_to_be_known(name: str) -> None:
    imported = round_trip(name).imported
    comments = stack_yaml(imported).partition("\nconfig:\n")[0]
    text = " ".join(line.lstrip("# -") for line in comments.splitlines())
    left_out = [f"{item.text} ({item.location})" if item.routine else item for item in imported.left_out]
    for item in [*left_out, *imported.to_do, *(f"{old} -> {new}" for old, new in imported.renamed.items())]:
        assert " ".join(str(item).split()) in text


def test_the_namespace_of_keys_that_are_there_already_is_not_made() -> None:
    assert not loaded(stack_yaml(round_trip("static").imported)).create_namespace
    assert loaded(stack_yaml(round_trip("cloud").imported)).create_namespace


@pytest.mark.parametrize("word", ["no", "On", "1:00:00", "1e3", "0x10", "12", "null", "y", "-", "a: b", "#x", "~"])
def test_text_stays_text_whoever_reads_the_yaml(word: str, tmp_path: Path) -> None:
    conf = tmp_path / "slurm.conf"
    in_slurm_conf = word.replace("#", "\\#")
    conf.write_text(f'ClusterName=c\nSwitchParameters="{in_slurm_conf}"\n')
    text = stack_yaml(import_cluster(conf))
    assert f'SwitchParameters: "{word}"' in text


def test_errors_that_remain_are_to_do() -> None:
    imported = round_trip("cloud").imported
    error = FieldError(("name",), "x", "it is wrong", "Write it right.")
    text = stack_yaml(type(imported)(None, imported.data, errors=[error]))
    assert '# - name = "x": it is wrong. Write it right.\n' in text
