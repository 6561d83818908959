"""Rotating the keys of a running cluster."""

import base64
import hashlib
import hmac

from pulumi_slurm.keys import Purpose, derive
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Object, Objects, ready, uid
from tests.e2e.stack_settings import small
from tests.waiting import eventually

NAME = "rotation"
KEYS = {Purpose.SLURM: "slurm.key", Purpose.JWT: "jwt.key"}


def test_raising_the_generations_rotates_both_keys_in_place(new_program: NewProgram, objects: Objects) -> None:
    program = new_program(NAME)
    token = {"name": "admin", "username": "slurm", "lifetime": "1h"}
    program.up(small(NAME, tokens=[token]))
    secrets = {purpose: objects.get("Secret", NAME, f"{NAME}-auth-{purpose}") for purpose in KEYS}
    pods = {uid(pod) for pod in objects.all("Pod", NAME)}
    controller = uid(objects.get("Controller", NAME, NAME))
    old_token = program.outputs()["tokenSecrets"]["admin"]

    generation = {"generation": 2}
    program.up(small(NAME, tokens=[token], keys={"jwt": generation}))

    def is_new(found: list[Object]) -> bool:
        return len(found) == 1 and all(ready(pod) and uid(pod) not in pods for pod in found)

    eventually("slurmctld has the new JWT key", lambda: [*_pods(objects, "slurmctld").values()], is_new)
    assert {*_pods(objects, "slurmd")} <= pods, "workers don't read the JWT key"
    pods |= {*_pods(objects, "slurmctld")}
    pod_count = len(objects.all("Pod", NAME))

    run = program.up(small(NAME, tokens=[token], keys={"slurm": generation, "jwt": generation}))

    assert run.resources("replace", "create-replacement", "delete-replaced") == set()
    root_key = program.root_key()
    for purpose, field in KEYS.items():
        after = objects.get("Secret", NAME, f"{NAME}-auth-{purpose}")
        assert uid(after) == uid(secrets[purpose])
        assert _text(after, field) == derive(root_key, NAME, purpose, 2)
        assert _text(secrets[purpose], field) == derive(root_key, NAME, purpose, 1)
    assert uid(objects.get("Controller", NAME, NAME)) == controller

    def are_new(found: list[Object]) -> bool:
        return len(found) == pod_count and all(ready(pod) and uid(pod) not in pods for pod in found)

    eventually(f"all {pod_count} pods are new", lambda: objects.all("Pod", NAME), are_new)
    new_token = program.outputs()["tokenSecrets"]["admin"]
    assert new_token != old_token
    eventually("the new token", lambda: objects.find("Secret", NAME, new_token))
    signed = _text(objects.get("Secret", NAME, new_token), "SLURM_JWT")
    assert _signature(signed, derive(root_key, NAME, Purpose.JWT, 2)) == signed.rpartition(".")[2]
    assert _signature(signed, derive(root_key, NAME, Purpose.JWT, 1)) != signed.rpartition(".")[2]
    assert program.up(None, "--refresh").changes == {}


def _pods(objects: Objects, daemon: str) -> dict[str, Object]:
    return {uid(pod): pod for pod in objects.all("Pod", NAME, {"app.kubernetes.io/name": daemon})}


def _text(secret: dict[str, dict[str, str]], field: str) -> str:
    return base64.b64decode(secret["data"][field]).decode()


def _signature(token: str, key: str) -> str:
    digest = hmac.new(key.encode(), token.rpartition(".")[0].encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
