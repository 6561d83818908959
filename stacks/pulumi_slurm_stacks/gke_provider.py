"""Google's provider, as whoever runs the program wants to be known to Google."""

from types import MappingProxyType
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.gke.model import GkeSpec

_SETTINGS = MappingProxyType(
    {
        "impersonateServiceAccount": "impersonate_service_account",
        "billingProject": "billing_project",
    }
)
_SECRET_SETTINGS = MappingProxyType({"credentials": "credentials", "accessToken": "access_token"})
"""Settings of Pulumi's package gcp, and the arguments that they are. Only the default provider reads them by itself:
https://www.pulumi.com/docs/iac/concepts/resources/providers/#explicit-provider-configuration."""


def google_provider(gke: GkeSpec) -> gcp.Provider:
    """Create the provider of a project and region, with the stack's own settings ``gcp:...`` of who it is."""
    config = pulumi.Config("gcp")
    arguments: dict[str, Any] = {argument: config.get(setting) for setting, argument in _SETTINGS.items()}
    arguments |= {argument: config.get_secret(setting) for setting, argument in _SECRET_SETTINGS.items()}
    arguments["impersonate_service_account_delegates"] = config.get_object("impersonateServiceAccountDelegates")
    arguments["user_project_override"] = config.get_bool("userProjectOverride")
    return gcp.Provider("google", project=gke.project, region=gke.region, **arguments)
