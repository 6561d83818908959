"""A database in an RDS instance, and the account that writes to it."""

from typing import Any

import pulumi
from pulumi_alicloud import rds

from pulumi_slurm.kube.component import Component


def create_rds_database(
    component: Component[Any],
    name: str,
    instance_id: pulumi.Input[str],
    *after: pulumi.Resource,
    database: str,
    description: str,
    user: str,
    password: pulumi.Input[str],
) -> pulumi.Resource:
    """Create a database and its account as children of a component of this name; return the last resource.

    They are retained instead of deleted: a destroy would delete them before the instance, so their content would be
    lost even if RDS then refuses to delete a protected instance.
    """
    rds_database = rds.Database(
        f"{name}-database",
        instance_id=instance_id,
        data_base_name=database,
        character_set="utf8mb4",
        description=description,
        opts=component.child(*after, retain_on_delete=True),
    )
    account = rds.RdsAccount(
        f"{name}-account",
        db_instance_id=instance_id,
        account_name=user,
        account_password=password,
        account_type="Normal",
        opts=component.child(*after, retain_on_delete=True),
    )
    return rds.AccountPrivilege(
        f"{name}-privilege",
        instance_id=instance_id,
        account_name=account.account_name,
        privilege="ReadWrite",
        db_names=[rds_database.data_base_name],
        opts=component.child(rds_database, account, retain_on_delete=True),
    )
