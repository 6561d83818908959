"""How a living cluster does now, for one screen: read by one look at pods and one script in one of them."""

from pulumi_slurm_cli.status.report import json_of
from pulumi_slurm_cli.status.screen import screen_of
from pulumi_slurm_cli.status.status import status_of

__all__ = ["json_of", "screen_of", "status_of"]
