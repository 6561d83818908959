import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as slurm from "@pulumi-slurm/slurm";

const onCluster = new kubernetes.Provider("kubernetes", { clusterIdentifier: "my-cluster", enableSecretMutable: true });
const hpc = new slurm.SlurmCluster("hpc", {
    spec: {
        name: "hpc",
        namespace: "hpc",
        operatorVersion: "1.1.3",
        nodeSets: [{ name: "cpu", machine: { cpus: 15, memory: "57Gi" }, replicas: 2 }],
        partitions: [{ name: "main", nodeSets: ["ALL"], default: true, defMemPerCpu: "3800M", maxTime: "2-00:00:00" }],
    },
    rootKey: new pulumi.Config().requireSecret("rootKey"),
}, { providers: [onCluster] });
export const restUrl = hpc.restUrl;
