"""The reference: pages under docs/reference made from the models and components themselves.

``make generate`` writes them anew; a test fails when that was forgotten. A page is a module of the
specification, its first paragraph is the module's docstring, and what a field means is the docstring below it.
"""

import inspect
import json
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from pulumi_slurm import providers, rules
from pulumi_slurm.ack import rules as ack_rules
from pulumi_slurm.ack.cloud import RULES_ON_ANSWERS
from pulumi_slurm.ack_slurm import rules as ack_slurm_rules
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.gke import rules as gke_rules
from pulumi_slurm.model.operator_settings import KedaSettings, OperatorSpec
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_fields import CHANGES
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR, RELEASES, operator_version
from pulumi_slurm.rules.run import Rule, code_of
from pulumi_slurm.slurmconf.catalogue import Change, File, Key, keys
from pulumi_slurm.slurmconf.version import SERIES
from pulumi_slurm_stacks.accepted import Acceptance
from pulumi_slurm_stacks.config import StackConfig, StackSecrets, config_model, kinds
from tools.attributes import attributes, one_line

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
DO_NOT_EDIT = "<!-- Written by `make generate`; a change here is lost. -->"

PARTS = {
    "model.slurm": "Cluster",
    "model.node_set": "Node sets",
    "model.partition": "Partitions",
    "model.external_nodes": "External nodes",
    "model.bridge": "Slurm Bridge",
    "model.bridge_work": "Workloads of Slurm Bridge",
    "model.machine": "Machines and node pools",
    "model.controller": "Controller",
    "model.confine": "Confinement of jobs",
    "model.accounting": "Accounting",
    "model.accounts": "QoS and accounts",
    "model.access": "REST API, login sets and tokens",
    "model.identity": "Identity",
    "model.storage": "Volumes",
    "model.hooks": "Hooks",
    "model.slurm_conf": "slurm.conf",
    "model.keys": "Keys",
    "model.images": "Images",
    "model.monitoring": "Monitoring",
    "model.alerts": "Alerts",
    "model.dashboards": "Dashboards",
    "model.network_policies": "Network policies",
    "model.autoscaling": "Autoscaling",
    "model.pod": "Pods and Services",
    "model.sidecar": "Sidecars",
    "model.references": "References",
    "gke.model.cluster": "GKE: the specification",
    "gke.model.pool": "GKE: node pools",
    "gke.model.network": "GKE: network",
    "gke.model.nccl": "GKE: NCCL",
    "gke.model.control_plane": "GKE: control plane",
    "gke.model.maintenance": "GKE: maintenance",
    "gke.model.storage": "GKE: storage",
    "gke.model.database": "GKE: database",
    "gke.model.registry": "GKE: registry",
    "machines.gke.catalogue": "GKE: catalogue of machine types",
    "machines.gke.machine_type": "GKE: machine types",
    "ack.model.cluster": "ACK: the specification",
    "ack.model.pool": "ACK: node pools",
    "ack.model.disk": "ACK: disks",
    "ack.model.network": "ACK: network",
    "ack.model.control_plane": "ACK: control plane",
    "ack.model.maintenance": "ACK: maintenance",
    "ack.model.storage": "ACK: storage",
    "ack.model.database": "ACK: database",
    "machines.ack.catalogue": "ACK: catalogue of instance types",
    "machines.ack.machine_type": "ACK: instance types",
    "ack_slurm.model.options": "ack-slurm-operator: options",
    "ack_slurm.model.pods": "ack-slurm-operator: pods",
    "ack_slurm.model.outside": "ack-slurm-operator: a Slurm outside Kubernetes",
}
"""Modules with models, and the titles of their pages, in the order of the table of contents."""

COMPONENTS = {
    "components.md": ("Components", "pulumi_slurm"),
    "gke-components.md": ("Components for GKE", "pulumi_slurm.gke"),
    "bridge-components.md": ("Components for workloads of Slurm Bridge", "pulumi_slurm.bridge"),
    "ack-components.md": ("Components for ACK", "pulumi_slurm.ack"),
    "ack-slurm-components.md": ("Components for ack-slurm-operator", "pulumi_slurm.ack_slurm"),
}
"""Packages with components, by their pages."""
RULES: Mapping[str, Sequence[Rule]] = {
    "The Slurm cluster": rules.ALL_RULES,
    "Slurm clusters of one Kubernetes cluster": rules.RULES_OF_CLUSTERS,
    "A Kubernetes cluster that exists, by its provider": providers.RULES,
    "GKE": gke_rules.RULES,
    "GKE and the Slurm cluster": (
        *gke_rules.RULES_WITH_SLURM,
        *gke_rules.RULES_OF_PRIORITIES,
        *gke_rules.RULES_OF_NODE_SETS,
    ),
    "ACK": ack_rules.RULES,
    "ACK and the Slurm cluster": ack_rules.RULES_WITH_SLURM,
    "ACK, on what exists": RULES_ON_ANSWERS,
    "ack-slurm-operator": (*ack_slurm_rules.RULES, *ack_slurm_rules.RULES_OF_CLUSTERS),
}
"""All rules, by what they are about."""
PLATFORMS = ("gke", "ack", "ack_slurm")
"""What has pages of its own. Some of their models have the same names; each page leads to those of its own."""

