"""AckJobCompletionDatabase: the database of finished jobs in RDS, and its account."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.ack.rds_database import create_rds_database
from pulumi_slurm.ack_slurm.model.options import JobCompletionSpec
from pulumi_slurm.kube.component import Args, Component, Options


class AckJobCompletionDatabaseArgs(Args):
    """Arguments of `AckJobCompletionDatabase`."""

    instance_id: pulumi.Input[str]
    """The id of the RDS instance, for example `AckDatabase.instance_id`."""
    job_completion: JobCompletionSpec = JobCompletionSpec()
    """The names of the database and of the user."""
    password: pulumi.Input[str]
    """The user's password."""


class AckJobCompletionDatabase(Component[AckJobCompletionDatabaseArgs]):
    """A database for `jobCompletion` in an RDS instance, and an account whose only right is to write to it.

    Like those of `AckDatabase` they are deleted with their instance and never before it.
    """

    def __init__(
        self, resource_name: str, args: AckJobCompletionDatabaseArgs | Mapping[str, Any], opts: Options = None
    ) -> None:
        super().__init__(resource_name, args, opts)
        completion = self._args.job_completion
        database = create_rds_database(
            self,
            self._name,
            self._args.instance_id,
            database=completion.database,
            description="Slurm job completion",
            user=completion.user,
            password=self._args.password,
        )
        self.finish(database)
