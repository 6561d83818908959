"""The outputs of a Slurm cluster that slurm-operator runs, which a component of a whole cluster has too."""

from typing import Any

import pulumi


class SlurmOutputs:
    """What both components annotate."""

    namespace: pulumi.Output[str]
    """The namespace of the Slurm cluster."""
    ssh_commands: pulumi.Output[dict[str, str]]
    """A command that logs in, by login set."""
    partitions: pulumi.Output[list[str]]
    """The names of the partitions."""
    token_secrets: pulumi.Output[dict[str, str]]
    """The Secrets with tokens, by token."""
    key_secrets: pulumi.Output[dict[str, str]]
    """The Secrets with keys, by key."""
    bridge: pulumi.Output[dict[str, Any]]
    """Of Slurm Bridge: `schedulerName`, `namespaces`, `partition`, and `commands` that show pods and Slurm's view of
    them; empty without one."""
    first_job: pulumi.Output[str]
    """A Job for Slurm Bridge, as YAML; empty where there is none."""
    outside: pulumi.Output[dict[str, Any]]
    """Settings for machines outside the Kubernetes cluster: lines of their files, commands, and where the keys are.
    Empty if nothing is outside."""
