"""Keys whose values are passwords, which no output repeats."""

from pulumi_slurm.secrecy import NOT_SHOWN, is_secret_name, may_be_secret

_AUTH_INFO = frozenset({"cred_expire", "disable_show_keys", "socket", "ttl", "use_client_ids"})
"""The options of AuthInfo. Source: https://slurm.schedmd.com/slurm.conf.html#OPT_AuthInfo."""


def is_secret(key: str) -> bool:
    """Return whether a key, in any case, holds a password: JobCompPass, StoragePass, AccountingStoragePass, ..."""
    return key.lower().endswith("pass")


def shown(key: str, value: str) -> str:
    """Return key=value as messages show it."""
    return f"{key}={shown_value(key, value)}"


def shown_value(key: str, value: str) -> str:
    """Return a key's value as messages show it."""
    return NOT_SHOWN if is_secret(key) or is_secret_name(key) or _looks_secret(key, value) else value


def names_a_secret(text: str) -> bool:
    """Return whether a key that holds a password stands somewhere in a text that could not be read."""
    words = text.replace("=", " ").replace(":", " ").split()
    return any(is_secret(word) or is_secret_name(word) for word in words)


def _looks_secret(key: str, value: str) -> bool:
    if key.lower() == "authinfo":
        # What is none of its options may be a key, or a password of munge's.
        return any(item.partition("=")[0].strip().lower() not in _AUTH_INFO for item in value.split(",") if item)
    return may_be_secret(value)
