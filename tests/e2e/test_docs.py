"""The commands and configurations of README and docs, on the embedded cluster.

Pods run nothing there, so commands inside pods are only looked up: the object and the container have to exist.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pulumi_slurm.ack.model import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools as ack_pools
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools as gke_pools
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.providers import Provider, on_provider
from pulumi_slurm_stacks import ack_config, gke_config
from tests.doc_blocks import Block, blocks, commands, expanded, pulumi_commands, settings
from tests.e2e.objects import Kind, Objects, in_a_namespace_that_is_there, uid
from tests.e2e.program import Program
from tests.e2e.release_crds import of_release
from tests.shipped_stacks import shipped
from tests.waiting import eventually_nothing

NAME = "slurm"
ANSWERED = {"up", "refresh", "destroy", "cancel"}
"""Commands that ask before they do something."""
RUN = ("config set", "up", "preview", "stack output", "refresh", "cancel")
"""Commands that are run, in the order in which a reader comes to them; `destroy` has a test of its own."""
LOOKED_UP = ("stack init", "import")
"""Commands of which only the flags are looked up, because a test has its stack already, or in test_adopting.py."""
GROUPS = {"config", "stack"}


def unique_commands() -> list[str]:
    return sorted({line for _, line in pulumi_commands()})


def doc_settings() -> dict[str, Any]:
    return {**shipped("local"), "slurm:createNamespace": False}


def run(program: Program, line: str) -> None:
    words = expanded(line)
    done = program.engine.run(*words, *(["--yes"] if words[0] in ANSWERED else []), stdin="a password")
    assert done.returncode == 0, f"pulumi {line}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="module")
def brought_up(module_program: Program) -> Program:
    module_program.configure(doc_settings())
    # Before anything is there, as in the pages: the root key is no other afterwards.
    for line in (line for line in unique_commands() if line.startswith("config set")):
        run(module_program, line)
    module_program.up()
    return module_program


def test_every_command_is_run_or_looked_up() -> None:
    for line in unique_commands():
        assert line.startswith((*RUN, *LOOKED_UP, "destroy")), line


def test_flags_of_commands_exist(module_program: Program) -> None:
    flags: dict[tuple[str, ...], set[str]] = {}
    for line in unique_commands():
        words = line.split()
        flags.setdefault((*words[: 2 if words[0] in GROUPS else 1],), set()).update(re.findall(r"--[a-z-]+", line))
    for command, used in flags.items():
        help_text = module_program.engine.run(*command, "--help").stdout
        assert {flag for flag in used if not re.search(rf"{flag}\b", help_text)} == set(), command


@pytest.mark.parametrize("start", [start for start in RUN if start != "config set"])
def test_commands_run(brought_up: Program, start: str) -> None:
    lines = [line for line in unique_commands() if line.startswith(start)]
    assert lines, f"no page has pulumi {start}"
    for line in lines:
        run(brought_up, line)


def kubectl_commands() -> Iterator[tuple[Block, list[str]]]:
    for block, line in commands():
        words = shlex.split(line)
        if words[0] == "kubectl":
            yield block, words[1:]


@pytest.mark.usefixtures("brought_up")
@pytest.mark.parametrize(("block", "words"), list(kubectl_commands()), ids=str)
def test_kubectl_finds_what_it_asks_for(objects: Objects, block: Block, words: list[str]) -> None:
    namespace = words[1] if words[0] == "-n" else None
    verb, resource, *arguments = words[2:] if namespace else words
    if verb == "create":
        return
    if verb == "get":
        kind = known_kind(objects, resource)
        if arguments and not arguments[0].startswith("-"):
            objects.get(kind.key, namespace, arguments[0])
        elif kind.name != "Event":
            assert objects.all(kind.key, namespace), f"{block}: nothing to see"
        return
    if verb == "label":
        key, _, value = arguments[arguments.index("-l") + 1].partition("=")
        assert objects.all(known_kind(objects, resource).key, namespace, {key: value}), f"{block}: nothing to label"
        return
    kind_name, _, name = resource.partition("/")
    pod = objects.get(known_kind(objects, kind_name).key, namespace, name)["spec"]["template"]["spec"]
    containers = {item["name"] for item in [*pod["containers"], *pod.get("initContainers", [])]}
    # A command that names no container is for a pod that has only one.
    named = {arguments[arguments.index("-c") + 1]} if "-c" in arguments else containers
    assert len(named) == 1, f"{block}: {containers}"
    assert named <= containers, f"{block}: {containers}"


def known_kind(objects: Objects, word: str) -> Kind:
    return next(kind for kind in objects.kinds().values() if word in (kind.plural, kind.name.lower()))


def with_a_cluster() -> list[Block]:
    """Return the whole configurations of stacks that make a Slurm cluster by slurm-operator.

    Objects of ack-slurm-operator are tried in tests/clouds.
    """
    return [block for block in blocks("config") if _is_by_slurm_operator(settings(block))]


def _is_by_slurm_operator(keys: dict[str, Any]) -> bool:
    return (
        "slurm:cluster" in keys and keys.get("slurm:ack", {"slurmOperator": "slinky"}).get("slurmOperator") == "slinky"
    )


NAMESPACE = "slurm"
"""That of the stack `local`, which is up."""


@pytest.mark.repeats(
    "tests/e2e/test_random_specs.py, with drawn ones; the pages' are checked in tests/unit/test_docs.py"
)
@pytest.mark.usefixtures("brought_up", "release_crds")
@pytest.mark.parametrize("block", [*with_a_cluster(), *blocks("cluster"), *blocks("gke")], ids=str)
def test_what_configurations_render_is_accepted(objects: Objects, block: Block) -> None:
    spec, pools = specification(settings(block))
    config_maps: dict[str, str] = {}
    for rendered in render(spec, pools):
        item = of_release(renamed(rendered, config_maps), spec.operator)
        name = item["metadata"]["name"]
        # ConfigMaps for real, since the webhook looks for those that a Controller refers to.
        dry = {} if item["kind"] == "ConfigMap" else {"dryRun": "All"}
        # Another cluster of the same name is there, so what can't be changed on it is tried under another name.
        item["metadata"]["name"] = f"{name}-new"
        in_a_namespace_that_is_there(item, NAMESPACE)
        objects.apply(item, fieldValidation="Strict", **dry)
        if not dry:
            config_maps[name] = f"{name}-new"
    for name in config_maps.values():
        objects.delete("ConfigMap", NAMESPACE, name)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a manifest that refers to other objects than it did, by their old names."""
    if isinstance(value, dict):
        return {key: renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def specification(keys: dict[str, Any]) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    config = {key.removeprefix("slurm:"): value for key, value in keys.items()}
    if keys["slurm:kind"] == "gke":
        on_google = gke_config.GkeConfig.read(config).config
        assert isinstance(on_google, gke_config.GkeConfig)
        return on_google.slurm, gke_pools(GkePlan.of(on_google.gke))
    if keys["slurm:kind"] == "ack":
        on_alibaba = ack_config.AckConfig.read(config).config
        assert isinstance(on_alibaba, ack_config.AckConfig)
        assert on_alibaba.ack.slurm_operator is AckOperator.SLINKY, (
            "ack-slurm-operator's objects are tried in tests/clouds"
        )
        return on_alibaba.slurm, ack_pools(AckPlan.of(on_alibaba.ack))
    spec, pools = load(keys["slurm:cluster"], keys.get("slurm:pools", []))
    provider = keys.get("slurm:provider")
    return (on_provider(Provider(provider), spec, pools) if provider else spec), pools


@pytest.mark.repeats("tests/e2e/test_namespaces.py, with volumes that stay")
def test_a_cluster_is_built_again_on_what_stayed(brought_up: Program, objects: Objects) -> None:
    """As docs/teardown.md has it: the claims are those from before."""
    keys = doc_settings()
    home = {"name": "home", "mountPath": "/home", "storageClass": "standard", "size": "1Gi"}
    keys["slurm:cluster"] |= {"sharedVolumes": [home], "controller": {"state": {"retain": True}}}
    brought_up.up(keys)
    claims = ("slurm-home", "statesave-slurm-controller-0", "data-slurm-mariadb-0")
    before = {name: uid(objects.get("PersistentVolumeClaim", NAME, name)) for name in claims}

    (line,) = [line for line in unique_commands() if line.startswith("destroy")]
    run(brought_up, line)
    eventually_nothing("pods", lambda: objects.all("Pod", NAME))

    (again,) = [settings(block) for block in blocks("cluster") if block.file.name == "teardown.md"]
    brought_up.up(again)
    assert {name: uid(objects.get("PersistentVolumeClaim", NAME, name)) for name in claims} == before
    # Not ours any more, so it would be left for good.
    brought_up.destroy()
    objects.delete("PersistentVolumeClaim", NAME, "slurm-home")
