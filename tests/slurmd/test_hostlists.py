"""Our hostlists are Slurm's: what one writes, the other reads alike."""

import random
import re
from collections.abc import Sequence

import pytest

from pulumi_slurm.slurmconf.hostlist import compress, expand
from tests.slurmd.controller import configure
from tests.slurmd.host import Host
from tests.slurmd.operator_files import files
from tests.slurmd.site import Site

ODD = [
    *("a", "a1", "a[1]", "a[1-3]", "a[01-10]", "a[001-3]", "a[9-11]", "a[09-11]", "a[1-2]b[3-4]", "a[1-2]-b[01-02]-c"),
    *("a[1,3,5-7]", "a,b[1-2],c", "a[2,1,2]", "x[0-2,10,100]y", "login-[0-3],gpu[001-004,200]", "0[1-3]", "a[0-0]"),
    *("a1,a2,a3,b", "a08,a9,a10", "a-1,a-2", "10,11,9", "n1x,n2x", "a[1-2][3-4]", "rack[1-2]node[1-2]gpu[0-1]"),
]
WRONG = ["a[", "a[1-", "a[3-1]", "a[b]", "a[1-2", "a[-1]", "a[1-999999999]"]
# Not there: a], a[[1]] and a[1-3]], of which Slurm makes names with brackets in them, and we make an error.
EACH_LINE = 'while IFS= read -r line; do scontrol show {command} "$line" 2>/dev/null | tr "\\n" " "; echo; done'
RANDOM_LISTS = 100


@pytest.fixture
def host(site: Site) -> Host:
    host = site.host("c-controller-0")
    configure(host, files())
    return host


def scontrol(host: Host, command: str, texts: Sequence[str]) -> list[list[str]]:
    """Return what `scontrol show` prints for each text, by lines."""
    process = host.attempt(["sh", "-c", EACH_LINE.format(command=command)], text="".join(f"{text}\n" for text in texts))
    answers = [line.split() for line in process.stdout.splitlines()]
    assert len(answers) == len(texts), process.stderr
    return answers


def some_names(seed: int, *, paddings: Sequence[int]) -> list[list[str]]:
    """Return lists of random names with numbers, each number padded in one of these ways."""
    draw = random.Random(seed)
    prefixes = ("a", "gpu-", "n0x", "rack1-", "9b")

    def name() -> str:
        number = draw.choice((draw.randrange(12), draw.randrange(1200)))
        return f"{draw.choice(prefixes)}{number:0{draw.choice(paddings)}}"

    return [[name() for _ in range(draw.randrange(1, 25))] for _ in range(RANDOM_LISTS)]


def test_we_expand_as_slurm_does(host: Host) -> None:
    slurms = scontrol(host, "hostnames", ODD)
    assert dict(zip(ODD, map(expand, ODD), strict=True)) == dict(zip(ODD, slurms, strict=True))


def test_what_slurm_does_not_read_we_refuse(host: Host) -> None:
    assert scontrol(host, "hostnames", WRONG) == [[] for _ in WRONG]
    for text in WRONG:
        with pytest.raises(ValueError, match=re.escape(text.split(",")[0][:3])):
            expand(text)


def test_slurm_reads_what_we_compress_and_we_read_what_slurm_compresses(host: Host, seed: int) -> None:
    lists = [*map(expand, ODD), *some_names(seed, paddings=(0, 2, 3))]
    read = scontrol(host, "hostnames", [compress(names) for names in lists])
    assert [sorted(names) for names in read] == [sorted(set(names)) for names in lists]
    written = scontrol(host, "hostlistsorted", [",".join(names) for names in lists])
    assert [sorted(set(expand(text))) for (text,) in written] == [sorted(set(names)) for names in lists]


def test_we_compress_as_slurm_does(host: Host, seed: int) -> None:
    """Where numbers of a list are padded alike; of others there are several short forms, and Slurm's is another."""
    lists = [list(dict.fromkeys(names)) for padding in (0, 4) for names in some_names(seed, paddings=(padding,))]
    written = [text for (text,) in scontrol(host, "hostlistsorted", [",".join(names) for names in lists])]
    assert [compress(names) for names in lists] == written
