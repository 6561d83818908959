"""The objects of a rehearsal: nothing leads out, secrets are in its Secret alone, and files differ as is said."""

import json
from typing import Any

import yaml
from hypothesis import given, settings

from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse, render
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.rehearsal.files import Files, NewKeys, files_of_spec, files_that_run
from pulumi_slurm_cli.rehearsal.harmless import harmless
from pulumi_slurm_cli.rehearsal.live import has_own_database
from pulumi_slurm_cli.rehearsal.objects import REHEARSAL, Images, fence, start_objects
from pulumi_slurm_cli.rehearsal.places import SCRIPT
from pulumi_slurm_cli.rehearsal.script import REHEARSE
from tests.shellcheck import findings
from tests.unit.strategies import specs

SPEC = """\
name: c
namespace: hpc
images: {pullSecrets: [registry]}
nodeSets: [{name: cpu, machine: {cpus: 4, memory: 8Gi}}]
partitions: [{name: main, nodeSets: [ALL], default: true, qos: fast}]
accounting: {qos: [{name: fast}], accounts: [{name: science}], extraConf: {DebugLevel: verbose}}
hooks: {prologSlurmctld: {begin.sh: "#!/bin/sh"}, prolog: {start.sh: "#!/bin/sh"}}
slurmConf: {schedulerParameters: [bf_interval=17, defer], extra: {MailProg: /usr/bin/mail}}
"""
IMAGES = Images("slurmctld:1", "slurmdbd:1", "mariadb:1")
KEYS = NewKeys()


def spec() -> SlurmSpec:
    loaded, _ = load(yaml.safe_load(SPEC), [])
    return loaded


def objects(files: Files, of: SlurmSpec, **more: Any) -> dict[str, Any]:
    made = start_objects(ClusterRef.of(of), "r", "after", files, IMAGES, of.controller.pod, seconds=60, **more)
    return {f"{item['kind']}/{item['metadata']['name']}": item for item in made}


def secrets_of(files: Files) -> list[str]:
    return [KEYS.slurm, KEYS.jwt, KEYS.password, KEYS.token, *files.secrets.values()]


