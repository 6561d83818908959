"""The schema of the plugin `slurm`, from which Pulumi generates SDKs for other languages, made from models.

``python -m tools.package_schema`` writes it beside the plugin, which serves it; with ``--check`` it only looks. The
form is that of the metaschema: https://github.com/pulumi/pulumi/blob/v3.259.0/pkg/codegen/schema/pulumi.json.

Pulumi's own analyser of components knows neither unions nor secrets nor the texts of enums. This reads the same models
that check the arguments, so that a field, its text and its choices are stated once:

- What takes no Outputs is `plain` at every depth: it decides which resources there are, and rules look at its value.
- Defaults are in descriptions. Stated as defaults they would be filled in by SDKs, for these alone, and a model could
  no longer tell what its user has written from what has been left out, as rules do; it fills them in itself.
- Text that may be written as a number, such as the time limit 90, is a union of both.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from devcluster.folders import CHECKOUT
from pulumi_slurm.component_provider.components import PACKAGES, PREFIX, components_of
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors.annotations import input_value, unwrapped
from pulumi_slurm.kube.component import Component, takes_outputs
from pulumi_slurm.model.base import Model
from pulumi_slurm.secrecy import is_secret_name
from pulumi_slurm.version import __version__
from pulumi_slurm_stacks.schema import fields_that_take_numbers
from tools.attributes import attributes, one_line

FILE = CHECKOUT / "components" / "pulumi_slurm" / "component_provider" / "schema.json"
NO_SECRETS = frozenset({"encryption_key", "key"})
"""Names of keys in Google's KMS, which are called as if they were secrets."""
_PRIMITIVES: Mapping[Any, str] = {str: "string", date: "string", bool: "boolean", int: "integer", float: "number"}
_LANGUAGES: Mapping[str, Mapping[str, bool]] = MappingProxyType(
    {
        "csharp": {},
        # Else the generator for Go leaves types out that it refers to: those of items of plain arrays.
        "go": {"generateExtraInputTypes": True},
        "java": {},
        "nodejs": {},
        "python": {},
    }
)

_CODE = re.compile("`[^`]+`")

Schema = dict[str, Any]


class Writer:
    """Writes components, and the types of their arguments as these come up."""

    def __init__(self) -> None:
        self.types: dict[str, Schema] = {}
        self._names = {name: to_camel(name) for name in ("depends_on", "enable_secret_mutable")}
        """How other languages call what has these names in Python."""

    def component(self, component: type[Component[Any]]) -> Schema:
        """Return the schema of a component."""
        args = component.args_model()
        meanings = {item.name: item.meaning for base in component.__mro__[:-1] for item in _attributes(base)}
        outputs = component.output_types()
        self._names |= {name: to_camel(name) for name in outputs}
        return {
            "isComponent": True,
            "description": _description(component),
            "inputProperties": self._fields(args),
            "requiredInputs": _required(args),
            "properties": {
                to_camel(name): {**self._type(kind, plain=False), "description": meanings[name]}
                for name, kind in outputs.items()
            },
            "required": [to_camel(name) for name, kind in outputs.items() if type(None) not in get_args(kind)],
        }

    def renamed(self, item: Any) -> Any:
        """Return a part of the schema with fields in its descriptions called as in other languages."""
        if isinstance(item, list):
            return [self.renamed(part) for part in item]
        if not isinstance(item, dict):
            return item
        whole = {key: self.renamed(part) for key, part in item.items()}
        if isinstance(item.get("description"), str):
            whole["description"] = _CODE.sub(self._renamed_code, item["description"])
        return whole

    def _renamed_code(self, code: re.Match[str]) -> str:
        return re.sub(r"\w+", lambda word: self._names.get(word[0], word[0]), code[0])

    def _fields(self, model: type[Model]) -> Schema:
        numbers = fields_that_take_numbers(model)
        fields = {}
        for name, field in model.model_fields.items():
            described = self._type(field.annotation)
            if name in numbers and described.get("type") == "string":
                described["oneOf"] = [{**described}, {**described, "type": "number"}]
            described["description"] = _meaning(field, docstrings(model).get(name, ""))
            if isinstance(field.deprecated, str):
                described["deprecationMessage"] = field.deprecated
            if takes_outputs(field.annotation) and is_secret_name(name) and name not in NO_SECRETS:
                described["secret"] = True
                # SDKs make an Output of what is secret, which for a mapping those for Go can't if it is plain.
                described.pop("plain", None)
            fields[str(field.alias)] = described
            self._names[name] = str(field.alias)
        return fields

    def _type(self, annotation: Any, *, plain: bool = True) -> Schema:
        """Return the type of an annotation; ``plain`` says that no Output may stand there, if it doesn't itself."""
        value = input_value(annotation)
        if value is not None:
            return self._type(value, plain=False)
        (kind,) = [annotation] if annotation is Any else unwrapped(annotation)
        return {**self._bare_type(kind, plain=plain), **({"plain": True} if plain else {})}

    def _bare_type(self, kind: Any, *, plain: bool) -> Schema:
        if kind in _PRIMITIVES:
            return {"type": _PRIMITIVES[kind]}
        if kind is Any:
            return {"$ref": "pulumi.json#/Any"}
        collection = get_origin(kind)
        if collection is None:
            return self._named_type(kind)
        *_, item = get_args(kind)
        if issubclass(collection, Mapping):
            return {"type": "object", "additionalProperties": self._type(item, plain=plain)}
        return {"type": "array", "items": self._type(item, plain=plain)}

    def _named_type(self, kind: type) -> Schema:
        token = f"{PREFIX}{kind.__name__.removesuffix('Args')}"
        if token not in self.types:
            self.types[token] = {}
            self.types[token] |= self._object(kind) if issubclass(kind, Model) else _enum(kind)
        return {"$ref": f"#/types/{token}"}

    def _object(self, model: type[Model]) -> Schema:
        described = {"type": "object", "description": _description(model)}
        return {**described, "properties": self._fields(model), "required": _required(model)}


