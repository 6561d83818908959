"""Both shipped examples on a simulated Google, from the first `pulumi up` to a destroy as in docs/gke-services.md.

What an autoscaler does, and the protection against a destroy, are looked at in the first one's life alone: the other
one has no autoscaler, and is without protection from the beginning. That one has pools of all capacities besides, in a
project in which all that takes a key of Cloud KMS has to have one, and it alone is searched for keys, and for what
anybody could reach.
"""

import ipaddress
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from devcluster.api import Api
from devcluster.cluster import Cluster
from tests.clouds.gcp.examples import KEY, REGION
from tests.clouds.gcp.google import KEY_MEMBER, ONLY_WITH_KEYS
from tests.clouds.gcp.nodes import POOL_LABEL
from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import EXAMPLES, Settings, shipped, unprotected
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.wire import Values
from tests.clouds.surroundings import CloudProgram, prepared
from tests.clouds.whole_life import (
    ADOPTED,
    Made,
    began_and_ended,
    made_in,
    not_ready,
    running,
    steady,
    unlike_recorded,
    up_from_before,
)
from tests.e2e.objects import Key, Object, Objects, ready
from tests.e2e.program import Run
from tests.e2e.secret_values import leaks
from tests.e2e.written import Secrets, secrets_of, texts_of
from tests.waiting import eventually, eventually_nothing

FIRST, SECOND = EXAMPLES
AGAIN = pytest.mark.repeats(
    "tests/clouds/test_gke_whole_life.py, with fast networks; tests/e2e/test_shipped_stack.py looks for leaks too"
)
SCALED = 2
"""How many workers an autoscaler asks for."""
SYSTEM = "system"
"""The pool of everything but workers."""
GPUS = {"l4": 1, "t4": 2, "h100": 8, "cpu": 0}
"""How many GPUs a node of each pool of the examples has."""
PARTS = {
    "artifactregistry/repository": 2,
    "compute/network": 1,
    "compute/routerNat": 1,
    "container/cluster": 1,
    "container/nodePool": 3,
    "filestore/instance": 1,
    "lustre/instance": 0,
    "serviceaccount/account": 1,
    "servicenetworking/connection": 1,
    "sql/databaseInstance": 1,
    "storage/bucket": 0,
}
"""The numbers of the main resources of the first example in Google Cloud; the other one differs as follows."""
CAPACITIES = ("flex-start", "queued", "spot", "on-demand")
"""Each has a pool in the other example, which ships without any of these."""
PRIORITIES = ("flex-start", "spot", "on-demand")
"""The capacities of a pool that tries one after the other."""
A3_PARTS = {
    "compute/network": 1 + 8,
    "container/nodePool": 3 + len(CAPACITIES) + len(PRIORITIES),
    "lustre/instance": 1,
    "storage/bucket": 1,
}
IAP = "35.235.240.0/20"
"""Google's Identity-Aware Proxy, which lets in those whom IAM permits: https://cloud.google.com/iap/docs/using-tcp-forwarding."""
COMPUTE_DEFAULT = "-compute@developer.gserviceaccount.com"
"""How the e-mail of the Compute default service account ends."""


@dataclass
class Protection:
    """The observations of a stack that has been scaled, and is protected."""

    scaled: Run
    refused: Run
    objects: dict[Key, str]
    kept: Made
    kept_objects: dict[Key, str]
    lifted: Run


@dataclass
class Written:
    """All that the runs of a stack have written."""

    texts: dict[str, bytes]
    secrets: Secrets
    state: list[dict[str, Any]]
    """The resources in Pulumi's state."""


