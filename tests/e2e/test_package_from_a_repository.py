"""The plugin from a tag of a repository, as `pulumi package add` takes it."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from devcluster.cluster import Cluster
from devcluster.folders import CHECKOUT
from devcluster.parts import ENGINE_PARTS, YAML
from devcluster.toolchain import Toolchain, ensure
from tests.commands import run
from tests.e2e.git_server import git_server
from tests.e2e.other_languages import EXAMPLES, SDK
from tests.e2e.program import Program
from tools.plugin_archive import archive

TAG = "v0.1.0"
PACKAGES = "packages:\n  slurm: ../../provider\n"
"""What the example has, and a program that finds the plugin installed doesn't need."""
PROJECT = "name: hpc\nruntime: yaml\n"


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    """A folder with a repository of what is in the checkout, with a tag."""
    work = tmp_path / "work"
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=CHECKOUT).splitlines()
    for name in names:
        if (CHECKOUT / name).exists():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, work / name, follow_symlinks=False)
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    for words in (("init", "--quiet"), ("add", "."), (*identity, "commit", "--quiet", "-m", "All"), ("tag", TAG)):
        run("git", *words, cwd=work)
    run("git", "clone", "--quiet", "--bare", work, tmp_path / "repositories" / "pulumi-slurm.git")
    return tmp_path / "repositories"


@pytest.mark.parametrize("folder", ["provider", "provider/gke"])
def test_a_program_in_yaml_adds_a_folder_of_the_repository(
    tools: Toolchain, tmp_path: Path, repositories: Path, folder: str
) -> None:
    """What comes next, an environment for the plugin by pip, can't be for a server with a port in its address."""
    if tools.official:
        pytest.skip("an official pulumi makes the plugin's environment by itself")
    program = Program(ensure([*ENGINE_PARTS, YAML]), tmp_path, None, source={"Pulumi.yaml": PROJECT})
    with git_server(repositories, tmp_path / "pki") as (address, authority):
        env = {**program.engine.env, "SSL_CERT_FILE": str(authority)}
        del env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"]
        command = [str(tools.binary("pulumi")), "package", "add", f"{address}/pulumi-slurm.git/{folder}@{TAG}"]
        done = subprocess.run(command, env=env, cwd=program.folder, text=True, capture_output=True, check=False)
    # The last thing it does, for which the host of this release has no answer; a program in YAML doesn't need it.
    assert done.stderr.endswith("error: linking package: method Link not implemented\n"), done
    declaration = yaml.safe_load((program.folder / SDK / "slurm-0.1.0.yaml").read_text())
    assert declaration.pop("downloadUrl").endswith(f"/pulumi-slurm.git/{folder}")
    assert declaration == {"packageDeclarationVersion": 1, "name": "slurm", "version": TAG.removeprefix("v")}


def test_a_program_in_yaml_takes_the_plugin_from_a_release(tools: Toolchain, cluster: Cluster, tmp_path: Path) -> None:
    if tools.official:
        pytest.skip("an official pulumi makes the plugin's environment by itself")
    file = tmp_path / "pulumi-resource-slurm-v0.1.0-linux-amd64.tar.gz"
    file.write_bytes(archive())
    project = (EXAMPLES / "yaml_cluster" / "Pulumi.yaml").read_text()
    assert PACKAGES in project
    source = {"Pulumi.yaml": project.replace(PACKAGES, "")}
    program = Program(ensure([*ENGINE_PARTS, YAML]), tmp_path, cluster.kubeconfig, source=source)
    install = ("plugin", "install", "resource", "slurm", TAG, "--file")
    run(tools.binary("pulumi"), *install, file, env=program.engine.env)
    assert {*program.preview().changes} == {"create"}


def test_the_repository_has_no_symbolic_link() -> None:
    """Programs in YAML take no package from one that has: their host, v1.25, knows none in what it fetches."""
    modes = [line.split()[0] for line in run("git", "ls-files", "--stage", cwd=CHECKOUT).splitlines()]
    assert "120000" not in modes
