"""The shipped stack from its first preview to its end.

What `make up` brings up is there and stays as it is, no secret is written down anywhere, and nothing stays behind.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain
from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.manifests.objects import BELONGS_TO
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.offline.recording import record
from tests.e2e.objects import Key, Objects, daemons, ready
from tests.e2e.program import Program, Run
from tests.e2e.secret_values import forms, leaks
from tests.e2e.stack_settings import Settings
from tests.e2e.written import Secrets, secrets_of, texts_of
from tests.shipped_stacks import shipped
from tests.waiting import equals, eventually, eventually_nothing

NAME = "shipped"


@dataclass
class Stack:
    """The stack that is up, and what its runs have shown so far."""

    program: Program
    before: dict[Key, str]
    """The objects that were there before it."""
    runs: list[Run] = field(default_factory=list)

    def up(self, *arguments: str) -> Run:
        """Run `pulumi up`."""
        return self._noted(self.program.up(None, *arguments))

    def preview(self) -> Run:
        """Run `pulumi preview`."""
        return self._noted(self.program.preview(None, "--diff"))

    def refresh(self) -> Run:
        """Run `pulumi refresh`."""
        return self._noted(self.program.refresh("--diff", "--expect-no-changes"))

    def run(self, *arguments: str) -> Run:
        """Run another command."""
        return self._noted(self.program.run(*arguments))

    def _noted(self, run: Run) -> Run:
        self.runs.append(run)
        return run


@dataclass
class End:
    """What was seen of the stack's rotation of keys and of its end."""

    rotation: Run
    """A preview."""
    destroy: Run
    places: dict[str, bytes]
    """All that was written anywhere."""
    secrets: Secrets


@pytest.fixture(scope="module")
def stack(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stack]:
    eventually_nothing("objects of earlier tests", lambda: [*going(objects, "Namespace"), *unclaimed(objects)])
    stack = Stack(Program(tools, tmp_path_factory.mktemp(NAME), cluster.kubeconfig), objects.uids())
    stack.program.configure(settings())
    stack.preview()
    # From 9 on the engine logs every value that goes over its wire, and says so in its documentation.
    stack.up("--logtostderr", "--logflow", "-v=8")
    yield stack
    if stack.program.resources():
        # Not all tests were run.
        stack.program.engine.release()
        stack.program.destroy()


@pytest.fixture(scope="module")
def end(stack: Stack, objects: Objects) -> End:
    stack.program.configure(settings(generation=2))
    rotation = stack.preview()
    stack.up("--diff")
    stack.run("stack", "--show-urns")
    stack.run("stack", "output", "--json")
    places = texts_of(stack.program, stack.runs, "in between")
    secrets = secrets_of(stack.program, objects)
    for (kind, _, name), item in objects.everything(NAME).items():
        if kind != "Secret":
            places[f"{kind} {name}"] = json.dumps(item).encode()
    places["events"] = json.dumps(objects.all("Event", NAME)).encode()
    destroy = stack.program.destroy()
    places |= texts_of(stack.program, [destroy], "at the end")
    return End(rotation, destroy, places, secrets)


def settings(generation: int = 1) -> Settings:
    """Return the settings as shipped, but for the namespace, because this cluster is shared with other tests."""
    settings = shipped("local")
    key = {"generation": generation}
    settings["slurm:cluster"] |= {"name": NAME, "namespace": NAME, "keys": {"slurm": key, "jwt": key}}
    return settings


def going(objects: Objects, kind: str) -> list[str]:
    return [item["metadata"]["name"] for item in objects.all(kind) if "deletionTimestamp" in item["metadata"]]


def unclaimed(objects: Objects) -> list[str]:
    claimed = {claim["spec"].get("volumeName") for claim in objects.all("PersistentVolumeClaim")}
    return sorted(objects.names("PersistentVolume") - claimed)


