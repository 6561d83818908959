"""The program of a stack: read its configuration, and build what that asks for."""

import gc
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pulumi

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.registry import CloudRow
from pulumi_slurm.kube.component import checked_before
from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm.user_error import UserError
from pulumi_slurm_stacks.running import read_config


class MissingSdkError(UserError, pulumi.RunError):
    """The SDK of a stack's cloud isn't installed."""

    def __init__(self, cloud: CloudRow) -> None:
        super().__init__(
            f"{cloud.sdk} isn't installed, which stacks on {cloud.name} need. "
            f"Install this package with its extra: pip install 'pulumi-slurm[{cloud.key}]'"
        )


@spelled(Spelling.CAMEL_CASE)
def run() -> Any:
    """Build the stack that the configuration of the running one asks for; a whole program is a call of this.

    Raises:
        SpecRunError: with every error in the configuration, before any resource is registered.
    """
    # The engine interrupts the program when a step has failed. It has told why by then, and a traceback of where the
    # program was waiting would only hide that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return build(*read_config())


@spelled(Spelling.CAMEL_CASE)
def build(config: Any, secrets: Any) -> Any:
    """Build the stack of the configuration's kind; return its Slurm cluster.

    `read_config` has shown what the configuration's rules warn of, so that components don't show it again.

    Raises:
        MissingSdkError: if the cloud's SDK isn't installed.
    """
    cloud = next((row for row in registry.CLOUDS if row.key == config.kind), None)
    name = cloud.stack if cloud else f"pulumi_slurm_stacks.{config.kind}"
    if name not in sys.modules:
        if cloud and find_spec(cloud.sdk) is None:
            raise MissingSdkError(cloud)
        # A cloud's SDK makes hundreds of thousands of objects that all stay. Looking through them again and again would
        # be a quarter of the time in which it loads.
        gc.disable()
        import_module(name)
        gc.freeze()
        gc.enable()
    with checked_before():
        return import_module(name).build(config, secrets)
