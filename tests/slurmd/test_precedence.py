"""What slurmctld makes of a line is what `slurmconf` reads from it: keys that say the same or exclude one another.

Each pair of such keys is asked in every order, on the line, in DEFAULT and divided between the two; and nodes with any
sockets, cores and CPUs, also such as Slurm corrects.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations, product

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.implied import default
from pulumi_slurm.slurmconf.precedence import PRECEDENCE, Precedence
from pulumi_slurm.slurmconf.processors import Processors
from pulumi_slurm.slurmconf.records import records
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import Controller
from tests.slurmd.daemon import DaemonError
from tests.slurmd.operator_files import files
from tests.slurmd.scontrol import show_nodes, show_partitions
from tests.slurmd.site import Site

VALUES: Mapping[str, tuple[str, str]] = {
    "Feature": ("a", "b"),
    "Features": ("c", "d"),
    "CPUs": ("96", "64"),
    "Procs": ("48", "24"),
    "Sockets": ("6", "8"),
    "SocketsPerBoard": ("2", "3"),
    "OverSubscribe": ("FORCE:3", "YES:5"),
    "Shared": ("YES:7", "EXCLUSIVE"),
    "Priority": ("3", "5"),
    "PriorityTier": ("7", "9"),
    "PriorityJobFactor": ("11", "13"),
    "DefMemPerNode": ("100", "200"),
    "DefMemPerCPU": ("10", "20"),
    "MaxMemPerNode": ("1000", "2000"),
    "MaxMemPerCPU": ("30", "40"),
    "AllowAccounts": ("x", "ALL"),
    "DenyAccounts": ("z", "y"),
}
"""For each key the value on a line, and the value in DEFAULT."""
OF_A_DATABASE = "AllowQos"
"""slurmctld 26.05 ends where a QoS is named that its database lacks; it reads these keys as those of accounts."""
SHOWN = {
    "NodeName": ("CPUTot", "Boards", "Sockets", "CoresPerSocket", "ThreadsPerCore", "AvailableFeatures"),
    "PartitionName": (
        *("OverSubscribe", "PriorityTier", "PriorityJobFactor", "DefMemPerNode", "DefMemPerCPU"),
        *("MaxMemPerNode", "MaxMemPerCPU", "AllowAccounts", "DenyAccounts"),
    ),
}


def pair_lines() -> Iterator[list[str]]:
    """Return the lines of one file for each way to have the keys of a pair in DEFAULT."""
    for keyword, rows in PRECEDENCE.items():
        for row in rows:
            if OF_A_DATABASE in row.keys:
                continue
            for first, last in permutations(row.keys, 2):
                yield list(lines_of(keyword, row, (first, last)))


def lines_of(keyword: str, row: Precedence, in_default: tuple[str, str]) -> Iterator[str]:
    """Return lines that have the keys in every order: without DEFAULT, with one key there, and with both."""
    for count in range(3):
        if count:
            key = in_default[count - 1]
            yield f"{keyword}=DEFAULT {key}={VALUES[key][1]}"
        for keys in orders(row.keys):
            options = " ".join(f"{key}={VALUES[key][0]}" for key in keys)
            yield f"{keyword}=@ {options}{' Boards=2' if 'Sockets' in row.keys else ''}"


def orders(keys: Iterable[str]) -> Iterator[tuple[str, ...]]:
    names = tuple(keys)
    yield ()
    for count in range(1, len(names) + 1):
        yield from permutations(names, count)


def processor_lines() -> Iterator[str]:
    """Return nodes with any combination of the keys about processors, among them values that don't fit together."""
    values = {
        "CPUs": ("12", "16", "5", "0"),
        "Boards": ("2", "0"),
        "Sockets": ("2", "0"),
        "SocketsPerBoard": ("2", "3", "0"),
        "CoresPerSocket": ("4", "0"),
        "ThreadsPerCore": ("2", "0"),
    }
    for count in range(1, 5):
        for keys in combinations(values, count):
            for texts in product(*(values[key] for key in keys)):
                yield "NodeName=@ " + " ".join(f"{key}={text}" for key, text in zip(keys, texts, strict=True))


def named(lines: Iterable[str]) -> list[str]:
    return [line.replace("=@", f"=x{index}") for index, line in enumerate(lines)]


