import { SlurmCluster } from "@pulumi-slurm/slurm";

import * as mistakes from "./mistakes.json";

new SlurmCluster("hpc", mistakes);
