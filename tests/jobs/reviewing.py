"""Reviews of changes, from the real engine's events and with a look at the queue in pods."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from devcluster.engine import Engine
from devcluster.folders import CHECKOUT
from tests.commands import PULUMI_SLURM, program
from tests.doc_blocks import blocks_of
from tests.e2e.program import PARTS_OF_THE_PROGRAM, Program, Settings
from tests.unit.importing.command_line import Result, run

PAGE = CHECKOUT / "docs" / "reviews.md"


def block(check: str) -> str:
    """Return the one block of the page with a check, or all of them one after another."""
    return "".join(block.text for block in blocks_of(PAGE) if block.check == check)


@dataclass(frozen=True)
class Repository:
    """A team's repository: main has the stack's file as it runs, and the work tree a change of it."""

    folder: Path
    program: Program

    @classmethod
    def of(cls, program: Program, change: Settings, folder: Path) -> "Repository":
        """Make it in a folder that isn't there yet, for the stack of a program that runs."""
        folder.mkdir()
        for name in PARTS_OF_THE_PROGRAM:
            (folder / name).symlink_to(CHECKOUT / name)
        repository = cls(folder, program)
        repository._write(program.settings)
        for words in (
            ("init", "--quiet", "--initial-branch=main"),
            ("add", "--all"),
            ("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--message=As it runs"),
        ):
            subprocess.run(["git", *words], cwd=folder, check=True)
        repository._write(change)
        return repository

    def follow_the_page(self) -> str:
        """Run the commands of docs/reviews.md, and return what they print."""
        engine = Engine(self.program.tools, self.program.home, self.folder, self.program.stack, self.program.kubeconfig)
        engine.prepare()
        programs = self.folder.parent / "bin"
        context = json.loads(Path(str(self.program.kubeconfig)).read_text())["current-context"]
        with_settings = f"--cwd {self.folder} --config-file {engine.settings}"
        program(programs, "pulumi", f'{self.program.tools.binary("pulumi")} "$@" {with_settings}')
        program(programs, "pulumi-slurm", PULUMI_SLURM)
        text = block("review-commands").replace("hpc", self.program.stack).replace("my-cluster", context)
        env = {**engine.env, "PATH": os.pathsep.join([str(programs), engine.env["PATH"]])}
        done = subprocess.run(
            ["bash", "-e", "-c", text.replace("/tmp/", f"{self.folder.parent}/")],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _write(self, settings: Settings) -> None:
        (self.folder / f"Pulumi.{self.program.stack}.yaml").write_text(yaml.safe_dump({"config": settings}))


def reviewed(events: Path, *options: object) -> tuple[dict[str, Any], Result]:
    """Return the data of a review, and the whole of what the command printed."""
    done = run("review", events, "--json", *options)
    return json.loads(done.stdout), done


def said(review: dict[str, Any]) -> dict[int, tuple[str, str, bool]]:
    """Return what a review says of each job in the way: what becomes of it, why, and whether that is not sure."""
    return {int(job["number"]): (job["outcome"], job["why"], job["may"]) for job in review["jobs"]["inTheWay"]}
