"""Files that commands write: one that is there is never emptied, nor lost without a word."""

import contextlib
import io
import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from pulumi_slurm_cli.commands import drift
from pulumi_slurm_cli.kubectl import Kubectl
from tests.unit.adopting.chart import objects, record
from tests.unit.adopting.test_command import RESOURCES, listed
from tests.unit.commands.parsers import named_files
from tests.unit.drift.test_command import edited
from tests.unit.drift.worlds import STACK
from tests.unit.importing.command_line import Result, run
from tests.unit.importing.round_trip import CLUSTERS
from tests.unit.test_render import CLUSTER, settings

Arguments = Callable[[Path, Path], list[object]]
"""The arguments of a command that writes into a file; it reads files of a folder."""


def importing(target: Path, _: Path) -> list[object]:
    return ["import", CLUSTERS / "static" / "slurm.conf", "-o", target]


def adopting(target: Path, folder: Path) -> list[object]:
    return ["adopt", listed(folder, *objects({}), record(objects({}, helm=False))), "-o", target]


def reviewing(target: Path, folder: Path) -> list[object]:
    stack = settings(folder, cluster=CLUSTER)
    return ["review", "--offline", stack, stack, "-o", target]


def drawing(target: Path, folder: Path) -> list[object]:
    stack = settings(folder, cluster=CLUSTER)
    return ["review", "--offline", stack, stack, "--picture", target]


def filling_in(target: Path, folder: Path) -> list[object]:
    return ["adopt", listed(folder, *objects({}), record(objects({}, helm=False))), "--import-file", target]


def taking_over(target: Path, _: Path) -> list[object]:
    return ["drift", target, "--context=c", "--adopt"]


NEW: dict[tuple[str, str], Arguments] = {
    ("import", "output"): importing,
    ("adopt", "output"): adopting,
    ("review", "output"): reviewing,
    ("review", "picture"): drawing,
}
"""Arguments that name a file to be written."""
CHANGED: dict[tuple[str, str], tuple[Arguments, str]] = {
    ("adopt", "import_file"): (filling_in, json.dumps({"resources": RESOURCES}, indent=4)),
    ("drift", "settings"): (taking_over, STACK),
}
"""Arguments that name a file to be changed, and its text before."""
FOLDERS = {("render", "output"), *((command, "include_from") for command in ("import", "diff", "check-outside"))}
"""Arguments that name a folder: one that has to be new or empty, see `test_render.py`, or that others are read in."""
READ = {
    *(("import", "slurm_conf"), ("adopt", "objects"), ("adopt", "kubeconfig"), ("diff", "old"), ("diff", "new")),
    *(("check", "settings"), ("check-outside", "slurm_conf"), ("check-outside", "settings"), ("pools", "nodes")),
    *(
        ("pools", "kubeconfig"),
        ("drift", "kubeconfig"),
        ("drift", "token_file"),
        ("drift", "state"),
        ("render", "settings"),
    ),
    *(("review", "events"), ("review", "offline"), ("review", "from_json"), ("review", "kubeconfig")),
    *(("review", "token_file"), ("rehearse", "settings"), ("rehearse", "kubeconfig"), ("rehearse", "dump")),
    *(("prove", "settings"), ("prove", "kubeconfig")),
    *(("status", "settings"), ("status", "kubeconfig")),
}
"""Arguments that name a file to be read."""
WITH_SECRETS = """\
config:
  slurm:rootKey: { secure: v1:abcd }
  slurm:ldapBindPassword: open
  slurm:kind: kubernetes
encryptionsalt: v1:salt
"""

each_new = pytest.mark.parametrize("arguments", NEW.values(), ids=[" ".join(key) for key in NEW])
each_changed = pytest.mark.parametrize(("arguments", "text"), CHANGED.values(), ids=[" ".join(key) for key in CHANGED])


@pytest.fixture(autouse=True)
def _cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kubectl, "objects", lambda *_, **__: [])
    monkeypatch.setattr(drift, "look_at_all", lambda *_, **__: (edited(), None))


