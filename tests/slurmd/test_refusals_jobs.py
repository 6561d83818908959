"""What we refuse because of what jobs and nodes make of it, and what looks alike and lets them run."""

import re
from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.loading import load
from tests.slurmd.cluster import Cluster
from tests.slurmd.daemon import Daemon
from tests.slurmd.differences import with_device_files
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import NODE_SETS, is_accepted, refused_at
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

pytestmark = ON_THE_NEWEST

PARTITIONS = """\
PartitionName=few Nodes=cpu MinNodes=2 MaxNodes=1
PartitionName=none Nodes=cpu MaxNodes=0
PartitionName=idle Nodes=cpu MaxCPUsPerNode=0
PartitionName=sockets Nodes=cpu MaxCPUsPerSocket=0
PartitionName=paid Nodes=cpu TRESBillingWeights=CPU=-5
PartitionName="a,b" Nodes=cpu
PartitionName=anybody Nodes=cpu AllowAccounts=physics
PartitionName=ours Nodes=cpu AllowGroups="domain users"
PartitionName=theirs Nodes=cpu AllowGroups=daemon
PartitionName=memory Nodes=gpu DefMemPerGPU=50 DefMemPerNode=70
PartitionName=share Nodes=gpu DefCpuPerGPU=0
PartitionName=small Nodes=cpu
PartitionName=SMALL Nodes=gpu
"""
NOT_NOW = ("Requested partition configuration not available now", "Requested node configuration is not available")
SHOW_JOB = 'scontrol show job "$SLURM_JOB_ID"'


@pytest.fixture(scope="module")
def cluster(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("jobs")) as site:
        cluster = Cluster(site)
        host = cluster.controller.host
        host.write("/etc/group", host.read("/etc/group") + f"domain users:x:5000:{JOB_USER}\n")
        cluster.start_controller(with_device_files(files(NODE_SETS + PARTITIONS), {"gpu-0": 2}))
        cluster.start_workers({"cpu-0": "Features=cpu", "gpu-0": "Features=gpu Gres=gpu:2"}, gpus={"gpu-0": 2})
        yield cluster


def srun(cluster: Cluster, *arguments: str) -> str:
    return cluster.run("srun", "--quiet", *arguments, user=JOB_USER)


def refusal(cluster: Cluster, *arguments: str) -> str:
    done = cluster.controller.host.attempt(["srun", "--immediate=1", *arguments, "hostname"], user=JOB_USER)
    assert done.returncode
    return done.stderr


@pytest.mark.parametrize(
    ("field", "refused", "partition"),
    [
        ("minNodes: 2, maxNodes: 1", "minNodes", "few"),
        ("maxNodes: 0", "maxNodes", "none"),
        ("maxCpusPerNode: 0", "maxCpusPerNode", "idle"),
        ("maxCpusPerSocket: 0", "maxCpusPerSocket", "sockets"),
    ],
)
def test_no_job_would_ever_run(cluster: Cluster, field: str, refused: str, partition: str) -> None:
    assert refused_at(f"partitions: [{{name: p, nodeSets: [cpu], {field}}}]") == [f"partitions[0].{refused}"]
    message = refusal(cluster, f"--partition={partition}")
    assert any(words in message for words in NOT_NOW), message


def test_a_negative_weight_makes_jobs_as_dear_as_can_be(cluster: Cluster) -> None:
    spec = "partitions: [{name: p, nodeSets: [cpu], tresBillingWeights: {CPU: -5}}]"
    assert refused_at(spec) == ["partitions[0].tresBillingWeights.CPU"]
    (billing,) = re.findall(r"ReqTRES=.*billing=(\d+)", srun(cluster, "--partition=paid", "sh", "-c", SHOW_JOB))
    assert int(billing) > 2**63


def test_a_partition_whose_name_is_a_list_cannot_be_asked_for(cluster: Cluster) -> None:
    assert refused_at("partitions: [{name: 'a,b', nodeSets: [cpu]}]") == ["partitions[0].name"]
    assert "invalid partition specified" in refusal(cluster, "--partition=a,b")


def test_without_a_database_anybody_may_name_any_account(cluster: Cluster) -> None:
    spec = "partitions: [{name: p, nodeSets: [cpu], allowAccounts: [physics]}]"
    assert refused_at(spec) == ["partitions[0].allowAccounts"]
    assert srun(cluster, "--partition=anybody", "--account=physics", "hostname") == "cpu-0\n"


def test_without_a_database_there_are_no_qos(cluster: Cluster) -> None:
    assert refused_at("slurmConf: {preemptType: preempt/qos, preemptMode: REQUEUE}") == ["slurmConf.preemptType"]
    assert "QOS=(null)" in srun(cluster, "--partition=small", "sh", "-c", SHOW_JOB)


def test_a_group_of_two_words_is_one_group(cluster: Cluster) -> None:
    assert is_accepted("partitions: [{name: ours, nodeSets: [cpu], allowGroups: [domain users]}]")
    assert srun(cluster, "--partition=ours", "hostname") == "cpu-0\n"
    assert NOT_NOW[0] in refusal(cluster, "--partition=theirs")


def test_memory_by_gpu_is_for_jobs_with_gpus(cluster: Cluster) -> None:
    assert is_accepted("partitions: [{name: memory, nodeSets: [gpu], defMemPerGpu: 50, defMemPerNode: 70}]")
    assert "mem=70M" in srun(cluster, "--partition=memory", "sh", "-c", SHOW_JOB)
    assert re.search("AllocTRES=.*mem=50M", srun(cluster, "--partition=memory", "--gpus=1", "sh", "-c", SHOW_JOB))