@dataclass
class Life:
    """The observations of one stack."""

    stack: str
    settings: Settings
    before: dict[Key, str]
    up: Run
    unlike_recorded: list[str]
    made: Made
    nodes: dict[str, Object]
    pods: list[Object]
    pod_monitorings: list[Object]
    outputs: dict[str, Any]
    idle_pools: set[str]
    again: Run
    from_before: Run | None
    refresh: Run
    protection: Protection | None
    written: Written | None
    destroy: Run
    left: Made

    @property
    def cluster(self) -> str:
        """The Slurm cluster's name."""
        return str(self.settings["slurm:cluster"]["name"])

    def workers(self, node_set: str) -> list[Object]:
        """Return the pods of a node set."""
        start = f"{self.cluster}-worker-{node_set}-"
        return [pod for pod in self.pods if pod["metadata"]["name"].startswith(start)]

    def all_made(self, resource_type: str) -> dict[str, Values]:
        """Return what there is of a type in Google Cloud, by id; there has to be at least one."""
        made = {key: state for (token, key), state in self.made.items() if token.endswith(f":{resource_type}")}
        assert made, f"there is no {resource_type}"
        return made

    @property
    def text(self) -> str:
        """All that there is in Google Cloud as text."""
        return json.dumps(list(self.made.values()))


@pytest.fixture(scope="module", params=[FIRST, pytest.param(SECOND, marks=AGAIN)])
def life(
    request: pytest.FixtureRequest, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Life]:
    folder = tmp_path_factory.mktemp(request.param)
    with prepared(Google(folder / "google", cluster), objects) as google:
        yield live(request.param, CloudProgram(google, folder, stack=request.param), google, objects)


def live(stack: str, program: CloudProgram, google: Google, objects: Objects) -> Life:
    cloud, settings = google.cloud, shipped(stack)
    is_protected = stack == FIRST
    before = objects.uids()
    if is_protected:
        up, searched = program.up(settings), []
    else:
        settings["slurm:gke"]["pools"] += [
            {"name": capacity, "machineType": "g2-standard-4", "capacity": capacity, "maxNodes": 2}
            for capacity in CAPACITIES
        ]
        priorities = [{"capacity": capacity, "maxNodes": 2} for capacity in PRIORITIES]
        settings["slurm:gke"]["pools"].append({"name": "any", "machineType": "g2-standard-4", "priorities": priorities})
        settings["slurm:cluster"]["tokens"] = [{"name": "admin", "username": "slurm"}]
        settings["slurm:gke"]["encryptionKey"] = KEY.replace(REGION, settings["slurm:gke"]["region"])
        cloud.set(**{ONLY_WITH_KEYS: True})
        previewed = program.preview(unprotected(settings), "--diff")
        # From level 9 on, the engine logs all values of its protocol, as its documentation says.
        up = program.up(None, "--logtostderr", "--logflow", "-v=8")
        searched = [previewed, up]
    unlike = unlike_recorded(program, up)
    eventually_nothing("pods that are not ready", lambda: not_ready(objects))
    made = made_in(cloud)
    idle_pools = {node["metadata"]["labels"].get(POOL_LABEL, "") for node in objects.all("Node")}
    again, refresh = program.up(), program.refresh("--diff")
    from_before = up_from_before(program, "GkeSlurm") if is_protected else None
    scale(settings, google.cluster.api, objects)
    eventually_nothing("pods that are not ready", lambda: not_ready(objects))
    nodes = {node["metadata"]["name"]: node for node in objects.all("Node")}
    pods, outputs = running(objects), program.outputs()
    pod_monitorings = objects.all("PodMonitoring")
    protection = protected(program, settings, cloud, objects) if is_protected else None
    written = written_by(program, searched, objects) if searched else None
    destroy = program.destroy()
    return Life(
        stack=stack,
        settings=settings,
        before=before,
        up=up,
        unlike_recorded=unlike,
        made=made,
        nodes=nodes,
        pods=pods,
        pod_monitorings=pod_monitorings,
        outputs=outputs,
        idle_pools=idle_pools,
        again=again,
        from_before=from_before,
        refresh=refresh,
        protection=protection,
        written=written,
        destroy=destroy,
        left=made_in(cloud),
    )


