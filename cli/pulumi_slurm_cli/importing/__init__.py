"""From the configuration files of a running cluster to a specification, and a list of what could not be carried over.

Imports models, rules and `slurmconf`, and no Pulumi. What the models and rules refuse is left out with their reason, so
that nothing here repeats them.
"""

from pulumi_slurm.user_file import UnreadableFileError
from pulumi_slurm_cli.importing.accounting import Accounting
from pulumi_slurm_cli.importing.cluster import import_cluster
from pulumi_slurm_cli.importing.result import Imported, LeftOut
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.importing.stack_yaml import stack_yaml

__all__ = ["Accounting", "Imported", "LeftOut", "Source", "UnreadableFileError", "import_cluster", "stack_yaml"]