def test_no_cpus_for_a_gpu_are_as_good_as_none_said(cluster: Cluster) -> None:
    assert is_accepted("partitions: [{name: share, nodeSets: [gpu], defCpuPerGpu: 0}]")
    assert srun(cluster, "--partition=share", "--gpus=1", "hostname") == "gpu-0\n"


def test_partitions_may_differ_in_case(cluster: Cluster) -> None:
    assert is_accepted("partitions: [{name: small, nodeSets: [cpu]}, {name: SMALL, nodeSets: [gpu]}]")
    assert srun(cluster, "--partition=small", "hostname") == "cpu-0\n"
    assert srun(cluster, "--partition=SMALL", "hostname") == "gpu-0\n"


def test_a_script_without_its_first_line_drains_the_node(site: Site) -> None:
    assert refused_at("hooks: {prolog: {check.sh: 'exit 0'}}") == ['hooks.prolog["check.sh"]']
    cluster = Cluster(site)
    conf = files(f"{NODE_SETS}PartitionName=p Nodes=cpu Default=YES\nProlog=check.sh\n")
    cluster.start_controller({**conf, "check.sh": "exit 0\n"})
    cluster.controller.host.run(["chmod", "+x", "/etc/slurm/check.sh"])
    cluster.start_workers({"cpu-0": "Features=cpu"})
    refusal(cluster)
    daemon = cluster.workers["cpu-0"].daemon
    assert daemon
    daemon.eventually("being drained", lambda: cluster.node_state("cpu-0"), lambda state: state.startswith("drain"))


def test_slurmd_finds_no_configuration(site: Site) -> None:
    extra = {"SlurmctldParameters": "enable_stepmgr"}
    spec, _ = load({"name": "c", "slurmConf": {"extra": extra}})
    # What a user writes is added to what the operator needs.
    assert "enable_configless" in str(additions(spec).options["SlurmctldParameters"])
    cluster = Cluster(site)
    cluster.start_controller(files(f"{NODE_SETS}SlurmctldParameters=enable_stepmgr\n"))
    daemon = start(cluster, "cpu-0", "Features=cpu")
    daemon.eventually_says("failed to fetch remote configs")


def test_slurmd_ends_when_cgroups_are_disabled_and_asked_for(site: Site) -> None:
    spec = "{configFiles: {cgroup.conf: CgroupPlugin=disabled}, slurmConf: {extra: {ProctrackType: proctrack/cgroup}}}"
    assert refused_at(spec) == ["slurmConf.extra.ProctrackType"]
    cluster = Cluster(site)
    cluster.start_controller({**files(NODE_SETS), "cgroup.conf": "CgroupPlugin=disabled\n"})
    assert start(cluster, "cpu-0", "Features=cpu").wait_end()


def test_a_node_that_a_node_set_is_named_like_is_not_taken(site: Site) -> None:
    sets = "[{name: gpu, replicas: 2, machine: {cpus: 4, memory: 8Gi}}, {name: gpu-1, machine: {cpus: 4, memory: 8Gi}}]"
    assert refused_at(f"nodeSets: {sets}") == ["nodeSets[1].name"]
    cluster = Cluster(site)
    cluster.start_controller(files("NodeSet=gpu Feature=gpu\nNodeSet=gpu-1 Feature=gpu-1\n"))
    start(cluster, "gpu-1", "Features=gpu")
    controller = cluster.controller.daemon
    assert controller
    controller.eventually_says("NodeSet with name gpu-1 overlaps with an existing NodeName")
    assert cluster.node_state("gpu-1") == ""


def test_gres_that_slurm_reads_otherwise(site: Site) -> None:
    sets = "nodeSets: [{{name: cpu, machine: {{cpus: 4, memory: 8Gi}}, extraGres: [{}]}}]"
    assert refused_at(sets.format("'tmpdisk:100G', 'tmpdisk:100G'")) == ["nodeSets[0].extraGres[1]"]
    assert refused_at(sets.format("'tmpdisk:100X'")) == ["nodeSets[0].extraGres[0]"]
    assert is_accepted(sets.format("tmpdisk"))
    cluster = Cluster(site)
    listed = {"gres.conf": "NodeName=cpu-[0-2] Name=tmpdisk Count=900G\n"}
    cluster.start_controller({**files(f"{NODE_SETS}PartitionName=p Nodes=ALL\nGresTypes=gpu,tmpdisk\n"), **listed})
    for number, gres in enumerate(("tmpdisk:100G,tmpdisk:100G", "tmpdisk:100X", "tmpdisk")):
        node = f"NodeName=cpu-{number}"
        cluster.run("scontrol", "create", node, "State=CLOUD", "CPUs=1", "RealMemory=100", f"Gres={gres}")
    nodes = cluster.run("sinfo", "--noheader", "--Node", "--format=%N %G").split()
    # Twice is added up; what is no number is the type, of which there is one.
    assert nodes == ["cpu-0", "tmpdisk:200G", "cpu-1", "tmpdisk:100X", "cpu-2", "tmpdisk:1"]


def start(cluster: Cluster, name: str, conf: str) -> Daemon:
    """Start a node without waiting until Slurm knows it."""
    return Worker(cluster.site, name).start(cluster.server, conf)
