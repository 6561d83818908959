"""Keys whose values are passwords, which no output repeats."""


def is_secret(key: str) -> bool:
    """Return whether a key, in any case, holds a password: JobCompPass, StoragePass, AccountingStoragePass, ..."""
    return key.lower().endswith("pass")


def shown(key: str, value: str) -> str:
    """Return key=value as messages show it."""
    return f"{key}=(not shown)" if is_secret(key) else f"{key}={value}"
