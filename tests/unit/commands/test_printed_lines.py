"""No line that a command prints commands what shows it: a terminal, or the runner of a workflow.

Names of files, and what stands in them and in clusters, may be anybody's.
"""

import ast
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import event, example, given, strategies as st

from pulumi_slurm.visible import as_line
from pulumi_slurm_cli.__main__ import COMMANDS
from pulumi_slurm_cli.commands import drift, prove, rehearse
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.live import LiveClusterError
from pulumi_slurm_cli.proof import Result as Proved, Verdict
from pulumi_slurm_cli.rehearsal.result import JobChange, Rehearsal
from pulumi_slurm_cli.status import status
from pulumi_slurm_cli.status.pods import DAEMONS
from tests.unit.adopting.chart import objects, record
from tests.unit.adopting.test_command import RESOURCES, listed
from tests.unit.arbitrary import positions
from tests.unit.check.test_check import GOOD, WARNED, WRONG
from tests.unit.drift.worlds import STACK, look, node, partition, reservation
from tests.unit.hostile_texts import conf_texts, hostile_texts, inserted
from tests.unit.importing.command_line import Result, run
from tests.unit.importing.test_hostile_files import FILES, VALUES, conf_files, lists_of_nodes, lists_of_objects
from tests.unit.rehearsal.test_result import start
from tests.unit.review.reviews import REVIEWS
from tests.unit.review.test_engine_events import error, step, summary
from tests.unit.status import status_worlds
from tests.unit.test_outside import SLURM_CONF

ANNOTATION = re.compile(r"::(error|warning|notice) ")
"""What `check --format github` says to the runner itself."""
COMMAND = re.compile(r"^\s*::|##\w*\[")
"""What GitHub's runner obeys: the first, or the second anywhere in a line; with a word, Azure Pipelines and TeamCity.

Source: TryParseV2 and TryParse in src/Runner.Common/ActionCommand.cs of https://github.com/actions/runner. The lines
that it gets are those of StreamReader.ReadLine.
"""
BREAK_AGAIN = "\u200b"
"""What reviews put into names, so that forges make no links of them."""
Scenario = Callable[[st.DataObject, Path, pytest.MonkeyPatch], Result]


def assert_harmless(text: str, *, annotated: bool = False, markdown: bool = False) -> None:
    for line in re.split(r"\r\n|\r|\n", text):
        found = COMMAND.search(line)
        assert not found or (annotated and ANNOTATION.match(line) and "##[" not in line), ascii(line)
        assert line.replace(BREAK_AGAIN, "" if markdown else BREAK_AGAIN).isprintable(), ascii(line)


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def stack(data: st.DataObject, folder: Path, name: str = "Pulumi.hpc.yaml") -> Path:
    """Write a stack's file with something hostile in it, or in one value so that it stays YAML."""
    text = data.draw(st.sampled_from([GOOD, WARNED, WRONG, STACK, ACCOUNTS]))
    if data.draw(st.booleans()):
        return file(folder, name, data.draw(inserted(text, hostile_texts)))
    settings = yaml.safe_load(text)
    container, key = data.draw(st.sampled_from([*positions(settings["config"])]))
    word = data.draw(hostile_texts)
    if data.draw(st.booleans()) and isinstance(container, dict):
        container[word] = container.pop(key)
    else:
        container[key] = word
    return file(folder, name, yaml.safe_dump(settings))


ACCOUNTS = STACK.replace(
    "accounting: {}", "accounting: { accounts: [{ name: physics, users: [alice] }], qos: [{ name: high }] }"
)


