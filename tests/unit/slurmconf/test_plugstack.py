"""plugstack.conf as typed lines; what Slurm makes of it is asked in tests/slurmd/test_plugstack.py."""

from hypothesis import given, strategies as st

from pulumi_slurm.slurmconf.conf_error import Location
from pulumi_slurm.slurmconf.plugstack import Directive, PlugstackLine, read_plugstack

WORDS = st.text("abc/._=*:é", min_size=1, max_size=9)
LINES = st.builds(
    PlugstackLine,
    st.just(Location("plugstack.conf", 1)),
    st.sampled_from([Directive.REQUIRED, Directive.OPTIONAL]),
    WORDS,
    st.lists(WORDS, max_size=3).map(tuple),
)


def errors_of(text: str, **files: str) -> list[str]:
    def include(name: str) -> str:
        if name not in files:
            raise LookupError("it is not there")
        return files[name]

    return [f"{error.location}: {error.issue}" for error in read_plugstack(text, include)[1]]


def nothing(_: str) -> str:
    return ""


@given(LINES, st.sampled_from(["", " ", "\t"]), st.sampled_from(["", " # a comment", "#"]))
def test_a_line_is_read_as_it_is_written(line: PlugstackLine, indent: str, comment: str) -> None:
    assert read_plugstack(f"{indent}{line}{comment}\n\n# more\n", nothing) == ([line], [])


@given(st.lists(LINES.map(str) | st.text("abo \t#\\\r", max_size=9), max_size=6))
def test_each_line_of_a_text_is_read_or_told(texts: list[str]) -> None:
    lines, errors = read_plugstack("\n".join(texts), nothing)
    told = {error.location.line for error in errors}
    written = [text.partition("#")[0].split() for text in texts]
    assert told <= {number for number, words in enumerate(written, 1) if words}
    expected = [words for number, words in enumerate(written, 1) if words and number not in told]
    assert [str(line).split() for line in lines] == expected


def test_all_errors_are_told_with_their_lines() -> None:
    text = (
        "Required a.so\n\nplugin b.so\noptional\ninclude a b\nrequired c.so \\\nrequired d.so\r\nrequired e.so "
        + "f" * 4096
    )
    assert errors_of(text) == [
        "plugstack.conf:1: Slurm passes over a line that begins with another word than required, optional or include. "
        "Write required in small letters.",
        "plugstack.conf:3: Slurm passes over a line that begins with another word than required, optional or include. "
        "Write required, optional or include.",
        "plugstack.conf:4: Slurm passes over a line without a name. Write optional and the path of a file.",
        "plugstack.conf:5: Slurm includes the first of these alone. Write an include line for each of them.",
        "plugstack.conf:6: Slurm doesn't read on in the next line here. Write all of it into one line.",
        "plugstack.conf:7: its line ends as on Windows, and Slurm takes that as a part of the name. "
        'End lines by "\\n".',
        "plugstack.conf:8: Slurm reads what is behind 4095 bytes as a line of its own. Write it shorter.",
    ]


def test_included_files_stand_behind_their_line() -> None:
    files = {"a.conf": "optional a.so\ninclude b.conf\n", "b.conf": "required b.so\n"}
    lines, _ = read_plugstack("include a.conf\noptional c.so\n", files.__getitem__)
    assert [f"{line.location} {line}" for line in lines] == [
        "plugstack.conf:1 include a.conf",
        "a.conf:1 optional a.so",
        "a.conf:2 include b.conf",
        "b.conf:1 required b.so",
        "plugstack.conf:2 optional c.so",
    ]


def test_files_that_include_each_other_or_are_nowhere() -> None:
    assert errors_of(
        "include a.conf\ninclude none.conf\ninclude ./plug*\n", **{"a.conf": "include plugstack.conf\n"}
    ) == [
        "a.conf:1: includes itself, by plugstack.conf and a.conf, and slurmd and srun crash. "
        "Remove one of these include lines.",
        "plugstack.conf:2: the file cannot be read: it is not there. Correct the name, or add the file to configFiles.",
        "plugstack.conf:3: includes itself, by plugstack.conf, and slurmd and srun crash. "
        "Remove one of these include lines.",
    ]
    deep = {f"{number}.conf": f"include {number + 1}.conf\n" for number in range(200)}
    (error,) = errors_of("include 0.conf\n", **deep)
    assert "more than 100 files" in error
