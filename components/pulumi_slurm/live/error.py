"""A look at a living cluster that failed."""


class LiveClusterError(ValueError):
    """A cluster couldn't be looked at, so nothing is known of it; ``str(error)`` is for people."""
