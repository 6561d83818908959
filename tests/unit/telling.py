"""What a refusal could bring into a log."""

import json
import pickle
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import pulumi

from pulumi_slurm.errors import SpecError
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm_stacks.running import read_config
from tests.stack_configuration import SECRET_KEYS


def told(call: Callable[..., object], *arguments: Any) -> str:
    """Return all that a call tells by its exception and its warnings: texts, arguments, traceback, pickles."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(*arguments)
        except (SpecError, ConfError) as error:
            texts = [
                *(str(error), repr(error), repr(error.args), repr(error.errors), str(error.__context__)),
                "".join(traceback.format_exception(error)),
                pickle.dumps(error).decode("latin-1"),
            ]
    return "\n".join([*texts, *(f"{item.message!s}{item.message!r}" for item in caught)])


def read_stack(settings: Mapping[str, Any]) -> None:
    """Read the configuration of a stack as the program does."""
    texts = {f"slurm:{key}": value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
    pulumi.runtime.set_all_config(texts, [*SECRET_KEYS])
    try:
        read_config(pulumi.Config("slurm"))
    finally:
        pulumi.runtime.set_all_config({}, [])
