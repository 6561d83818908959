"""``pulumi-resource-slurm``, the plugin as the engine runs it."""

import sys

import pulumi.provider

from pulumi_slurm.component_provider.provider import SlurmProvider


def main() -> None:
    """Serve until the engine ends it."""
    pulumi.provider.main(SlurmProvider(), sys.argv[1:])


if __name__ == "__main__":
    main()
