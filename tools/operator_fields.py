"""Write the table of fields of Slinky's objects, `model/releases/operator_fields.py`, from the CRDs of slurm-operator.

It also writes the schemas without their texts to ``tests/crds/slinky``, for a real API server in the tests. Give it the
newest patch release of a minor release, with a folder that has its CRDs: ``config/crd/bases`` of
https://github.com/SlinkyProject/slurm-operator at the tag of the release. What is in the table of other minor releases
stays::

    python -m tools.operator_fields 1.2.1=../slurm-operator/config/crd/bases
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.model.releases import operator_fields
from pulumi_slurm.model.releases.operator_fields import FIELDS, SOURCES
from pulumi_slurm.model.releases.operator_version import is_in_minor, paths

FILE = Path(operator_fields.__file__)
SCHEMAS = CHECKOUT / "tests" / "crds" / "slinky"
"""The schema of the ``spec`` of each kind, one file for each release that was read."""

Minor = tuple[int, int]
FieldsByKind = Mapping[str, set[str]]
"""The paths of all fields in the specification of each kind of object."""
Range = tuple[Minor, Minor | None]
"""The first minor release with a field, and the first one without it again."""

_HEAD = '''\
"""The fields of Slinky's objects, and the minor releases of slurm-operator that have them.

Written by tools/operator_fields.py from the CRDs of slurm-operator; a change here is lost.
"""

from collections.abc import Mapping
from types import MappingProxyType
'''


def read_schemas(folder: Path) -> dict[str, Any]:
    """Return the schema of the ``spec`` of each kind whose CRD is in a folder, without descriptions."""
    schemas: dict[str, Any] = {}
    for file in sorted(folder.glob("slinky.slurm.net_*.yaml")):
        crd: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        (version,) = (version for version in crd["spec"]["versions"] if version["storage"])
        schema = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
        schemas[crd["spec"]["names"]["kind"]] = _without_texts(schema)
    if not schemas:
        raise SystemExit(f"{folder} has no CRDs of slurm-operator, which are called slinky.slurm.net_*.yaml")
    return schemas


def kept_schemas(release: str) -> dict[str, Any]:
    """Return the schema of each kind of a release as it stands in the tests, by libyaml, since the files are long."""
    text = (SCHEMAS / f"{release}.yaml").read_text(encoding="utf-8")
    schemas: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe one
    return schemas


def _without_texts(schema: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: _without_texts(field) for name, field in value.items()}
        elif key in {"items", "additionalProperties"} and isinstance(value, Mapping):
            result[key] = _without_texts(value)
        elif key == "x-kubernetes-validations":
            result[key] = [{"rule": validation["rule"]} for validation in value]
        elif key != "description":
            result[key] = value
    return result


def read_crds(folder: Path) -> dict[str, set[str]]:
    """Return the fields of each kind whose CRD is in a folder; "path.*" stands for any fields below a path."""
    return fields_of(read_schemas(folder))


def fields_of(schemas: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the fields of each kind by its schema."""
    return {kind: set(_paths(schema, "")) for kind, schema in schemas.items()}


