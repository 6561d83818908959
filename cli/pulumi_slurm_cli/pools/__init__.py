"""From the nodes of a Kubernetes cluster to the pools of a stack's settings."""
