import * as slurm from "@pulumi-slurm/slurm";

const hpc = new slurm.GkeSlurm("hpc", {
    gke: {
        project: "my-project",
        region: "us-central1",
        zones: ["us-central1-a"],
        pools: [
            { name: "cpu", machineType: "n2-standard-8", maxNodes: 4 },
            { name: "gpu", machineType: "g2-standard-48", maxNodes: 2, capacity: "spot" },
        ],
    },
    cluster: {
        name: "hpc",
        nodeSets: [
            { name: "cpu", pool: "cpu", replicas: 2 },
            { name: "gpu", pool: "gpu", replicas: 1 },
        ],
        partitions: [{ name: "main", nodeSets: ["ALL"], default: true, maxTime: "2-00:00:00", defMemPerCpu: "3G" }],
        accounting: {},
    },
});
export const kubeconfig = hpc.kubeconfig;