NOT_SET = ""

Schema = Mapping[str, Any]


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    texts = {_file(name): _part(name) for name in PARTS}
    texts["stack.md"] = _stack()
    texts |= {file: _components(*source) for file, source in COMPONENTS.items()}
    texts["rules.md"] = _rules()
    texts["operator-versions.md"] = _operator_versions()
    texts["slurm-keys.md"] = _slurm_keys()
    return {"README.md": _contents(texts), **texts}


def _contents(texts: Mapping[str, str]) -> str:
    lines = [
        "# Reference",
        "",
        "Fields are named as in `Pulumi.<stack>.yaml`. In Python the same names are written in snake_case: `nodeSets` "
        "is `node_sets`.",
        "",
    ]
    for file, text in texts.items():
        title, intro = text.splitlines()[2:5:2]
        lines.append(f"- [{title.removeprefix('# ')}]({file}): {intro}")
    return _page(*lines)


def _part(name: str) -> str:
    module = import_module(f"pulumi_slurm.{name}")
    lines = [f"# {PARTS[name]}", "", _docstring(module)]
    # What a page is about is defined last in its module, after the models that it consists of.
    for model in reversed(_models_of(module)):
        lines += ["", *_model(model)]
    return _page(*lines)


def _model(model: type[BaseModel]) -> list[str]:
    # The fields of a base without a page of its own stand here.
    documented = {item for name in PARTS for item in _models_of(import_module(f"pulumi_slurm.{name}"))}
    bases = [base for base in model.__bases__ if base in documented and base.model_fields]
    inherited = {name for base in bases for name in base.model_fields} - set(model.__annotations__)
    lines = [f"## {model.__name__}", "", _docstring(model)]
    for base in bases:
        lines += ["", f"It has the fields of {_link(base.__name__, _platform(base.__module__))} as well."]
    return [*lines, "", *_table(model, leave_out=inherited)]


def _table(
    model: type[BaseModel], *, leave_out: Collection[str] = (), prefix: str = "", python: bool = False
) -> list[str]:
    platform, schema = _platform(model.__module__), model.model_json_schema(by_alias=not python)
    rows = []
    for name, field in model.model_fields.items():
        if name in leave_out:
            continue
        written = name if python else str(field.alias)
        described = schema["properties"][written]
        kind = _type(described, schema.get("$defs", {}), platform)
        default = "required" if field.is_required() else _default(described)
        rows.append((f"`{prefix}{written}`", kind, default, one_line(docstrings(model).get(name, ""))))
    return _rows(("Field", "Type", "Default", "Meaning"), rows)


def _type(field: Schema, definitions: Mapping[str, Schema], platform: str) -> str:
    options = [option for option in field.get("anyOf", [field]) if option.get("type") != "null"]
    return " or ".join(_one_type(option, definitions, platform) for option in options)


def _one_type(field: Schema, definitions: Mapping[str, Schema], platform: str) -> str:
    reference = field.get("$ref") or next((item["$ref"] for item in field.get("allOf", ())), None)
    if reference:
        name = reference.rpartition("/")[2]
        values = definitions[name].get("enum")
        return " or ".join(f"`{value}`" for value in values) if values else _link(name, platform)
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    kind = field.get("type")
    if kind == "array":
        return f"list of {_type(field['items'], definitions, platform)}"
    if kind == "object":
        values = field.get("additionalProperties")
        return (
            f"mapping to {_type(values, definitions, platform)}" if isinstance(values, dict) and values else "mapping"
        )
    words = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return words.get(str(kind), "text or an Output") + _bounds(field)


def _bounds(field: Schema) -> str:
    low, high = field.get("minimum"), field.get("maximum")
    if low is not None and high is not None:
        return f", {low:g} to {high:.0f}"
    if low is not None:
        return f", {low:g} or more"
    return f", matching `{field['pattern']}`" if "pattern" in field else ""


def _default(field: Schema) -> str:
    value = field.get("default")
    if value is None:
        return NOT_SET
    if isinstance(value, dict) and value:
        # The default of a part is the part with its own defaults.
        return "its defaults"
    return f"`{json.dumps(value)}`"


