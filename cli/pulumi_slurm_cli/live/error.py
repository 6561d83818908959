"""A look at a living cluster that failed."""

from pulumi_slurm.user_error import UserError


class LiveClusterError(UserError):
    """A cluster couldn't be looked at, so nothing is known of it; ``str(error)`` is for people."""
