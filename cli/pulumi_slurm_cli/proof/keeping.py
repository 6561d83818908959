"""What a proof came to, kept in the cluster."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pulumi_slurm.derived.specification_hash import specification_hash
from pulumi_slurm_cli.proof.config_maps import apply_config_map
from pulumi_slurm_cli.proof.reports import summary_of
from pulumi_slurm_cli.proof.result import Result
from pulumi_slurm_cli.proof.trial import Trial


def keep(trial: Trial, level: str, results: Sequence[Result]) -> None:
    """Write the summary into the ConfigMap <cluster>-proof, in place of that of the proof before.

    Raises:
        KubectlError: if it can't be written.
    """
    data = {
        "summary": summary_of(results),
        "level": level,
        "partitions": ",".join(trial.partitions()),
        "user": trial.place.user,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "specificationHash": specification_hash(trial.spec, trial.pools),
    }
    apply_config_map(trial.spec, trial.place.kubectl, f"{trial.spec.name}-proof", data)
