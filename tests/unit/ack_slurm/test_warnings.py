"""What is warned of with ack-slurm-operator: what is in Slinky's images and pods has no meaning here."""

from typing import Any

import pytest

from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.errors import SpecError
from tests.stack_configuration import read
from tests.unit.ack.test_stack_config import on_slinky, stack
from tests.unit.ack_slurm.examples import POOLS, ack, cluster

REQUIRED = {"configFiles": {"plugstack.conf": "required spank_own.so\noptional spank_other.so\n"}}
OWN_IMAGE = {"image": "registry.example.org/slurm:1"}


def warned(image: str | None, **changes: Any) -> list[str]:
    spec, pools = cluster(**changes)
    return [str(error) for error in check_ack_slurm(spec, pools, ack(image=image)) if "plugstack" in str(error)]


def codes(settings: dict[str, Any]) -> set[str | None]:
    with pytest.raises(SpecError) as caught:
        read(settings)
    return {error.code for error in caught.value.errors}


def test_required_plugins_of_an_image_that_nobody_has_seen() -> None:
    (warning,) = warned(None, **REQUIRED)
    assert warning == (
        'cluster.config_files["plugstack.conf"] = "required spank_own.so": plugstack.conf:1: slurmd and srun exit '
        "without it, and Alibaba's image may not have it. Set ack.slurm.image to an image that has it "
        "(docs/ack-image.md), or leave the line out."
    )
    assert warned(OWN_IMAGE["image"], **REQUIRED) == []
    node_sets = [{"name": pool["name"], "pool": pool["name"], **OWN_IMAGE} for pool in POOLS]
    assert warned(None, **REQUIRED, nodeSets=node_sets, partitions=None, controller=OWN_IMAGE) == []


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("required-plugins-are-in-the-images", REQUIRED),
        ("slurm-knows-the-files", {"configFiles": {"site.conf": "x\n"}}),
        ("slurm-reads-plugstack-conf", {"slurmConf": {"extra": {"PlugStackConfig": "/etc/slurm/plugstack.conf"}}}),
        ("windows-of-jobs-have-their-keys", {"slurmConf": {"extra": {"PrologFlags": "Contain,X11"}}}),
        ("logs-are-where-containers-read-them", {"slurmConf": {"extra": {"SlurmdLogFile": "/var/log/slurm/d.log"}}}),
        ("operator-release-has-no-known-defects", {"operatorVersion": "1.1.0"}),
    ],
)
def test_what_is_told_of_slinkys_images_and_pods_alone(code: str, fields: dict[str, Any]) -> None:
    changes = [(("cluster", field), value) for field, value in fields.items()]
    as_errors = (("warningsAsErrors",), True)
    assert code in codes(on_slinky(as_errors, *changes))
    assert code not in codes(stack(as_errors, *changes))


def told(settings: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    spec, pools = cluster(**changes)
    return [str(error) for error in check_ack_slurm(spec, pools, ack(**(settings or {})))]


def test_plugins_for_cgroups_in_workers_that_may_write_none() -> None:
    lines = {"slurmConf": {"extra": {"TaskPlugin": "task/affinity,task/cgroup"}}}
    (warning,) = told(**lines)
    assert warning == (
        'cluster.slurm_conf.extra.TaskPlugin = "task/affinity,task/cgroup": slurmd exits unless it may write cgroups, '
        'and workers of "cpu" are not privileged. Leave it out, or write ack.slurm.workers.cpu.security_context: '
        "{privileged: true}, and IgnoreSystemd=yes in cgroup.conf."
    )
    privileged = {"securityContext": {"privileged": True}}
    assert told({"workers": {"cpu": privileged, "gpu": privileged}}, **lines) == []


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("JobAcctGatherFrequency", "0"),
        ("JobAcctGatherFrequency", "energy=30,task=0"),
        ("JobAcctGatherType", "jobacct_gather/none"),
    ],
)
def test_jobs_that_nothing_holds_to_their_memory(key: str, text: str) -> None:
    assert told(slurmConf={"extra": {key: text}}) == [
        f'cluster.slurm_conf.extra.{key} = "{text}": slurmd never looks how much memory a job has, so nothing ends '
        "one that takes that of others. Leave it out."
    ]
    assert told(slurmConf={"extra": {"JobAcctGatherFrequency": "task=10,energy=0"}}) == []


def test_published_vulnerabilities_of_the_release_in_the_image() -> None:
    (warning,) = told({"slurmVersion": "25.11.5"})
    assert warning.startswith('ack.slurm.slurm_version = "25.11.5": this release has 8 published vulnerabilities')
    assert told({"slurmVersion": "25.11"}) == []
