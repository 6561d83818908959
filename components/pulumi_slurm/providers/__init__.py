"""Whose Kubernetes cluster it is that exists already, and what follows from that for a Slurm cluster on it.

Load balancers are internal on each of them without being told, see `pulumi_slurm.model.load_balancers`.
"""

from pulumi_slurm.providers.provider import PROVIDERS, Provider, ProviderFacts
from pulumi_slurm.providers.rules import RULES, check_provider
from pulumi_slurm.providers.slurm_spec import on_provider, with_provider

__all__ = ["PROVIDERS", "RULES", "Provider", "ProviderFacts", "check_provider", "on_provider", "with_provider"]
