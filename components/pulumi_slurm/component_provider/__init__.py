"""The plugin `slurm`: components for programs in TypeScript, Go, YAML and other languages of Pulumi."""
