"""The command line, ``pulumi-slurm``: what looks at files, at previews and at clusters that run.

`__main__` reads the arguments, and `commands` has a module for each command. What they need of specifications and of
stacks is in `pulumi_slurm` and `pulumi_slurm_stacks`, which know nothing of this package.
"""
