"""Names of Pulumi's hooks, of which an engine takes each once. Components of one name can have different parents."""

from collections import Counter

_times: Counter[str] = Counter()


def hook_name(name: str) -> str:
    """Return a name that no other hook of the program has: this one, with a number from the second time on."""
    _times[name] += 1
    return f"{name} ({_times[name]})" if _times[name] > 1 else name