def written_by(program: CloudProgram, runs: list[Run], objects: Objects) -> Written:
    export, outputs = program.run("stack", "export"), program.run("stack", "output", "--json")
    state = json.loads(export.output)["deployment"]["resources"]
    return Written(texts_of(program, [*runs, export, outputs], "while it is up"), secrets_of(program, objects), state)


def protected(program: CloudProgram, settings: Settings, cloud: Cloud, objects: Objects) -> Protection:
    scaled = program.up()
    there = steady(objects)
    refused = program.run("destroy", "--yes", check=False)
    kept, kept_objects = made_in(cloud), steady(objects)
    lifted = program.up(unprotected(settings))
    return Protection(scaled, refused, there, kept, kept_objects, lifted)


def replicas(node_set: Settings) -> int:
    """Return how many workers a node set has in the end."""
    return int(node_set.get("replicas", SCALED))


def scale(settings: Settings, api: Api, objects: Objects) -> None:
    """Do what KEDA and the HorizontalPodAutoscaler do, which don't run here, when jobs wait."""
    cluster = settings["slurm:cluster"]
    for node_set in cluster["nodeSets"]:
        if "autoscaling" in node_set:
            name = f"{cluster['name']}-worker-{node_set['name']}"
            path = f"{objects.kind('NodeSet').path('slurm', name)}/scale?fieldManager=keda"
            api.request("PATCH", path, {"spec": {"replicas": SCALED}}, "application/merge-patch+json")

    def workers() -> list[Object]:
        start = f"{cluster['name']}-worker-"
        return [pod for pod in running(objects) if pod["metadata"]["name"].startswith(start)]

    wanted = sum(map(replicas, cluster["nodeSets"]))
    eventually(f"{wanted} workers", workers, lambda found: len(found) == wanted)


def test_no_worker_and_no_node_of_one_is_there_until_a_job_waits(life: Life) -> None:
    pools = {node_set["pool"] for node_set in life.settings["slurm:cluster"]["nodeSets"] if "autoscaling" in node_set}
    assert pools == ({"l4", "t4"} if life.stack == "gke" else set())
    assert not life.idle_pools & pools


@pytest.fixture
def protection(life: Life) -> Protection:
    assert life.protection
    return life.protection


@pytest.fixture
def written(life: Life) -> Written:
    assert life.written
    return life.written


of_the_first = pytest.mark.parametrize("life", [FIRST], indirect=True, scope="module")
of_the_second = pytest.mark.parametrize("life", [pytest.param(SECOND, marks=AGAIN)], indirect=True, scope="module")


def test_what_is_shown_without_an_engine_is_what_it_makes(life: Life) -> None:
    assert life.unlike_recorded == []


@of_the_first
def test_the_autoscaler_is_not_undone(protection: Protection) -> None:
    assert protection.scaled.changes == {}, str(protection.scaled)


def test_up_creates_every_part(life: Life) -> None:
    counts = Counter(token.removeprefix("gcp:").partition(":")[0] for token, _ in life.made)
    expected = {**PARTS, **(A3_PARTS if life.stack == "gke-a3" else {})}
    assert {resource_type: counts[resource_type] for resource_type in expected} == expected
    configured = {
        "-".join(filter(None, (pool["name"], option.get("capacity"))))
        for pool in life.settings["slurm:gke"]["pools"]
        for option in pool.get("priorities", [{}])
    }
    pools = {state["name"] for token, state in life.made.items() if token[0].endswith(":NodePool")}
    assert pools == {*configured, SYSTEM}


def test_node_sets_are_ready_on_the_nodes_of_their_pools(life: Life) -> None:
    for node_set in life.settings["slurm:cluster"]["nodeSets"]:
        pods = life.workers(node_set["name"])
        assert len(pods) == replicas(node_set), node_set["name"]
        assert all(ready(pod) for pod in pods), node_set["name"]
        nodes = [life.nodes[pod["spec"]["nodeName"]] for pod in pods]
        assert {node["metadata"]["labels"][POOL_LABEL] for node in nodes} == {node_set["pool"]}
        # A worker has a node for itself.
        assert len({node["metadata"]["name"] for node in nodes}) == len(pods)


