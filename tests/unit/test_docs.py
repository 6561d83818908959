"""README and docs say what is true: each block is loaded, or looked up in what it speaks of.

Stacks and programs are built by tests/components/test_docs.py; commands that need an engine or a cluster are run by
tests/e2e/test_docs.py.
"""

import ast
import json
import re
import shlex
from functools import cache
from pathlib import Path

import pulumi
import pytest
import yaml
from pydantic import BaseModel

import pulumi_slurm
from devcluster.folders import CHECKOUT, SOURCES
from devcluster.parts import MODULES
from pulumi_slurm import ack, ack_slurm, gke, model as spec
from pulumi_slurm.ack import model as ack_spec
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke import model as gke_spec
from pulumi_slurm.loading import load
from pulumi_slurm.machines.ack import machine as ack_machine
from pulumi_slurm.machines.ack.catalogue import AckCatalogueSpec
from pulumi_slurm.machines.gke import machine as gke_machine
from pulumi_slurm.machines.gke.catalogue import GkeCatalogueSpec
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model import MachineSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.hooks import SLURM_FILES
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.run import code_of
from pulumi_slurm_cli.__main__ import _parser
from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_stacks import schema
from pulumi_slurm_stacks.config import config_model, kinds
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig
from tests.component_examples import components, example_of
from tests.doc_blocks import (
    CHECKS,
    Block,
    all_pages,
    blocks,
    blocks_of,
    commands,
    each,
    pulumi_commands,
    rows,
    settings,
    written_pages,
)
from tests.editor import SCHEMA_FILE, Underlined, look
from tests.project_metadata import project, pyproject
from tests.stack_configuration import read_with_secrets
from tools import generate_reference

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

ROOTS = (CHECKOUT, CHECKOUT / "components" / "pulumi_slurm", CHECKOUT / "cli" / "pulumi_slurm_cli")
"""Where the folders and files are that pages name."""
MODULES_TO_RUN = {
    "pulumi_slurm_cli.drift.report",
    "pulumi_slurm_cli.review.report",
    "pulumi_slurm_stacks.schema",
    "tools.generate_dicts",
    "tools.generate_reference",
}
KUBECTL_THAT_READS = {"get", "logs", "exec", "port-forward"}
KUBECTL_BEFORE = {"create"}
"""What a reader does before a stack is there."""
KUBECTL_ON_TRIAL_PODS = {"scale", "set", "delete"}
"""What a reader does with pods of their own beside Slurm."""
KUBECTL_THAT_REPAIRS = {"wait"}
"""What a reader does beside a stack, to bring data back."""
KUBECTL_BEFORE_AN_UPGRADE = {"annotate", "label"}
ENGINE_COMMANDS = {"cancel", "config", "destroy", "import", "package", "preview", "refresh", "stack", "up"}
PROGRAMS = {
    "aliyun",
    "bash",
    "sacct",
    "docker",
    "gcloud",
    "gh",
    "sh",
    "ssh",
    "make",
    "pulumi",
    "pulumi-slurm",
    "kubectl",
    "python",
    "pip",
    "sackd",
    "slurmd",
    "source",
    "deactivate",
}

FILES_OF_THE_CLUSTER = (".conf", ".key", ".log")
"""What looks like the path of a field and is none."""

everything = pytest.mark.parametrize("page", all_pages(), ids=lambda page: str(page.relative_to(CHECKOUT)))
by_hand = pytest.mark.parametrize("page", written_pages(), ids=lambda page: page.name)


@everything
def test_every_block_says_how_it_is_checked(page: Path) -> None:
    found = blocks_of(page)
    assert page.read_text().count("\n```") == 2 * len(found), "a block is not closed, or is indented"
    for block in found:
        assert CHECKS.get(block.check) == block.language, f"{block}: {block.language} block with check '{block.check}'"


@each("wrong")
def test_wrong_configuration_is_refused_with_the_message_that_follows(block: Block) -> None:
    following = next(item for item in blocks_of(block.file) if item.line > block.line)
    assert following.check == "message"
    with pytest.raises(SpecError) as raised:
        read_with_secrets(settings(block))
    assert str(raised.value) == following.text.strip()


@each("message")
def test_messages_follow_what_causes_them(block: Block) -> None:
    before = [item for item in blocks_of(block.file) if item.line < block.line]
    assert before[-1].check == "wrong"


@each("slurm.conf")
def test_lines_of_slurm_conf_are_those_rendered_from_the_block_before(block: Block) -> None:
    before = [item for item in blocks_of(block.file) if item.line < block.line and item.check in ("config", "cluster")]
    config, _ = read_with_secrets(settings(before[-1]))
    assert isinstance(config, KubernetesConfig)
    (controller,) = [item for item in render(config.cluster, config.pools) if item["kind"] == "Controller"]
    rendered = controller["spec"]["extraConf"].splitlines()
    assert set(block.text.splitlines()) <= set(rendered), rendered