def defaults_of(schemas: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the defaults of each kind's fields by its schema, but for those of items of lists."""
    return {kind: dict(_defaults(schema, "")) for kind, schema in schemas.items()}


def _defaults(schema: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, field in schema.get("properties", {}).items():
        if "default" in field:
            yield prefix + name, field["default"]
        yield from _defaults(field, f"{prefix}{name}.")


def defaults(sources: Mapping[Minor, str]) -> dict[str, dict[str, Any]]:
    """Return the defaults of each kind's fields, as in the newest release that has one, by the schemas in the tests."""
    newest: dict[str, dict[str, Any]] = {}
    for _, release in sorted(sources.items()):
        for kind, fields in defaults_of(kept_schemas(release)).items():
            newest.setdefault(kind, {}).update(fields)
    return newest


def table() -> dict[Minor, dict[str, set[str]]]:
    """Return the fields of each kind by minor release, as they are in the table."""
    return {
        minor: {kind: {path for path in paths(kind) if is_in_minor(minor, kind, path)} for kind in FIELDS}
        for minor in SOURCES
    }


def text(
    sources: Mapping[Minor, str], fields: Mapping[Minor, FieldsByKind], defaults: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the module with the tables; ``sources`` are the releases whose CRDs were read."""
    kinds = sorted({kind for kinds in fields.values() for kind in kinds})
    ranges = {kind: _ranges(kind, fields) for kind in kinds}
    lines = [
        _HEAD,
        "SOURCES: Mapping[tuple[int, int], str] = MappingProxyType(",
        "    {",
        *(f'        {minor}: "{sources[minor]}",' for minor in sorted(fields)),
        "    }",
        ")",
        '"""The releases whose CRDs were read, by minor release."""',
        "",
        "CHANGES: Mapping[str, Mapping[str, tuple[tuple[int, int], tuple[int, int] | None]]] = MappingProxyType(",
        "    {",
    ]
    for kind in kinds:
        changes = _changes(ranges[kind], (min(fields), None))
        if changes:
            rows = (f'                "{path}": ({since}, {until}),' for path, (since, until) in changes.items())
            start = [f'        "{kind}": MappingProxyType(', "            {"]
            lines += [*start, *rows, "            }", "        ),"]
    lines += [
        "    }",
        ")",
        '"""Fields that not every release has: the first minor release with the field, and the first one without it '
        "again.",
        "",
        'The fields below a field have its releases, unless they have a row of their own."""',
        "",
        "FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(",
        "    {",
    ]
    for kind in kinds:
        above = {path.rpartition(".")[0] for path in ranges[kind]}
        innermost = (f'            "{path}",' for path in ranges[kind] if path not in above)
        lines += [f'        "{kind}": (', *innermost, "        ),"]
    lines += [
        "    }",
        ")",
        '"""The innermost fields of all releases, by kind. What stands above them in their paths are fields too.',
        "",
        'A path that ends in ".*" stands for whatever Kubernetes has there: the CRD leaves it open."""',
        "",
        "DEFAULTS: Mapping[str, Mapping[str, object]] = MappingProxyType(",
        "    {",
    ]
    for kind in kinds:
        rows = (
            f'                "{path}": {_literal(value)},' for path, value in sorted(defaults.get(kind, {}).items())
        )
        lines += [f'        "{kind}": MappingProxyType(', "            {", *rows, "            }", "        ),"]
    lines += [
        "    }",
        ")",
        '"""What the API server writes into fields that are left out, in the newest release that has a default."""',
    ]
    return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _ranges(kind: str, fields: Mapping[Minor, FieldsByKind]) -> dict[str, Range]:
    """Return which minor releases have each field of a kind, in the order of paths."""
    minors = sorted(fields)
    ranges: dict[str, Range] = {}
    for path in sorted({path for kinds in fields.values() for path in kinds.get(kind, ())}):
        holders = [minor for minor in minors if path in fields[minor].get(kind, ())]
        later = [minor for minor in minors if minor > holders[-1]]
        if holders != [minor for minor in minors if holders[0] <= minor <= holders[-1]]:
            raise SystemExit(f"{kind}.{path} was removed and came back, which this table can't say")
        ranges[path] = (holders[0], later[0] if later else None)
    return ranges


def _changes(ranges: Mapping[str, Range], always: Range) -> dict[str, Range]:
    """Return the fields with other releases than the field above them, or than the object itself."""
    return {
        path: releases for path, releases in ranges.items() if releases != ranges.get(path.rpartition(".")[0], always)
    }


def schemas_text(schemas: Mapping[str, Any]) -> str:
    """Return the file with the schemas of a release."""
    return yaml.safe_dump(dict(schemas), default_flow_style=None, width=120)


def _paths(schema: Mapping[str, Any], prefix: str) -> Iterator[str]:
    if schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("additionalProperties"):
        yield f"{prefix}*"
    for name, field in schema.get("properties", {}).items():
        yield prefix + name
        yield from _paths(field, f"{prefix}{name}.")
    if "items" in schema:
        yield from _paths(schema["items"], prefix)


def main(arguments: list[str]) -> None:
    """Read the CRDs that ``arguments`` name and write the table anew."""
    sources, fields = dict(SOURCES), table()
    for argument in arguments:
        release, _, folder = argument.partition("=")
        major, minor, _ = release.split(".")
        sources[int(major), int(minor)] = release
        schemas = read_schemas(Path(folder))
        fields[int(major), int(minor)] = fields_of(schemas)
        SCHEMAS.mkdir(parents=True, exist_ok=True)
        (SCHEMAS / f"{release}.yaml").write_text(schemas_text(schemas), encoding="utf-8")
    FILE.write_text(text(sources, fields, defaults(sources)), encoding="utf-8")
    releases = ", ".join(sources[key] for key in sorted(fields))
    sys.stdout.write(f"{FILE.relative_to(CHECKOUT)} has the fields of {releases}.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
