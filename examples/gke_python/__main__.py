import pulumi

from pulumi_slurm import NodeSetSpec, PartitionSpec
from pulumi_slurm.gke import GkePoolSpec, GkeSlurm

cpu = GkePoolSpec(name="cpu", machine_type="n2-standard-8", max_nodes=4)
gpu = GkePoolSpec(name="gpu", machine_type="g2-standard-48", max_nodes=2, capacity="spot")
workers = [NodeSetSpec(name="cpu", pool="cpu", replicas=2), NodeSetSpec(name="gpu", pool="gpu", replicas=1)]
main = PartitionSpec(name="main", node_sets=["ALL"], default=True, max_time="2-00:00:00", def_mem_per_cpu="3G")
hpc = GkeSlurm(
    "hpc",
    gke={"project": "my-project", "region": "us-central1", "zones": ["us-central1-a"], "pools": [cpu, gpu]},
    cluster={"name": "hpc", "node_sets": workers, "partitions": [main], "accounting": {}},
)
pulumi.export("kubeconfig", hpc.kubeconfig)