def _stack() -> str:
    lines = [
        "# Stack configuration",
        "",
        "What stands in `Pulumi.<stack>.yaml` below `config:`. `slurm:kind` decides what else may stand there.",
    ]
    names_of: dict[type[StackConfig], list[str]] = {}
    for kind in kinds():
        names_of.setdefault(config_model(kind), []).append(f"`{kind}`")
    for model, names in names_of.items():
        lines += ["", f"## Kind {' and '.join(names)}", "", _docstring(model), "", *_table(model, prefix="slurm:")]
    more: list[str] = []
    for model, names in names_of.items():
        if model.SECRETS is not StackSecrets:
            table = _table(model.SECRETS, leave_out=StackSecrets.model_fields, prefix="slurm:")
            which = "these as well" if issubclass(model.SECRETS, StackSecrets) else "these instead"
            more += ["", f"Kind {' and '.join(names)} has {which}:", "", *table]
    return _page(
        *lines,
        "",
        "## Secrets",
        "",
        "They are set with `pulumi config set --secret`, and are the same for every kind that makes a Slurm cluster:",
        "",
        *_table(StackSecrets, prefix="slurm:"),
        *more,
        "",
        *_model(OperatorSpec),
        "",
        *_model(KedaSettings),
        "",
        *_model(Acceptance),
    )


def _components(title: str, name: str) -> str:
    package = import_module(name)
    lines = [
        f"# {title}",
        "",
        f"What `{name}` exports. Each takes a name, its arguments and `pulumi.ResourceOptions`.",
        "",
        "Arguments are given by their names, or together as a model or a plain mapping with the same fields.",
    ]
    for exported in package.__all__:
        component = getattr(package, exported)
        if f"{exported}Args" not in package.__all__:
            continue
        args = getattr(package, f"{exported}Args")
        lines += ["", f"## {exported}", "", _docstring(component), "", f"Type token `slurm:index:{exported}`."]
        lines += ["", f"`{exported}Args`:", "", *_table(args, python=True)]
        bases = [base for base in reversed(component.__mro__) if base.__module__.startswith("pulumi_slurm.")]
        described = [output for base in bases for output in attributes(base)]
        outputs = [(f"`{output.name}`", f"`{output.type}`", output.meaning) for output in described]
        if outputs:
            lines += ["", "Outputs:", "", *_rows(("Output", "Type", "Meaning"), outputs)]
    for model in _models_of_arguments(package):
        lines += ["", f"## {model.__name__}", "", _docstring(model), "", *_table(model, python=True)]
    return _page(*lines)


def _models_of_arguments(package: ModuleType) -> Iterator[type[BaseModel]]:
    """Yield the models that only arguments of a package's components have, and that no page of models describes."""
    described = {model.__name__ for part in PARTS for model in _models_of(import_module(f"pulumi_slurm.{part}"))}
    for name in package.__all__:
        item = getattr(package, name)
        of_a_component = name.endswith("Args") and name.removesuffix("Args") in package.__all__
        if isinstance(item, type) and issubclass(item, BaseModel) and not of_a_component and name not in described:
            yield item


def _rules() -> str:
    lines = [
        "# Rules",
        "",
        "What has to hold between fields. A message ends with the name of the rule that it comes from.",
    ]
    for title, listed in RULES.items():
        lines += ["", f"## {title}"]
        for rule in listed:
            lines += ["", f"### {code_of(rule)}", "", _docstring(rule)]
    return _page(*lines)


def _operator_versions() -> str:
    rows = []
    for release in RELEASES:
        row = operator_version(release)
        rows.append(
            (
                f"{release} (default)" if release == DEFAULT_OPERATOR else release,
                ", ".join(row.slurm_series),
                row.kubernetes,
                f"`{row.jwt_field}`",
                "name and namespace" if row.references_carry_namespace else "name",
            )
        )
    defects = [
        (defect.value, ", ".join(release for release in RELEASES if defect in operator_version(release).defects))
        for defect in OperatorDefect
    ]
    oldest = operator_version(RELEASES[0]).minor
    fields = [
        (kind, f"`{path}`", NOT_SET if since == oldest else _minor(since), _minor(until) if until else NOT_SET)
        for kind, changes in CHANGES.items()
        for path, (since, until) in changes.items()
    ]
    return _page(
        "# Operator versions",
        "",
        "What differs between releases of slurm-operator, as far as it shows in the objects made here.",
        "",
        *_rows(("Release", "Slurm", "Kubernetes", "JWT key in", "References carry"), rows),
        "",
        "A later patch release of one of these minor releases is treated as the newest one here, with a warning; with "
        "`slurm:warningsAsErrors` it is refused. Other minor releases are refused.",
        "",
        "The CRDs of 1.3 are those of its release candidate 1.3.0-rc1.",
        "",
        "Known errors of these releases. A preview warns of those that concern the specification.",
        "",
        *_rows(("Error", "Releases"), defects),
        "",
        "Some fields of its objects are not in the CRDs of every release. A specification that needs one is refused "
        "with a release that does not have it.",
        "",
        *_rows(("Object", "Field", "Since", "Until before"), fields),
    )