def test_what_is_recorded_without_an_engine_is_what_the_engine_is_asked_for(stack: Stack) -> None:
    new = (
        event["resourcePreEvent"]["metadata"]["new"] for event in stack.runs[0].events if "resourcePreEvent" in event
    )
    asked = {one["urn"]: one for one in new if one["type"] != "pulumi:pulumi:Stack"}
    file = StackFile.of(json.dumps({"config": settings()}))
    recorded = {one.urn: one for one in record(file, project="slurm", stack="local").resources}
    assert recorded.keys() == asked.keys()
    assert {urn: one.parent for urn, one in recorded.items()} == {urn: one["parent"] for urn, one in asked.items()}
    # The provider's own inputs are where the cluster is.
    compared = [one for one in recorded.values() if not one.type.startswith("pulumi:providers:")]
    # Of a Secret the provider makes data.
    ours = {one.urn: {DATA.get(key, key): value for key, value in one.inputs.items()} for one in compared}
    assert ours == {urn: with_secrets_shown(asked[urn]["inputs"]) for urn in ours}


DATA = {"stringData": "data"}


def with_secrets_shown(value: Any) -> Any:
    """Return inputs as they stand in events, with secrets as people see them, and without the stack's own mark."""
    if isinstance(value, dict) and "ciphertext" not in value:
        return {key: UNKNOWN if key == BELONGS_TO else with_secrets_shown(item) for key, item in value.items()}
    if isinstance(value, dict):
        return SECRET
    return [with_secrets_shown(item) for item in value] if isinstance(value, list) else value


@pytest.mark.usefixtures("stack")
def test_every_part_is_there_and_ready(objects: Objects) -> None:
    replicas = {
        item["metadata"]["name"]: item["status"].get("readyReplicas") for item in objects.all("StatefulSet", NAME)
    }
    assert replicas == {f"{NAME}-controller": 1, f"{NAME}-accounting": 1, f"{NAME}-mariadb": 1}
    replicas = {
        item["metadata"]["name"]: item["status"].get("readyReplicas") for item in objects.all("Deployment", NAME)
    }
    assert replicas == {f"{NAME}-restapi": 1, f"{NAME}-login-login": 1, f"{NAME}-directory": 1}
    assert objects.names("NodeSet", NAME) == {f"{NAME}-worker-cpu", f"{NAME}-worker-gpu"}
    assert objects.names("LoginSet", NAME) == {f"{NAME}-login-login"}
    assert [item["status"].get("succeeded") for item in objects.all("Job", NAME)] == [1, 1, 1]
    pods = daemons(objects.all("Pod", NAME))
    assert len(pods) == 9
    assert all(ready(pod) for pod in pods), [pod["metadata"]["name"] for pod in pods if not ready(pod)]
    assert objects.names("Service", NAME) >= {
        f"{NAME}-controller",
        f"{NAME}-slurmctld",
        f"{NAME}-accounting",
        f"{NAME}-slurmdbd",
        f"{NAME}-restapi",
        f"{NAME}-slurmrestd",
        f"{NAME}-mariadb",
        f"{NAME}-directory",
        f"{NAME}-login-login",
        f"{NAME}-login-login-ssh",
        f"slurm-workers-{NAME}",
    }
    assert objects.names("ServiceMonitor", NAME) == {f"{NAME}-controller"}
    assert objects.names("PrometheusRule", NAME) == {f"{NAME}-alerts"}


@pytest.mark.usefixtures("stack")
def test_pods_of_workers_say_what_slurm_says_of_their_nodes(objects: Objects) -> None:
    def states() -> list[str | None]:
        workers = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-")]
        conditions = [{item["type"]: item["status"] for item in pod["status"]["conditions"]} for pod in workers]
        return [each.get("SlurmNodeStateIdle") for each in conditions]

    # The operator asks slurmrestd after a pod is ready.
    eventually("idle nodes", states, equals(["True"] * 3))