@each("outside")
def test_lines_of_an_outside_slurm_conf_are_those_of_the_block_before(block: Block) -> None:
    before = [item for item in blocks_of(block.file) if item.line < block.line and item.check in ("config", "cluster")]
    config, _ = read_with_secrets(settings(before[-1]))
    assert isinstance(config, KubernetesConfig)
    assert outside(config.cluster, config.pools)["slurmConf"] == block.text


def test_commands_for_machines_outside_are_those_of_the_block_before() -> None:
    (config_block, elsewhere, _) = blocks_of(CHECKOUT / "docs" / "external-nodes.md")
    config, _ = read_with_secrets(settings(config_block))
    assert isinstance(config, KubernetesConfig)
    told = outside(config.cluster, config.pools)
    assert {*told["slurmdCommands"].values(), told["sackdCommand"]} <= set(elsewhere.text.splitlines())


@each("host-names")
def test_names_of_slurmctld_before_and_after_an_upgrade_are_those_for_machines_outside(block: Block) -> None:
    pairs = [re.split(r" +(?:until|from) ", line) for line in block.text.splitlines()]
    for name, minor in pairs:
        config = {"name": "slurm", "operatorVersion": f"{minor}.0", "controller": {"address": "10.0.0.5"}}
        assert outside(*load(config))["hostNames"] == [name]
    assert [minor for _, minor in pairs] == ["1.2", "1.3"]


@each("calculation")
def test_calculations_come_out_as_they_say(block: Block) -> None:
    assert "assert" in block.text
    exec(compile(block.text, str(block), "exec"), {"__name__": "__main__"})


def test_every_example_of_a_component_is_a_block_of_code_in_the_reference() -> None:
    examples = {block.text for block in blocks("example")}
    assert examples == {*map(example_of, components())}
    for text in examples:
        ast.parse(text)


@pytest.mark.parametrize(
    ("page", "model"), [("gke-catalogue.md", GkeCatalogueSpec), ("ack-catalogue.md", AckCatalogueSpec)]
)
def test_fields_in_the_reference_are_valid(page: str, model: type[Model]) -> None:
    (block,) = [block for block in blocks("fields") if block.file.name == page]
    assert model.model_validate(yaml.safe_load(block.text)).model_fields_set


@each("folders")
def test_folders_in_pictures_exist(block: Block) -> None:
    named = re.findall(r"[\w.<>/]+/(?=\s|$|,|\))", block.text)
    assert named
    for name in named:
        assert any((root / name).is_dir() for root in ROOTS), name


def test_commands_are_of_known_forms() -> None:
    for block, line in (*commands(), *commands("elsewhere")):
        words = shlex.split(line)
        while re.match(r"^[A-Z_]+=", words[0]):
            words = words[1:]
        assert words[0] in PROGRAMS, f"{block}: {line}"
        if words[0] == "make":
            _known_to_make(block, words[1:])
        elif words[0] == "kubectl":
            verb = words[3] if words[1] == "-n" else words[1]
            beside = KUBECTL_ON_TRIAL_PODS | KUBECTL_THAT_REPAIRS | KUBECTL_BEFORE_AN_UPGRADE
            known = KUBECTL_THAT_READS | KUBECTL_BEFORE | beside
            assert verb in known, f"{block}: {line}"
        elif words[0] == "pulumi-slurm":
            _parser().parse_args(words[1 : words.index(">") if ">" in words else None])
        elif words[0] == "bash":
            assert (CHECKOUT / words[1]).exists(), f"{block}: {line}"
        elif words[:2] == ["python", "-m"] and words[2] != "venv":
            assert words[2] in MODULES_TO_RUN, f"{block}: {line}"
        elif words[0] == "pip":
            folder_or_file, _, extra = words[-1].rstrip("]").partition("[")
            assert (CHECKOUT / folder_or_file).exists(), f"{block}: {line}"
            assert not extra or extra in project()["optional-dependencies"], f"{block}: {line}"
    for block, line in pulumi_commands():
        assert line.split()[0] in ENGINE_COMMANDS, f"{block}: pulumi {line}"


