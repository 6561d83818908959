"""Numbers of things in messages."""


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: ``counted(1, "node")`` is "1 node", and with 2 it is "2 nodes"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
