"""Components for Slinky's slurm-operator: the operator itself, each of its objects, and a whole cluster of them."""

from pulumi_slurm.slinky.accounting import Accounting, AccountingArgs
from pulumi_slurm.slinky.bridge import SlurmBridge, SlurmBridgeArgs
from pulumi_slurm.slinky.cluster import SlurmCluster, SlurmClusterArgs
from pulumi_slurm.slinky.controller import Controller, ControllerArgs
from pulumi_slurm.slinky.drain_job import DrainJob, DrainJobArgs
from pulumi_slurm.slinky.login_set import LoginSet, LoginSetArgs
from pulumi_slurm.slinky.node_set import NodeSet, NodeSetArgs
from pulumi_slurm.slinky.operator import SlinkyOperator, SlinkyOperatorArgs
from pulumi_slurm.slinky.rest_api import RestApi, RestApiArgs
from pulumi_slurm.slinky.sacctmgr_job import SacctmgrJob, SacctmgrJobArgs
from pulumi_slurm.slinky.token import Token, TokenArgs

__all__ = [
    "Accounting",
    "AccountingArgs",
    "Controller",
    "ControllerArgs",
    "DrainJob",
    "DrainJobArgs",
    "LoginSet",
    "LoginSetArgs",
    "NodeSet",
    "NodeSetArgs",
    "RestApi",
    "RestApiArgs",
    "SacctmgrJob",
    "SacctmgrJobArgs",
    "SlinkyOperator",
    "SlinkyOperatorArgs",
    "SlurmBridge",
    "SlurmBridgeArgs",
    "SlurmCluster",
    "SlurmClusterArgs",
    "Token",
    "TokenArgs",
]
