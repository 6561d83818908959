"""Components for Slinky's slurm-operator: the operator itself, each of its objects, and a whole cluster of them."""

from .accounting import Accounting, AccountingArgs
from .cluster import SlurmCluster, SlurmClusterArgs
from .controller import Controller, ControllerArgs
from .login_set import LoginSet, LoginSetArgs
from .node_set import NodeSet, NodeSetArgs
from .operator import SlinkyOperator, SlinkyOperatorArgs
from .rest_api import RestApi, RestApiArgs
from .sacctmgr_job import SacctmgrJob, SacctmgrJobArgs
from .token import Token, TokenArgs

__all__ = [
    "Accounting",
    "AccountingArgs",
    "Controller",
    "ControllerArgs",
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
    "SlurmCluster",
    "SlurmClusterArgs",
    "Token",
    "TokenArgs",
]