def checking(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    form = data.draw(st.sampled_from(["text", "github", "sarif", "json"]))
    files = [stack(data, folder), data.draw(st.sampled_from([folder, folder / "none", stack(data, folder, "b.yaml")]))]
    done = run("check", "--format", form, *files)
    if form in {"sarif", "json"}:
        json.loads(done.stdout)
    return done


def rendering(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    return run("render", stack(data, folder), "-o", folder / "out")


def reviewing(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    way = data.draw(st.sampled_from(["offline", "events", "json"]))
    as_json = ["--json"] if data.draw(st.booleans()) else []
    if way == "offline":
        head = stack(data, folder)
        done = run(
            "review", *as_json, "--offline", file(folder, "base.yaml", data.draw(st.sampled_from(["", STACK]))), head
        )
    elif way == "events":
        word = data.draw(hostile_texts)
        lines = [step("update", {"a": word}, {word: "a"}), error(word), error("x", urn=word), summary(), word]
        lines += [step("create", None, {}, urn=f"urn:pulumi:{word}::{word}::x:y:z::{word}", type=word)]
        some = data.draw(st.lists(st.sampled_from(lines), max_size=3))
        done = run("review", *as_json, file(folder, "events.json", "\n".join([step("same", {}, {}), *some])))
    else:
        shown = data.draw(REVIEWS).model_dump(mode="json", by_alias=True)
        container, key = data.draw(st.sampled_from([*positions(shown)]))
        if isinstance(container, dict) and data.draw(st.booleans()):
            container[data.draw(hostile_texts)] = container[key]
        else:
            container[key] = data.draw(hostile_texts)
        done = run("review", *as_json, "--from-json", file(folder, "review.json", json.dumps(shown)))
    if as_json and done.returncode < 2:
        assert json.loads(done.stdout)["schema"] == 1
    return done


def drifting(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    words = [data.draw(hostile_texts) for _ in range(3)]
    every, cpu = look().partitions
    drained = node("cpu-1", states=("IDLE", "DRAIN"), reason=words[0], reason_by=words[1])
    seen = look(
        partitions=(every, cpu, partition(words[2], allowed_accounts=(words[0],))),
        nodes=(node("cpu-0", features=("cpu", words[0])), drained, node(words[1])),
        reservations=(reservation(words[2]),) if data.draw(st.booleans()) else (),
    )

    def fail(*_: object, **__: object) -> object:
        raise LiveClusterError(f"slurmrestd: {words[0]}")

    patch.setattr(Kubectl, "objects", lambda *_, **__: [])
    patch.setattr(drift, "look_at_all", fail if data.draw(st.integers(0, 4)) == 0 else lambda *_, **__: (seen, None))
    options = data.draw(st.lists(st.sampled_from(["--json", "--adopt"]), unique=True))
    done = run("drift", file(folder, "Pulumi.hpc.yaml", STACK), f"--context={words[0]}a", *options)
    if "--json" in options and done.returncode < 2:
        reasons = [item["problem"] for item in json.loads(done.stdout)["findings"]]
        assert any(reason.endswith(f": {words[0]}") for reason in reasons)
    return done


def importing(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    for name, text in data.draw(conf_files()).items():
        file(folder, name, text)
    return run("import", folder / "slurm.conf")


def adopting(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    if data.draw(st.booleans()):
        return run("adopt", listed(folder, *data.draw(lists_of_objects())))
    word = data.draw(hostile_texts)
    if data.draw(st.integers(0, 3)) == 0:

        def fail(*_: object, **__: object) -> object:
            raise KubectlError(f"kubectl: {word}")

        patch.setattr(Kubectl, "objects", fail)
        return run("adopt", "--context", word)
    made = objects(VALUES)
    for item in made:
        item["metadata"]["managedFields"] = [{"manager": word, "operation": "Update", "fieldsV1": {"f:spec": {}}}]
    items = listed(folder, *made, record(objects(VALUES, helm=False)))
    imports = file(folder, "import.json", json.dumps({"resources": RESOURCES}))
    return run("adopt", items, "--import-file", imports)


def finding_pools(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    if data.draw(st.integers(0, 3)) == 0:
        word = data.draw(hostile_texts)

        def fail(*_: object, **__: object) -> object:
            raise KubectlError(f"kubectl: {word}")

        patch.setattr(Kubectl, "objects", fail)
        return run("pools", "--context", word)
    return run("pools", file(folder, "nodes.json", json.dumps(data.draw(lists_of_nodes()))))


def comparing(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    old = FILES["slurm.conf"].replace("NoSuchKey=x\n", "")
    return run("diff", file(folder, "slurm.conf", old), file(folder, "new.conf", data.draw(conf_texts(old))))


def checking_outside(data: st.DataObject, folder: Path, _: pytest.MonkeyPatch) -> Result:
    wanted = file(folder, "outside.json", json.dumps({"slurmConf": data.draw(conf_texts(SLURM_CONF))}))
    return run("check-outside", file(folder, "slurm.conf", data.draw(conf_texts(SLURM_CONF))), wanted)


def rehearsing(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    words = st.lists(hostile_texts, max_size=2)
    lists = {name: words for name, field in Rehearsal.model_fields.items() if field.annotation == list[str]}
    changes = st.lists(st.builds(JobChange, id=hostile_texts, before=hostile_texts, after=hostile_texts), max_size=2)
    drawn = st.builds(
        Rehearsal,
        came_up=st.booleans(),
        jobs_before=st.none() | st.integers(0, 9),
        jobs_lost=changes,
        jobs_changed=changes,
        before=st.none(),
        after=st.just(start(version=f"slurm {data.draw(hostile_texts)}\n")),
        **lists,
    )
    if data.draw(st.integers(0, 3)) == 0:

        def fail(*_: object, **__: object) -> object:
            raise KubectlError(f"container x: {data.draw(hostile_texts)}")

        patch.setattr(rehearse, "rehearse", fail)
    else:
        patch.setattr(rehearse, "rehearse", lambda *_, **__: data.draw(drawn))
    as_json = ["--json"] if data.draw(st.booleans()) else []
    done = run("rehearse", file(folder, "Pulumi.hpc.yaml", STACK), "--context", "a", *as_json)
    if as_json and done.returncode < 2:
        json.loads(done.stdout)
    return done


def proving(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    drawn = st.builds(
        Proved,
        step=hostile_texts,
        subject=hostile_texts,
        verdict=st.sampled_from(Verdict),
        observed=hostile_texts,
        expected=hostile_texts,
        fix=hostile_texts,
        jobs=st.just((1, 2)),
    )
    results = data.draw(st.lists(drawn, max_size=3))
    patch.setattr(prove, "find_place", lambda *_: None)
    patch.setattr(prove, "keep", lambda *_: None)
    patch.setattr(prove, "results_of", lambda *_: iter(results))
    form = data.draw(st.sampled_from([[], ["--json"], ["--junit"], ["--markdown"]]))
    return run("prove", stack(data, folder), "--context=mine", *form)


def telling_how_it_does(data: st.DataObject, folder: Path, patch: pytest.MonkeyPatch) -> Result:
    objects = [status_worlds.pod("slurmctld", "c-controller-0")]
    objects += data.draw(st.lists(st.builds(status_worlds.pod, st.sampled_from(DAEMONS), hostile_texts, hostile_texts)))
    reading = data.draw(status_worlds.readings(hostile_texts))
    word = data.draw(hostile_texts)

    def fail(*_: object, **__: object) -> object:
        raise KubectlError(f"kubectl: {word}")

    patch.setattr(Kubectl, "objects", lambda *_, **__: objects)
    patch.setattr(status, "reading_in", fail if data.draw(st.integers(0, 4)) == 0 else lambda *_, **__: reading)
    as_json = ["--json"] if data.draw(st.booleans()) else []
    done = run("status", file(folder, "Pulumi.hpc.yaml", STACK), "--context=a", *as_json)
    if as_json and done.returncode == 0:
        assert [node["name"] for node in (json.loads(done.stdout)["slurm"] or {}).get("nodes", [])] == [
            node.name for node in reading.nodes
        ]
    return done


SCENARIOS: dict[str, Scenario] = {
    "import": importing,
    "adopt": adopting,
    "diff": comparing,
    "check": checking,
    "check-outside": checking_outside,
    "drift": drifting,
    "render": rendering,
    "review": reviewing,
    "pools": finding_pools,
    "prove": proving,
    "rehearse": rehearsing,
    "status": telling_how_it_does,
}


def test_each_command_is_tried() -> None:
    assert SCENARIOS.keys() == COMMANDS.keys()


def names(text: str) -> str:
    """Return a text that a file can have as its name."""
    return text.replace("/", "_").encode("utf-8", "surrogateescape")[:120].decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("command", COMMANDS)
@given(data=st.data())
def test_no_line_commands_a_terminal_or_a_runner(command: str, data: st.DataObject) -> None:
    name = data.draw(st.just("a") | hostile_texts.map(names).filter(lambda name: name not in {".", ".."}))
    with tempfile.TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        folder = Path(root) / f"a{name}"
        folder.mkdir()
        done = SCENARIOS[command](data, folder, patch)
    event(f"{done.returncode}")
    assert "Traceback" not in done.stderr
    assert_harmless(done.stdout, annotated=command == "check", markdown=command == "review")
    assert_harmless(done.stderr)


@pytest.mark.parametrize("command", COMMANDS)
@given(word=hostile_texts.filter(lambda text: "\0" not in text))
@example(word="\n::error::x\udc80")
def test_no_argument_commands_a_terminal_or_a_runner(command: str, word: str) -> None:
    for words in ([command, f"--{word}"], [command, word, word, word], [word], [command, word, "--format", word]):
        done = run(*words)
        assert done.returncode == 2
        assert_harmless(done.stdout)
        assert_harmless(done.stderr)


def test_all_is_printed_in_one_place() -> None:
    package = Path(rehearse.__file__).parent
    for module in [package.parent / "__main__.py", *package.glob("*.py")]:
        if module.name == "output.py":
            continue
        for found in ast.walk(ast.parse(module.read_text())):
            assert not (isinstance(found, ast.Name) and found.id == "print"), module
            is_stream = isinstance(found, ast.Attribute) and found.attr == "write" and "std" in ast.dump(found.value)
            assert not is_stream, f"{module} writes to a stream itself"


KNOWN: list[tuple[str, str]] = [
    ("##[error]x", "## [error]x"),
    ("a ##[add-mask]e", "a ## [add-mask]e"),
    ("##vso[task.complete]", "## vso[task.complete]"),
    ("###[x", "### [x"),
    ("::error::x", ": :error::x"),
    ("  ::error::x", "  : :error::x"),
    (":::", ": ::"),
    ("fe80::1 is a::b", "fe80::1 is a::b"),
    ("a\n::error::x", "a\\u000a::error::x"),
    ("\xa0::error::x", "\\u00a0::error::x"),
    ("#\u200b#[error]x", "#\\u200b#[error]x"),
    ("\x1b]0;t\x07", "\\u001b]0;t\\u0007"),
    ("größer 漢", "größer 漢"),
]


@pytest.mark.parametrize(("text", "line"), KNOWN)
def test_a_line_shows_what_it_would_command(text: str, line: str) -> None:
    assert as_line(text) == line
    assert as_line(line) == line
