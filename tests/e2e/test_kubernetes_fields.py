"""The fields that users write in Kubernetes' own form are those of a real API server."""

from typing import Any

import pytest

from devcluster.api import ApiError
from pulumi_slurm.model.kubernetes_fields import form_errors, types
from tests.e2e.objects import Objects

PATHS = ("/openapi/v3/api/v1", "/openapi/v3/apis/autoscaling/v2")
SCALARS = {"string", "integer", "number", "boolean"}
WITHOUT_PROPERTIES = {"FieldsV1", "MicroTime", "Time", "Quantity", "IntOrString"}


@pytest.fixture(scope="module")
def schemas(objects: Objects) -> dict[str, Any]:
    """Return the schemas of the server, by the type's name."""
    return {
        name.rpartition(".")[2]: schema
        for path in PATHS
        for name, schema in objects.api.get(path)["components"]["schemas"].items()
    }


def of(schema: dict[str, Any]) -> str:
    """Return the type of a field as the table writes it."""
    reference = schema.get("$ref") or next((one["$ref"] for one in schema.get("allOf", ()) if "$ref" in one), "")
    if name := reference.rpartition(".")[2]:
        return {"Quantity": "string", "IntOrString": "any", "FieldsV1": "any", "Time": "string"}.get(name, name)
    if schema["type"] == "array":
        return f"[{of(schema['items'])}]"
    if schema["type"] == "object":
        return f"{{{of(schema['additionalProperties'])}}}"
    return str(schema["type"])


def test_the_table_has_all_fields_of_the_server_and_their_types(schemas: dict[str, Any]) -> None:
    # The table may be of a newer release, which has more types and fields; none goes.
    known = [name for name in types() if name in schemas]
    assert len(known) > 90
    for name in known:
        served = {field: of(schema) for field, schema in schemas[name].get("properties", {}).items()}
        ours = types()[name]
        assert {field: ours.get(field) for field in served} == served, name


@pytest.mark.parametrize(
    ("volume", "message"),
    [
        (
            {"name": "d", "persistentVolumeclaim": {"claimName": "x"}},
            'unknown field "spec.volumes[0].persistentVolumeclaim"',
        ),
        ({"name": "d", "hostpath": {"path": "/x"}}, 'unknown field "spec.volumes[0].hostpath"'),
        ({"name": "d", "configMap": {"name": "x", "items": {}}}, "cannot unmarshal object"),
    ],
)
def test_the_server_refuses_what_we_refuse_when_it_is_asked_to_be_strict(
    objects: Objects, volume: dict[str, Any], message: str
) -> None:
    assert list(form_errors("Volume", volume))
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "strict", "namespace": "default"},
        "spec": {"containers": [{"name": "a", "image": "a"}], "volumes": [volume]},
    }
    with pytest.raises(ApiError, match=message.replace("[", r"\[")):
        objects.api.request("POST", "/api/v1/namespaces/default/pods?dryRun=All&fieldValidation=Strict", pod)
