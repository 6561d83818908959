"""Slinky's chart slurm of 1.1.0, as Helm installs it by Pulumi's Release, which leaves the same record."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devcluster.toolchain import Toolchain

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


def release(chart_folder: Path, namespace: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the program's Release."""
    return {"name": "slurm", "namespace": namespace, "chart": str(chart_folder), "values": values}
