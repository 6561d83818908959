"""The objects that Slinky's chart slurm of 1.1.0 makes of values, and what Helm keeps of them.

A port of helm/slurm/templates at v1.1.0, since Helm isn't among the tests' tools. Its output was compared with that of
Helm's own engine, v3.18.4, for all cases of these tests.
"""

import base64
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm_cli.adopting import Adoption, Release, adopt, read_release
from pulumi_slurm_cli.adopting.live import LiveObjects

Object = dict[str, Any]
RELEASE, NAMESPACE = "slurm", "slurm"
LABELS = MappingProxyType(
    {
        "app.kubernetes.io/managed-by": "Helm",
        "app.kubernetes.io/part-of": "slurm",
        "app.kubernetes.io/version": "25.11",
        "helm.sh/chart": "slurm-1.1.0",
    }
)
HELM = {"meta.helm.sh/release-name": RELEASE, "meta.helm.sh/release-namespace": NAMESPACE}
"""What Helm adds to each object: setMetadataVisitor in pkg/action/validate.go of https://github.com/helm/helm."""
_DEFAULTS = yaml.safe_load((Path(__file__).parent / "chart-values.yaml").read_text())
_DCGM_FOLDER = "/var/lib/dcgm-exporter/job-mapping"
DCGM = MappingProxyType({"prolog-90-dcgm.sh": "#!/bin/bash\n"})
"""Scripts that the chart adds to all clusters: its template takes the text "false" for true."""


def merged(base: Any, values: Any) -> Any:
    """Merge values as Helm does: a null removes what is there."""
    if not isinstance(base, Mapping) or not isinstance(values, Mapping):
        return values
    both = {**base, **{key: merged(base.get(key), value) for key, value in values.items()}}
    return {key: value for key, value in both.items() if not (key in values and values[key] is None)}


def objects(values: Mapping[str, Any], *, helm: bool = True) -> list[Object]:
    """Return the objects of a release, with or without what Helm adds."""
    chart = _Chart(json.loads(json.dumps(merged(_DEFAULTS, values))))
    return [_with_metadata(item, HELM if helm else {}) for item in chart.objects()]


def _with_metadata(item: Object, annotations: Mapping[str, str]) -> Object:
    if annotations:
        item["metadata"]["annotations"] = {**item["metadata"].get("annotations", {}), **annotations}
    return item


@spelled(Spelling.CAMEL_CASE)
def adopted(values: Mapping[str, Any], *changed: Object) -> Adoption:
    """Return what the chart's objects come to; ``changed`` are live ones in place of those with their names."""
    live = LiveObjects([*objects(values), *changed])
    return adopt(release(objects(values, helm=False)), live)


def release(manifest: list[Object]) -> Release:
    return read_release([record(manifest)], RELEASE)


def record(manifest: list[Object], **chart: str) -> Object:
    """Return the Secret in which Helm keeps a release."""
    of_chart = {"name": "slurm", "version": "1.1.0", "appVersion": "25.11", **chart}
    return record_of(
        {
            "name": RELEASE,
            "chart": {"metadata": of_chart},
            "manifest": yaml.dump_all(manifest, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper)),
        }
    )


def record_of(content: Any) -> Object:
    """Return the Secret with some content, which Helm's is or not."""
    encoded = base64.b64encode(base64.b64encode(gzip.compress(json.dumps(content).encode())))
    labels = {"owner": "helm", "name": RELEASE, "status": "deployed", "version": "1"}
    name = f"sh.helm.release.v1.{RELEASE}.v1"
    metadata: Object = {"name": name, "namespace": "slurm", "labels": labels}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {"release": encoded.decode()}}


_SCRIPTS = {
    "prologScripts": "prolog",
    "epilogScripts": "epilog",
    "prologSlurmctldScripts": "prolog-slurmctld",
    "epilogSlurmctldScripts": "epilog-slurmctld",
}