def test_nodes_with_a_fast_network_have_its_plugin_and_workers_its_daemon(life: Life) -> None:
    on_nodes = [pod for pod in life.pods if pod["metadata"]["namespace"] == "kube-system"]
    if life.stack != "gke-a3":
        assert on_nodes == []
        return
    nodes = {pod["spec"]["nodeName"] for pod in life.workers("h100")}
    for plugin in ("nccl-tcpxo-installer", "device-injector"):
        pods = [pod for pod in on_nodes if pod["metadata"]["labels"]["k8s-app"] == plugin]
        assert {pod["spec"]["nodeName"] for pod in pods if ready(pod)} == nodes
    for pod in life.workers("h100"):
        assert "tcpxo-daemon" in {container["name"] for container in pod["spec"]["initContainers"]}
        assert "devices.gke.io/container.tcpxo-daemon" in pod["metadata"]["annotations"]
        slurmd = next(container for container in pod["spec"]["containers"] if container["name"] == "slurmd")
        mount_paths = {mount["mountPath"] for mount in slurmd["volumeMounts"]}
        assert mount_paths >= {"/dev/shm", "/dev/aperture_devices", "/usr/local/nvidia/lib64", "/home"}


def test_workers_have_all_gpus_of_their_nodes(life: Life) -> None:
    for node_set in life.settings["slurm:cluster"]["nodeSets"]:
        gpus = GPUS[node_set["pool"]]
        for pod in life.workers(node_set["name"]):
            (slurmd,) = [container for container in pod["spec"]["containers"] if container["name"] == "slurmd"]
            node = life.nodes[pod["spec"]["nodeName"]]
            assert int(node["status"]["allocatable"].get("nvidia.com/gpu", 0)) == gpus
            assert int(slurmd["resources"]["limits"].get("nvidia.com/gpu", 0)) == gpus
            assert (f"Gres=gpu:{node_set['pool']}:{gpus}" in str(slurmd["args"])) == bool(gpus)
            # GKE mounts the driver there and sets no variable.
            env = {variable["name"]: variable.get("value", "") for variable in slurmd["env"]}
            assert ("/usr/local/nvidia/lib64" in env.get("LD_LIBRARY_PATH", "")) == bool(gpus)
            assert ("/usr/local/nvidia/bin" in env.get("PATH", "").split(":")) == bool(gpus)


def test_pods_with_buckets_have_no_small_sidecar(life: Life) -> None:
    """GKE's webhook, which is not here, would give its FUSE sidecar 250m and 256Mi without these annotations."""
    has_buckets = any("bucket" in storage for storage in life.settings["slurm:gke"]["storage"])
    for node_set in life.settings["slurm:cluster"]["nodeSets"]:
        for pod in life.workers(node_set["name"]):
            annotations = pod["metadata"]["annotations"]
            limits = {
                annotations.get(f"gke-gcsfuse/{resource}-limit") for resource in ("cpu", "memory", "ephemeral-storage")
            }
            assert limits == ({"0"} if has_buckets else {None})


def test_daemons_run_on_the_system_pool(life: Life) -> None:
    node_sets = life.settings["slurm:cluster"]["nodeSets"]
    workers = {pod["metadata"]["name"] for node_set in node_sets for pod in life.workers(node_set["name"])}
    # DaemonSets of the nodes themselves are in kube-system.
    pods = [pod for pod in life.pods if pod["metadata"]["namespace"] != "kube-system"]
    daemons = [pod for pod in pods if pod["metadata"]["name"] not in workers]
    assert daemons
    for pod in daemons:
        pool = life.nodes[pod["spec"]["nodeName"]]["metadata"]["labels"][POOL_LABEL]
        assert pool == SYSTEM, pod["metadata"]["name"]


