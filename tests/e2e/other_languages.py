"""Programs in TypeScript, Go and YAML on the embedded engine, with the SDKs that Pulumi generates of our schema."""

import os
import shutil
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT, cache_folder
from devcluster.golang import Go, find_go
from devcluster.locks import locked
from devcluster.slurm_operator import VERSIONS
from devcluster.toolchain import Toolchain
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR
from tests.commands import run
from tools.package_schema import FILE

EXAMPLES = CHECKOUT / "examples"
HOSTS = Path(__file__).parent / "hosts"
"""The folder of the language hosts for Node and Go, which run for tests alone."""
NODE = 20
"""The oldest release of Node that the SDK in package-lock.json takes."""
SDK = Path("sdks") / "pulumi-slurm-slurm"
"""Where `pulumi package add` puts an SDK."""
BINARY = "program"
"""The file that a program in Go is compiled to."""


def source(folder: Path) -> dict[str, str]:
    """Return the files of a program, with the plugin by its absolute path, for the operator that is here."""
    files = {file.name: for_the_operator_here(file.read_text()) for file in folder.iterdir() if file.is_file()}
    texts = {name: text.replace("../../provider", str(CHECKOUT / "provider")) for name, text in files.items()}
    # The host for Go runs what is compiled already.
    return {
        name: text.replace("runtime: go", f"runtime: {{ name: go, options: {{ binary: {BINARY} }} }}")
        for name, text in texts.items()
    }


def for_the_operator_here(text: str) -> str:
    """Return a program with the operator's release that the embedded cluster has by default."""
    default, *_ = VERSIONS
    return text.replace(DEFAULT_OPERATOR, default)


def write_sdk(tools: Toolchain, language: str, program: Path) -> None:
    """Write the SDK of a language below a program, as `pulumi package add` does."""
    run(tools.binary("generate-sdk"), language, FILE, program / SDK)


def installed_packages(tools: Toolchain, npm: str, folder: Path) -> None:
    """Install what programs in TypeScript use: package-lock.json is the examples', and the SDK is compiled."""
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(EXAMPLES / "typescript_cluster" / name, folder / name)
    write_sdk(tools, "nodejs", folder)
    # Nothing of others' packages is run for their installation.
    run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    run(npm, "run", "postinstall", cwd=folder / SDK)


def compile_go(tools: Toolchain, folder: Path, program: Path) -> None:
    """Compile a program in Go, with the modules of the example.

    Both programs are packages of one module, which is kept, with what compilers have made of its parts: the SDK alone
    takes half a minute.
    """
    cache = cache_folder()
    kept = cache / "programs-in-go"
    module = kept / "module"
    with locked(cache / "programs-in-go.lock", "programs in Go"):
        shutil.rmtree(module, ignore_errors=True)
        module.mkdir(parents=True)
        for name in ("go.mod", "go.sum"):
            shutil.copyfile(EXAMPLES / "go_operator" / name, module / name)
        write_sdk(tools, "go", module)
        package = module / folder.name
        package.mkdir()
        for file in (*folder.glob("*.go"), *program.glob("*.json")):
            shutil.copyfile(file, package / file.name)
        Go(find_go(cache).executable, kept).build(module, f"./{folder.name}", "", program / BINARY)


def find_npm() -> str:
    """Return npm, where there is a Node that can be used; else the test is skipped, and fails in CI."""
    npm, node = shutil.which("npm"), shutil.which("node")
    have = "none"
    if npm and node:
        have = run(node, "--version").strip()
        if int(have.removeprefix("v").split(".")[0]) >= NODE:
            return npm
    missing = f"a program in TypeScript needs Node {NODE} or newer, with npm, on PATH (found: {have})"
    if os.environ.get("CI"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)
