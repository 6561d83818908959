"""What nobody asked for is safe: who nodes are, who reaches the control plane, and where keys are written down."""

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
"""Google's Identity-Aware Proxy, which lets in whom IAM says: https://cloud.google.com/iap/docs/using-tcp-forwarding."""
COMPUTE_DEFAULT = "-compute@developer.gserviceaccount.com"
"""How the e-mail of the Compute default service account ends."""


@dataclass
class Seen:
    """What there is at Google, and all that was written down on the way there."""

    made: list[Stored]
    places: dict[str, bytes]
    secrets: dict[str, bytes]
    state: list[dict[str, Any]]
    secret_objects: bytes

    def of(self, kind: str) -> dict[str, Values]:
        """Return the resources of a kind at Google, of which there has to be one at least."""
        found = {each.name: each.state for each in self.made if each.token.endswith(f":{kind}")}
        assert found, f"there is no {kind}"
        return found

    @property
    def text(self) -> str:
        """All that is at Google."""
        return json.dumps([each.state for each in self.made])


def settings() -> Settings:
    """Return those of the larger example, with each way to get machines and a token."""
    found = shipped(STACK)
    ways: list[Any] = [{"capacity": way, "maxNodes": 2} for way in ("flex-start", "spot", "on-demand")]
    found["slurm:gke"]["pools"] += [
        {"name": "any", "machineType": "g2-standard-4", "priorities": ways},
        {"name": "queued", "machineType": "g2-standard-4", "capacity": "queued", "maxNodes": 2},
    ]
    found["slurm:cluster"]["nodeSets"].append({"name": "any", "pool": "any"})
    found["slurm:cluster"]["partitions"].append({"name": "any", "nodeSets": ["any"], "maxTime": "1-00:00:00"})
    found["slurm:cluster"]["tokens"] = [{"name": "admin", "username": "slurm"}]
    return found


@pytest.fixture(scope="module")
def seen(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    program = CloudProgram(module_google, tmp_path_factory.mktemp(STACK), stack=STACK)
    runs = [
        program.preview(settings(), "--diff"),
        # From 9 on the engine logs every value that goes over its wire, and says so in its documentation.
        program.up(None, "--logtostderr", "--logflow", "-v=8"),
        program.run("stack", "export"),
        program.run("stack", "output", "--json"),
    ]
    places = {f"a file of the engine: {file}": file.read_bytes() for file in files(program.home)}
    for run in runs:
        places[f"output of {run.command}"] = run.output.encode()
        places[f"events of {run.command}"] = run.raw_events.encode()
    state = json.loads(runs[2].output)["deployment"]["resources"]
    held = objects.all("Secret", "slurm")
    tokens = [base64.b64decode(each["data"]["SLURM_JWT"]).decode() for each in held if "SLURM_JWT" in each["data"]]
    secrets = secret_values(program.root_key(), NAME, tokens)
    return Seen(list(module_google.cloud.all()), places, secrets, state, json.dumps(held).encode())


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def private(addresses: str) -> bool:
    return ipaddress.ip_network(addresses).is_private


def test_all_nodes_are_one_service_account_of_ours(seen: Seen) -> None:
    (account,) = seen.of("Account").values()
    pools = seen.of("NodePool")
    assert len(pools) == 7
    accounts = {name: pool["nodeConfig"]["serviceAccount"] for name, pool in pools.items()}
    assert accounts == dict.fromkeys(pools, account["email"])
    # That of the nodes with which the cluster is born, and which go at once.
    assert {each["nodeConfig"]["serviceAccount"] for each in seen.of("Cluster").values()} == {account["email"]}
    assert COMPUTE_DEFAULT not in seen.text + json.dumps(seen.state)


def test_nodes_may_do_little(seen: Seen) -> None:
    (account,) = seen.of("Account").values()
    grants = [each.state for each in seen.made if "role" in each.state and "member" in each.state]
    roles = {each["role"] for each in grants if each["member"] == f"serviceAccount:{account['email']}"}
    assert roles >= {"roles/logging.logWriter", "roles/monitoring.metricWriter"}
    assert not [role for role in roles if role.endswith(("owner", "editor", "Admin", ".admin"))]
    assert not [each for each in grants if each["member"] in {"allUsers", "allAuthenticatedUsers"}]


def test_the_control_plane_has_no_address(seen: Seen) -> None:
    for cluster in seen.of("Cluster").values():
        endpoints = cluster["controlPlaneEndpointsConfig"]
        assert endpoints["ipEndpointsConfig"] == {"enabled": False}
        assert endpoints["dnsEndpointConfig"]["allowExternalTraffic"] is True
        assert cluster["privateClusterConfig"]["enablePrivateNodes"] is True
        assert cluster["masterAuth"]["clientCertificateConfig"] == {"issueClientCertificate": False}
        assert cluster["enableLegacyAbac"] is False
    assert "0.0.0.0/0" not in seen.text


def test_the_internet_gets_through_no_firewall(seen: Seen) -> None:
    for name, rule in seen.of("Firewall").items():
        assert rule["sourceRanges"], name
        assert all(source == IAP or private(source) for source in rule["sourceRanges"]), (name, rule["sourceRanges"])
        assert rule["direction"] == "INGRESS"


def test_the_database_has_no_public_address(seen: Seen) -> None:
    for instance in seen.of("DatabaseInstance").values():
        connection = instance["settings"]["ipConfiguration"]
        assert connection["ipv4Enabled"] is False
        assert not connection.get("authorizedNetworks")
        assert all(private(each["ipAddress"]) for each in instance["ipAddresses"])


def test_buckets_are_open_to_nobody(seen: Seen) -> None:
    for bucket in seen.of("Bucket").values():
        assert bucket["uniformBucketLevelAccess"] is True
        assert bucket["publicAccessPrevention"] == "enforced"


def test_no_key_is_written_down(seen: Seen) -> None:
    """Neither in the state, nor in a preview, nor in what the engine logs."""
    assert leaks(seen.places, seen.secrets) == []


def test_the_search_would_find_them(seen: Seen) -> None:
    """The keys that are looked for are this cluster's: they stand in its Secrets, and Google has been told one."""
    found = leaks({"Secrets": seen.secret_objects}, seen.secrets)
    wanted = {"slurm key 1", "jwt key 1", "database key 1", "directory key 1", "token 0"}
    assert {text.removesuffix(" in Secrets") for text in found} >= wanted
    (user,) = seen.of("User").values()
    assert user["password"].encode() == seen.secrets["database key 1"]


def test_the_state_holds_the_password_encrypted(seen: Seen) -> None:
    (user,) = [each for each in seen.state if each["type"] == "gcp:sql/user:User"]
    for values in (user["inputs"], user["outputs"]):
        assert "ciphertext" in values["password"]
