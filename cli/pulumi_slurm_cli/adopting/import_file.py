"""The file by which `pulumi import` takes over objects: that of `pulumi preview --import-file`, with their ids.

Source of its form: https://www.pulumi.com/docs/iac/guides/migration/import/. An id is that of the provider for
Kubernetes: namespace and name.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.model.names import login_set_object, node_set_object
from pulumi_slurm_cli.adopting.draft import FILES
from pulumi_slurm_cli.adopting.live import CONFIG_MAP, KINDS, SLINKY, LiveObjects, Object, title
from pulumi_slurm_cli.adopting.release import Release
from pulumi_slurm_cli.shapes import Shape, shape_errors

_CLUSTER = "slurm:index:SlurmCluster"


class _Resource(Shape):
    type: str | None = None
    name: str | None = None
    logical_name: str | None = None
    id: str | None = None
    parent: str | None = None
    provider: str | None = None


class _ImportFile(Shape):
    resources: list[_Resource]


def not_as_written(data: Any) -> str | None:
    """Return what of data is not as `pulumi preview --import-file` writes it, None where all is."""
    errors = shape_errors(_ImportFile, data)
    below = (f"{error.where}: {error.problem}" for error in errors if error.path[1:])
    return next(below, "there is no list of resources") if errors else None


def with_ids(data: Mapping[str, Any], live: LiveObjects) -> dict[str, Any]:
    """Return the file with the ids of what is there, and without what isn't."""
    resources = data["resources"]
    cluster = next((str(_name(item)) for item in resources if item.get("type") == _CLUSTER), None)
    live_objects = dict(_objects(cluster, live)) if cluster else {}
    kept = [
        {**item, "id": f"{its['metadata']['namespace']}/{its['metadata']['name']}"}
        if (its := live_objects.get((str(item.get("type")), _name(item))))
        else item
        for item in resources
        if "id" not in item or (str(item.get("type")), _name(item)) in live_objects
    ]
    parents = _parents(kept)
    return {**data, "resources": [item for item in kept if "id" in item or item.get("name") in parents]}


def without_id(data: Mapping[str, Any], release: Release) -> list[str]:
    """Return the objects of a release that have no id in the file, such as "Controller/slurm"."""
    ids = {(item.get("type"), item.get("id")) for item in data["resources"]}
    return [
        title(item)
        for item in release.objects
        if item["kind"] in KINDS and (_type(item["kind"]), f"{release.namespace}/{item['metadata']['name']}") not in ids
    ]


def _name(item: Mapping[str, Any]) -> str:
    """Return a resource's own name: `name` is another where two resources have the same."""
    return str(item.get("logicalName", item.get("name")))


def _objects(cluster: str, live: LiveObjects) -> Iterator[tuple[tuple[str, str], Object]]:
    """Yield live objects by the type and the name of the resource that each will be."""
    for kind in ("Accounting", "Controller", "RestApi"):
        if item := live.find(kind, cluster):
            yield (_type(kind), f"{cluster}-{kind.lower()}"), item
    for kind, prefix in (("NodeSet", node_set_object(cluster, "")), ("LoginSet", login_set_object(cluster, ""))):
        for item in live.of(kind):
            name = item["metadata"]["name"]
            if name.startswith(prefix):
                yield (_type(kind), f"{cluster}-{name.removeprefix(prefix)}-{kind.lower()}"), item
    controller = live.find("Controller", cluster)
    for field in FILES:
        references = (controller["spec"].get(field) or []) if controller else []
        for index, reference in enumerate(references, start=1):
            role = f"{field.removesuffix('Refs')}{'' if index == 1 else f'-{index}'}"
            if item := live.find(CONFIG_MAP, reference["name"]):
                yield ("kubernetes:core/v1:ConfigMap", f"{cluster}-{role}"), item


def _type(kind: str) -> str:
    return f"kubernetes:{SLINKY}/v1beta1:{kind}"


def _parents(resources: list[Mapping[str, Any]]) -> set[str]:
    """Return the names of components and providers that objects need."""
    by_name = {str(item.get("name")): item for item in resources}
    needed: set[str] = set()
    queue = [str(item[key]) for item in resources if "id" in item for key in ("parent", "provider") if key in item]
    while queue:
        name = queue.pop()
        if name not in needed and name in by_name:
            needed.add(name)
            queue += [str(by_name[name][key]) for key in ("parent", "provider") if key in by_name[name]]
    return needed
