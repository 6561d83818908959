"""ACK's clusters, and the certificates by which one talks to them."""

import json
import re
from collections.abc import Iterator
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from tests.clouds.alibaba import keys, nodes, roles
from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, known_kind, need, region
from tests.clouds.alibaba.firewalls import SECURITY_GROUP
from tests.clouds.alibaba.nat import NAT_GATEWAY
from tests.clouds.alibaba.networks import NETWORK, SWITCH, addresses
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

CLUSTER = "alicloud:cs/managedKubernetes:ManagedKubernetes"
NODE_POOL = "alicloud:cs/nodePool:NodePool"
VERSION = "1.34.1-aliyun.1"
"""The version of a cluster that doesn't request one."""

_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+-aliyun\.[0-9]+")
_RANGES = ("podCidr", "serviceCidr")
_PLACES = ("vswitchIds", "workerVswitchIds", "zoneIds")


@known_kind
class ManagedKubernetes(AlibabaKind):
    token = CLUSTER
    terraform = "alicloud_cs_managed_kubernetes"
    action = "cs:CreateCluster"
    # The only one that has a name of this name, and so the only one for which the bridge makes one up.
    autonamed = True
    defaults = {
        "newNatGateway": True,
        "nodeCidrMask": 24,
        "proxyMode": "ipvs",
        "slbInternetEnabled": True,
        "clusterDomain": "cluster.local",
    }
    references = (
        Reference("vswitchIds", SWITCH),
        Reference("podVswitchIds", SWITCH),
        Reference("securityGroupId", SECURITY_GROUP),
    )
    # resource_alicloud_cs_managed_kubernetes.go of terraform-provider-alicloud 1.285.0, line 1583.
    sent_if_written = ("controlPlaneLogComponents",)
    together = tuple((name, other) for index, name in enumerate(_PLACES) for other in _PLACES[:index])

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        if not any(inputs.get(name) is not None for name in _PLACES):
            yield ("vswitchIds",), f"one of {', '.join(_PLACES)} must be specified"
        places: Any = inputs.get("vswitchIds")
        if isinstance(places, list) and len(places) > 5:
            yield ("vswitchIds",), f"expected 5 at most, received {len(places)}"
        mask = inputs.get("nodeCidrMask")
        if isinstance(mask, int) and not 24 <= mask <= 28:
            yield ("nodeCidrMask",), f"expected 24 to 28, received {mask}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"c{scope.cloud.next_number():032d}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        for role in roles.missing(roles.OF_CLUSTERS, scope):
            raise self.error(403, "ErrorServiceRoleNotAuthorized", f"ACK is not authorized to assume the role {role}.")
        for code, problem in keys.refused_key(keys.OF_SECRETS, scope) if inputs.get("encryptionProviderKey") else ():
            raise self.error(403, code, problem)
        for problem in _refused(inputs, scope, old):
            raise self.error(400, "InvalidParameter", problem, "ModifyCluster" if old else "CreateCluster")
        if old and old.state.get("enableRrsa") and inputs.get("enableRrsa") is not True:
            raise CloudError("It's not supported to disable RRSA! If your cluster has enabled this function, please "
                             "manually modify your tf file and add the rrsa configuration to the file.")  # fmt: skip

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("deletionProtection"):
            raise self.error(
                400,
                "OperationDenied.DeletionProtection",
                f"The cluster {resource.id} is protected against deletion.",
                "DeleteCluster",
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        network = _network(inputs, scope)
        gateway = next(
            (gateway for gateway in scope.cloud.all(NAT_GATEWAY) if gateway.state["vpcId"] == network.id), None
        )
        private = next(addresses(need(scope, SWITCH, inputs["vswitchIds"][0])))
        cluster_state: Values = {
            "clusterSpec": "ack.pro.small",
            "deletionProtection": False,
            "profile": "Default",
            "version": VERSION,
            "resourceGroupId": "rg-simulated",
            "controlPlaneLogTtl": "30",
            **state,
            "auditLogConfig": {
                "enabled": True,
                "slsProjectName": "k8s-log-simulated",
                **state.get("auditLogConfig", {}),
            },
            "vpcId": network.id,
            "natGatewayId": gateway.id if gateway else "",
            "slbIntranet": private,
            # Only on creation: later changes of slbInternetEnabled are ignored.
            "connections": old.state["connections"] if old else [_connections(inputs, scope, private)],
        }
        # In plain text, as in the real provider.
        cluster_state["certificateAuthorities"] = (
            [] if inputs.get("skipSetCertificateAuthority") else [_certificates(scope)]
        )
        return cluster_state

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        where = region(scope)
        connections = [{**connection, "serviceDomain": f"*.{resource_id}.{where}.alicontainer.com"}
                       for connection in state["connections"]]  # fmt: skip
        rrsa = {
            "enabled": bool(state.get("enableRrsa")),
            "rrsaOidcIssuerUrl": f"https://oidc-ack-{where}.oss-{where}.aliyuncs.com/{resource_id}",
            "ramOidcProviderName": f"ack-rrsa-{resource_id}",
            "ramOidcProviderArn": f"acs:ram::1234567890123456:oidc-provider/ack-rrsa-{resource_id}",
        }
        return {
            **state,
            "connections": connections,
            "slbId": f"lb-{resource_id[-10:]}",
            "slbInternet": connections[0].get("masterPublicIp", ""),
            "rrsaMetadata": rrsa,
            "workerRamRoleName": f"KubernetesWorkerRole-{resource_id[-10:]}",
            "controlPlaneLogProject": state.get("controlPlaneLogProject") or f"k8s-log-{resource_id}",
        }

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Its pools are deleted with it, and their nodes."""
        for token in (NODE_POOL, AutoscalingConfig.token):
            for dependent in scope.cloud.all(token):
                if dependent.state["clusterId"] == resource.id:
                    scope.cloud.remove(dependent)
                    if token == NODE_POOL:
                        with scope.cloud.locked("nodes"):
                            nodes.remove_all(dependent, scope)


@known_kind
class AutoscalingConfig(AlibabaKind):
    """How a cluster scales; it can be changed, and forgotten, but never taken away."""

    token = "alicloud:cs/autoscalingConfig:AutoscalingConfig"
    terraform = "alicloud_cs_autoscaling_config"
    action = "cs:CreateAutoscalingConfig"
    defaults = {
        "coolDownDuration": "10m",
        "unneededDuration": "10m",
        "utilizationThreshold": "0.5",
        "gpuUtilizationThreshold": "0.5",
        "scanInterval": "30s",
        "scaleDownEnabled": True,
        "expander": "least-waste",
    }
    values = {
        "expander": "least-waste random priority most-pods",
        "scalerType": "cluster-autoscaler goatscaler",
    }
    references = (Reference("clusterId", CLUSTER, holds=False),)
    name_property = "clusterId"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return str(inputs["clusterId"])

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        version = need(scope, CLUSTER, inputs["clusterId"]).state["version"]
        if inputs.get("scalerType") == "goatscaler" and _numbers(version) < (1, 24):
            raise self.error(400, "InvalidParameter", f"goatscaler needs 1.24, and the cluster runs {version}")


def get_cluster_credential(arguments: Values, scope: Scope) -> Values:
    """Return the certificates of a cluster: for as long as it isn't said for how long, the same each time.

    Whether the real one answers for a cluster without an address on the Internet is not known; this one does.
    """
    cluster = scope.cloud.get(CLUSTER, str(arguments["clusterId"]))
    if cluster is None:
        raise CloudError(f"Datasource alicloud_cs_cluster_credential DescribeClusterDetail Failed!!! "
                         f"ErrorClusterNotFound: {arguments['clusterId']}")  # fmt: skip
    certificates = _certificates(scope)
    server = cluster.state["connections"][0]["apiServerIntranet"]
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "kubernetes",
                "cluster": {"server": server, "certificate-authority-data": certificates["clusterCert"]},
            }
        ],
        "contexts": [{"name": "user", "context": {"cluster": "kubernetes", "user": "user"}}],
        "current-context": "user",
        "users": [
            {
                "name": "user",
                "user": {
                    "client-certificate-data": certificates["clientCert"],
                    "client-key-data": certificates["clientKey"],
                },
            }
        ],
    }
    return {
        "id": cluster.id,
        "clusterId": cluster.id,
        "clusterName": cluster.name,
        "certificateAuthorities": [certificates],
        "kubeConfig": json.dumps(config),
        "expiration": "2029-11-20T00:00:00Z",
    }


def _refused(inputs: Values, scope: Scope, old: Stored | None) -> Iterator[str]:
    network = _network(inputs, scope)
    switches = {name: [need(scope, SWITCH, switch_id) for switch_id in inputs.get(name) or []]
                for name in ("vswitchIds", "podVswitchIds")}  # fmt: skip
    for switch in [*switches["vswitchIds"], *switches["podVswitchIds"]]:
        if switch.state["vpcId"] != network.id:
            yield f"the vSwitch {switch.id} is not in {network.id}"
    group = inputs.get("securityGroupId")
    if group and need(scope, SECURITY_GROUP, group).state.get("vpcId") != network.id:
        yield f"the security group {group} is not in {network.id}"
    if old is None:
        yield from _refused_on_creation(inputs, network, switches["podVswitchIds"], switches["vswitchIds"])
    version = inputs.get("version")
    if version and not _VERSION.fullmatch(version):
        yield f"there is no version {version}"
    elif version and old and _numbers(version) < _numbers(old.state["version"]):
        yield f"the cluster runs {old.state['version']} and can't go back to {version}"


def _refused_on_creation(inputs: Values, network: Stored, pods: list[Stored], nodes: list[Stored]) -> Iterator[str]:
    names = {addon.get("name") for addon in inputs.get("addons") or [] if not addon.get("disabled")}
    if pods and inputs.get("podCidr"):
        yield "pod_cidr and pod_vswitch_ids exclude each other"
    if not pods and not inputs.get("podCidr"):
        yield "pods need pod_cidr (Flannel) or pod_vswitch_ids (Terway)"
    if pods and "flannel" in names:
        yield "Flannel takes pod_cidr, not pod_vswitch_ids"
    if inputs.get("podCidr") and "terway-eniip" in names:
        yield "Terway takes pod_vswitch_ids, not pod_cidr"
    yield from _refused_pod_switches(pods, {switch.state["zoneId"] for switch in nodes})
    if not inputs.get("serviceCidr"):
        yield "service_cidr is required"
        return
    ranges = [("the VPC", IPv4Network(network.state["cidrBlock"]))]
    for name in _RANGES:
        if not inputs.get(name):
            continue
        block = IPv4Network(inputs[name])
        if name == "serviceCidr" and not 16 <= block.prefixlen <= 24:
            yield f"the mask of service_cidr {block} is not between 16 and 24"
        for earlier_name, other in ranges:
            if block.overlaps(other):
                yield f"{name} {block} overlaps with {earlier_name}, {other}"
        ranges.append((name, block))


def _refused_pod_switches(pods: list[Stored], zones: set[str]) -> Iterator[str]:
    for switch in pods:
        if IPv4Network(switch.state["cidrBlock"]).prefixlen > 25:
            yield f"the vSwitch {switch.id} of pods is smaller than a /25"
        if switch.state["zoneId"] not in zones:
            yield f"the vSwitch {switch.id} of pods lies in {switch.state['zoneId']}, which has no vSwitch of nodes"


def _network(inputs: Values, scope: Scope) -> Stored:
    return need(scope, NETWORK, need(scope, SWITCH, inputs["vswitchIds"][0]).state["vpcId"])


def _connections(inputs: Values, scope: Scope, private: str) -> dict[str, str]:
    """Return the addresses of the control plane, which are all those of the embedded API server, if there is one."""
    server = scope.cloud.settings.get("apiServer") or f"{private}:6443"
    connections = {"apiServerIntranet": f"https://{server}", "apiServerInternet": "", "masterPublicIp": ""}
    if inputs["slbInternetEnabled"]:
        connections |= {"apiServerInternet": f"https://{server}", "masterPublicIp": server.partition(":")[0]}
    return connections


def _certificates(scope: Scope) -> dict[str, str]:
    kubeconfig = scope.cloud.settings.get("kubeconfig")
    if not kubeconfig:
        return {"clusterCert": "U0lNVUxBVEVE", "clientCert": "U0lNVUxBVEVE", "clientKey": "U0lNVUxBVEVEIEtFWQ=="}
    config = json.loads(Path(kubeconfig).read_text())
    user = config["users"][0]["user"]
    return {
        "clusterCert": config["clusters"][0]["cluster"]["certificate-authority-data"],
        "clientCert": user["client-certificate-data"],
        "clientKey": user["client-key-data"],
    }


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall("[0-9]+", version))
