"""The stack that the repository ships: what `make up` brings up, and that it stays as it is."""

import base64
import json

import pytest

from tests.e2e.objects import Objects, daemons, ready
from tests.e2e.program import Program, Run
from tests.shipped_stacks import shipped

NAME = "shipped"


@pytest.fixture(scope="module")
def brought_up(module_program: Program) -> Run:
    return module_program.up(_settings())


def _settings() -> dict[str, object]:
    settings = shipped("local")
    # As shipped, but for the namespace, because this cluster is shared with other tests.
    settings["slurm:cluster"] |= {"name": NAME, "namespace": NAME}
    return {**settings, "slurm:createNamespace": False}


@pytest.mark.usefixtures("brought_up")
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


@pytest.mark.usefixtures("brought_up")
def test_pods_of_workers_say_what_slurm_says_of_their_nodes(objects: Objects) -> None:
    workers = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-")]
    assert workers
    for pod in workers:
        conditions = {item["type"]: item["status"] for item in pod["status"]["conditions"]}
        assert conditions.get("SlurmNodeStateIdle") == "True", conditions


@pytest.mark.usefixtures("brought_up")
def test_gpu_workers_ask_for_gpus_and_tolerate_their_nodes(objects: Objects) -> None:
    (pod,) = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{NAME}-worker-gpu")]
    assert pod["spec"]["nodeName"].startswith("gpu-")
    (slurmd,) = [item for item in pod["spec"]["containers"] if item["name"] == "slurmd"]
    assert slurmd["resources"]["limits"]["nvidia.com/gpu"] == "2"
    assert "Gres=gpu:h100:2" in json.dumps(slurmd["args"])
    taint = {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    assert taint in pod["spec"]["tolerations"]


@pytest.mark.usefixtures("brought_up")
def test_slurm_conf_holds_the_partitions(objects: Objects) -> None:
    conf = objects.get("ConfigMap", NAME, f"{NAME}-config")["data"]["slurm.conf"]
    lines = [line for line in conf.splitlines() if line.startswith(("PartitionName=", "NodeSet="))]
    wanted = shipped("local")["slurm:cluster"]["partitions"]
    names = [line.split()[0].removeprefix("PartitionName=") for line in lines if line.startswith("Partition")]
    assert names == [partition["name"] for partition in wanted]
    assert "NodeSet=cpu Feature=cpu" in lines
    assert "NodeSet=gpu Feature=gpu" in lines
    assert f"AccountingStorageHost={NAME}-accounting" in conf


@pytest.mark.usefixtures("brought_up")
def test_outputs_say_what_a_user_needs_next(module_program: Program, objects: Objects) -> None:
    outputs = module_program.outputs()
    assert outputs == {
        "namespace": NAME,
        "partitions": [partition["name"] for partition in shipped("local")["slurm:cluster"]["partitions"]],
        "restUrl": f"http://{NAME}-slurmrestd.{NAME}:6820",
        "sshCommands": {"login": f"ssh -p 22 {NAME}-login-login-ssh.{NAME}"},
        "tokenSecrets": {"admin": f"{NAME}-token-admin"},
        "keySecrets": {"slurm": f"{NAME}-auth-slurm", "jwt": f"{NAME}-auth-jwt"},
    }
    token = objects.get("Secret", NAME, outputs["tokenSecrets"]["admin"])["data"]["SLURM_JWT"]
    _, claims, _ = base64.b64decode(token).decode().split(".")
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["sun"] == "slurm"


@pytest.mark.usefixtures("brought_up")
def test_second_up_changes_nothing(module_program: Program) -> None:
    assert module_program.up(None, "--expect-no-changes").changes == {}


@pytest.mark.usefixtures("brought_up")
def test_refresh_finds_no_drift(module_program: Program) -> None:
    assert module_program.refresh("--expect-no-changes").changes == {}
