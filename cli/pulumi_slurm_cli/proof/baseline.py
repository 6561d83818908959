"""Rates that a proof has measured, kept in the cluster for the next one to compare with."""

from collections.abc import Mapping

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.proof.config_maps import apply_config_map


def baseline_name(spec: SlurmSpec) -> str:
    """Return the name of the ConfigMap."""
    return f"{spec.name}-proof-baseline"


def read_baseline(spec: SlurmSpec, kubectl: Kubectl) -> dict[str, float]:
    """Return the rates of the baseline by their names; none where there is no baseline, or it can't be read."""
    try:
        config_map = kubectl.find("configmap", baseline_name(spec), spec.namespace)
    except KubectlError:
        return {}
    rates: dict[str, float] = {}
    for name, text in ((config_map or {}).get("data") or {}).items():
        try:
            rates[name] = float(text)
        except ValueError:
            continue
    return rates


def save_baseline(spec: SlurmSpec, kubectl: Kubectl, rates: Mapping[str, float]) -> None:
    """Keep rates as the baseline, in place of what it was.

    Raises:
        KubectlError: if it can't be written.
    """
    apply_config_map(spec, kubectl, baseline_name(spec), {name: str(rate) for name, rate in rates.items()})
