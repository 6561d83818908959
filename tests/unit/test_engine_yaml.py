"""How a stack's file is read; tests/e2e/test_stack_file.py asks the engine for what it reads."""

import pytest

from pulumi_slurm_cli.engine_yaml import EngineYamlError, Place, read

VALUES = {
    "010": 8,
    "08": 8,
    "1e3": 1000,
    "1_000": 1000,
    ".72_132": 0.72132,
    "._5": "._5",
    ".5__5": ".5__5",
    "0x1F": 31,
    "3.0": 3,
    "1.5": 1.5,
    "yes": "yes",
    "on": "on",
    "True": True,
    "~": None,
    "1:30:00": "1:30:00",
    "2026-11-26": "2026-11-26 00:00:00 +0000 UTC",
    "'010'": "010",
    '"true"': "true",
    "!!str 010": "010",
    "[a, 010, {b: no}]": ["a", 8, {"b": "no"}],
    "9" * 5000: "9" * 5000,
}


@pytest.mark.parametrize(("text", "value"), VALUES.items(), ids=[text[:20] for text in VALUES])
def test_values_are_those_of_the_engine(text: str, value: object) -> None:
    assert read(f"a: {text}\n").value == {"a": value}


def test_anchors_and_merged_keys_are_followed() -> None:
    document = read("a: &x\n  b: 1\n  c: 2\nd:\n  <<: *x\n  c: 3\ne: *x\n")
    assert document.value == {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}, "e": {"b": 1, "c": 2}}
    assert document.nearest(("e", "c"), str) == Place(3, 6)
    assert document.nearest(("d", "b"), str) == Place(2, 6)
    assert document.nearest(("d", "c"), str) == Place(6, 6)


REFUSED = {
    "a: 1\na: 2\n": ("the key a stands already in line 1", Place(2, 1)),
    "a: .inf\n": ("the engine reads no infinity and no NaN", Place(1, 4)),
    "a: &x [*x]\n": ("an anchor contains itself", Place(1, 4)),
    "? {a: 1}\n: b\n": ("a key is a mapping or a list", Place(1, 3)),
    "a: [\n": ("expected the node content, but found '<stream end>'", Place(2, 1)),
    "a: *b\n": ("found undefined alias 'b'", Place(1, 4)),
    "a: \x07\n": ("there is a character that YAML doesn't have", None),
    "<<: 1\n": ("<< merges mappings", Place(1, 5)),
    "[" * 20_000: ("there are hundreds of levels of mappings and lists", None),
    "".join(f"a{i}: &a{i} [{f'*a{i - 1}, ' * 9 if i else ''}]\n" for i in range(20)): (
        "aliases repeat too much",
        Place(7, 5),
    ),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.items(), ids=[text[:12] for text in REFUSED])
def test_what_the_engine_refuses_is_refused(text: str, expected: tuple[str, Place | None]) -> None:
    with pytest.raises(EngineYamlError) as refused:
        read(text)
    assert (refused.value.problem, refused.value.place) == expected