def _minor(release: tuple[int, int]) -> str:
    return ".".join(map(str, release))


def _slurm_keys() -> str:
    lines = [
        "# Keys of Slurm's files",
        "",
        f"What each key of Slurm's own files is in Slurm {SERIES[0]} to {SERIES[-1]}; any other is refused.",
        "",
        "Types: `word` ignores case; `duration` is a Slurm time, where a bare number is minutes; `memory` is MiB "
        "without a unit; the order of a `list` counts, that of a `set` does not; `hosts` is a hostlist.",
        "",
        "Since and until are the first and last series in which a key has an effect, where those are not all of them. "
        "A change takes a reconfigure where nothing else is said; Slurm 23.11 was the first whose "
        "`scontrol reconfigure` starts the daemons anew.",
    ]
    for file in File:
        options = keys(file)
        for entry in (None, *(key.name for key in options if key.begins_entry)):
            title = f"Lines of {entry} in {file}" if entry else str(file)
            rows = [_slurm_key(key) for key in keys(file, entry)]
            lines += ["", f"## {title}", "", *_rows(("Key", "Type", "Since", "Until", "Change", "Instead"), rows)]
    return _page(*lines)


def _slurm_key(key: Key) -> tuple[str, ...]:
    change = NOT_SET if key.change is Change.RECONFIGURE else str(key.change)
    if key.earlier_change:
        change = f"before 23.11: {key.earlier_change}"
    since, until = str(key.since or NOT_SET), str(key.until or NOT_SET)
    return f"`{key.name}`", str(key.type), since, until, change, key.replacement or NOT_SET


def _models_of(module: ModuleType) -> list[type[BaseModel]]:
    models = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, BaseModel)]
    # pydantic adds what it makes of a generic model, such as CatalogueSpec[...], to the module that names it.
    generic = {item for item in models if item.__pydantic_generic_metadata__["args"]}
    return [item for item in models if item.__module__ == module.__name__ and item not in generic]


def _link(reference: str, platform: str) -> str:
    """Return a link to a model, by its name in a JSON schema: with its module, where two have the same name.

    Of several models of one name, that of the same platform is meant, or else the one that belongs to none.
    """
    module, _, model = reference.replace("__", ".").rpartition(".")
    for name in sorted(PARTS, key=lambda part: (_platform(part) != platform, _platform(part) != "")):
        part = import_module(f"pulumi_slurm.{name}")
        if model in {item.__name__ for item in _models_of(part)} and module in ("", part.__name__):
            return f"[{model}]({_file(name)}#{model.lower()})"
    page = "stack" if model in {item.__name__ for item in (OperatorSpec, KedaSettings, Acceptance)} else "components"
    if platform and model in import_module(f"pulumi_slurm.{platform}").__all__:
        page = f"{platform.replace('_', '-')}-components"
    return f"[{model}]({page}.md#{model.lower()})"


def _platform(module: str) -> str:
    """Return which of `PLATFORMS` a module is about; nothing for most."""
    return next((platform for platform in PLATFORMS if platform in module.split(".")), "")


def _file(part: str) -> str:
    name = part.rpartition(".")[2].replace("_", "-")
    prefix = f"{_platform(part)}-".replace("_", "-").lstrip("-")
    return prefix + name.removeprefix(prefix) + ".md"


def _rows(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    lines = [head, tuple("---" for _ in head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def _docstring(item: Any) -> str:
    """Return a docstring as Markdown, with what is indented in it as blocks of code.

    They are Python below "::", and otherwise fields as they stand in stack configuration.
    """
    parts: list[str] = []
    paragraphs = (inspect.getdoc(item) or "").split("\n\n")
    for is_code, group in groupby(paragraphs, key=lambda paragraph: paragraph.startswith("    ")):
        text = "\n\n".join(group)
        if is_code:
            check, language = ("example", "python") if parts[-1].endswith("::") else ("fields", "yaml")
            parts[-1] = parts[-1].replace("::", ":")
            parts.append(f"<!-- check: {check} -->\n```{language}\n{textwrap.dedent(text)}\n```")
        else:
            parts += map(one_line, text.split("\n\n"))
    return "\n\n".join(parts)


def _page(*lines: str) -> str:
    return "\n".join((DO_NOT_EDIT, "", *lines)) + "\n"


def write(folder: Path = FOLDER) -> None:
    """Write every page, and remove those that no longer are."""
    texts = pages()
    folder.mkdir(exist_ok=True)
    for file in folder.glob("*.md"):
        if file.name not in texts:
            file.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    write()
