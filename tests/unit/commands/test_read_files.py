"""Files that commands read: of a bounded size, of a kind that ends, and of one cluster none elsewhere."""

import contextlib
import json
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm import user_file
from tests.unit.adopting.chart import objects, record
from tests.unit.commands.test_written_files import CHANGED, FOLDERS, NEW, READ
from tests.unit.drift.worlds import STACK
from tests.unit.importing.command_line import Result, run, run_as_process
from tests.unit.test_outside import SLURM_CONF
from tests.unit.test_render import CLUSTER, settings

OTHER = object()
"""In place of a file that is as it should be."""
MADE = [
    {**item, "metadata": {**item["metadata"], "managedFields": []}}
    for item in (*objects({}), record(objects({}, helm=False)))
]
RELEASE = json.dumps({"kind": "List", "items": MADE})
OUTSIDE = json.dumps({"slurmConf": SLURM_CONF})
ARGUMENTS: dict[tuple[str, str], tuple[list[object], str]] = {
    ("import", "slurm_conf"): (["import"], ""),
    ("adopt", "objects"): (["adopt"], ""),
    ("adopt", "import_file"): (["adopt", OTHER, "--import-file"], RELEASE),
    ("diff", "old"): (["diff"], ""),
    ("diff", "new"): (["diff", OTHER], SLURM_CONF),
    ("check", "settings"): (["check"], ""),
    ("check-outside", "slurm_conf"): (["check-outside"], ""),
    ("check-outside", "settings"): (["check-outside", OTHER], SLURM_CONF),
    ("pools", "nodes"): (["pools"], ""),
    ("drift", "settings"): (["drift"], ""),
    ("drift", "state"): (["drift", "--state"], ""),
    ("drift", "token_file"): (["drift", OTHER, "--token-file"], STACK),
    ("render", "settings"): (["render", "-o", "out"], ""),
    ("review", "events"): (["review"], ""),
    ("review", "offline"): (["review", "--offline", OTHER], STACK),
    ("review", "from_json"): (["review", "--from-json"], ""),
    ("prove", "settings"): (["prove"], ""),
    ("status", "settings"): (["status"], ""),
    ("rehearse", "settings"): (["rehearse"], ""),
    ("rehearse", "dump"): (["rehearse", OTHER, "--dump"], STACK),
}
"""What comes before a file on the command line, and the text of another file among that."""
BY_OTHERS = {(command, name) for command, name in READ if name in {"kubeconfig"}} | {("review", "token_file")}
"""Files that kubectl reads, and one that `drift` reads in the same way."""
SECOND = {("diff", "old"): ("new.conf", SLURM_CONF), ("check-outside", "slurm_conf"): ("outside.json", OUTSIDE)}
"""What comes behind a file, and its text."""


def words_before(key: tuple[str, str], folder: Path) -> list[object]:
    words, text = ARGUMENTS[key]
    other = folder / ("slurm.conf" if text == SLURM_CONF else "other.yaml")
    other.write_text(text)
    return [other if word is OTHER else folder / word if word == "out" else word for word in words]


DUMP = ("rehearse", "dump")
"""May be of any size, and is handed on as it is read."""


def called(key: tuple[str, str], folder: Path, file: Path) -> Result:
    words = [*words_before(key, folder), file]
    if key in SECOND:
        name, text = SECOND[key]
        (folder / name).write_text(text)
        words.append(folder / name)
    return run(*words)


each_file = pytest.mark.parametrize("key", ARGUMENTS, ids=map(" ".join, ARGUMENTS))


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """End what waits, or takes gigabytes."""

    def end(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, end)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    signal.alarm(60)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**31, hard))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_every_file_that_is_read_is_tried_here() -> None:
    assert ARGUMENTS.keys() == (READ | CHANGED.keys()) - BY_OTHERS
    assert not ARGUMENTS.keys() & (NEW.keys() | FOLDERS)


def refused(result: Result, problem: str) -> None:
    assert (result.returncode, result.stdout) == (2, ""), result
    assert len(result.stderr.splitlines()) == 1
    assert problem in result.stderr


