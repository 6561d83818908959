"""The table of fields of Slinky's objects: it is what its tool writes, and covers every release."""

from pathlib import Path

import pytest

from pulumi_slurm.model import DEFAULT_OPERATOR, operator_version
from pulumi_slurm.model.releases.operator_fields import DEFAULTS, FIELDS, SOURCES
from pulumi_slurm.model.releases.operator_version import RELEASES, first_release_with
from pulumi_slurm.rules.override_fields import DERIVED, PROBES
from tools.operator_fields import FILE, defaults, defaults_of, fields_of, kept_schemas, read_crds, table, text

CRD = """
spec:
  names: {kind: NodeSet}
  versions:
  - name: v1beta1
    storage: true
    schema:
      openAPIV3Schema:
        properties:
          metadata: {type: object}
          spec:
            properties:
              replicas: {type: integer}
              claims: {type: array, items: {properties: {name: {type: string}}}}
              labels: {type: object, additionalProperties: {type: string}}
              slurmd: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {image: {type: string}}}
"""


def test_the_file_is_as_the_tool_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8") == text(SOURCES, table(), defaults(SOURCES))


def test_the_crds_of_every_minor_release_were_read() -> None:
    assert {operator_version(release).minor for release in RELEASES} == set(SOURCES)
    for minor, release in SOURCES.items():
        assert operator_version(release.removesuffix("-rc1")).minor == minor


def test_the_schemas_beside_the_table_have_its_fields() -> None:
    for minor, release in SOURCES.items():
        assert fields_of(kept_schemas(release)) == table()[minor]


def test_a_further_minor_release_is_added_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "slinky.slurm.net_nodesets.yaml").write_text(CRD)
    fields = read_crds(tmp_path)
    paths = {"replicas", "claims", "claims.name", "labels", "labels.*", "slurmd", "slurmd.*", "slurmd.image"}
    assert fields == {"NodeSet": paths}
    written = text({**SOURCES, (9, 0): "9.0.0"}, {**table(), (9, 0): fields}, {"NodeSet": {"replicas": 1}})
    assert '        (9, 0): "9.0.0",\n' in written
    written, _, written_defaults = written.partition("DEFAULTS: ")
    assert '        "NodeSet": MappingProxyType(\n            {\n                "replicas": 1,\n' in written_defaults
    parts = written.split("FIELDS: ")
    changes, every_field = (part.split('        "NodeSet": ')[1].split('\n        "')[0] for part in parts)
    assert '                "claims": ((9, 0), None),\n' in changes
    assert '"claims.name"' not in changes, "it came with the field above it"
    assert '            "claims.name",\n' in every_field
    assert '"replicas"' not in changes, "every release has it"
    assert '            "replicas",\n' in every_field
    assert '                "workloadDisruptionProtection": ((1, 1), (9, 0)),\n' in changes
    with pytest.raises(SystemExit, match=r"Accounting\.external was removed and came back"):
        text({**SOURCES, (9, 0): "9.0.0", (9, 1): "9.1.0"}, {**table(), (9, 0): fields, (9, 1): table()[1, 0]}, {})


def test_the_schemas_beside_the_table_have_its_defaults() -> None:
    """A field has the same default in all releases that have one, but for a NodeSet's own partition in 1.0."""
    found: dict[tuple[str, str], list[object]] = {}
    for release in SOURCES.values():
        for kind, fields in defaults_of(kept_schemas(release)).items():
            for path, value in fields.items():
                values = found.setdefault((kind, path), [])
                values += [] if value in values else [value]
    assert {key: values[-1] for key, values in found.items()} == {
        (kind, path): value for kind, fields in DEFAULTS.items() for path, value in fields.items()
    }
    assert {key: values for key, values in found.items() if len(values) > 1} == {
        ("NodeSet", "partition.enabled"): [True, False]
    }


def test_a_folder_without_crds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no CRDs of slurm-operator"):
        read_crds(tmp_path)


def test_fields_that_came_and_went() -> None:
    oldest, newest = operator_version("1.0.0"), operator_version("1.2.0")
    assert oldest.has("NodeSet", "taintKubeNodes")
    assert not newest.has("NodeSet", "taintKubeNodes")
    assert (oldest.has("NodeSet", "ssh.enabled"), newest.has("NodeSet", "ssh.enabled")) == (False, True)
    assert newest.fields("NodeSet") - oldest.fields("NodeSet") >= {"ssh", "pinToNode"}
    assert "slurmd.*" not in newest.fields("NodeSet")


def test_a_field_has_the_releases_of_the_field_above_it_unless_its_own_differ() -> None:
    with_child, without_child = {"NodeSet": {"a", "a.b", "a.c"}}, {"NodeSet": {"a", "a.b"}}
    written = text({(1, 0): "", (1, 1): "", (1, 2): ""}, {(1, 0): {}, (1, 1): without_child, (1, 2): with_child}, {})
    rows = (
        "            {",
        '                "a": ((1, 1), None),',
        '                "a.c": ((1, 2), None),',
        "            }",
    )
    assert "\n".join(('        "NodeSet": MappingProxyType(', *rows, "        ),")) in written
    assert '        "NodeSet": (\n            "a.b",\n            "a.c",\n        ),\n' in written


def test_names_of_fields_below_a_path() -> None:
    oldest, newest = operator_version("1.0.0"), operator_version("1.2.0")
    assert oldest.fields("NodeSet", "updateStrategy") == {"rollingUpdate", "type"}
    assert newest.fields("NodeSet", "updateStrategy") == {"rollingUpdate", "scheduledUpdate", "type"}
    assert newest.fields("Controller", "configFileRefs") == {"name"}
    assert newest.fields("NodeSet", "template.spec") == {"*"}
    assert newest.fields("NodeSet", "replicas") == set()


def test_what_kubernetes_defines_is_not_in_the_crds_but_may_be_there() -> None:
    default = operator_version(DEFAULT_OPERATOR)
    assert default.has("NodeSet", "slurmd.resources.limits")
    assert default.has("NodeSet", "template.spec.hostname")
    assert not default.has("NodeSet", "template.hostname")
    assert not default.has("NodeSet", "replicas.number")


@pytest.mark.parametrize("kind", DERIVED)
def test_what_overrides_may_not_set_exists(kind: str) -> None:
    for path in (*DERIVED[kind], *((container,) for container in PROBES[kind])):
        assert first_release_with(kind, ".".join(map(str, path))) in RELEASES, path
    assert kind in FIELDS
