"""The password of slurmdbd's user at RDS."""

from pulumi_slurm.keys import Purpose, derive

_MAX_LENGTH = 32
_REQUIRED_CHARACTERS = "Aa0"
"""RDS requires upper case, lower case and digits; the random part almost always has all three, and this ensures it."""


def database_password(root_key: str, cluster: str) -> str:
    """Return a password of 32 characters, the maximum of RDS, of which 29 are random (174 bits).

    Source for RDS's rules: the provider's description of account_password of alicloud_rds_account. None of the
    characters needs quotes in slurmdbd.conf, which can't contain "#" at all.
    """
    return derive(root_key, cluster, Purpose.DATABASE)[: _MAX_LENGTH - len(_REQUIRED_CHARACTERS)] + _REQUIRED_CHARACTERS
