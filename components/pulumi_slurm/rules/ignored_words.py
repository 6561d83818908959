"""Rules on values of which Slurm ignores a part, or takes another in their place, and starts."""

import re
from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.rules.supported_keys import lines_of
from pulumi_slurm.slurmconf.catalogue import File, Key, find, keys_with_word

_NO_NUMBERS = frozenset({"bf_hetjob_prio", "delay_boot"})
"""Parameters of the scheduler that are words or times."""
_GOVERNORS = ("Conservative", "OnDemand", "Performance", "PowerSave", "SchedUtil", "UserSpace")
_STARTS_OF_GOVERNORS = ("co", "onde", "perf", "pow", "sche", "user")
"""What Slurm reads of the name of a governor: _cpu_freq_check_gov in src/common/cpu_frequency.c."""
_REPLACED = MappingProxyType(
    {
        "minjobage": (frozenset({"0", "1"}), "Slurm takes 2 seconds in its place", "Write 2 or more."),
        "treewidth": (frozenset({"0"}), "Slurm takes 16 in its place", "Write 1 or more, or leave it out."),
    }
)
"""Values of keys in whose place Slurm takes others: _validate_and_set_defaults in src/common/read_config.c."""


@warns
def slurm_heeds_the_words(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of words and values that Slurm ignores without a word, such as a misspelt one of PrivateData."""
    parameters = find(File.SLURM, "SchedulerParameters")
    assert parameters
    for index, item in enumerate(spec.slurm_conf.scheduler_parameters):
        yield from _ignored(("slurm_conf", "scheduler_parameters", index), parameters, item)
    for at, lines, file, entry in lines_of(spec):
        for name, text in lines.items():
            if key := find(file, name, entry):
                yield from _ignored((*at, name), key, text)


def _ignored(at: Path, key: Key, text: str) -> Iterator[FieldError]:
    for item in key.ignored_items(text):
        word = item.partition("=")[0]
        elsewhere = [name for name in (key.key_of_moved(item),) if name] or keys_with_word(key.file, item)
        fix = nearest(word, [choice.rstrip("=") for choice in key.known])
        if elsewhere:
            fix = f"Write it in {' or '.join(elsewhere)}, which Slurm looks for it in."
        yield FieldError(at, item, f"Slurm ignores {item}, since {key.name} has no such word", fix)
    if key.name == "SchedulerParameters":
        for item in text.split(","):
            word, equals, number = item.strip().lower().partition("=")
            takes_number = f"{word}=" in key.known and word not in _NO_NUMBERS
            read = re.match(r"\s*([-+]?[0-9]*)", number)
            digits = read[1] if read else ""
            if equals and takes_number and digits != number.strip():
                problem = f"Slurm reads {digits or 'no number'} from {item.strip()}"
                yield FieldError(at, item.strip(), problem, f"Write {word}=number.")
    if key.name in {"CpuFreqDef", "CpuFreqGovernors"}:
        governors = _GOVERNORS[:-1] if key.name == "CpuFreqDef" else _GOVERNORS
        for item in text.split(","):
            if not item.strip().lower().startswith(_STARTS_OF_GOVERNORS[: len(governors)]):
                fix = f"Write one of: {', '.join(governors)}."
                yield FieldError(at, text, f"Slurm ignores it, since {item} is no governor here", fix)
    values, problem, fix = _REPLACED.get(key.name.lower(), (frozenset(), "", ""))
    if text.strip() in values:
        yield FieldError(at, text, problem, fix)


RULES: tuple[Rule, ...] = (slurm_heeds_the_words,)