@each_file
def test_what_does_not_end_is_no_file(key: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.symlink_to("/dev/zero")
    with bounded():
        refused(called(key, tmp_path, file), f"{file}: this is {'no file' if key == DUMP else 'a device, and no file'}")


@each_file
def test_what_may_never_begin_is_no_file(key: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    os.mkfifo(file)
    with bounded():
        refused(called(key, tmp_path, file), f"{file}: this is {'no file' if key == DUMP else 'a pipe, and no file'}")


@each_file
def test_a_folder_is_no_file(key: tuple[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    problem = "no file" if key == DUMP else "a folder; write the path of the file in it"
    refused(called(key, tmp_path, folder), f"{folder}: this is {problem}")


@each_file
def test_a_file_of_any_size_is_not_read(key: tuple[str, str], tmp_path: Path) -> None:
    if key == DUMP:
        return
    file = tmp_path / "file"
    with file.open("wb") as sparse:
        sparse.truncate(2**40)
    with bounded():
        refused(called(key, tmp_path, file), f"{file}: it has more than ")


def test_standard_input_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/zero").open() as endless, bounded():
        monkeypatch.setattr("sys.stdin", endless)
        refused(run("import", "-"), "standard input: it has more than 16 MiB, and no such file has. Name another one")


def test_the_largest_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_file, "MAX_BYTES", 100)
    file = tmp_path / "slurm.conf"
    for size, code in ((100, 0), (101, 2)):
        file.write_text("ClusterName=a\n".ljust(size, "#"))
        assert run("import", file).returncode == code


def test_the_null_device_is_an_empty_file(tmp_path: Path) -> None:
    done = run("review", "--offline", "/dev/null", settings(tmp_path, cluster=CLUSTER))
    assert done.returncode == 0, done.stderr


def test_the_end_of_a_pipe_that_the_shell_has_made_is_read(tmp_path: Path) -> None:
    file = tmp_path / "slurm.conf"
    file.write_text("ClusterName=a\n")
    reader, writer = os.pipe()
    os.write(writer, b"ClusterName=a\n")
    os.close(writer)
    try:
        assert run("diff", f"/dev/fd/{reader}", file) == Result(0, "", "")
    finally:
        os.close(reader)
    assert run_as_process("diff", "/dev/stdin", file, stdin="ClusterName=a\n") == Result(0, "", "")


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """Return the folder of somebody's cluster; beside it are files that are none of it."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "shadow").write_text("root:$6$salt:hash\n")
    (tmp_path / "private" / "lines").write_text("PrologFlags=Alloc\n")
    (folder / "link").symlink_to(tmp_path / "private" / "shadow")
    (folder / "linked").symlink_to(tmp_path / "private")
    return folder


COMMANDS: dict[str, list[object]] = {"import": [], "diff": [OTHER], "check-outside": [OTHER]}


def with_conf(command: str, folder: Path, text: str, *more: object) -> Result:
    file, other = folder / "slurm.conf", folder / ("other.conf" if command == "diff" else "other.json")
    file.write_text(text)
    other.write_text(OUTSIDE if command == "check-outside" else SLURM_CONF)
    return run(command, file, *(other for _ in COMMANDS[command]), *more)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "name", ["{private}/shadow", "../private/shadow", "link", "linked/shadow", "./x/../../private/shadow"]
)
def test_no_line_includes_what_is_elsewhere(command: str, name: str, cluster: Path) -> None:
    (cluster / "x").mkdir()
    name = name.format(private=cluster.parent / "private")
    done = with_conf(command, cluster, f"ClusterName=a\nInclude {name}\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hash" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{cluster}/slurm.conf:2: Include {name}: ")
    assert f"it is outside of {cluster}, and --include-from {cluster.parent}/private would let it in" in line
    # And so it does.
    name = (
        name.replace("shadow", "lines").replace("link", "linked/lines")
        if name == "link"
        else name.replace("shadow", "lines")
    )
    again = with_conf(
        command, cluster, f"ClusterName=a\nInclude {name}\n", "--include-from", cluster.parent / "private"
    )
    assert again.returncode < 2, again.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_includes_what_does_not_end(command: str, cluster: Path) -> None:
    os.mkfifo(cluster / "pipe")
    for name in ("/dev/zero", "pipe", "/dev/stdin", "/dev/fd/0"):
        with bounded():
            done = with_conf(command, cluster, f"ClusterName=a\nInclude {name}\n")
        assert done.returncode == 2
        assert f"Include {name}: " in done.stderr
    with bounded():
        done = with_conf(command, cluster, "ClusterName=a\nInclude /dev/zero\n", "--include-from", "/dev")
    assert "this is a device, and no file" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_include_one_another_over_and_over_end(command: str, cluster: Path) -> None:
    for number in range(30):
        (cluster / f"{number}.conf").write_text(f"Include {number + 1}.conf\n" * 10)
    (cluster / "30.conf").write_text("")
    with bounded():
        done = with_conf(command, cluster, "ClusterName=a\nInclude 0.conf\n")
    assert done.returncode == 2
    assert "1000 files or 16 MiB are included already. Write what they have into fewer." in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["job_submit.lua", "gres.conf", "topology.yaml", "prolog.sh"])
def test_what_lies_beside_slurm_conf_and_leads_elsewhere_is_not_read(name: str, cluster: Path) -> None:
    (cluster / name).symlink_to(cluster.parent / "private" / "shadow")
    done = with_conf("import", cluster, "ClusterName=a\nProlog=/etc/slurm/prolog.sh\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"{cluster}/{name}: it is outside of {cluster}, and --include-from {cluster.parent}/private would let it in. "
        "Put a copy there, or leave it out\n"
    )


def test_gres_conf_beside_that_leads_elsewhere_is_not_checked(cluster: Path) -> None:
    (cluster / "gres.conf").symlink_to(cluster.parent / "private" / "shadow")
    (cluster / "slurm.conf").write_text("ClusterName=a\n")
    stack = cluster / "Pulumi.copilot.yaml"
    stack.write_text("config: { slurm:outsideSlurm: { name: a, nodes: [] } }\n")
    done = run("check-outside", cluster / "slurm.conf", stack)
    assert done.returncode == 2
    assert "hash" not in done.stderr


def test_links_within_a_folder_are_followed(cluster: Path) -> None:
    """So Kubernetes mounts ConfigMaps, and so do package managers."""
    (cluster / "..data").mkdir()
    (cluster / "..data" / "job_submit.lua").write_text("-- mine\n")
    (cluster / "..data" / "nodes.conf").write_text("NodeName=n1 CPUs=2 RealMemory=2048\n")
    for name in ("job_submit.lua", "nodes.conf"):
        (cluster / name).symlink_to(cluster / "..data" / name)
    link = cluster.parent / "etc"
    link.symlink_to(cluster)
    done = with_conf("import", link, "ClusterName=a\nInclude nodes.conf\nInclude /etc/slurm/nodes.conf\n")
    assert done.returncode == 0, done.stderr
    assert "-- mine" in done.stdout


def test_the_project_beside_a_stack_is_bounded(tmp_path: Path) -> None:
    stack = settings(tmp_path, cluster=CLUSTER)
    (tmp_path / "Pulumi.yaml").symlink_to("/dev/zero")
    with bounded():
        # As without one: only the name in it is looked for.
        assert run("review", "--offline", stack, stack).returncode == 0


@pytest.mark.parametrize("command", ["import", "diff", "check-outside"])
@pytest.mark.parametrize(
    ("name", "problem"), [("nothing", "there is no such folder"), ("slurm.conf", "this is no folder")]
)
def test_a_folder_of_others_has_to_be_there(command: str, name: str, problem: str, tmp_path: Path) -> None:
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=a\n")
    others = {"import": [], "diff": [conf], "check-outside": [CHECKOUT / "Pulumi.copilot.yaml"]}[command]
    done = run(command, conf, *others, "--include-from", tmp_path / name)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument --include-from: {tmp_path / name}: {problem}\n" in done.stderr