def _known_to_make(place: object, words: list[str]) -> None:
    makefile = (CHECKOUT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    variables = set(re.findall(r"^([A-Z_]+) \?=", makefile, re.M))
    for word in words:
        name, given, value = word.partition("=")
        assert name in (variables if given else targets), f"{place}: make {word}"
        if name == "PYTEST_ARGS":
            _known_to_pytest(place, shlex.split(value))


def _known_to_pytest(place: object, words: list[str]) -> None:
    markers = {line.partition(":")[0] for line in pyproject()["tool"]["pytest"]["ini_options"]["markers"]}
    options = iter(words)
    for word in options:
        if word == "-m":
            assert next(options) in markers, f"{place}: {word}"
        elif word == "-k":
            assert next(options)
        elif word == "-n":
            assert re.fullmatch(r"auto|\d+", next(options)), f"{place}: {word}"
        elif not re.fullmatch(r"--lf|--randomly-seed=\d+", word):
            assert (CHECKOUT / word).exists(), f"{place}: {word}"


@by_hand
def test_what_stands_in_code_marks_exists(page: Path) -> None:
    """Targets, files, folders and field paths that the text names."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    for word in re.findall(r"`([^`\n]+)`", text):
        if word.startswith("make "):
            _known_to_make(page.name, shlex.split(word)[1:])
        elif re.fullmatch(r"[\w.-]+(/[\w.-]+)*/|[\w./-]+\.(py|yaml|md|toml|lock|txt|json)", word):
            assert word in SLURM_FILES or any((root / word).exists() for root in ROOTS), f"{page.name}: {word}"
        elif re.fullmatch(r"[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+", word) and not word.endswith(FILES_OF_THE_CLUSTER):
            assert any(_leads_somewhere(word.split("."), start) for start in _models()), f"{page.name}: no field {word}"


@cache
def _models() -> frozenset[type[BaseModel]]:
    def below(model: type[BaseModel]) -> set[type[BaseModel]]:
        return {model}.union(*(below(child) for child in model.__subclasses__()))

    for kind in kinds():
        config_model(kind)
    return frozenset(below(Model))


def _leads_somewhere(steps: list[str], model: type[BaseModel]) -> bool:
    field = next((item for item in model.model_fields.values() if item.alias == steps[0]), None)
    if field is None:
        return False
    if len(steps) == 1:
        return True
    inner = set(re.findall(r"\w+", str(field.annotation)))
    return any(_leads_somewhere(steps[1:], item) for item in _models() if item.__name__ in inner)


@everything
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", re.sub(r"`[^`\n]*`", "", page.read_text())):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        found = (page.parent / file) if file else page
        assert found.exists(), f"{page.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text(), re.M)
            anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
            assert anchor in anchors, f"{page.name}: {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    to_see = [CHECKOUT / "README.md"]
    while to_see:
        page = to_see.pop()
        if page in seen:
            continue
        seen.add(page)
        links = re.findall(r"\]\(([^)#]+\.md)", page.read_text())
        to_see += [(page.parent / link).resolve() for link in links if not link.startswith("https://")]
    assert set(all_pages()) <= seen


def test_every_page_is_in_the_site_s_navigation() -> None:
    named = set(re.findall(r"[\w-]+\.md", (CHECKOUT / "mkdocs.yml").read_text()))
    assert {page.name for page in (CHECKOUT / "docs").glob("*.md")} <= named


@by_hand
def test_pages_are_short(page: Path) -> None:
    longest = {"README.md": 100, "CHANGELOG.md": 300, "architecture.md": 200, "glossary.md": 200}.get(page.name, 110)
    assert len(page.read_text().splitlines()) <= longest


def test_the_page_on_reviews_has_every_verdict_in_order() -> None:
    assert [verdict for verdict, _ in rows("reviews.md", "verdicts")] == [*Verdict]


def test_programs_of_the_readme_are_short_and_the_second_is_an_example() -> None:
    short, whole = (block.text for block in blocks_of(CHECKOUT / "README.md") if block.check == "program")
    assert len(short.splitlines()) <= 6
    assert whole == (CHECKOUT / "examples/gke_python/__main__.py").read_text()


@each("config", "cluster")
def test_pools_of_pages_fit_the_machines_of_clouds_that_they_name(block: Block) -> None:
    """A pod that asks for more than a node has stays Pending."""
    for pool in settings(block).get("slurm:pools", []):
        name = pool.get("nodeLabels", {}).get("node.kubernetes.io/instance-type")
        machine = MachineSpec(**pool["machine"])
        gke_types, ack_types = GkeCatalogueSpec(), AckCatalogueSpec()
        if name in gke_types.names():
            whole = gke_machine(gke_types.find(name))
        elif name in ack_types.names():
            whole = ack_machine(ack_types.find(name))
        else:
            continue
        assert machine.cpus <= whole.cpus, name
        assert quantity(machine.memory) <= quantity(whole.memory), name


def test_messages_in_troubleshooting_are_those_that_the_code_prints() -> None:
    sources = [*(CHECKOUT / "devcluster").glob("*.py")]
    sources += [file for folder in SOURCES for file in (CHECKOUT / folder).rglob("*.py")]
    # Texts are written over several lines, in several quotes, with values in braces.
    text = re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", "\n".join(file.read_text() for file in sources)))
    for message, _ in rows("troubleshooting.md", "messages"):
        for piece in message.strip("`").split("…"):
            assert piece.strip() in text, piece


def test_pins_in_the_page_are_those_of_the_modules() -> None:
    for part, module, version, _ in rows("embedded-cluster.md", "pins"):
        pins = (MODULES / part.strip("`") / "go.mod").read_text()
        assert f"{module.strip('`')} {version}" in pins, part
    named = {part.strip("`") for part, *_ in rows("embedded-cluster.md", "pins")}
    assert named == {file.parent.name for file in MODULES.glob("*/go.mod")}


def test_features_were_verified_in_ways_that_the_page_explains() -> None:
    ways = {way for way, _ in rows("verification.md", "ways")}
    used = [set(how.split(", ")) for _, how, _ in rows("verification.md", "verification")]
    assert set().union(*used) <= ways
    # What rests on documents or on a simulation leaves something open, and the page says what.
    not_real = {"simulated cloud", "by hand", "documents"}
    for feature, how, still_open in rows("verification.md", "verification"):
        assert still_open or not set(how.split(", ")) & not_real, feature


def test_the_table_of_stacks_is_complete() -> None:
    text = (CHECKOUT / "docs" / "contents.md").read_text()
    for name in kinds():
        assert f"| `{name}` |" in text


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    """Return the pages of the reference as they would be written now."""
    return generate_reference.pages()


def test_reference_is_fresh(reference: dict[str, str]) -> None:
    assert {file.name for file in generate_reference.FOLDER.glob("*.md")} == reference.keys()
    stale = [name for name, text in reference.items() if (generate_reference.FOLDER / name).read_text() != text]
    assert not stale, "run: make generate"


def test_every_rule_has_a_code_and_a_description_of_its_own() -> None:
    listed = [rule for rules in generate_reference.RULES.values() for rule in rules]
    codes = [code_of(rule) for rule in listed]
    assert len(set(codes)) == len(codes)
    assert all(rule.__doc__ for rule in listed)


def test_reference_has_every_model_and_every_field(reference: dict[str, str]) -> None:
    text = "\n".join(reference.values())
    for package in (spec, gke_spec, ack_spec):
        for name in package.__all__:
            item = getattr(package, name)
            if isinstance(item, type) and issubclass(item, BaseModel):
                assert f"\n## {name}\n" in text, name
    for model in _models():
        for name in model.model_fields:
            assert docstrings(model).get(name), f"{model.__name__}.{name} has no docstring"
    for package in (pulumi_slurm, gke, ack_slurm, ack):
        for name in dir(package):
            item = getattr(package, name)
            if isinstance(item, type) and issubclass(item, BaseModel | pulumi.ComponentResource):
                assert f"\n## {name}\n" in text or f"`{name}`:" in text, name


def test_schema_for_editors_is_fresh() -> None:
    assert json.loads(SCHEMA_FILE.read_text()) == schema.schema(), "run: make generate"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("slurm:kind", "gke"),
        ("slurm:kind", "gcp"),
        ("slurm:gke", {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"]}),
        ("slurm:ack", {"region": "cn-hangzhou", "zones": ["cn-hangzhou-i"]}),
        ("slurm:databasePassword", {"secure": "v1:abc"}),
        ("slurm:clutser", {}),
        ("slurm:rootKey", "in clear"),
        ("slurm:pools", [{"name": "cpu"}]),
        ("slurm:cluster", {"name": "hpc", "nodeSets": [{"name": "cpu", "replicas": "two"}]}),
        ("slurm:cluster", {"name": "hpc", "partitions": [{"name": "main", "nodeSets": ["ALL"], "maxtime": 1}]}),
    ],
)
def test_editors_underline_what_is_wrong(key: str, value: object) -> None:
    content = yaml.safe_load((CHECKOUT / "Pulumi.local.yaml").read_text())
    content["config"][key] = value
    with pytest.raises(Underlined):
        look(content)


def test_tests_that_pages_name_exist() -> None:
    for page in written_pages():
        for file, name in re.findall(r"((?:\w+/)+test_\w+\.py)(?:::(test_\w+))?", page.read_text()):
            text = (CHECKOUT / "tests" / file.removeprefix("tests/")).read_text()
            assert not name or f"def {name}(" in text, f"{page.name}: {file}::{name}"
