"""Random names, quantities, times and other values of single fields.

Strategies are built once where that is possible, here and in the modules of the parts: Hypothesis examines each new one
before it draws from it, which takes longer than drawing.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

GIB = 1024
# Names end in a letter: "gpu-8" beside "gpu" could be the name of a node of "gpu".
labels = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z])?", fullmatch=True).filter(lambda x: x not in {"all", "default"})
words = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
slurm_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda x: x.lower() not in {"all", "default"}
)
label_values = st.from_regex(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,8}[A-Za-z0-9])?)?", fullmatch=True)
label_keys = st.builds(
    "".join,
    st.tuples(st.sampled_from(["", "example.org/"]), st.from_regex(r"[a-z]([a-z0-9.-]{0,6}[a-z])?", fullmatch=True)),
)
label_maps = st.dictionaries(label_keys, label_values, max_size=2)
env_names = st.from_regex(r"[A-Z_][A-Z0-9_]{0,8}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
paths = st.from_regex(r"(/[a-z][a-z0-9_]{0,6}){1,2}", fullmatch=True)
hosts = st.from_regex(r"[a-z][a-z0-9]{0,6}(\.[a-z]{2,5}){0,2}", fullmatch=True)
images = st.sampled_from(["registry.example.org:5000/slurm:1", "slurmd@sha256:" + "0" * 64, "example/image"])
quantities = st.builds("{}{}".format, st.integers(1, 999), st.sampled_from(["Gi", "G", "Ti", "T"]))
cpu_quantities = st.one_of(st.integers(1, 64).map(str), st.integers(100, 9999).map("{}m".format), st.just("1.5"))
durations = st.sampled_from(["15m", "1h", "24h", "1h30m", "90s", "8760h"])
slurm_memory = st.one_of(
    st.integers(1, 10**7).map(str), st.builds("{}{}".format, st.integers(1, 900), st.sampled_from("MGT"))
)
STORAGE_CLASSES = st.none() | st.sampled_from(["standard", "premium-rwx", "csi.example"])


def _slurm_time(days: int, hours: int, minutes: int, seconds: int, form: int) -> str:
    return (
        str(1 + days * 100 + minutes),
        f"{1 + minutes}:{seconds:02}",
        f"{1 + hours}:{minutes:02}:{seconds:02}",
        f"{1 + days}-{hours}",
        f"{1 + days}-{hours:02}:{minutes:02}",
        f"{1 + days}-{hours:02}:{minutes:02}:{seconds:02}",
    )[form]


slurm_times = st.builds(
    _slurm_time,
    st.integers(0, 99),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(0, 59),
    st.sampled_from(range(6)),
)
"""Times in any of Slurm's forms."""


def config_lines(values: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """Draw up to three lines of a configuration file by key."""
    some_keys = st.lists(st.sampled_from(sorted(values)), max_size=3, unique=True)

    @st.composite
    def lines(draw: DrawFn) -> dict[str, Any]:
        return {key: draw(values[key]) for key in draw(some_keys)}

    return lines()


FLAGS = st.sampled_from(["YES", "no", "True", True, False])


def or_none(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw None or a value."""
    return st.none() | strategy


def partial_model(
    model: type[Any], required: dict[str, Any] | None = None, **optional: SearchStrategy[Any]
) -> SearchStrategy[Any]:
    """Draw a model with the required fields and any subset of the optional ones.

    In its place `st.builds` would draw what the model's signature requires and the caller doesn't name. pydantic writes
    the signature when a model is used for the first time (`defer_build`), with the names that fields have in stack
    configuration, so a required field such as ``api_group`` would be drawn a second time, as ``apiGroup``.
    """
    return st.fixed_dictionaries(required or {}, optional=optional).map(lambda fields: model(**fields))