class _Chart:
    def __init__(self, values: Any) -> None:
        self.values = values
        name = values.get("nameOverride") or "slurm"
        full = values.get("fullnameOverride") or (RELEASE if name in RELEASE else f"{RELEASE}-{name}")
        self.fullname = full
        self.namespace = values.get("namespaceOverride") or NAMESPACE
        self.ref = {"name": self.fullname, "namespace": self.namespace}

    def objects(self) -> list[Object]:
        values = self.values
        found = [*self.accounting(), *self.secrets(), *self.config_maps(), self.controller()]
        found += [self.login_set(key, item) for key, item in sorted(values["loginsets"].items()) if item.get("enabled")]
        found += [self.node_set(key, item) for key, item in sorted(values["nodesets"].items()) if item.get("enabled")]
        if values["priorityClass"]["enabled"] and values["priorityClass"]["create"]:
            found.append(
                {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": self.priority()}}
            )
        return [*found, self.rest_api()]

    def made(self, kind: str, name: str, labels: Mapping[str, str], **fields: Any) -> Object:
        api = "v1" if kind in {"ConfigMap", "Secret"} else "slinky.slurm.net/v1beta1"
        metadata = {"name": name, "namespace": self.namespace, "labels": dict(labels)}
        return {"apiVersion": api, "kind": kind, "metadata": metadata, **fields}

    def slinky(self, kind: str, name: str, values: Any, **spec: Any) -> Object:
        metadata = values.get("metadata") or {}
        labels = {**LABELS, **metadata.get("labels", {})}
        item = self.made(kind, name, labels, spec={key: value for key, value in spec.items() if value is not None})
        if "annotations" in metadata:
            item["metadata"]["annotations"] = dict(metadata["annotations"])
        return item

    def priority(self) -> str:
        priority = self.values["priorityClass"]
        return str(priority.get("name") or "slurm-priority-critical") if priority["enabled"] else ""

    def template(self, values: Any) -> Object:
        spec = dict(values.get("podSpec") or {})
        spec["imagePullSecrets"] = [*(spec.get("imagePullSecrets") or []), *self.values["imagePullSecrets"]] or None
        spec["priorityClassName"] = spec.get("priorityClassName") or self.priority()
        metadata = values.get("metadata") or {}
        return {"metadata": {**metadata, "labels": {**LABELS, **metadata.get("labels", {})}}, "spec": spec}

    def container(self, values: Any) -> Object:
        image = values["image"]
        text = image if isinstance(image, str) else f"{image['repository']}:{image['tag']}"
        policy = values.get("imagePullPolicy") or self.values["imagePullPolicy"]
        return {**values, "image": text, "imagePullPolicy": policy}

    def keys(self) -> Object:
        def key(values: Any, name: str, field: str) -> Object:
            ref = values.get("secretRef") or {}
            return {"name": ref.get("name") or f"{self.fullname}-{name}", "key": ref.get("key") or field}

        jwks = self.values["jwksKeys"]
        return {
            "slurmKeyRef": key(self.values["slurmKey"], "auth-slurm", "slurm.key"),
            "jwtKeyRef": key(self.values["jwtKey"], "auth-jwt", "jwt.key"),
            "jwksKeyRef": key({"secretRef": jwks["configMapRef"]}, "auth-jwks", "jwks.json")
            if jwks["enabled"]
            else None,
        }

    def secrets(self) -> list[Object]:
        refs = self.keys()
        outside = self.values["accounting"]["external"] or self.values["controller"]["external"]
        made = {"slurmKey": "slurmKeyRef", "jwtKey": "jwtKeyRef"}
        names = [refs[ref]["name"] for values, ref in made.items() if self.values[values]["create"] and not outside]
        if self.sssd_is_needed() and not self.values["sssd"]["secretRef"]:
            names.append(self.sssd()["name"])
        return [self.made("Secret", name, {}) for name in names]

    def sssd_is_needed(self) -> bool:
        node_sets, login_sets = self.values["nodesets"].values(), self.values["loginsets"].values()
        with_ssh = [item for item in node_sets if item.get("enabled") and (item.get("ssh") or {}).get("enabled")]
        return bool(with_ssh or [item for item in login_sets if item.get("enabled")])

    def sssd(self) -> Object:
        default = {"name": f"{self.fullname}-sssd-conf", "key": "sssd.conf"}
        return self.values["sssd"]["secretRef"] or default

    def config_maps(self) -> list[Object]:
        files = {
            "config-extra": self.values["configFiles"],
            **{
                f"{role}-scripts": {f"{role}-{name}": text for name, text in self.values[values].items()}
                for values, role in _SCRIPTS.items()
            },
            "prolog-dcgm": DCGM,
            "epilog-dcgm": {"epilog-90-dcgm.sh": "#!/bin/bash\n"},
        }
        return [
            self.made("ConfigMap", f"{self.fullname}-{role}", LABELS, data=dict(data))
            for role, data in files.items()
            if data
        ]

    def refs(self, *roles: tuple[str, Any]) -> list[Object] | None:
        return [{"name": f"{self.fullname}-{role}"} for role, files in roles if files] or None

    def controller(self) -> Object:
        values = self.values["controller"]
        spec: Object = {
            "accountingRef": dict(self.ref) if self.values["accounting"]["enabled"] else None,
            **self.keys(),
        }
        if values["external"]:
            spec |= {"external": True, "externalConfig": values["externalConfig"]}
            return self.slinky("Controller", self.fullname, values, **spec)
        claim = {key: value for key, value in values["persistence"].items() if value or key != "storageClassName"}
        spec |= {
            "clusterName": self.values.get("clusterName"),
            "extraConf": self.extra_conf() or None,
            "configFileRefs": self.refs(("config-extra", self.values["configFiles"])),
            "prologScriptRefs": self.refs(("prolog-scripts", self.values["prologScripts"]), ("prolog-dcgm", True)),
            "epilogScriptRefs": self.refs(("epilog-scripts", self.values["epilogScripts"]), ("epilog-dcgm", True)),
            "prologSlurmctldScriptRefs": self.refs(("prolog-slurmctld-scripts", self.values["prologSlurmctldScripts"])),
            "epilogSlurmctldScriptRefs": self.refs(("epilog-slurmctld-scripts", self.values["epilogSlurmctldScripts"])),
            **{name: self.container(values[name]) for name in ("slurmctld", "reconfigure", "logfile")},
            "template": self.template(values),
            "persistence": claim,
            "service": values["service"],
            "metrics": values["metrics"],
        }
        return self.slinky("Controller", self.fullname, values, **spec)

    def extra_conf(self) -> str:
        values = self.values["controller"]
        lines = values["extraConf"].split("\n") if values.get("extraConf") else _list(values["extraConfMap"])
        for name, partition in sorted(self.values["partitions"].items()):
            if partition.get("enabled"):
                nodes = ",".join(sorted({*partition["nodesets"]}))
                config = partition.get("config") or " ".join(_list(partition.get("configMap") or {}))
                lines.append(f"PartitionName={name} Nodes={nodes} {config}".rstrip())
        return "".join(f"{line}\n" for line in lines)

    def accounting(self) -> list[Object]:
        values = self.values["accounting"]
        if not values["enabled"]:
            return []
        if values["external"]:
            spec: Object = {"external": True, "externalConfig": values["externalConfig"]}
        else:
            lines = [values["extraConf"].rstrip("\n")] if values.get("extraConf") else _list(values["extraConfMap"])
            spec = {
                **self.keys(),
                "extraConf": "".join(f"{line}\n" for line in lines) or None,
                "slurmdbd": self.container(values["slurmdbd"]),
                "template": self.template(values),
                "storageConfig": values["storageConfig"],
                "service": values["service"],
            }
        return [self.slinky("Accounting", self.fullname, values, **spec)]

    def rest_api(self) -> Object:
        values = self.values["restapi"]
        return self.slinky(
            "RestApi",
            self.fullname,
            values,
            controllerRef=dict(self.ref),
            replicas=values["replicas"],
            slurmrestd=self.container(values["slurmrestd"]),
            template=self.template(values),
            service=values["service"],
        )

    def login_set(self, key: str, values: Any) -> Object:
        return self.slinky(
            "LoginSet",
            f"{self.fullname}-login-{key}",
            values,
            controllerRef=dict(self.ref),
            extraSshdConfig=_block(values.get("extraSshdConfig")),
            sssdConfRef=dict(self.sssd()),
            rootSshAuthorizedKeys=_block(values.get("rootSshAuthorizedKeys")),
            replicas=values["replicas"],
            strategy=values.get("strategy") or None,
            login=self.container(values["login"]),
            template=self.template(values),
            initconf=self.container(values["initconf"]),
            service=values.get("service"),
        )

    def node_set(self, key: str, values: Any) -> Object:
        if ((values["slurmd"].get("resources") or {}).get("limits") or {}).get("nvidia.com/gpu"):
            # The chart adds the volume to values that it has used already, unless these are empty.
            values["slurmd"].setdefault("volumeMounts", []).append(
                {"name": "dcgm-job-mapping", "mountPath": _DCGM_FOLDER}
            )
            if values.get("podSpec"):
                host_path = {"path": _DCGM_FOLDER, "type": "DirectoryOrCreate"}
                values["podSpec"].setdefault("volumes", []).append({"name": "dcgm-job-mapping", "hostPath": host_path})
        template = self.template(values)
        template["spec"]["hostname"] = f"{key}-"
        partition = values.get("partition") or {}
        config = partition.get("config") or " ".join(_list(partition.get("configMap") or {}))
        ssh = values.get("ssh") or {}
        return self.slinky(
            "NodeSet",
            f"{self.fullname}-worker-{key}",
            values,
            controllerRef=dict(self.ref),
            extraConf=values.get("extraConf") or " ".join(_list(values.get("extraConfMap") or {})) or None,
            partition={"enabled": partition["enabled"], **({"config": config} if config else {})}
            if partition
            else None,
            ssh=_without_null({**ssh, "sssdConfRef": dict(self.sssd())}) if ssh.get("enabled") else None,
            scalingMode=values["scalingMode"],
            replicas=values["replicas"],
            slurmd=self.container({**values["slurmd"], "env": values["slurmd"].get("env") or []}),
            logfile=self.container(values["logfile"]),
            template=template,
            updateStrategy=values.get("updateStrategy"),
            ordinalPadding=values["ordinalPadding"],
            taintKubeNodes=values["taintKubeNodes"],
            workloadDisruptionProtection=values["workloadDisruptionProtection"],
        )


def _list(values: Mapping[str, Any]) -> list[str]:
    """Return pairs as the chart's helper "_toList" does."""

    def text(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    return [f"{key}={text(value)}" for key, value in sorted(values.items()) if value]


def _block(text: str | None) -> str | None:
    """Return text as a block of YAML, as which the chart writes it."""
    return f"{text.rstrip()}\n" if text else None


def _without_null(data: Mapping[str, Any]) -> Object:
    return {key: value for key, value in data.items() if value is not None}
