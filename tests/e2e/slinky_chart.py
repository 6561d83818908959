"""Slinky's chart slurm of 1.1.0, as Helm installs it by Pulumi's Release, whose record is the same; its adoption."""

import json
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from devcluster.cluster import CONTEXT, Cluster
from devcluster.toolchain import Toolchain
from pulumi_slurm_cli.adopting.live import KINDS
from tests.e2e.objects import Object, Objects
from tests.e2e.program import Program, Settings
from tests.unit.importing.command_line import run

HELM, PULUMI = "helm", "pulumi-resource-kubernetes"
"""As whom Helm writes, and Pulumi's Release, whose fields Pulumi would count among its own."""

PROGRAM = """
import json
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s

provider = k8s.Provider("kubernetes", cluster_identifier="embedded")
args = json.loads((Path(__file__).parent / "release.json").read_text())
k8s.helm.v3.Release("release", skip_await=True, opts=pulumi.ResourceOptions(provider=provider), **args)
"""
_MISSING = """
{{- define "vendor.dcgm.enabled" -}}{{ .Values.vendor.nvidia.dcgm.enabled }}{{- end }}
{{- define "vendor.dcgm.nodesetHasGPU" -}}{{- end }}
{{- define "vendor.dcgm.jobMappingDir" -}}/var/lib/dcgm-exporter/job-mapping{{- end }}
{{- define "vendor.dcgm.prologName" -}}{{ include "slurm.fullname" . }}-prolog-dcgm{{- end }}
{{- define "vendor.dcgm.epilogName" -}}{{ include "slurm.fullname" . }}-epilog-dcgm{{- end }}
"""
_CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "vendor.dcgm.ROLEName" . }}
  namespace: {{ include "slurm.namespace" . }}
  labels:
    {{- include "slurm.labels" . | nindent 4 }}
data:
  ROLE-90-dcgm.sh: |
    #!/bin/bash
    exit 0
"""


def chart(tools: Toolchain, folder: Path) -> Path:
    """Return a copy of the chart with the templates of templates/vendor.

    Go leaves folders of that name out of a module, and it is by Go that the toolchain gets the chart. Those that it
    makes always, `enabled` or not, since the text "false" is true in a template.
    """
    copy = folder / "slurm"
    shutil.copytree(tools.path("charts") / "slurm-operator-1.1.0" / "helm" / "slurm", copy)
    (copy / "templates" / "_vendor.tpl").write_text(_MISSING)
    for role in ("prolog", "epilog"):
        (copy / "templates" / f"{role}-dcgm.yaml").write_text(_CONFIG_MAP.replace("ROLE", role))
    return copy


def install(
    tools: Toolchain, cluster: Cluster, objects: Objects, folder: Path, namespace: str, values: Mapping[str, Any]
) -> None:
    """Install the release "slurm" in a namespace, as Helm would."""
    release = {"name": "slurm", "namespace": namespace, "chart": str(chart(tools, folder)), "values": values}
    source = {
        "__main__.py": PROGRAM,
        "Pulumi.yaml": "name: release\nruntime: python\n",
        "release.json": json.dumps(release),
    }
    program = Program(tools, folder / "release", cluster.kubeconfig, source=source)
    program.up()

    def as_helm(entry: Object) -> Object:
        return {**entry, "manager": HELM} if entry["manager"] == PULUMI else entry

    for kind in _KINDS:
        for item in objects.all(kind, namespace):
            _set_managers(objects, kind, item, [as_helm(entry) for entry in item["metadata"]["managedFields"]])


def _set_managers(objects: Objects, kind: str, item: Object, managers: list[Object]) -> None:
    """Set who has written what of an object; not by a PUT, since the operator writes to its status meanwhile."""
    path = objects.kind(kind).path(item["metadata"]["namespace"], item["metadata"]["name"])
    objects.api.request("PATCH", path, {"metadata": {"managedFields": managers}}, "application/merge-patch+json")


_KINDS = (*KINDS, "ConfigMap")


def adopt(
    tools: Toolchain, cluster: Cluster, objects: Objects, namespace: str, folder: Path
) -> tuple[Program, Settings]:
    """Let a new stack take over the release, up to its first `pulumi up`; return its program and settings."""
    live = folder / "objects.json"
    live.write_text(json.dumps({"kind": "List", "items": _listed(objects, namespace)}))
    adopted = run("adopt", live)
    assert adopted.returncode == 0, adopted.stderr
    settings: Settings = yaml.safe_load(adopted.stdout)["config"]
    program = Program(tools, folder / "stack", cluster.kubeconfig, stack="adopted", context=CONTEXT)
    imports = folder / "import.json"
    program.preview(settings, "--import-file", str(imports))
    filled = run("adopt", live, "--namespace", namespace, "--import-file", imports)
    assert filled.returncode == 0, filled.stderr
    for line in filled.stdout.splitlines():
        _kubectl(objects, line)
    assert not objects.all("Secret", namespace, {"owner": "helm"})
    program.run("import", "--file", str(imports), "--generate-code=false", "--protect=false", "--yes")
    return program, settings


def _listed(objects: Objects, namespace: str) -> list[Object]:
    """Return what kubectl prints of the release's namespace."""
    kinds = [objects.kind(kind) for kind in (*_KINDS, "Secret")]
    return [
        {"apiVersion": kind.api_version, "kind": kind.name, **item}
        for kind in kinds
        for item in objects.all(kind.name, namespace)
    ]


def _kubectl(objects: Objects, line: str) -> None:
    """Do what a command of kubectl would, of those that make Helm forget."""
    program, namespace, verb, *words = shlex.split(line)
    assert program == "kubectl"
    inside = namespace.removeprefix("--namespace=")
    if verb == "delete":
        assert words == ["secret", "--selector=owner=helm,name=slurm"]
        for record in objects.all("Secret", inside, {"owner": "helm", "name": "slurm"}):
            objects.delete("Secret", inside, record["metadata"]["name"])
        return
    resource, name, kind_of_patch, patch = words
    assert (verb, kind_of_patch) == ("patch", "--type=json")
    kind = next(kind for kind in _KINDS if resource.partition(".")[0].removesuffix("s") == kind.lower())
    body = json.loads(patch.removeprefix("--patch="))
    objects.api.request("PATCH", objects.kind(kind).path(inside, name), body, "application/json-patch+json")