def test_google_scrapes_slurmctld(life: Life) -> None:
    paths = set()
    for pod_monitoring in life.pod_monitorings:
        labels = pod_monitoring["spec"]["selector"]["matchLabels"].items()
        pods = [pod["metadata"] for pod in life.pods if labels <= pod["metadata"].get("labels", {}).items()]
        assert [pod["name"] for pod in pods] == [f"{life.cluster}-controller-0"]
        assert {pod["namespace"] for pod in pods} == {pod_monitoring["metadata"]["namespace"]}
        paths |= {(endpoint["port"], endpoint["path"]) for endpoint in pod_monitoring["spec"]["endpoints"]}
    assert paths == {(6817, f"/metrics/{page}") for page in ("jobs", "nodes", "partitions", "scheduler")}


def test_outputs_are_what_a_user_needs_next(life: Life) -> None:
    assert life.outputs["kubernetesCluster"] == life.cluster
    region, project = life.settings["slurm:gke"]["region"], life.settings["slurm:gke"]["project"]
    assert life.outputs["getCredentials"].endswith(f"--region {region} --project {project} --dns-endpoint")
    assert life.outputs["registryUrl"].startswith(f"{region}-docker.pkg.dev/{project}/")
    partitions = life.settings["slurm:cluster"]["partitions"]
    assert life.outputs["partitions"] == [partition["name"] for partition in partitions]


def test_the_second_up_changes_nothing(life: Life) -> None:
    assert life.again.changes == {}, str(life.again)


@of_the_first
def test_a_stack_from_before_its_parts_had_a_component_keeps_all_of_them(life: Life) -> None:
    assert life.from_before
    assert life.from_before.changes == ADOPTED, str(life.from_before)
    assert life.from_before.resources("create") == {life.cluster}


def test_refresh_finds_no_drift(life: Life) -> None:
    assert life.refresh.changes == {}, str(life.refresh)


@of_the_second
def test_all_nodes_have_the_same_service_account(life: Life, written: Written) -> None:
    (account,) = life.all_made("Account").values()
    pools = {pool["name"]: pool["nodeConfig"] for pool in life.all_made("NodePool").values()}
    assert pools.keys() >= {*CAPACITIES, *(f"any-{capacity}" for capacity in PRIORITIES)}
    accounts = {name: node_config["serviceAccount"] for name, node_config in pools.items()}
    assert accounts == dict.fromkeys(pools, account["email"])
    # Including those of the cluster's first pool, which is deleted at once.
    first = {cluster["nodeConfig"]["serviceAccount"] for cluster in life.all_made("Cluster").values()}
    assert first == {account["email"]}
    assert COMPUTE_DEFAULT not in life.text + json.dumps(written.state)


@of_the_second
def test_nodes_have_few_roles(life: Life) -> None:
    (account,) = life.all_made("Account").values()
    grants = [state for state in life.made.values() if "role" in state and "member" in state]
    roles = {grant["role"] for grant in grants if grant["member"] == f"serviceAccount:{account['email']}"}
    assert roles >= {"roles/logging.logWriter", "roles/monitoring.metricWriter"}
    assert not [role for role in roles if role.endswith(("owner", "editor", "Admin", ".admin"))]
    # A worker's root becomes the node, and with this would read every bucket of the project.
    assert not [role for role in roles if "storage" in role]
    assert not [grant for grant in grants if grant["member"] in {"allUsers", "allAuthenticatedUsers"}]


@of_the_second
def test_the_control_plane_has_no_address(life: Life) -> None:
    for cluster in life.all_made("Cluster").values():
        endpoints = cluster["controlPlaneEndpointsConfig"]
        assert endpoints["ipEndpointsConfig"] == {"enabled": False}
        assert endpoints["dnsEndpointConfig"]["allowExternalTraffic"] is True
        assert cluster["privateClusterConfig"]["enablePrivateNodes"] is True
        assert cluster["masterAuth"]["clientCertificateConfig"] == {"issueClientCertificate": False}
        assert cluster["enableLegacyAbac"] is False
    assert "0.0.0.0/0" not in life.text