@pytest.mark.usefixtures("stack")
def test_gpu_workers_ask_for_gpus_and_tolerate_their_nodes(objects: Objects) -> None:
    (pod,) = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-gpu")]
    assert pod["spec"]["nodeName"].startswith("gpu-")
    (slurmd,) = [item for item in pod["spec"]["containers"] if item["name"] == "slurmd"]
    assert slurmd["resources"]["limits"]["nvidia.com/gpu"] == "2"
    assert "Gres=gpu:h100:2" in json.dumps(slurmd["args"])
    taint = {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    assert taint in pod["spec"]["tolerations"]


@pytest.mark.usefixtures("stack")
def test_slurm_conf_holds_the_partitions(objects: Objects) -> None:
    conf = objects.get("ConfigMap", NAME, f"{NAME}-config")["data"]["slurm.conf"]
    lines = [line for line in conf.splitlines() if line.startswith(("PartitionName=", "NodeSet="))]
    wanted = shipped("local")["slurm:cluster"]["partitions"]
    names = [line.split()[0].removeprefix("PartitionName=") for line in lines if line.startswith("Partition")]
    assert names == [partition["name"] for partition in wanted]
    assert "NodeSet=cpu Feature=cpu" in lines
    assert "NodeSet=gpu Feature=gpu" in lines
    assert f"AccountingStorageHost={NAME}-accounting" in conf


def test_outputs_say_what_a_user_needs_next(stack: Stack, objects: Objects) -> None:
    outputs = stack.program.outputs()
    assert re.fullmatch("[0-9a-f]{16}", outputs.pop("specificationHash"))
    assert outputs == {
        "namespace": NAME,
        "partitions": [partition["name"] for partition in shipped("local")["slurm:cluster"]["partitions"]],
        "restUrl": f"http://{NAME}-slurmrestd.{NAME}:6820",
        "sshCommands": {
            "login": f"(kubectl -n {NAME} port-forward service/{NAME}-login-login-ssh 2222:22 & sleep 3; "
            f"ssh -o HostKeyAlias={NAME}-login-login-ssh.{NAME} -p 2222 127.0.0.1; kill $!)"
        },
        "tokenSecrets": {"admin": f"{NAME}-token-admin"},
        "keySecrets": {"slurm": f"{NAME}-auth-slurm", "jwt": f"{NAME}-auth-jwt"},
    }
    token = objects.get("Secret", NAME, outputs["tokenSecrets"]["admin"])["data"]["SLURM_JWT"]
    _, claims, _ = base64.b64decode(token).decode().split(".")
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["sun"] == "slurm"


def test_second_up_changes_nothing(stack: Stack) -> None:
    assert stack.up("--expect-no-changes").changes == {}


def test_refresh_finds_no_drift(stack: Stack) -> None:
    assert stack.refresh().changes == {}


def test_no_secret_is_written_down(end: End) -> None:
    assert leaks(end.places, end.secrets.values) == []


def test_the_search_would_find_them(end: End) -> None:
    """What is looked for stands in the cluster's Secrets, and is found in them."""
    found = leaks({"Secrets": end.secrets.objects}, end.secrets.values)
    wanted = {"slurm key 2", "jwt key 2", "database key 1", "database-root key 1", "directory key 1", "token 0"}
    assert {text.removesuffix(" in Secrets") for text in found} >= wanted
    for before in range(4):
        coded = base64.b64encode(b"x" * before + b"0123456789abcdef0123" + b"y" * before)
        assert any(form in coded for form in forms(b"0123456789abcdef0123"))


def test_a_rotation_shows_in_the_preview_without_its_value(end: End) -> None:
    assert "[secret]" in end.rotation.output


@pytest.mark.usefixtures("end")
def test_destroy_leaves_nothing_behind(stack: Stack, objects: Objects) -> None:
    eventually_nothing("objects of the stack", lambda: objects.uids().keys() - stack.before.keys())
    # What tests before this one have left to Kubernetes' garbage collector may be gone by now.
    assert objects.uids().items() <= stack.before.items()


def test_destroy_goes_in_the_order_that_the_operator_needs(end: End) -> None:
    began: dict[str, int] = {}
    ended: dict[str, int] = {}
    for event in end.destroy.events:
        for kind, times in (("resourcePreEvent", began), ("resOutputsEvent", ended)):
            if kind in event:
                times[event[kind]["metadata"]["urn"].rpartition("$")[2]] = event["sequence"]

    def of(kind: str) -> list[str]:
        # What makes the QoS and looks for jobs is there before slurmctld, so it goes after it, its token too.
        found = [
            urn
            for urn in began
            if f":{kind}::" in urn and urn.startswith("kubernetes:") and "-qos-" not in urn and "-drain-" not in urn
        ]
        assert found, f"no {kind} was deleted"
        return found

    order = [["NodeSet", "LoginSet", "Token", "RestApi"], ["Controller"], ["Accounting"], ["StatefulSet", "Secret"]]
    for earlier, later in zip(order, [*order[1:], ["Namespace"]], strict=True):
        last = max(ended[urn] for kind in earlier for urn in of(kind))
        first = min(began[urn] for kind in later for urn in of(kind))
        assert last < first, f"{later} began before {earlier} were gone"
