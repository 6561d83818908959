"""Whether slurmctld and we agree on drawn lines: it works with what we accept, and ends where we say that it ends."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

from pydantic import ValidationError

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.node_sets import node_options
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.errors import FieldError, Severity, SpecError, format_path
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import Controller, Files
from tests.slurmd.differences import for_this_machine, has_the_plugins
from tests.slurmd.drawn_lines import Drawn, specification
from tests.slurmd.outcome import WORKS, outcome
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site

ENDS = ("slurmctld exits", "Slurm refuses")
"""How a problem begins with which slurmctld exits."""
GOES_ON = {"reconfigflags", "selecttypeparameters"}
"""Keys, in small letters, with which slurmctld goes on: it takes its own mark of an error for all flags, and
CR_Core_Memry for CR_Core."""
UNREAD = {"propagateresourcelimits": "propagateresourcelimitsexcept"}
"""Keys, in small letters, that slurmctld doesn't read beside another one, see _validate_and_set_defaults in
src/common/read_config.c: it goes on with a wrong word there, which we refuse all the same."""


@dataclass
class Verdicts:
    """What was drawn, counted, and where slurmctld and we disagree."""

    counts: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)


def judged(drawn: Drawn, series: Series) -> tuple[SlurmSpec | None, list[FieldError]]:
    """Return the specification with drawn lines for a series, and what it is refused for.

    The operator doesn't run every series that the daemons here have, so that alone is no reason.
    """
    plain = specification(drawn)
    try:
        spec = SlurmSpec.model_validate(plain)
    except ValidationError:
        try:
            with warnings.catch_warnings(action="ignore"):
                load(plain)
        except SpecError as error:
            return None, list(error.errors)
        raise
    spec = spec.model_copy(update={"slurm_version": str(series)})
    return spec, [
        error for error in check_cluster(spec) if error.severity is Severity.ERROR and error.path != ("slurm_version",)
    ]


@dataclass(frozen=True)
class Question:
    """Drawn lines that slurmctld can be asked about."""

    drawn: Drawn
    files: Files
    ends: tuple[FieldError, ...]
    """Why we say that slurmctld exits; empty where we accept the lines."""


def question(drawn: Drawn, series: Series) -> Question | None:
    """Return what to ask slurmctld; None when we refuse the lines for reasons that it doesn't know of."""
    spec, errors = judged(drawn, series)
    drawn_keys = {key.lower() for key in drawn.lines.get(None, {})}
    goes_on = GOES_ON | {key for key, other in UNREAD.items() if other in drawn_keys}
    ends = tuple(
        error for error in errors if error.problem.startswith(ENDS) and str(error.path[-1]).lower() not in goes_on
    )
    if spec and not errors:
        files = _with_lines(rendered_files(spec, series), {"NodeName": _options_of_nodes(spec, drawn)})
    elif ends:
        files = _with_lines(rendered_files(_PLAIN, series), drawn.lines)
    else:
        return None
    return Question(drawn, files, ends) if has_the_plugins(files, series) else None


def verdicts(controllers: Sequence[Controller], draws: Iterable[Drawn], series: Series, count: int) -> Verdicts:
    """Ask slurmctld about the first drawn lines for which that makes sense, on several hosts at once."""
    result = Verdicts()
    free: SimpleQueue[Controller] = SimpleQueue()
    for controller in controllers:
        free.put(controller)

    def ask(asked: Question) -> None:
        controller = free.get()
        try:
            what = outcome(controller, for_this_machine(asked.files))
        finally:
            free.put(controller)
        result.counts["refused, since slurmctld exits" if asked.ends else "accepted"] += 1
        if (what == WORKS) == bool(asked.ends):
            we = "; ".join(f"{format_path(error.path)}: {error.problem}" for error in asked.ends) or "accepted"
            result.disagreements.append(f"{asked.drawn}\n  we: {we}\n  slurmctld: {what or 'works'}")

    questions = islice(filter(None, (question(drawn, series) for drawn in draws)), count)
    with ThreadPoolExecutor(len(controllers)) as pool:
        list(pool.map(ask, questions))
    return result


@contextmanager
def controllers(image: SlurmImage, folder: Path, count: int) -> Iterator[list[Controller]]:
    """Yield controllers, each on a host of its own network with the name that the operator's slurm.conf has."""
    with ExitStack() as stack:
        folders = [folder / str(number) for number in range(count)]
        for one in folders:
            one.mkdir()
        yield [Controller(stack.enter_context(Site(image, one)).host("c-controller-0", NAMES)) for one in folders]


NAMES = ("c-controller", "c-controller.slurm")
_PLAIN = SlurmSpec.model_validate(specification(Drawn()))


def _options_of_nodes(spec: SlurmSpec, drawn: Drawn) -> dict[str, str]:
    node_set = spec.node_sets[0]
    options = node_options(node_set, machine_of(node_set, [])) if "NodeName" in drawn.lines else {}
    return {key: str(text) for key, text in options.items()}


def _with_lines(files: Mapping[str, str | bytes], lines: Mapping[str | None, Mapping[str, str]]) -> Files:
    """Return the files with lines as they are, and a node of its own for those of nodes."""
    text = str(files["slurm.conf"])
    options = "".join(f"{key}={_quoted(value)}\n" for key, value in lines.get(None, {}).items())
    partition = _words(lines.get("PartitionName", {}))
    node = _words({"State": "CLOUD", "NodeAddr": "10.11.9.9", **lines.get("NodeName", {})})
    node_line = f"NodeName=drawn-0 {node}\n" if lines.get("NodeName") else ""
    text = text.replace("PartitionName=all ", f"PartitionName=all {partition} ")
    return {**files, "slurm.conf": f"{text}{options}{node_line}"}


def _words(options: Mapping[str, str]) -> str:
    return " ".join(f"{key}={_quoted(value)}" for key, value in options.items())


def _quoted(text: str) -> str:
    # As `slurmconf.conf.render` writes them.
    text = text.replace("\\", "\\\\").replace("#", "\\#")
    return f'"{text}"' if " " in text else text
