// Makes the cluster in mistakes.json.
package main

import (
	_ "embed"
	"encoding/json"

	"github.com/pulumi-slurm/pulumi-slurm/sdk/go/slurm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

//go:embed mistakes.json
var mistakes []byte

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var args slurm.SlurmClusterArgs
		if err := json.Unmarshal(mistakes, &args); err != nil {
			return err
		}
		_, err := slurm.NewSlurmCluster(ctx, "hpc", &args)
		return err
	})
}
