"""The mappings that components take in place of models, as types for editors and type checkers.

``python -m tools.generate_dicts`` writes them into `dicts.py` of each package, and their names into its `__init__.pyi`,
by which they can be imported from its top. They are what Pulumi's own SDKs have
beside each class of arguments: a TypedDict of the same fields, in which an enum is also its text and a model also a
mapping.
"""

import collections.abc
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from devcluster.folders import CHECKOUT
from pulumi_slurm.component_provider.components import PACKAGES, components_of
from pulumi_slurm.errors.annotations import input_value
from pulumi_slurm.model.base import Model

WIDER = {
    list: "Sequence",
    dict: "Mapping",
    collections.abc.Sequence: "Sequence",
    collections.abc.Mapping: "Mapping",
}
"""Types of fields, with what can be read as such."""


class _Unwritten(ModuleType):
    """Stands for a file that is about to be written, so that components that take new mappings can be loaded."""

    def __getattr__(self, name: str) -> type:
        if not name.endswith("Dict"):
            raise AttributeError(name)
        return dict


class Writer:
    """Writes the mappings of one package."""

    def __init__(self, package: str, elsewhere: dict[type[Model], str]) -> None:
        self.module = f"{package}.dicts"
        self._elsewhere = elsewhere
        self._imports: dict[str, set[str]] = {"typing": {"NotRequired", "TypedDict"}}
        self.models: dict[type[Model], str] = {}
        """The mappings that stand here, with their text; one comes before those that refer to it."""

    def add(self, model: type[Model]) -> None:
        """Write the mapping of a model, after those of the models in its fields."""
        if model in self.models or model in self._elsewhere:
            return
        fields = [f"    {name}: {self._field(field)}" for name, field in model.model_fields.items()]
        head = f"class {model.__name__}Dict(TypedDict):"
        about = f'    """`{model.__name__}` as a mapping."""'
        self.models[model] = "\n".join([head, about, "", *fields])

    def text(self) -> str:
        """Return the whole file."""
        lines = ['"""Written by `make generate`: what components take in place of models, for type checkers."""', ""]
        for module, names in sorted(self._imports.items()):
            lines.append(f"import {module}" if not names else f"from {module} import {', '.join(sorted(names))}")
        return "\n".join(lines) + "\n\n\n" + "\n\n\n".join(self.models.values()) + "\n"

    def _field(self, field: FieldInfo) -> str:
        text = self._type(field.annotation)
        return text if field.is_required() else f"NotRequired[{text}]"

    def _type(self, annotation: Any) -> str:
        origin, parts = get_origin(annotation), get_args(annotation)
        if origin in (Union, UnionType):
            return self._union(annotation)
        if origin is Literal:
            return self._name("typing", "Literal") + f"[{', '.join(map(repr, parts))}]"
        if origin is not None:
            return f"{self._class(origin)}[{', '.join(map(self._type, parts))}]"
        if annotation is Any:
            return self._name("typing", "Any")
        return "None" if annotation is NoneType else self._class(annotation)

    def _union(self, annotation: Any) -> str:
        parts, value = get_args(annotation), input_value(annotation)
        if value is not None:
            others = [part for part in parts if part is NoneType]
            self._imports.setdefault("pulumi", set())
            return " | ".join([f"pulumi.Input[{self._type(value)}]", *map(self._type, others)])
        return " | ".join(map(self._type, parts))

    def _class(self, named: type) -> str:
        if named in WIDER:
            return self._name("collections.abc", WIDER[named])
        if issubclass(named, Model):
            self.add(named)
            mapping = f"{named.__name__}Dict"
            if named in self._elsewhere:
                self._name(self._elsewhere[named], mapping)
            return f"{self._name(named.__module__, named.__name__)} | {mapping}"
        if issubclass(named, Enum):
            texts = ", ".join(repr(member.value) for member in named)
            literal = self._name("typing", "Literal")
            return f"{self._name(named.__module__, named.__name__)} | {literal}[{texts}]"
        return named.__name__ if named.__module__ == "builtins" else self._name(named.__module__, named.__name__)

    def _name(self, module: str, name: str) -> str:
        self._imports.setdefault(module, set()).add(name)
        return name


def files() -> Iterator[tuple[Path, str]]:
    """Yield each file with its text."""
    elsewhere: dict[type[Model], str] = {}
    for package in PACKAGES:
        writer = _written(package, elsewhere)
        if not elsewhere:
            # What several clouds take stands in the first one, since no cloud imports another.
            clouds = [other for other, sdk in PACKAGES.items() if sdk]
            of_clouds = Counter(model for cloud in clouds for model in _written(cloud, {}).models)
            for model, count in of_clouds.items():
                if count > 1:
                    writer.add(model)
        elsewhere |= dict.fromkeys(writer.models, writer.module)
        folder = CHECKOUT / "components" / Path(*package.split("."))
        yield folder / "dicts.py", _formatted(writer.text(), "dicts.py")
        stub = folder / "__init__.pyi"
        yield stub, _formatted(_with_mappings(stub.read_text(), writer.models), stub.name)


def _written(package: str, elsewhere: dict[type[Model], str]) -> Writer:
    """Return a package's mappings, but those that stand elsewhere."""
    writer = Writer(package, elsewhere)
    for component in components_of(package):
        writer.add(component.args_model())
    return writer


_OF_MAPPINGS = re.compile(r"^from \.dicts import \(\n.*?^\)\n", re.DOTALL | re.MULTILINE)


def _with_mappings(stub: str, models: Iterable[type[Model]]) -> str:
    """Return a package's stub with the names of its mappings in place of those that it has."""
    names = "".join(f"    {model.__name__}Dict as {model.__name__}Dict,\n" for model in models)
    return f"{_OF_MAPPINGS.sub('', stub)}from .dicts import (\n{names})\n"


def _formatted(text: str, name: str) -> str:
    for command in (("check", "--quiet", "--fix", "--select=I"), ("format", "--quiet")):
        ruff = [sys.executable, "-m", "ruff", *command, f"--stdin-filename={name}", "-"]
        text = subprocess.run(ruff, cwd=CHECKOUT, input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> None:
    """Write all files."""
    sys.modules |= {f"{package}.dicts": _Unwritten("dicts") for package in PACKAGES}
    for file, text in files():
        file.write_text(text)


if __name__ == "__main__":
    main()
