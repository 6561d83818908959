"""What `make up` shows at its end: what exists in the embedded cluster, how to look at it, how to remove it.

Read from the API server itself, not from Pulumi's state, so it shows what the operator has made of the stack.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from devcluster.api import Api, ApiError
from devcluster.cluster import Cluster
from devcluster.engine import Engine

SLINKY = "/apis/slinky.slurm.net/v1beta1"
KINDS = ("controllers", "accountings", "restapis", "nodesets", "loginsets", "tokens")


def lines(api: Api) -> list[str]:
    """Return one line for each workload and each kind of object, empty when there is no Slurm cluster."""
    items_by_kind = {kind: _items(api, f"{SLINKY}/{kind}") for kind in KINDS}
    namespaces = sorted({item["metadata"]["namespace"] for items in items_by_kind.values() for item in items})
    out: list[str] = []
    for namespace in namespaces:
        out.append(f"namespace {namespace}")
        for kind, title in (("statefulsets", "StatefulSet"), ("deployments", "Deployment")):
            for item in _items(api, f"/apis/apps/v1/namespaces/{namespace}/{kind}"):
                ready, wanted = item.get("status", {}).get("readyReplicas", 0), item["spec"].get("replicas", 1)
                out.append(_row(title, item, f"{ready}/{wanted} ready"))
        pods = _items(api, f"/api/v1/namespaces/{namespace}/pods")
        for item in (item for item in items_by_kind["nodesets"] if item["metadata"]["namespace"] == namespace):
            mine = [pod for pod in pods if _owner(pod) == item["metadata"]["uid"]]
            wanted = item["spec"].get("replicas")
            ready = sum(map(_ready, mine))
            out.append(_row("NodeSet", item, f"{ready}/{len(mine) if wanted is None else wanted} ready"))
        for kind in ("loginsets", "tokens"):
            same = [item for item in items_by_kind[kind] if item["metadata"]["namespace"] == namespace]
            out += [_row("LoginSet" if kind == "loginsets" else "Token", item, "") for item in same]
        phases = Counter(pod.get("status", {}).get("phase", "Pending") for pod in pods)
        phase_counts = ", ".join(f"{count} {phase}" for phase, count in sorted(phases.items()))
        # A Job's pod has done its work and is ready for nothing any more.
        staying = [pod for pod in pods if pod.get("status", {}).get("phase") != "Succeeded"]
        out.append(f"  pods: {sum(map(_ready, staying))}/{len(staying)} ready ({phase_counts or 'none'})")
    return out


def text(cluster: Cluster, engine: Engine) -> str:
    """Return the whole summary of an embedded cluster."""
    exists = lines(cluster.api) or ["no Slurm cluster"]
    namespace = exists[0].removeprefix("namespace ") if exists[0].startswith("namespace ") else "slurm"
    env = " ".join(
        f"{name}={engine.env[name]}"
        for name in ("PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE_FILE")
        if name in engine.env
    )
    return "\n".join(
        (
            "",
            "What exists" + ("" if cluster.real_nodes else " (nodes are simulated; their pods run nothing)") + ":",
            *(f"  {line}" for line in exists),
            "",
            "Look at it:",
            f"  kubectl --kubeconfig {cluster.kubeconfig} -n {namespace} get pods",
            f"  make pulumi ARGS='stack output' STACK={engine.stack}",
            f"  {env} \\",
            f"    {engine.tools.binary('pulumi')} stack output --stack {engine.stack}",
            "Remove it:",
            f"  make down STACK={engine.stack}",
        )
    )


def _items(api: Api, path: str) -> list[dict[str, Any]]:
    try:
        items: list[dict[str, Any]] = api.get(path)["items"]
    except ApiError as error:
        if error.status == 404:
            return []
        raise
    return items


def _row(kind: str, item: dict[str, Any], status: str) -> str:
    return f"  {kind:<12} {item['metadata']['name']:<32} {status}".rstrip()


def _owner(pod: dict[str, Any]) -> str:
    return next((str(ref["uid"]) for ref in pod["metadata"].get("ownerReferences", [])), "")


def _ready(pod: dict[str, Any]) -> bool:
    conditions = pod.get("status", {}).get("conditions") or []
    return any(item["type"] == "Ready" and item["status"] == "True" for item in conditions)