@contextlib.contextmanager
def full_device(size: int) -> Iterator[None]:
    """Let no file become longer than some bytes, as on a device with no more room.

    What Python keeps of modules would be cut too.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    keeps_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = keeps_none


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder / "Pulumi.hpc.yaml"


def test_every_argument_that_names_a_file_is_listed_here() -> None:
    assert named_files() == NEW.keys() | CHANGED.keys() | FOLDERS | READ


def refused(result: Result) -> str:
    assert (result.returncode, result.stdout) == (2, "")
    return result.stderr.splitlines()[-1]


@each_new
def test_a_file_that_is_there_is_not_written_over(arguments: Arguments, target: Path, sources: Path) -> None:
    target.write_text("mine\n")
    line = refused(run(*arguments(target, sources)))
    assert line == f"{target}: the file is there already. Name a new one, or write --force to replace it"
    target.write_text(WITH_SECRETS)
    line = refused(run(*arguments(target, sources)))
    assert line == (
        f"{target}: the file is there already, with encryptionsalt, slurm:rootKey and slurm:ldapBindPassword, which "
        "would be lost. Name a new one, or write --force to replace it"
    )
    assert target.read_text() == WITH_SECRETS
    assert files(target.parent) == [target.name]


@each_new
def test_a_file_is_replaced_where_that_is_wanted(arguments: Arguments, target: Path, sources: Path) -> None:
    target.write_text(WITH_SECRETS)
    target.chmod(0o640)
    done = run(*arguments(target, sources), "--force")
    assert done.returncode == 0, done.stderr
    assert (
        f"{target}: replaced, and with it went encryptionsalt, slurm:rootKey and slurm:ldapBindPassword: restore them "
        "from a copy, if they are in use\n"
    ) in done.stderr
    assert "encryptionsalt" not in target.read_text()
    assert mode(target) == 0o640
    assert files(target.parent) == [target.name]


@each_new
def test_what_is_encrypted_in_a_file_that_is_no_yaml_is_told_too(
    arguments: Arguments, target: Path, sources: Path
) -> None:
    target.write_text(f"<<<<<<< HEAD\n{WITH_SECRETS}")
    assert "already, with encrypted values, which would be lost." in refused(run(*arguments(target, sources)))


@each_new
def test_a_new_file_is_whole_or_not_there(arguments: Arguments, target: Path, sources: Path) -> None:
    words = arguments(target, sources)
    with full_device(100):
        line = refused(run(*words))
    assert line == f"{target}: it can't be written: file too large. Name a file that can be, with -o or after >."
    assert files(target.parent) == []
    assert run(*words).returncode == 0


@each_new
def test_a_device_that_is_full_leaves_the_old_text(arguments: Arguments, target: Path, sources: Path) -> None:
    words = arguments(target, sources)
    target.write_text("mine\n")
    with full_device(100):
        assert f"{target}: it can't be written: file too large." in refused(run(*words, "--force"))
    assert target.read_text() == "mine\n"
    assert files(target.parent) == [target.name]


@each_changed
def test_a_device_that_is_full_leaves_what_was_to_be_changed(
    arguments: Arguments, text: str, target: Path, sources: Path
) -> None:
    words = arguments(target, sources)
    target.write_text(text)
    with full_device(100):
        result = run(*words)
    assert result.returncode == 2
    assert f"{target}: it can't be written: file too large." in result.stderr
    assert target.read_text() == text
    assert files(target.parent) == [target.name]


@each_changed
def test_who_interrupts_leaves_what_was_to_be_changed(
    arguments: Arguments, text: str, target: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    target.write_text(text)
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(*arguments(target, sources))
    assert target.read_text() == text
    assert files(target.parent) == [target.name]


@each_changed
def test_a_changed_file_keeps_its_mode_and_its_link(
    arguments: Arguments, text: str, target: Path, sources: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(text)
    elsewhere.chmod(0o600)
    target.symlink_to(elsewhere)
    with umask(0o022):
        done = run(*arguments(target, sources))
    assert done.returncode < 2, done.stderr
    assert target.is_symlink()
    assert elsewhere.read_text() != text
    assert mode(elsewhere) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@each_changed
def test_a_changed_file_keeps_its_owner_or_shuts_out_another_group(
    arguments: Arguments, text: str, target: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise PermissionError

    words = arguments(target, sources)
    for may_give, mode_then in ((True, 0o664), (False, 0o604)):
        target.write_text(text)
        target.chmod(0o664)
        os.chown(target, 4711, 4712)
        if not may_give:
            monkeypatch.setattr(os, "fchown", refuse)
        assert run(*words).returncode < 2
        found = target.stat()
        assert mode(target) == mode_then
        assert ((found.st_uid, found.st_gid) == (4711, 4712)) == may_give


@each_changed
def test_a_changed_file_keeps_the_ends_of_its_lines(
    arguments: Arguments, text: str, target: Path, sources: Path
) -> None:
    target.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert run(*arguments(target, sources)).returncode < 2
    written = target.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf")
    assert written.count(b"\n") == written.count(b"\r\n") > 0


@each_changed
def test_a_file_in_another_encoding_is_not_changed(
    arguments: Arguments, text: str, target: Path, sources: Path
) -> None:
    commented = f"# größer\n{text}" if text is STACK else text.replace("prologScript", "prologScriptß")
    target.write_bytes(commented.encode("utf-16" if text is STACK else "latin-1"))
    before = target.read_bytes()
    done = run(*arguments(target, sources))
    assert done.returncode == 2
    assert f"{target}: it is not in UTF-8, so it can't be changed. Save it in UTF-8" in done.stderr
    assert target.read_bytes() == before


@pytest.mark.parametrize("arguments", [taking_over])
def test_what_somebody_else_has_written_meanwhile_stays(
    arguments: Arguments, target: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = STACK + "  slurm:ldapBindPassword: { secure: v1:new }\n"

    def look(*_: object, **__: object) -> object:
        target.write_text(other)
        return edited(), None

    target.write_text(STACK)
    monkeypatch.setattr(drift, "look_at_all", look)
    done = run(*arguments(target, sources))
    assert done.returncode == 2
    assert done.stderr.endswith(f"{target}: somebody has changed it meanwhile, so it stays. Run the command again\n")
    assert target.read_text() == other


@each_new
def test_a_link_is_followed_where_it_leads_to_a_file(
    arguments: Arguments, target: Path, sources: Path, tmp_path: Path
) -> None:
    words = arguments(target, sources)
    target.symlink_to(tmp_path / "elsewhere")
    # Who made the link would choose what is written.
    assert refused(run(*words, "--force")) == f"{target}: this is a link to nothing. Name a file"
    (tmp_path / "elsewhere").write_text("mine\n")
    assert "the file is there already" in refused(run(*words))
    assert run(*words, "--force").returncode == 0
    assert target.is_symlink()
    assert (tmp_path / "elsewhere").read_text() != "mine\n"


@each_new
def test_who_may_read_a_new_file(arguments: Arguments, target: Path, sources: Path) -> None:
    words = arguments(target, sources)
    with umask(0o022):
        assert run(*words).returncode == 0
    # Settings have scripts and files of a cluster, which only its administrator may be allowed to read.
    assert mode(target) == (0o600 if words[0] in {"import", "adopt"} else 0o644)


@each_new
def test_a_folder_is_no_file(arguments: Arguments, target: Path, sources: Path) -> None:
    target.mkdir()
    for more in ([], ["--force"]):
        assert refused(run(*arguments(target, sources), *more)) == f"{target}: this is a folder. Name a file in it"


@each_new
def test_a_dash_is_the_terminal(arguments: Arguments, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sources)
    done = run(*arguments(Path("-"), sources))
    assert done.returncode == 0
    assert done.stdout
    assert not (sources / "-").exists()


@each_new
def test_a_pipe_is_written_into(arguments: Arguments, target: Path, sources: Path) -> None:
    words = arguments(target, sources)
    os.mkfifo(target)
    reader = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run(*words).returncode == 0
        assert os.read(reader, 10)
    finally:
        os.close(reader)


def test_what_comes_from_standard_input_replaces_a_file(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target.write_text("mine\n")
    assert "already" in run("import", "-", "-o", target).stderr
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ClusterName=a\n")))
    assert run("import", "-", "-o", target, "--force").returncode == 0
    assert yaml.safe_load(target.read_text())["config"]["slurm:cluster"]["name"] == "a"
