"""Defaults are safe: the identity of nodes, access to the control plane, and where keys are stored."""

import base64
import ipaddress
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import Settings, shipped
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.wire import Values
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Objects
from tests.e2e.secret_values import leaks, secret_values

STACK = "gke-a3"
NAME = "train"
"""The name of that stack's cluster."""
IAP = "35.235.240.0/20"
"""Google's Identity-Aware Proxy, which lets in those whom IAM permits: https://cloud.google.com/iap/docs/using-tcp-forwarding."""
COMPUTE_DEFAULT = "-compute@developer.gserviceaccount.com"
"""How the e-mail of the Compute default service account ends."""


@dataclass
class Deployment:
    """The resources in Google Cloud, and all files and output of their deployment."""

    resources: list[Stored]
    texts: dict[str, bytes]
    secrets: dict[str, bytes]
    state: list[dict[str, Any]]
    secret_objects: bytes

    def of(self, resource_type: str) -> dict[str, Values]:
        """Return the resources of a type in Google Cloud; there has to be at least one."""
        states = {
            resource.name: resource.state for resource in self.resources if resource.token.endswith(f":{resource_type}")
        }
        assert states, f"there is no {resource_type}"
        return states

    @property
    def text(self) -> str:
        """All resources in Google Cloud as text."""
        return json.dumps([resource.state for resource in self.resources])


def settings() -> Settings:
    """Return the settings of the larger example, with all capacities and a token."""
    example = shipped(STACK)
    options: list[Any] = [{"capacity": capacity, "maxNodes": 2} for capacity in ("flex-start", "spot", "on-demand")]
    example["slurm:gke"]["pools"] += [
        {"name": "any", "machineType": "g2-standard-4", "priorities": options},
        {"name": "queued", "machineType": "g2-standard-4", "capacity": "queued", "maxNodes": 2},
    ]
    example["slurm:cluster"]["nodeSets"].append({"name": "any", "pool": "any", "replicas": 6})
    example["slurm:cluster"]["partitions"].append({"name": "any", "nodeSets": ["any"], "maxTime": "1-00:00:00"})
    example["slurm:cluster"]["tokens"] = [{"name": "admin", "username": "slurm"}]
    return example


@pytest.fixture(scope="module")
def deployment(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    program = CloudProgram(module_google, tmp_path_factory.mktemp(STACK), stack=STACK)
    runs = [
        program.preview(settings(), "--diff"),
        # From level 9 on, the engine logs all values of its protocol, as its documentation says.
        program.up(None, "--logtostderr", "--logflow", "-v=8"),
        program.run("stack", "export"),
        program.run("stack", "output", "--json"),
    ]
    texts = {f"a file of the engine: {file}": file.read_bytes() for file in files(program.home)}
    for run in runs:
        texts[f"output of {run.command}"] = run.output.encode()
        texts[f"events of {run.command}"] = run.raw_events.encode()
    state = json.loads(runs[2].output)["deployment"]["resources"]
    objects_with_secrets = objects.all("Secret", "slurm")
    encoded = [secret["data"]["SLURM_JWT"] for secret in objects_with_secrets if "SLURM_JWT" in secret["data"]]
    tokens = [base64.b64decode(token).decode() for token in encoded]
    secrets = secret_values(program.root_key(), NAME, tokens)
    return Deployment(list(module_google.cloud.all()), texts, secrets, state, json.dumps(objects_with_secrets).encode())


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def private(addresses: str) -> bool:
    return ipaddress.ip_network(addresses).is_private


def test_all_nodes_have_the_same_service_account(deployment: Deployment) -> None:
    (account,) = deployment.of("Account").values()
    pools = deployment.of("NodePool")
    assert len(pools) == 7
    accounts = {name: pool["nodeConfig"]["serviceAccount"] for name, pool in pools.items()}
    assert accounts == dict.fromkeys(pools, account["email"])
    # Including those of the cluster's first pool, which is deleted at once.
    assert {cluster["nodeConfig"]["serviceAccount"] for cluster in deployment.of("Cluster").values()} == {
        account["email"]
    }
    assert COMPUTE_DEFAULT not in deployment.text + json.dumps(deployment.state)


def test_nodes_have_few_roles(deployment: Deployment) -> None:
    (account,) = deployment.of("Account").values()
    states = [resource.state for resource in deployment.resources]
    grants = [state for state in states if "role" in state and "member" in state]
    roles = {grant["role"] for grant in grants if grant["member"] == f"serviceAccount:{account['email']}"}
    assert roles >= {"roles/logging.logWriter", "roles/monitoring.metricWriter"}
    assert not [role for role in roles if role.endswith(("owner", "editor", "Admin", ".admin"))]
    # A worker's root becomes the node, and with this would read every bucket of the project.
    assert not [role for role in roles if "storage" in role]
    assert not [grant for grant in grants if grant["member"] in {"allUsers", "allAuthenticatedUsers"}]


def test_the_control_plane_has_no_address(deployment: Deployment) -> None:
    for cluster in deployment.of("Cluster").values():
        endpoints = cluster["controlPlaneEndpointsConfig"]
        assert endpoints["ipEndpointsConfig"] == {"enabled": False}
        assert endpoints["dnsEndpointConfig"]["allowExternalTraffic"] is True
        assert cluster["privateClusterConfig"]["enablePrivateNodes"] is True
        assert cluster["masterAuth"]["clientCertificateConfig"] == {"issueClientCertificate": False}
        assert cluster["enableLegacyAbac"] is False
    assert "0.0.0.0/0" not in deployment.text


def test_firewalls_block_the_internet(deployment: Deployment) -> None:
    for name, rule in deployment.of("Firewall").items():
        assert rule["sourceRanges"], name
        assert all(source == IAP or private(source) for source in rule["sourceRanges"]), (name, rule["sourceRanges"])
        assert rule["direction"] == "INGRESS"


def test_the_database_has_no_public_address(deployment: Deployment) -> None:
    for instance in deployment.of("DatabaseInstance").values():
        connection = instance["settings"]["ipConfiguration"]
        assert connection["ipv4Enabled"] is False
        assert not connection.get("authorizedNetworks")
        assert all(private(address["ipAddress"]) for address in instance["ipAddresses"])


def test_buckets_are_not_public(deployment: Deployment) -> None:
    for bucket in deployment.of("Bucket").values():
        assert bucket["uniformBucketLevelAccess"] is True
        assert bucket["publicAccessPrevention"] == "enforced"


def test_no_key_leaks(deployment: Deployment) -> None:
    """Neither to the state, nor to a preview, nor to the logs of the engine."""
    assert leaks(deployment.texts, deployment.secrets) == []


def test_the_search_would_find_leaks(deployment: Deployment) -> None:
    """The keys of the search are those of this cluster: its Secrets contain them, and Google has one of them."""
    leaked = leaks({"Secrets": deployment.secret_objects}, deployment.secrets)
    expected = {"slurm key 1", "jwt key 1", "database key 1", "directory key 1", "token 0"}
    assert {text.removesuffix(" in Secrets") for text in leaked} >= expected
    (user,) = deployment.of("User").values()
    assert user["password"].encode() == deployment.secrets["database key 1"]


def test_the_password_is_encrypted_in_the_state(deployment: Deployment) -> None:
    (user,) = [resource for resource in deployment.state if resource["type"] == "gcp:sql/user:User"]
    for values in (user["inputs"], user["outputs"]):
        assert "ciphertext" in values["password"]
