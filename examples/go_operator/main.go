// Installs slurm-operator on the Kubernetes cluster of your kubeconfig.
package main

import (
	"github.com/pulumi-slurm/pulumi-slurm/sdk/go/slurm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Each input but the values of charts, which take Outputs, can be a setting, as by
		// `pulumi config set --path operator.version 1.1.3`.
		var args slurm.SlinkyOperatorArgs
		if err := config.New(ctx, "").GetObject("operator", &args); err != nil {
			return err
		}
		operator, err := slurm.NewSlinkyOperator(ctx, "slinky", &args)
		if err != nil {
			return err
		}
		ctx.Export("version", operator.Version)
		return nil
	})
}
