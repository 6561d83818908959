"""A Slurm cluster on the Kubernetes cluster of your kubeconfig, where slurm-operator runs already."""

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm import MachineSpec, NodeSetSpec, PartitionSpec, SlurmCluster, SlurmClusterArgs, SlurmSpec

spec = SlurmSpec(
    name="example",
    namespace="example",
    operator_version="1.1.3",
    node_sets=[NodeSetSpec(name="cpu", machine=MachineSpec(cpus=4, memory="8Gi"), replicas=2)],
    partitions=[PartitionSpec(name="main", node_sets=["cpu"], default=True, def_mem_per_cpu="1900M")],
)
provider = k8s.Provider("kubernetes", cluster_identifier="example", enable_secret_mutable=True)
cluster = SlurmCluster("example", SlurmClusterArgs(spec=spec), pulumi.ResourceOptions(provider=provider))
pulumi.export("partitions", cluster.partitions)
