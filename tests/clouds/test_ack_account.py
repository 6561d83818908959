"""`ack.preflight` on a simulated Alibaba Cloud: what an account lacks is told before anything is made."""

from pathlib import Path

from tests.clouds.ack_example_stacks import with_slinky
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.surroundings import CloudProgram


def test_an_account_that_lacks_something_is_left_alone(alibaba: Alibaba, tmp_path: Path) -> None:
    program, settings = CloudProgram(alibaba, tmp_path, stack="ack"), with_slinky()
    settings["slurm:ack"]["preflight"] = True
    alibaba.cloud.set(
        serviceRoles=False,
        soldOut={zone: ["ecs.gn7i-c16g1.4xlarge"] for zone in settings["slurm:ack"]["zones"]},
    )
    refused = program.up(settings, check=False)
    assert refused.code != 0
    assert "Traceback" not in refused.output
    assert "slurm:ack.createServiceRoles = false: the account lacks roles that services assume: " in refused.output
    assert "AliyunCSManagedKubernetesRole" in refused.output
    assert "ap-southeast-1c and ap-southeast-1a have none of them in stock, as on-demand" in refused.output
    assert not list(alibaba.cloud.all())
    alibaba.cloud.set(serviceRoles=True, soldOut={})
    assert "in stock" not in program.preview().output
