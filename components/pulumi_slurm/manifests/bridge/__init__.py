"""The objects of Slurm Bridge, which are ours: programs, what they read and may do, policies, webhooks, namespaces."""
