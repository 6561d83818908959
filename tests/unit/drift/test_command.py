"""`pulumi-slurm drift`: what it prints, writes and ends with."""

import base64
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pulumi_slurm.manifests.cluster import render
from pulumi_slurm_cli.commands import drift, living
from pulumi_slurm_cli.drift import COMPARED
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.live import Answer, LiveClusterError, Look, ServiceAddress
from tests.slurmd.rest import token
from tests.unit.drift.worlds import STACK, look, node, stated
from tests.unit.importing.command_line import run

Seen = Callable[[Look], None]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    objects = [item for item in render(*stated()) if item["kind"] in COMPARED]
    monkeypatch.setattr(Kubectl, "objects", lambda *_: objects)
    file = tmp_path / "Pulumi.c.yaml"
    file.write_text(STACK)
    return file


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    def see(it: Look) -> None:
        monkeypatch.setattr(drift, "look_at_all", lambda *_, **__: (it, None))

    return see


def edited() -> Look:
    every, cpu = look().partitions
    drained = node("cpu-1", states=("IDLE", "DRAIN"), reason="disk", reason_by="root")
    return look(partitions=(every, dataclasses.replace(cpu, state="DOWN")), nodes=(node("cpu-0"), drained))


def test_nothing_is_said_where_nothing_has_changed(file: Path, seen: Seen) -> None:
    seen(look())
    done = run("drift", file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_findings_are_lines_or_a_report(file: Path, seen: Seen) -> None:
    seen(edited())
    done = run("drift", file)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split(":")[:2] for line in done.stdout.splitlines()] == [
        ["dangerous", " partition cpu"],
        ["on-purpose", " node cpu-1"],
    ]
    report = json.loads(run("drift", file, "--json").stdout)
    assert (report["cluster"], report["slurm"], len(report["findings"])) == ("slurm_c", "26.05.5", 2)
    assert file.read_text() == STACK


def test_the_file_adopts_what_it_can_say(file: Path, seen: Seen) -> None:
    seen(edited())
    done = run("drift", file, "--adopt", "--context", "mine")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "not adopted: node cpu-1: a file can't say it",
        f"{file}: 1 of 2 findings adopted",
    ]
    assert file.read_text() == STACK.replace(
        "        priorityTier: 4\n", "        priorityTier: 4\n        state: DOWN\n"
    )
    # The file is applied next.
    assert {line.split(":")[0] for line in run("drift", file).stdout.splitlines()} == {"ours", "on-purpose"}


def test_what_the_rules_refuse_is_not_written(file: Path, seen: Seen) -> None:
    every, cpu = look().partitions
    seen(look(partitions=(every, dataclasses.replace(cpu, denied_accounts=("biology",)))))
    done = run("drift", file, "--adopt", "--context", "mine")
    assert "not adopted: partition cpu: slurm:cluster.partitions[1].denyAccounts" in done.stderr
    assert file.read_text() == STACK


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("config: [", "Run pulumi-slurm check"),
        ("config: {slurm:kind: kubernetes}", "slurm:cluster: this field is required. Write cluster: {name: "),
        ("config: {slurm:kind: nothing}", 'slurm:kind = "nothing": this is not one of the choices. Write one of: '),
    ],
)
def test_a_file_with_errors_is_not_compared(file: Path, text: str, problem: str) -> None:
    file.write_text(text)
    done = run("drift", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr


def test_a_look_that_fails_is_an_error_of_its_own(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Look:
        raise LiveClusterError("Service c-slurmrestd in namespace slurm: it is away.")

    monkeypatch.setattr(drift, "look_at_all", fail)
    done = run("drift", file, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Service c-slurmrestd in namespace slurm: it is away.\n"


def test_without_any_token_the_ways_to_one_are_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JWT", raising=False)
    done = run("drift", file)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "slurmrestd wants a token, and the stack has none in its `tokens`. Write --token-file"
    )


def test_objects_are_asked_of_the_same_cluster(file: Path, monkeypatch: pytest.MonkeyPatch, seen: Seen) -> None:
    seen(look())
    asked: list[tuple[object, ...]] = []

    def get(*arguments: object) -> list[object]:
        asked.append(arguments)
        return []

    monkeypatch.setattr(Kubectl, "objects", get)
    done = run("drift", file, "--context", "mine")
    assert done.returncode == 1
    assert all(line.startswith("ours: ") for line in done.stdout.splitlines())
    assert asked == [(Kubectl("mine"), [*COMPARED.values()], "--namespace=slurm", "--show-managed-fields")]


class Proxy:
    """What kubectl proxy would be: it answers with slurmctld's lists, and no jobs."""

    def __init__(self, private: list[str]) -> None:
        self.private = private
        self.addresses: list[ServiceAddress] = []
        self.tokens: set[str] = set()

    def __call__(self, address: ServiceAddress) -> "Proxy":
        self.addresses.append(address)
        return self

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get(self, path: str, headers: dict[str, str]) -> Answer:
        self.tokens.add(headers["X-SLURM-USER-TOKEN"])
        what = path.split("/")[3]
        about = {"slurm": {"release": "26.05.5", "cluster": "slurm_c"}}
        found: object = [{"hostname": "a", "responding": True}] if what == "ping" else []
        found = {"PrivateData": self.private} if what == "conf" else found
        key = {"ping": "pings", "conf": "slurm_conf"}.get(what, what)
        return Answer(200, json.dumps({key: found, "meta": about, "errors": []}))


@pytest.mark.parametrize("way", ["--token-file", "--token-secret", "environment", "tokens"])
def test_a_token_comes_from_where_it_is_said(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    text, proxy = token(b"k"), Proxy([])
    monkeypatch.setattr(living, "service_proxy", proxy)
    monkeypatch.delenv("SLURM_JWT", raising=False)
    secret = {"data": {"SLURM_JWT": base64.b64encode(text.encode()).decode()}}
    kubectl = tmp_path / "kubectl"
    kubectl.write_text(f"#!/bin/sh\necho \"$*\" >{tmp_path}/asked\necho '{json.dumps(secret)}'\n")
    kubectl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "token").write_text(text)
    words: list[object] = ["drift", file, "--context", "mine"]
    if way == "environment":
        monkeypatch.setenv("SLURM_JWT", text)
    elif way == "tokens":
        file.write_text(STACK + "    tokens: [{ name: a, username: alice }, { name: b, username: slurm }]\n")
    else:
        words += [way, tmp_path / "token" if way == "--token-file" else "mine"]
    done = run(*words)
    # The cluster has neither nodes nor partitions.
    assert (done.returncode, done.stdout.count("slurmctld has no such partition")) == (1, 2)
    assert proxy.tokens == {text}
    (address,) = proxy.addresses
    assert address == ServiceAddress("slurm", "c-slurmrestd", "6820", Kubectl("mine"))
    asked = {"--token-secret": " get secret mine ", "tokens": " get secret c-token-b "}.get(way)
    assert not asked or asked in (tmp_path / "asked").read_text()


@pytest.mark.parametrize(("user", "code"), [("alice", 2), ("slurm", 1), ("root", 1)])
def test_a_part_of_the_jobs_is_no_look(file: Path, monkeypatch: pytest.MonkeyPatch, user: str, code: int) -> None:
    monkeypatch.setattr(living, "service_proxy", Proxy(["JOBS", "USERS"]))
    monkeypatch.setenv("SLURM_JWT", token(b"k", user))
    done = run("drift", file)
    assert done.returncode == code
    assert ("the token is of alice, from whom PrivateData hides jobs, users of others" in done.stderr) == (code == 2)
