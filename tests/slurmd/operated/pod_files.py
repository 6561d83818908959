"""The files that a pod finds in /etc/slurm, put together from ConfigMaps and Secrets as a kubelet would do it."""

import base64
from collections.abc import Iterator

from tests.e2e.objects import Object, Objects

FOLDER = "/etc/slurm"


def pod_files(objects: Objects, namespace: str, pod: Object, container: str) -> dict[str, str | bytes]:
    """Return the files of the volume that a container of a pod's spec has at /etc/slurm, by name."""
    (used,) = [item for item in pod["containers"] if item["name"] == container]
    (mount,) = [item for item in used["volumeMounts"] if item["mountPath"] == FOLDER]
    (volume,) = [item for item in pod["volumes"] if item["name"] == mount["name"]]
    sources = volume["projected"]["sources"] if "projected" in volume else [volume]
    return {name: content for source in sources for name, content in _projected(objects, namespace, source)}


def _projected(objects: Objects, namespace: str, source: Object) -> Iterator[tuple[str, str | bytes]]:
    if "secret" in source:
        reference, kind = source["secret"], "Secret"
    else:
        reference, kind = source["configMap"], "ConfigMap"
    data = objects.get(kind, namespace, reference["name"]).get("data") or {}
    items = reference.get("items") or [{"key": key, "path": key} for key in data]
    for item in items:
        content = data[item["key"]]
        yield item["path"], base64.b64decode(content) if kind == "Secret" else content
