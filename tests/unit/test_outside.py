"""What machines outside the Kubernetes cluster are told, and `python -m pulumi_slurm check-outside`."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model import SlurmSpec
from tests.unit.importing.command_line import run

KEYS = {name: {"existing": {"name": "site-keys", "key": f"{name}.key"}} for name in ("slurm", "jwt")}
EXTERNAL = {"external": {"host": "slurmctld.example.org", "port": 6817}}
BURST = {"name": "burst", "machine": {"cpus": 4, "memory": "8Gi"}, "replicas": 4}
SITE = {
    "name": "site",
    "controller": EXTERNAL,
    "keys": KEYS,
    "nodeSets": [BURST],
    "partitions": [{"name": "cloud", "nodeSets": ["burst"], "maxTime": 60}],
}
SLURM_CONF = """\
ClusterName=site
SlurmctldHost=slurmctld.example.org
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthAltTypes=auth/jwt
AuthInfo=use_client_ids
AuthType=auth/slurm
CredType=cred/slurm
MaxNodeCount=4
SlurmctldParameters=enable_configless
SlurmctldPort=6817
NodeSet=burst Feature=burst
PartitionName=cloud Nodes=burst Default=NO MaxTime=01:00:00 State=UP
"""


def spec(**fields: Any) -> SlurmSpec:
    return load({"name": "c", **fields})[0]


def test_of_a_cluster_inside_nothing_is_told() -> None:
    assert outside(spec(nodeSets=[BURST], accounting={})) == {}


def test_a_slurmctld_outside_has_these_lines_and_gives_pods_their_cgroups() -> None:
    told = outside(spec(**SITE))
    assert told == {
        "slurmConf": SLURM_CONF,
        "cgroupConf": "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\nConstrainCores=yes\nConstrainRAMSpace=yes\n"
        "ConstrainDevices=yes\n",
        "sackdCommand": "sackd --conf-server slurmctld.example.org:6817",
        "slurmUser": {"name": "slurm", "uid": 401, "gid": 401},
        "files": {
            "/etc/slurm/slurm.key": {"namespace": "slurm", "secret": "site-keys", "key": "slurm.key"},
            "/etc/slurm/jwt.key": {"namespace": "slurm", "secret": "site-keys", "key": "jwt.key"},
        },
    }


def test_lines_of_the_specification_come_along() -> None:
    gpu = {"name": "gpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2}}, "partition": {}}
    every_node = {
        "name": "each",
        "machine": {"cpus": 4, "memory": "8Gi"},
        "scalingMode": "DaemonSet",
        "updateStrategy": {"type": "OnDelete"},
    }
    lines = outside(
        spec(
            **{**SITE, "nodeSets": [gpu], "partitions": []},
            accounting={"external": {"host": "slurmdbd.example.org", "port": 7000}},
            slurmConf={"extra": {"SlurmctldParameters": "idle_on_node_suspend", "KillWait": 60}},
        )
    )["slurmConf"].splitlines()
    assert {
        "AccountingStorageHost=slurmdbd.example.org",
        "AccountingStoragePort=7000",
        "AccountingStorageType=accounting_storage/slurmdbd",
        "GresTypes=gpu",
        "KillWait=60",
        "MaxNodeCount=1",
        "SlurmctldParameters=enable_configless,idle_on_node_suspend",
        "PartitionName=gpu Nodes=gpu Default=NO MaxTime=UNLIMITED State=UP",
    } <= set(lines)
    # Slurm has no room for more.
    assert "MaxNodeCount=65536\n" in outside(spec(**{**SITE, "nodeSets": [{**BURST, "replicas": 70000}]}))["slurmConf"]
    # Nobody knows how many Kubernetes nodes there will be.
    assert "MaxNodeCount=1024" in outside(spec(**{**SITE, "nodeSets": [every_node], "partitions": []}))["slurmConf"]


def test_a_slurmctld_outside_is_told_where_slurmdbd_is(settings: Path) -> None:
    conf = {"extra": {"AccountingStorageHost": "10.0.0.9", "AccountingStoragePort": 30819}}
    fields = {**SITE, "accounting": {"service": {"type": "NodePort", "nodePort": 30819}}, "slurmConf": conf}
    text = outside(spec(**fields))["slurmConf"]
    lines = {"AccountingStorageHost=10.0.0.9", "AccountingStoragePort=30819"}
    assert lines < {*text.splitlines()}
    settings.write_text(yaml.safe_dump({"config": {"slurm:cluster": fields}}))
    assert complaints(settings, text) == []
    assert complaints(settings, "".join(line for line in text.splitlines(True) if line.strip() not in lines)) == [
        "AccountingStorageHost: this line is missing, and slurmdbd is at 10.0.0.9. Write "
        '"AccountingStorageHost=10.0.0.9".',
        'AccountingStoragePort: slurmdbd listens at port 30819. Write "AccountingStoragePort=30819".',
    ]


def test_a_slurmdbd_outside_has_these_lines() -> None:
    told = outside(spec(keys=KEYS, accounting={"external": {"host": "h", "port": 7000}}))
    assert told["slurmdbdConf"] == (
        "AuthAltParameters=jwt_key=/etc/slurm/jwt.key\nAuthAltTypes=auth/jwt\nAuthInfo=use_client_ids\n"
        "AuthType=auth/slurm\nDbdPort=7000\n"
    )
    assert told.keys() == {"slurmdbdConf", "slurmUser", "files"}


@pytest.mark.parametrize("fields", [SITE, {"keys": KEYS, "accounting": {"external": {"host": "h", "port": 7000}}}])
def test_tokens_of_an_identity_provider_are_taken_outside_too(settings: Path, fields: dict[str, Any]) -> None:
    keys = {**KEYS, "jwks": {"name": "provider", "key": "keys.json"}}
    told = outside(spec(**{**fields, "keys": keys, "operatorVersion": "1.1.3"}))
    text = told["slurmConf" if fields is SITE else "slurmdbdConf"]
    assert "AuthAltParameters=jwks=/etc/slurm/jwks.json,jwt_key=/etc/slurm/jwt.key\n" in text
    file = {"namespace": "slurm", "configMap": "provider", "key": "keys.json"}
    assert told["files"]["/etc/slurm/jwks.json"] == file
    if fields is SITE:
        settings.write_text(yaml.safe_dump({"config": {"slurm:cluster": {**SITE, "keys": keys}}}))
        elsewhere = text.replace("/etc/slurm/jwks.json", "/srv/jwks.json")
        assert complaints(settings, elsewhere) == []
        assert complaints(settings, SLURM_CONF) == [
            "AuthAltParameters=jwt_key=/etc/slurm/jwt.key: slurmctld has to read the keys with which tokens are "
            "signed. Add jwks=/etc/slurm/jwks.json."
        ]
        # Slurm takes the first claim.
        named = {**keys, "jwks": {"name": "provider", "key": "keys.json", "userClaim": "email"}}
        settings.write_text(yaml.safe_dump({"config": {"slurm:cluster": {**SITE, "keys": named}}}))
        both = text.replace("jwt_key=", "userclaimfield=sub,userclaimfield=email,jwt_key=")
        (complaint,) = complaints(settings, both)
        assert complaint.endswith(" Write userclaimfield=email in place of userclaimfield=sub.")


def test_machines_outside_have_commands_and_one_key() -> None:
    machines = {"name": "onprem", "nodes": "rack[1-4]", "cpus": 4, "memory": "2Gi", "gres": ["gpu:h100:8", "nvme:1"]}
    told = outside(
        spec(
            controller={"address": "fd00::1"},
            externalNodes=[{**machines, "features": ["fast"], "weight": 3}, {"name": "any", "maxNodes": 40}],
        )
    )
    assert told == {
        "slurmdCommands": {
            "onprem": 'slurmd -Z --conf-server [fd00::1]:6817 --conf "Features=onprem,fast CPUs=4 RealMemory=2048 '
            'Gres=gpu:h100:8,nvme:1 Weight=3"',
            "any": 'slurmd -Z --conf-server [fd00::1]:6817 --conf "Features=any"',
        },
        "hostNames": ["c-controller.slurm"],
        "sackdCommand": "sackd --conf-server [fd00::1]:6817",
        "slurmUser": {"name": "slurm", "uid": 401, "gid": 401},
        "files": {"/etc/slurm/slurm.key": {"namespace": "slurm", "secret": "c-auth-slurm", "key": "slurm.key"}},
    }


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "Pulumi.site.yaml"
    path.write_text(yaml.safe_dump({"config": {"slurm:kind": "kubernetes", "slurm:cluster": SITE}}))
    return path


def complaints(settings: Path, text: str) -> list[str]:
    path = settings.parent / "slurm.conf"
    path.write_text(dedent(text))
    result = run("check-outside", path, settings)
    assert (result.returncode, result.stderr) == (1 if result.stdout else 0, "")
    return [line.removeprefix(f"{path}: ") for line in result.stdout.splitlines()]


def test_the_lines_themselves_are_enough_and_may_be_written_otherwise(settings: Path) -> None:
    assert complaints(settings, SLURM_CONF) == []
    otherwise = """\
        clustername=Site
        SlurmctldHost=head1(10.0.0.1)
        SlurmctldHost=head2(slurmctld.example.org)
        SlurmctldParameters=idle_on_node_suspend,enable_configless
        AuthType=auth/slurm
        CredType=cred/slurm
        AuthInfo=use_client_ids,cred_expire=60
        AuthAltTypes=auth/jwt
        AuthAltParameters=jwt_key=/var/spool/jwt.key
        MaxNodeCount=100
        KillWait=60
        NodeName=rack[1-96] CPUs=4
        NodeSet=burst Feature=burst
        NodeSet=both Nodes=rack[1-2] Feature=burst
        PartitionName=DEFAULT MaxTime=60 State=UP
        PartitionName=cloud Nodes=both,rack7 AllowAccounts=a
        PartitionName=main Nodes=rack[1-96]
        """
    assert complaints(settings, otherwise) == []


def test_a_file_says_in_either_way_that_jobs_have_slurmds_limit_of_locked_memory(settings: Path) -> None:
    burst = {**BURST, "machine": {"cpus": 4, "memory": "8Gi", "rdma": True}}
    cluster = {"slurm:kind": "kubernetes", "slurm:cluster": {**SITE, "nodeSets": [burst]}}
    settings.write_text(yaml.safe_dump({"config": cluster}))
    why = "over RDMA jobs need slurmd's limit of locked memory"
    missing = f"PropagateResourceLimitsExcept: this line is missing, and {why}. "
    assert complaints(settings, SLURM_CONF) == [f'{missing}Write "PropagateResourceLimitsExcept=MEMLOCK".']
    for line in ("Except=MEMLOCK", "Except=CORE,MEMLOCK", "=NONE", "=CORE"):
        assert complaints(settings, f"{SLURM_CONF}PropagateResourceLimits{line}\n") == []
    for line in ("Except=CORE", "=ALL", "=MEMLOCK,CORE"):
        (told,) = complaints(settings, f"{SLURM_CONF}PropagateResourceLimits{line}\n")
        assert why in told


def test_each_line_that_is_missing_is_told(settings: Path) -> None:
    lines = SLURM_CONF.splitlines(keepends=True)
    told = {line.split()[0]: complaints(settings, SLURM_CONF.replace(line, "")) for line in lines}
    # 6817 is the port in any case.
    assert told.pop("SlurmctldPort=6817") == []
    assert told == {
        "ClusterName=site": [
            "ClusterName: this line is missing, and pods and accounting know the cluster as site. Write "
            '"ClusterName=site".'
        ],
        "SlurmctldHost=slurmctld.example.org": [
            "SlurmctldHost: this line is missing, and pods look for slurmctld at slurmctld.example.org. Write "
            '"SlurmctldHost=slurmctld.example.org".'
        ],
        "AuthAltParameters=jwt_key=/etc/slurm/jwt.key": [
            "AuthAltParameters: this line is missing, and slurmctld has to read the keys with which tokens are signed. "
            'Write "AuthAltParameters=jwt_key=/etc/slurm/jwt.key".'
        ],
        "AuthAltTypes=auth/jwt": [
            "AuthAltTypes: this line is missing, and the operator speaks to Slurm with tokens. Write "
            '"AuthAltTypes=auth/jwt".'
        ],
        "AuthInfo=use_client_ids": [
            'AuthInfo: this line is missing, and pods know no users by name. Write "AuthInfo=use_client_ids".'
        ],
        "AuthType=auth/slurm": [
            'AuthType: this line is missing, and all daemons in pods use auth/slurm. Write "AuthType=auth/slurm".'
        ],
        "CredType=cred/slurm": [
            'CredType: this line is missing, and all daemons in pods use cred/slurm. Write "CredType=cred/slurm".'
        ],
        "MaxNodeCount=4": [
            'MaxNodeCount: this line is missing, and 4 workers register by themselves. Write "MaxNodeCount=4", or more.'
        ],
        "SlurmctldParameters=enable_configless": [
            "SlurmctldParameters: this line is missing, and pods have no files of their own, and take them from "
            'slurmctld. Write "SlurmctldParameters=enable_configless".'
        ],
        "NodeSet=burst": [
            'NodeSet=burst: this line is missing, and the specification says so. Write "NodeSet=burst Feature=burst".',
            'PartitionName=cloud Nodes=burst: the specification has burst. Write "Nodes=burst".',
        ],
        "PartitionName=cloud": [
            "PartitionName=cloud: this line is missing, and the specification says so. Write "
            '"PartitionName=cloud Nodes=burst Default=NO MaxTime=01:00:00 State=UP".',
        ],
    }


def test_each_contradiction_is_told(settings: Path) -> None:
    text = """\
        ClusterName=other
        SlurmctldHost=head
        SlurmctldPort=7000
        SlurmctldParameters=idle_on_node_suspend
        AuthType=auth/munge
        CredType=cred/slurm
        AuthInfo=use_client_ids
        AuthAltTypes=auth/jwt
        AuthAltParameters=jwks=/etc/slurm/jwks.json
        MaxNodeCount=6
        NodeName=rack[1-3] CPUs=4
        NodeSet=burst Feature=cloud
        PartitionName=cloud Nodes=rack[1-3] State=DOWN
        """
    assert complaints(settings, text) == [
        "AuthAltParameters=jwks=/etc/slurm/jwks.json: slurmctld has to read the keys with which tokens are signed. Add "
        "jwt_key=/etc/slurm/jwt.key.",
        'AuthType=auth/munge: all daemons in pods use auth/slurm. Write "AuthType=auth/slurm".',
        'ClusterName=other: pods and accounting know the cluster as site. Write "ClusterName=site".',
        'MaxNodeCount=6: 4 workers register by themselves, beside 3 with a line. Write "MaxNodeCount=7", or more.',
        "SlurmctldHost=head: pods look for slurmctld at slurmctld.example.org. Write "
        '"SlurmctldHost=<host name>(slurmctld.example.org)".',
        "SlurmctldParameters=idle_on_node_suspend: pods have no files of their own, and take them from slurmctld. "
        "Add enable_configless.",
        'SlurmctldPort=7000: pods look for slurmctld at port 6817. Write "SlurmctldPort=6817".',
        'NodeSet=burst Feature=cloud: the specification has burst. Write "Feature=burst".',
        'PartitionName=cloud MaxTime: the specification has 01:00:00. Write "MaxTime=01:00:00".',
        'PartitionName=cloud Nodes=rack[1-3]: the specification has burst. Write "Nodes=burst".',
        'PartitionName=cloud State=DOWN: the specification has UP. Write "State=UP".',
    ]


def test_a_node_set_without_partitions_is_told_unless_the_file_has_one(settings: Path) -> None:
    settings.write_text(yaml.safe_dump({"config": {"slurm:cluster": {**SITE, "partitions": []}}}))
    text = SLURM_CONF.replace("Nodes=burst", "Nodes=rack1")
    assert complaints(settings, text) == [
        "NodeSet=burst: no partition has its nodes, so no job comes to them. Write for example "
        '"PartitionName=burst Nodes=burst".'
    ]
    assert complaints(settings, SLURM_CONF) == []
    assert complaints(settings, SLURM_CONF.replace("Nodes=burst", "Nodes=ALL")) == []


def test_a_node_set_of_an_edited_output_may_have_no_feature(settings: Path) -> None:
    out_of_reach = (
        'no partition has its nodes, so no job comes to them. Write for example "PartitionName=burst Nodes=burst".'
    )
    for line, complaint in (("NodeSet=burst", []), ("NodeSet=burst Nodes=rack1", [f"NodeSet=burst: {out_of_reach}"])):
        settings.write_text(json.dumps({"slurmConf": f"ClusterName=site\n{line}\n"}))
        assert complaints(settings, f"ClusterName=site\n{line}\nNodeName=rack[1-9]\n") == complaint


def test_the_output_of_a_stack_says_the_same(settings: Path) -> None:
    settings.write_text(json.dumps(outside(spec(**SITE))))
    assert complaints(settings, SLURM_CONF) == []
    assert len(complaints(settings, "ClusterName=site\n")) == 10


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a: [", "this is neither YAML nor JSON in line 1, column 5"),
        ("a: 1", "there is neither slurm:cluster nor slurmConf. Name a Pulumi.<stack>.yaml. Write `pulumi stack "),
        ("{config: {'slurm:cluster': {name: c}, 'slurm:kind': gke}}", "only a run of this stack knows its pools. "),
        ("{config: {'slurm:cluster': {name: c}}}", "controller.external is not set, so the operator writes slurm.conf"),
        ("{config: {'slurm:cluster': {name: 1}}}", "The Slurm specification has an error"),
    ],
)
def test_settings_that_say_nothing_are_told(settings: Path, content: str, problem: str) -> None:
    settings.write_text(content)
    path = settings.parent / "slurm.conf"
    path.write_text(SLURM_CONF)
    result = run("check-outside", path, settings)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.removeprefix(f"{settings}: ").startswith(problem)
