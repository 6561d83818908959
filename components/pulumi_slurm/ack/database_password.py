"""The password of slurmdbd's user at RDS."""

from pulumi_slurm.keys import Purpose, derive

_LONGEST = 32
_OF_EACH_KIND = "Aa0"
"""RDS wants characters of three kinds; the random part has all of them nearly always, and this makes it certain."""


def database_password(root_key: str, cluster: str) -> str:
    """Return a password of 32 characters, the most that RDS takes, 29 of which are random: 174 bits.

    Source of RDS's rules: the provider's description of account_password of alicloud_rds_account. None of the
    characters would have to be quoted in slurmdbd.conf, where "#" can't stand at all.
    """
    return derive(root_key, cluster, Purpose.DATABASE)[: _LONGEST - len(_OF_EACH_KIND)] + _OF_EACH_KIND