def private(addresses: str) -> bool:
    return ipaddress.ip_network(addresses).is_private


@of_the_second
def test_firewalls_block_the_internet(life: Life) -> None:
    for rule in life.all_made("Firewall").values():
        sources = rule["sourceRanges"]
        assert sources, rule["name"]
        assert all(source == IAP or private(source) for source in sources), (rule["name"], sources)
        assert rule["direction"] == "INGRESS"


@of_the_second
def test_the_database_has_no_public_address(life: Life) -> None:
    for instance in life.all_made("DatabaseInstance").values():
        connection = instance["settings"]["ipConfiguration"]
        assert connection["ipv4Enabled"] is False
        assert not connection.get("authorizedNetworks")
        assert all(private(address["ipAddress"]) for address in instance["ipAddresses"])


@of_the_second
def test_buckets_are_not_public(life: Life) -> None:
    for bucket in life.all_made("Bucket").values():
        assert bucket["uniformBucketLevelAccess"] is True
        assert bucket["publicAccessPrevention"] == "enforced"


@of_the_second
def test_no_key_leaks(written: Written) -> None:
    """Neither to the state, nor to a preview, nor to the logs of the engine."""
    assert leaks(written.texts, written.secrets.values) == []


@of_the_second
def test_the_search_would_find_leaks(life: Life, written: Written) -> None:
    """The keys of the search are those of this cluster: its Secrets contain them, and Google has one of them."""
    leaked = leaks({"Secrets": written.secrets.objects}, written.secrets.values)
    expected = {"slurm key 1", "jwt key 1", "database key 1", "directory key 1", "token 0"}
    assert {text.removesuffix(" in Secrets") for text in leaked} >= expected
    (user,) = life.all_made("User").values()
    assert user["password"].encode() == written.secrets.values["database key 1"]


@of_the_second
def test_the_password_is_encrypted_in_the_state(written: Written) -> None:
    (user,) = [resource for resource in written.state if resource["type"] == "gcp:sql/user:User"]
    for values in (user["inputs"], user["outputs"]):
        assert "ciphertext" in values["password"]


@of_the_first
def test_a_destroy_is_refused_while_protected_before_it_changes_anything(life: Life, protection: Protection) -> None:
    assert protection.refused.code != 0
    assert "Preview failed" in protection.refused.output
    assert "it is protected" in protection.refused.output
    assert protection.kept == life.made
    assert protection.kept_objects == protection.objects


@of_the_first
def test_lifting_the_protection_updates_protected_resources(protection: Protection) -> None:
    assert protection.lifted.changes.keys() == {"update"}, str(protection.lifted)


def test_a_destroy_then_leaves_nothing(life: Life, objects: Objects) -> None:
    """APIs stay enabled, as in docs/gke-services.md; Pulumi and the simulation no longer have them.

    What Google's services may do with the key stays as well: others of the project may have encrypted with it.
    """
    assert {token for token, _ in life.left} == ({KEY_MEMBER} if life.stack == SECOND else set())
    # kube-controller-manager looks every 20 s for pods of nodes that are gone, and then waits for 40
    # (k8s.io/kubernetes/pkg/controller/podgc/gc_controller.go); their owners go after that.
    eventually_nothing("objects of the stack", lambda: objects.uids().keys() - life.before.keys())


def test_nodes_are_deleted_after_slurm(life: Life) -> None:
    """Without nodes no pod could end in an orderly way."""
    began, ended = began_and_ended(life.destroy)
    of_nodes = ("kubernetes:networking.gke.io/", "kubernetes:apps/v1:DaemonSet::")
    last = max(at for urn, at in ended.items() if urn.startswith("kubernetes:") and not urn.startswith(of_nodes))
    first = min(at for urn, at in began.items() if urn.startswith("gcp:container/"))
    assert last < first
