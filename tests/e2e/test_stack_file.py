"""What the engine reads in a stack's file, beside what we read without it."""

import json
import random
import subprocess
from pathlib import Path

import yaml

from devcluster.toolchain import Toolchain
from pulumi_slurm_cli.engine_yaml import read
from pulumi_slurm_cli.importing.stack_yaml import settings_yaml
from tests.e2e.program import Program
from tests.unit.hostile_texts import CONTROLS, LINE_BREAKS, PIECES, UNSEEN

CHARACTERS = "0123456789" * 3 + "eE+-._xXoObB:TZ aftnyN~"
NAMED = """010 0o10 0x1F 0b101 1e3 .5 1. 1_000 +3 -0 08 0777 1e21 1e20 1.0e-7 yes no on off y true True tRue ~ null
1:30:00 2001-12-14 2001-12-14T21:59:43Z 2001-13-14 9007199254740993 -9223372036854775809 1e400 0o9 0x -0b1 1_0.5
0O0o0640 .72_132 ._5 .5_ .5__5 .5e1_0 .5e_1"""


def drawn() -> list[str]:
    """Return plain scalars, most of them near to numbers and dates."""
    texts = ("".join(random.choices(CHARACTERS, k=random.randint(1, 9))) for _ in range(2000))
    return [*NAMED.split(), *(text for text in texts if _is_one_scalar(text))]


def _is_one_scalar(text: str) -> bool:
    try:
        document = read(f"- {text}\n")
    except ValueError:
        return False
    return text == text.strip() and isinstance(document.value, list) and not isinstance(document.value[0], list | dict)


def test_each_plain_scalar_is_read_as_by_the_engine(tools: Toolchain, tmp_path: Path) -> None:
    program = _reader(tools, tmp_path)
    engine = program.engine
    command = program.command(engine, "config", "--json")
    scalars = drawn()
    lines = "".join(f"    - {scalar}\n" for scalar in scalars)
    merged = "  reader:a: &a {b: 1, c: yes}\n  reader:m: {<<: *a, c: 010}\n  reader:keys: {010: a, 1.5: b, true: c}\n"
    salt = yaml.safe_dump({"encryptionsalt": yaml.safe_load(engine.settings.read_text())["encryptionsalt"]})
    text = f"{salt}config:\n  reader:drawn:\n{lines}{merged}"
    engine.settings.write_text(text)
    done = subprocess.run(command, env=engine.env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    of_engine = {key: json.loads(setting["value"]) for key, setting in json.loads(done.stdout).items()}
    ours = read(text).value["config"]
    read_otherwise = [
        (scalar, theirs, own)
        for scalar, theirs, own in zip(scalars, of_engine.pop("reader:drawn"), ours.pop("reader:drawn"), strict=True)
        if (theirs, type(theirs)) != (own, type(own))
    ]
    assert read_otherwise == []
    assert of_engine == ours


def test_what_an_import_writes_is_read_by_the_engine_as_it_was_meant(tools: Toolchain, tmp_path: Path) -> None:
    program = _reader(tools, tmp_path)
    engine = program.engine
    marks = (*LINE_BREAKS, *CONTROLS, *UNSEEN, "\n", "\t", "")
    texts = ["".join(part for piece in PIECES[:24] for part in (mark, piece)) for mark in marks]
    texts += [f"{text}\n" for text in texts]
    settings = {"reader:texts": texts, "reader:keys": {text: "a" for text in texts if len(text) < 128}}
    command = program.command(engine, "config", "--json")
    engine.settings.write_text(settings_yaml(settings, [f"# {text}" for text in texts]))
    done = subprocess.run(command, env=engine.env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert {key: json.loads(setting["value"]) for key, setting in json.loads(done.stdout).items()} == settings


def _reader(tools: Toolchain, folder: Path) -> Program:
    program = Program(tools, folder, None, source={"Pulumi.yaml": "name: reader\nruntime: python\n"})
    program.configure({})
    return program
