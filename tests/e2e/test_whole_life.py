"""The shipped stack from its first preview to its end: no secret is written down anywhere, and nothing stays behind."""

import base64
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain
from tests.e2e.objects import Key, Objects
from tests.e2e.program import Program, Run
from tests.e2e.secret_values import forms, leaks, secret_values
from tests.e2e.stack_settings import Settings
from tests.shipped_stacks import shipped
from tests.waiting import eventually_nothing

NAME = "life"


@dataclass
class Life:
    """What was seen of one stack."""

    before: dict[Key, str]
    runs: list[Run]
    places: dict[str, bytes]
    secrets: dict[str, bytes]
    secret_objects: bytes


@pytest.fixture(scope="module")
def life(tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Life:
    eventually_nothing("objects of earlier tests", lambda: [*going(objects, "Namespace"), *unclaimed(objects)])
    before = objects.uids()
    program = Program(tools, tmp_path_factory.mktemp(NAME), cluster.kubeconfig)
    program.configure(settings())
    runs = [
        program.preview(None, "--diff"),
        # From 9 on the engine logs every value that goes over its wire, and says so in its documentation.
        program.up(None, "--logtostderr", "--logflow", "-v=8"),
        program.preview(settings(generation=2), "--diff"),
        program.up(None, "--diff"),
        program.refresh("--diff"),
        program.run("stack", "--show-urns"),
        program.run("stack", "output", "--json"),
    ]
    tokens = [
        base64.b64decode(item["data"]["SLURM_JWT"]).decode()
        for item in objects.all("Secret", NAME)
        if "SLURM_JWT" in item["data"]
    ]
    places = {f"a file of the engine: {file}": file.read_bytes() for file in files(program.home)}
    secret_objects = json.dumps(objects.all("Secret", NAME)).encode()
    for (kind, _, name), item in objects.everything(NAME).items():
        if kind != "Secret":
            places[f"{kind} {name}"] = json.dumps(item).encode()
    places["events"] = json.dumps(objects.all("Event", NAME)).encode()
    root_key = program.root_key()
    runs.append(program.destroy())
    for run in runs:
        places[f"output of {run.command}"] = run.output.encode()
        places[f"events of {run.command}"] = run.raw_events.encode()
    places |= {f"a file of the engine at the end: {file}": file.read_bytes() for file in files(program.home)}
    return Life(before, runs, places, secret_values(root_key, NAME, tokens), secret_objects)


def settings(generation: int = 1) -> Settings:
    settings = shipped("local")
    key = {"generation": generation}
    settings["slurm:cluster"] |= {"name": NAME, "namespace": NAME, "keys": {"slurm": key, "jwt": key}}
    return settings


def going(objects: Objects, kind: str) -> list[str]:
    return [item["metadata"]["name"] for item in objects.all(kind) if "deletionTimestamp" in item["metadata"]]


def unclaimed(objects: Objects) -> list[str]:
    claimed = {claim["spec"].get("volumeName") for claim in objects.all("PersistentVolumeClaim")}
    return sorted(objects.names("PersistentVolume") - claimed)


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_no_secret_is_written_down(life: Life) -> None:
    assert leaks(life.places, life.secrets) == []


def test_the_search_would_find_them(life: Life) -> None:
    """What is looked for stands in the cluster's Secrets, and is found in them."""
    found = leaks({"Secrets": life.secret_objects}, life.secrets)
    wanted = {"slurm key 2", "jwt key 2", "database key 1", "database-root key 1", "directory key 1", "token 0"}
    assert {text.removesuffix(" in Secrets") for text in found} >= wanted
    for before in range(4):
        coded = base64.b64encode(b"x" * before + b"0123456789abcdef0123" + b"y" * before)
        assert any(form in coded for form in forms(b"0123456789abcdef0123"))


def test_a_rotation_shows_in_the_preview_without_its_value(life: Life) -> None:
    assert "[secret]" in life.runs[2].output


def test_destroy_leaves_nothing_behind(life: Life, objects: Objects) -> None:
    eventually_nothing("objects of the stack", lambda: objects.uids().keys() - life.before.keys())
    # What tests before this one have left to Kubernetes' garbage collector may be gone by now.
    assert objects.uids().items() <= life.before.items()


def test_destroy_goes_in_the_order_that_the_operator_needs(life: Life) -> None:
    began: dict[str, int] = {}
    ended: dict[str, int] = {}
    for event in life.runs[-1].events:
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
