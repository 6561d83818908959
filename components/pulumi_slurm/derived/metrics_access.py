"""What in slurm.conf closes slurmctld's metrics to readers that don't authenticate.

Source: https://slurm.schedmd.com/metrics.html#configuration; before 26.05 there is no MetricsParameters, see
`src/slurmctld/http.c` of SchedMD/slurm at slurm-25-11-3-1.
"""

from pulumi_slurm.model.slurm import SlurmSpec


def private_data(spec: SlurmSpec) -> str | None:
    """Return the key, as it is written, of a PrivateData that closes them to all without a login, if there is one."""
    words = {
        key.lower(): {word.strip().lower() for word in text.split(",")} for key, text in spec.slurm_conf.extra.items()
    }
    is_closed = words.get("privatedata", set()) - {"none"}
    is_ignored = "ignore_private_data" in words.get("metricsparameters", set())
    return _key(spec, "privatedata") if is_closed and not is_ignored else None


def auth_users(spec: SlurmSpec) -> str | None:
    """Return the key, as it is written, of a MetricsAuthUsers, which names who may read them with a token."""
    return _key(spec, "metricsauthusers")


def _key(spec: SlurmSpec, name: str) -> str | None:
    return next((key for key in spec.slurm_conf.extra if key.lower() == name), None)
