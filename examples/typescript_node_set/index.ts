import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as slurm from "@pulumi-slurm/slurm";

export = async () => {
    // Such as "my-organization/hpc/production".
    const hpc = new pulumi.StackReference(new pulumi.Config().require("cluster"));
    const cluster = await hpc.getOutputDetails("cluster");
    const onCluster = new kubernetes.Provider("kubernetes", { clusterIdentifier: "my-cluster" });
    const gpus = new slurm.NodeSet("gpus", {
        // It has to be known in the preview, so it is no Output.
        cluster: cluster.value,
        nodeSet: { name: "gpu", machine: { cpus: 63, memory: "480Gi", gpus: { type: "a100", count: 8 } }, replicas: 1 },
    }, { providers: [onCluster] });
    return { slurmName: gpus.slurmName };
};