def _enum(kind: Any) -> Schema:
    meanings = {item.name: item.meaning for item in attributes(kind)}
    values = [
        {
            "name": member.name.title().replace("_", ""),
            "value": member.value,
            **({"description": meanings[member.name]} if member.name in meanings else {}),
        }
        for member in kind
    ]
    return {"type": "string", "description": _description(kind), "enum": values}


def _required(model: type[Model]) -> list[str]:
    return [str(field.alias) for field in model.model_fields.values() if field.is_required()]


def _attributes(base: type) -> Iterator[Any]:
    return attributes(base) if base.__module__.startswith("pulumi_slurm.") else iter(())


def _description(item: type) -> str:
    """Return a class's docstring as Markdown, without examples, which are in Python."""
    text, _, _ = (item.__doc__ or "").partition("Example::")
    return "\n\n".join(one_line(paragraph) for paragraph in text.split("\n\n") if paragraph.strip())


def _meaning(field: FieldInfo, docstring: str) -> str:
    text = one_line(docstring)
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    if isinstance(default, Enum | str | int | float) and default != "":
        value = default.value if isinstance(default, Enum) else default
        text += f" Default: `{value if isinstance(value, str) else json.dumps(value)}`."
    return text


def schema() -> Schema:
    """Return the whole schema, of the components of all clouds."""
    writer = Writer()
    components = [component for package in PACKAGES for component in components_of(package)]
    resources = {f"{PREFIX}{component.__name__}": writer.component(component) for component in components}
    types = writer.types
    return {
        "name": "slurm",
        # Else Pulumi takes a part of the repository's address for it, and refuses one that isn't made of words.
        "namespace": "pulumi-slurm",
        "displayName": "Slurm",
        "version": __version__,
        "description": "Slurm clusters on any Kubernetes, described once and built by one `pulumi up`.",
        "keywords": ["slurm", "hpc", "kubernetes", "kind/component", "category/infrastructure"],
        "license": "Apache-2.0",
        "types": {token: writer.renamed(types[token]) for token in sorted(types)},
        "resources": {token: writer.renamed(resources[token]) for token in sorted(resources)},
        "language": {name: {"respectSchemaVersion": True, **more} for name, more in _LANGUAGES.items()},
    }


def text() -> str:
    """Return the file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str], file: Path = FILE) -> int:
    """Write the file; with ``--check`` only say whether it is as it would be written, as `make lint` asks."""
    if "--check" not in arguments:
        file.write_text(text())
    elif file.read_text() != text():
        sys.stderr.write(f"{file.relative_to(CHECKOUT)} is not what models come to: run `make generate`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