def ours(text: str, series: Series) -> dict[str, dict[str, str]]:
    """Return what `slurmconf` reads, in the words of scontrol."""
    conf = parse(text, File.SLURM, series)
    return {
        f"{record.keyword}={record.host or record.name}": shown(record.keyword, options[0])
        for record, options in records(conf).items()
        if str(record.host or record.name).startswith("x")
    }


def shown(keyword: str, options: Mapping[str, Value]) -> dict[str, str]:
    if keyword == "PartitionName":
        return {key: as_shown(options[key]) for key in SHOWN[keyword] if key in options}
    processors = Processors.of(options)
    features = options.get("Features", ())
    assert isinstance(features, tuple)
    return {
        "CPUTot": str(processors.cpus),
        "Boards": str(processors.boards),
        "Sockets": str(processors.sockets),
        "CoresPerSocket": str(processors.cores_per_socket),
        "ThreadsPerCore": str(processors.threads_per_core),
        "AvailableFeatures": ",".join(features) or "(null)",
    }


def as_shown(value: Value) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


def slurms(controller: Controller, text: str) -> dict[str, dict[str, str]]:
    """Return what slurmctld shows of the same."""
    hosts = controller.host.read("/etc/hosts").split("\n")[:2]
    names = " ".join(f"x{index}" for index in range(text.count("\n") + 1))
    controller.host.write("/etc/hosts", "\n".join([*hosts, f"10.11.9.9 {names}", ""]))
    controller.start({**files(text), "gres.conf": ""})
    items = {f"NodeName={name}": item for name, item in show_nodes(controller.host).items()}
    items |= {f"PartitionName={name}": of_26_05(item) for name, item in show_partitions(controller.host).items()}
    return items


def of_26_05(partition: dict[str, str]) -> dict[str, str]:
    """Return a partition in which OverSubscribe=EXCLUSIVE stands where newer releases show Exclusive=NODE."""
    return {**partition, "OverSubscribe": "EXCLUSIVE"} if partition.get("Exclusive") == "NODE" else partition


def assert_alike(controller: Controller, image: SlurmImage, lines: list[str]) -> int:
    text = "\n".join([*named(lines), ""])
    read = ours(text, Series.of(image.version))
    items = slurms(controller, text)
    different = {}
    for name, options in read.items():
        keyword = name.partition("=")[0]
        of_slurm = {key: items[name][key] for key in SHOWN[keyword] if key in items[name]}
        expected = {
            key: value for key, value in of_slurm.items() if key in options or not is_default(keyword, key, value)
        }
        if expected != options:
            line = next(line for line in text.splitlines() if line.startswith(f"{name} ") or line == name)
            different[line] = (options, expected)
    assert different == {}
    return len(read)


def is_default(keyword: str, key: str, value: str) -> bool:
    if value in {"UNLIMITED", "ALL"}:
        return True
    usual = default(keyword, key)
    return usual is not None and as_shown(usual) == value


@pytest.fixture(scope="module")
def controller(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controller]:
    with Site(image, tmp_path_factory.mktemp("precedence")) as site:
        yield Controller(site.host("c-controller-0", ["c-controller", "c-controller.slurm"]))


def test_pairs_of_keys_in_every_order(controller: Controller, image: SlurmImage) -> None:
    lines = 0
    for pair in pair_lines():
        lines += assert_alike(controller, image, pair)
    assert lines > 200


def test_processors_of_nodes(controller: Controller, image: SlurmImage) -> None:
    assert assert_alike(controller, image, list(processor_lines())) > 400


def test_of_several_default_partitions_the_last_one_is_taken(controller: Controller) -> None:
    lines = [f"PartitionName={name} Nodes=ALL Default=YES" for name in ("z", "a", "m")]
    controller.start(files("\n".join([*lines, ""])))
    shown = {name: options["Default"] for name, options in show_partitions(controller.host).items()}
    assert shown == {"z": "NO", "a": "NO", "m": "YES"}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("NodeName=n[0-1] CPUs=4\nNodeName=n1 CPUs=4\nPartitionName=p Nodes=ALL\n", "Duplicated Node(Host)?Name n1 in"),
        ("NodeName=n0 CPUs=4\nPartitionName=p Nodes=n0\nPartitionName=p Nodes=n0\n", "partition p"),
    ],
    ids=["a node", "a partition"],
)
def test_two_lines_of_one_thing_end_slurmctld(controller: Controller, lines: str, complaint: str) -> None:
    """What an import says of them, of which it keeps one: `pulumi_slurm_cli/importing`."""
    with pytest.raises(DaemonError, match=complaint):
        controller.start(files(lines))
