"""Pulumi's language host for Go, for tests of programs in Go on the embedded engine.

It runs a program that is compiled already, whose file the program's Pulumi.yaml names, with what
sdk/go/pulumi-language-go/main.go of pulumi/pulumi gives it, v3.259.0. It is found by its name in the folder hosts.
"""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from devcluster.language_host import Command, LanguageHost, serve


class GoHost(LanguageHost):
    """Runs the binary of a program."""

    def program(self, request: Any) -> Command:
        """Return the command of the binary; settings and their secret keys are added to its environment."""
        info = request.info
        env = {
            **os.environ,
            "PULUMI_MONITOR": request.monitor_address,
            "PULUMI_ENGINE": self.engine,
            "PULUMI_ORGANIZATION": request.organization,
            "PULUMI_PROJECT": request.project,
            "PULUMI_ROOT_DIRECTORY": info.root_directory,
            "PULUMI_STACK": request.stack,
            "PULUMI_PARALLEL": str(request.parallel),
            "PULUMI_DRY_RUN": str(request.dryRun).lower(),
        }
        folder = info.program_directory
        return Command([os.path.join(folder, info.options["binary"]), *request.args], folder, env)


if __name__ == "__main__":
    serve(GoHost)
