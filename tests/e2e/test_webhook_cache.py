"""The operator's webhook, which may not know of a ConfigMap that was made a moment ago."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pulumi_slurm.slinky.webhook_cache import TIMES
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Objects
from tests.e2e.stack_settings import small
from tests.waiting import eventually

NAME = "unseen"
RETRYING = "retrying update due to on-error hook request"


def test_a_controller_waits_until_the_webhook_knows_its_config_maps(new_program: NewProgram, objects: Objects) -> None:
    """Here until it is there at all, which looks the same to the webhook and can be brought about."""
    program = new_program(NAME)
    program.up(small(NAME))
    (reference,) = objects.get("Controller", NAME, NAME)["spec"]["configFileRefs"]
    config_map = objects.get("ConfigMap", NAME, reference["name"])
    objects.delete("ConfigMap", NAME, reference["name"])
    # The state still has it, so nothing makes it again.
    program.configure(small(NAME, slurmConf={"maxJobCount": 4321}))

    def logs() -> list[Path]:
        return [*program.home.glob("events-*.json")]

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(program.up)
        eventually("another try", lambda: any(RETRYING in log.read_text() for log in logs()), promptly=True)
        metadata = {field: config_map["metadata"][field] for field in ("name", "namespace", "labels", "annotations")}
        objects.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": config_map["data"]})
        assert running.result().code == 0
    assert "MaxJobCount=4321" in objects.get("Controller", NAME, NAME)["spec"]["extraConf"]

    objects.delete("ConfigMap", NAME, reference["name"])
    missing = program.up(small(NAME, slurmConf={"maxJobCount": 1234}), check=False)
    assert missing.code, str(missing)
    assert f'denied the request: ConfigMap "{reference["name"]}" not found' in missing.output
    assert f"{RETRYING} ({TIMES}/" in missing.output
    program.up(None, "--refresh")
