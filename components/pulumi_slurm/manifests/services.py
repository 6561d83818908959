"""Services in front of the operator's pods, with PodDisruptionBudgets by which Pulumi waits for the pods.

The operator creates Services too, of which it never updates that of slurmctld. So the ones that users configure are
created here, all in the same way.

Source: the calls of SyncObject for Services in internal/controller of https://github.com/SlinkyProject/slurm-operator,
at v1.0.5, v1.1.2 and v1.2.1.
"""

from pulumi_slurm.manifests.objects import Manifest, manifest, pruned
from pulumi_slurm.manifests.readiness import SKIP_WAIT, budget
from pulumi_slurm.model import AccountingSpec, ControllerSpec, LoginSetSpec, RestApiSpec, ServiceSpec, ServiceType
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.load_balancers import annotations_of_load_balancer
from pulumi_slurm.model.names import login_set_object
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT, SLURMRESTD_PORT

SSH_PORT = 22
ACTIVE_CONTROLLER = "controller.slinky.slurm.net/active"
"""The label of the one slurmctld pod that is not a backup, from slurm-operator 1.3 on.

Source: api/v1beta1/well_known.go of https://github.com/SlinkyProject/slurm-operator.
"""


def slurmctld_service(ref: ClusterRef, options: ControllerSpec) -> list[Manifest]:
    """Return the Service of slurmctld and its PodDisruptionBudget."""
    selector = pod_selector("slurmctld", ref.name)
    name = f"{ref.name}-slurmctld"
    backups = options.ha.backups if options.ha else 0
    # Backups are ready as well, and would refuse whoever is sent to them.
    active = {**selector, ACTIVE_CONTROLLER: "true"} if options.ha else selector
    return [
        service(ref, name, options.service, active, SLURMCTLD_PORT, "slurmctld"),
        budget(ref, name, selector, 1 + backups),
    ]


def slurmdbd_service(ref: ClusterRef, options: AccountingSpec) -> list[Manifest]:
    """Return the Service of slurmdbd and its PodDisruptionBudget."""
    selector = pod_selector("slurmdbd", ref.name)
    name = f"{ref.name}-slurmdbd"
    return [service(ref, name, options.service, selector, SLURMDBD_PORT, "slurmdbd"), budget(ref, name, selector, 1)]


def slurmrestd_service(ref: ClusterRef, options: RestApiSpec) -> list[Manifest]:
    """Return the Service of slurmrestd and its PodDisruptionBudget.

    The operator creates a budget for workers only, see internal/builder of slurm-operator v1.2.1; that of slurmrestd is
    an option of Slinky's chart for clusters, which isn't used here.
    """
    selector = pod_selector("slurmrestd", ref.name)
    name = slurmrestd_name(ref)
    rest_api_service = service(ref, name, options.service, selector, SLURMRESTD_PORT, "http")
    return [rest_api_service, budget(ref, name, selector, options.replicas)]


def slurmrestd_name(ref: ClusterRef) -> str:
    """Return the name of slurmrestd's Service."""
    return f"{ref.name}-slurmrestd"


def slurmrestd_url(ref: ClusterRef) -> str:
    """Return where slurmrestd is found from inside the Kubernetes cluster."""
    return f"http://{slurmrestd_name(ref)}.{ref.namespace}:{SLURMRESTD_PORT}"


def login_service(ref: ClusterRef, options: LoginSetSpec) -> list[Manifest]:
    """Return the Service of a login set's SSH servers and its PodDisruptionBudget."""
    instance = login_set_object(ref.name, options.name)
    selector = pod_selector("login", instance)
    ssh_service = service(
        ref, f"{instance}-ssh", options.service, selector, SSH_PORT, "ssh", without_pods=options.fixed_replicas == 0
    )
    return [ssh_service, budget(ref, instance, selector, options.fixed_replicas)]


def service(
    ref: ClusterRef,
    name: str,
    options: ServiceSpec,
    selector: dict[str, str],
    port: int,
    port_name: str,
    *,
    without_pods: bool = False,
) -> Manifest:
    """Return a Service in front of pods that an operator creates."""
    port_spec = {"name": port_name, "port": port, "targetPort": port, "protocol": "TCP", "nodePort": options.node_port}
    spec = {
        "type": str(options.type),
        "selector": selector,
        "ports": [pruned(port_spec)],
        "loadBalancerSourceRanges": options.source_ranges if options.type is ServiceType.LOAD_BALANCER else None,
        "loadBalancerClass": options.load_balancer_class,
        "externalTrafficPolicy": options.external_traffic_policy and str(options.external_traffic_policy),
        "sessionAffinity": options.session_affinity and str(options.session_affinity),
    }
    service_manifest = manifest("v1", "Service", ref, name, spec=pruned(spec))
    metadata = service_manifest["metadata"]
    configured = options.annotations
    if options.type is ServiceType.LOAD_BALANCER:
        configured = annotations_of_load_balancer(configured, internal=options.internal)
    # Pulumi only has to wait for the address of a load balancer, which is not assigned until there is a pod.
    waits = options.type is ServiceType.LOAD_BALANCER and not without_pods
    annotations = {**configured, **({} if waits else SKIP_WAIT)}
    metadata |= pruned({"labels": {**options.labels, **metadata["labels"]}, "annotations": annotations})
    return service_manifest


def pod_selector(daemon: str, instance: str) -> dict[str, str]:
    """Return the labels that the operator gives to the pods of a daemon."""
    return {"app.kubernetes.io/name": daemon, "app.kubernetes.io/instance": instance}
