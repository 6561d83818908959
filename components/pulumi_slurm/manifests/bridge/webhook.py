"""The bridge's webhook: its certificate by cert-manager, its Service, and what it is asked about.

Upstream's chart asks it about the pods of all namespaces but two, so that without it no pod of cert-manager or of the
network can be made. Here it is asked about those that it manages alone. Pods elsewhere that name the bridge's scheduler
are refused by a policy: see bridge_policy.py.
"""

from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.objects import (
    ADMISSION_API,
    NAMESPACE_NAME,
    Manifest,
    Manifests,
    by_kind,
    cluster_wide,
    manifest,
)
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import BridgeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.releases.bridge_version import BridgeVersion

WEBHOOK_PORT = 9443
"""Where the program listens; the default of controller-runtime, which it leaves as it is."""

_CERT_MANAGER = "cert-manager.io/v1"
_AUTHORITY_LIFE = MappingProxyType({"duration": "43800h", "renewBefore": "8760h"})
"""Five years, as in upstream's chart; the certificate that it signs has cert-manager's default, 90 days."""


def admission_name(ref: ClusterRef) -> str:
    """Return the name of the webhook's Service, and of the Secret with its certificate."""
    return f"{ref.name}-bridge-admission"


def certificates(ref: ClusterRef) -> Manifests:
    """Return an authority of the webhook's own and the certificate that it signs, which cert-manager renews."""
    name, authority, root = admission_name(ref), f"{ref.name}-bridge-authority", f"{ref.name}-bridge-root"
    dns_name = f"{name}.{ref.namespace}.svc"
    from_root = {"isCA": True, "commonName": authority, "secretName": authority, "issuerRef": {"name": root}}
    served = {"secretName": name, "dnsNames": [name, dns_name], "issuerRef": {"name": authority}}
    return {
        "root-issuer": _cert_manager(ref, "Issuer", root, selfSigned={}),
        "authority-certificate": _cert_manager(ref, "Certificate", authority, **from_root, **_AUTHORITY_LIFE),
        "authority-issuer": _cert_manager(ref, "Issuer", authority, ca={"secretName": authority}),
        "admission-certificate": _cert_manager(ref, "Certificate", name, **served),
    }


def webhook_service(ref: ClusterRef, selector: Manifest) -> Manifest:
    """Return the Service by which the API server finds the webhook."""
    service = manifest("v1", "Service", ref, admission_name(ref))
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    service["spec"] = {
        "type": "ClusterIP",
        "selector": selector,
        "ports": [{"name": "https", "port": 443, "targetPort": WEBHOOK_PORT}],
    }
    return service


def webhook_configurations(ref: ClusterRef, options: BridgeSpec, version: BridgeVersion) -> Manifests:
    """Return what has the API server ask the webhook; nothing where no namespace is managed."""
    if not managed_namespaces(ref, options):
        return {}
    validated = ["pods", *(["pods/resize"] if version.refuses_resizes else [])]
    configurations = [
        # Upstream's chart asks it about updates too. It then changes the scheduler of pods that were there before the
        # bridge, which Kubernetes refuses, and so every update of them: Default in internal/admission/admission.go.
        _configuration(ref, options, "MutatingWebhookConfiguration", "/mutate--v1-pod", ["pods"], ["CREATE"]),
        _configuration(
            ref, options, "ValidatingWebhookConfiguration", "/validate--v1-pod", validated, ["CREATE", "UPDATE"]
        ),
    ]
    return by_kind("admission", configurations)


def managed_namespaces(ref: ClusterRef, options: BridgeSpec) -> Manifest:
    """Return the selector of the namespaces whose pods Slurm schedules, {} where there is none."""
    if options.namespace_selector:
        # Whatever labels these have: without their pods Slurm schedules none.
        others = {"key": NAMESPACE_NAME, "operator": "NotIn", "values": ["kube-system", ref.namespace]}
        return {"matchLabels": options.namespace_selector, "matchExpressions": [others]}
    names = [namespace.name for namespace in options.namespaces]
    by_name = {"key": NAMESPACE_NAME, "operator": "In", "values": names}
    return {"matchExpressions": [by_name]} if names else {}


def _configuration(
    ref: ClusterRef, options: BridgeSpec, kind: str, path: str, resources: list[str], operations: list[str]
) -> Manifest:
    name = admission_name(ref)
    configuration = cluster_wide(ADMISSION_API, kind, ref, f"{ref.namespace}-{name}")
    # cert-manager writes the authority's certificate into it.
    configuration["metadata"]["annotations"] = {"cert-manager.io/inject-ca-from": f"{ref.namespace}/{name}"}
    configuration["webhooks"] = [
        {
            "name": "pods.slinky.slurm.net",
            "namespaceSelector": managed_namespaces(ref, options),
            "rules": [
                {
                    "apiGroups": [""],
                    "apiVersions": ["v1"],
                    "resources": resources,
                    "operations": operations,
                    "scope": "Namespaced",
                }
            ],
            "clientConfig": {"service": {"namespace": ref.namespace, "name": name, "path": path}},
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            # A pod that it didn't see would go to Kubernetes' own scheduler, beside Slurm.
            "failurePolicy": "Fail",
            "timeoutSeconds": 10,
        }
    ]
    return configuration


def _cert_manager(ref: ClusterRef, kind: str, name: str, **spec: Any) -> Manifest:
    return manifest(_CERT_MANAGER, kind, ref, name, spec=spec)
