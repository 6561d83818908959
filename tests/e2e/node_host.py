"""Pulumi's language host for Node, for tests of programs in TypeScript on the embedded engine.

It runs what sdk/nodejs/cmd/pulumi-language-nodejs/main.go of pulumi/pulumi runs, v3.259.0, without the pipes by which
programs call functions synchronously. It is found by its name, pulumi-language-nodejs, in the folder hosts.
"""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from devcluster.language_host import Command, LanguageHost, serve

RUN = "node_modules/@pulumi/pulumi/cmd/run/index.js"


class NodeHost(LanguageHost):
    """Runs TypeScript by the `node` on PATH, with the packages of the program's folder."""

    def program(self, request: Any) -> Command:
        """Return the command of the script that the SDK has for that."""
        info = request.info
        options = {
            "--monitor": request.monitor_address,
            "--engine": self.engine,
            "--organization": request.organization,
            "--project": request.project,
            "--root-directory": info.root_directory,
            "--stack": request.stack,
            "--pwd": info.program_directory,
            "--parallel": str(request.parallel),
        }
        words = [word for option, value in options.items() if value for word in (option, value)]
        if request.dryRun:
            words.append("--dry-run")
        env = {**os.environ, "PULUMI_NODEJS_TYPESCRIPT": "true"}
        return Command(["node", RUN, *words, info.entry_point, *request.args], info.program_directory, env)


if __name__ == "__main__":
    serve(NodeHost)