def test_nothing_comes_in_or_goes_out() -> None:
    namespace, policy = fence(ClusterRef.of(spec()), "r")
    assert namespace["metadata"]["labels"] == {"pod-security.kubernetes.io/enforce": "restricted", REHEARSAL: "hpc"}
    assert policy["metadata"]["namespace"] == "r"
    assert policy["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_the_pod_has_the_three_daemons_and_no_rights() -> None:
    made = objects(files_of_spec(spec(), [], KEYS, with_database=True), spec(), last_undo="x\n")
    assert [*made] == [
        "ConfigMap/after-files",
        "ConfigMap/after-scripts",
        "Secret/after-secrets",
        "ConfigMap/after-last",
        "Job/after",
    ]
    job = made["Job/after"]["spec"]
    assert (job["backoffLimit"], job["activeDeadlineSeconds"]) == (0, 60)
    pod = job["template"]["spec"]
    assert {item["name"]: item["image"] for item in pod["containers"]} == {
        "slurmctld": "slurmctld:1",
        "slurmdbd": "slurmdbd:1",
        "database": "mariadb:1",
    }
    assert pod["automountServiceAccountToken"] is False
    assert pod["dnsPolicy"] == "None"
    assert pod["imagePullSecrets"] == [{"name": "registry"}]
    for item in pod["containers"]:
        assert item["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
        assert "env" not in item


def test_without_a_database_slurmctld_is_alone() -> None:
    files = files_of_spec(spec(), [], KEYS, with_database=False)
    pod = objects(files, spec())["Job/after"]["spec"]["template"]["spec"]
    assert [item["name"] for item in pod["containers"]] == ["slurmctld"]
    assert [*files.scripts] == [SCRIPT]


def test_files_differ_as_is_said() -> None:
    files = files_of_spec(spec(), [], KEYS, with_database=True)
    conf = parse(files.configuration["slurm.conf"], File.SLURM, Series(25, 11))
    assert conf.options["SlurmctldHost"] == ("rehearsal(127.0.0.1)",)
    assert conf.options["SchedulerParameters"] == (
        "bf_interval=-1",
        "defer",
        "nohold_on_prolog_fail",
        "sched_interval=-1",
    )
    assert not {"PrologSlurmctld", "SlurmctldAddr", "SlurmctldLogFile"} & conf.options.keys()
    assert conf.options["Prolog"] == ("start.sh",)
    told = [line.partition(":")[0] for line in files.differences]
    for line in (
        "AccountingStorageHost=127.0.0.1",
        "MailProg=/bin/true",
        "PrologSlurmctld is left out",
        "SlurmdTimeout=0",
        "slurmdbd",
    ):
        assert line in told, told
    slurmdbd = parse(files.secrets["slurmdbd.conf"], File.SLURMDBD, Series(25, 11)).options
    assert (slurmdbd["StorageHost"], slurmdbd["StoragePass"]) == ("127.0.0.1", KEYS.password)
    assert [*files.scripts] == [SCRIPT, "qos.sh", "accounts.sh"]
    assert KEYS.password not in repr(KEYS)
    assert KEYS.password not in repr(files)


def test_programs_of_nodes_start_nothing_and_no_limit_passes() -> None:
    text = (
        "ClusterName=c\nSlurmctldHost=a\nSlurmctldHost=b\nSuspendProgram=/x\nResumeTimeout=5\nJobCompType=jobcomp/kafka\n"
        "SlurmctldParameters=enable_configless,reconfig_on_restart\nNodeName=n\n"
        "PartitionName=p Nodes=n OverTimeLimit=5\n"
    )
    conf, told = harmless(parse(text, File.SLURM, Series(25, 11)))
    assert conf.options["SuspendProgram"] == "/bin/true"
    assert conf.options["ResumeTimeout"] == 65533
    assert "reconfig_on_restart" not in render(conf)
    assert "JobCompType" not in conf.options
    assert "OverTimeLimit" not in conf.of("PartitionName")[0].options
    assert any(line.startswith("PartitionName: no OverTimeLimit") for line in told)
    again, _ = harmless(conf)
    assert again == conf


def test_files_that_run_keep_all_but_keys() -> None:
    found = {
        "slurm.conf": "ClusterName=c\nSlurmctldHost=a\nInclude /etc/slurm/more.conf\n",
        "more.conf": "Licenses=a:1\n",
        "jwks.json": '{"keys": [{"kty": "oct"}]}',
    }
    files = files_that_run(found, "DbdHost=c-accounting-0\nStorageLoc=x\n", Series(26, 5), KEYS)
    assert "Licenses=a:1" in files.configuration["slurm.conf"]
    assert files.configuration["jwks.json"] == '{"keys": []}\n'
    assert "StorageLoc=slurm_acct_db" in files.secrets["slurmdbd.conf"]


@settings(max_examples=25, deadline=None)
@given(specs())
def test_random_specs_have_a_rehearsal_without_secrets_in_sight(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    of, pools = drawn
    files = files_of_spec(of, pools, KEYS, with_database=has_own_database(of))
    made = objects(files, of)
    secret = made.pop("Secret/after-secrets")
    text = json.dumps(made, default=str)
    for value in secrets_of(files):
        assert value not in text
        assert json.dumps(value)[1:-1] not in text
    assert secret["stringData"] == files.secrets
    assert {item["metadata"]["namespace"] for item in made.values()} == {"r"}
    conf = parse(files.configuration["slurm.conf"], File.SLURM, Series.of(of.slurm_version))
    again, _ = harmless(conf)
    assert render(again) == files.configuration["slurm.conf"]


def test_the_script_has_no_slip() -> None:
    assert findings(REHEARSE) == []
