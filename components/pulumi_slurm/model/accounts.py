"""QoS, accounts and their users in the accounting database.

Source of names and meanings: https://slurm.schedmd.com/sacctmgr.html and https://slurm.schedmd.com/qos.html.
"""

import re
from typing import Annotated, Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each, check_each_pair, field_error
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import Lines
from pulumi_slurm.model.names import slurm_name
from pulumi_slurm.model.tres import tres_name
from pulumi_slurm.model.units import slurm_time

ROOT_ACCOUNT = "root"
BUILT_IN_QOS = "normal"
"""Made by slurmdbd itself."""

MOST = 2**31 - 1
"""The largest number that the database takes; others make sacctmgr fail."""

Amounts = dict[str, Annotated[int, Field(ge=0, le=2**64 - 3)]]


class LimitsSpec(Model):
    """What may be used, by a QoS or by an account. What is not set has no limit."""

    grp_tres: Amounts = {}
    """The most of each resource that all running jobs hold together, for example {"cpu": 512, "gres/gpu": 16}."""
    grp_jobs: int | None = Field(default=None, ge=0, le=MOST)
    """The most jobs that run at once."""
    max_wall: str | None = None
    """The longest time limit of a job."""
    options: Lines = {}
    """Further options, as sacctmgr takes them, for example {"GrpSubmitJobs": "1000"}."""

    @field_validator("grp_tres")
    @classmethod
    def _resources(cls, value: dict[str, int]) -> dict[str, int]:
        return _tres(value)

    @field_validator("max_wall", mode="before")
    @classmethod
    def _time(cls, value: Any) -> str | None:
        return value if value is None else slurm_time(value)

    @field_validator("options")
    @classmethod
    def _options_are_words(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _option)


class QosSpec(LimitsSpec):
    """A quality of service: a priority, limits, and what it preempts."""

    name: str
    """The name, as users give it to `--qos`."""
    priority: int | None = Field(default=None, ge=0, le=MOST)
    """Its share in the priority of its jobs."""
    preempt: list[str] = []
    """QoS whose jobs it may preempt."""
    max_tres_per_user: Amounts = {}
    """The most of each resource that the running jobs of one user hold together."""
    max_jobs_per_user: int | None = Field(default=None, ge=0, le=MOST)
    """The most jobs of one user that run at once."""
    flags: list[str] = []
    """Flags such as "DenyOnLimit" or "NoDecay"."""

    @field_validator("name")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        return _in_small_letters(value)

    @field_validator("preempt", "flags")
    @classmethod
    def _words(cls, value: list[str]) -> list[str]:
        return check_each(value, slurm_name)

    @field_validator("max_tres_per_user")
    @classmethod
    def _resources_per_user(cls, value: dict[str, int]) -> dict[str, int]:
        return _tres(value)


class AccountSpec(LimitsSpec):
    """An account: whose jobs are counted together, and who may use it."""

    name: str
    """The name, as users give it to `--account`."""
    parent: str = ROOT_ACCOUNT
    """The account above it; its limits hold for this one too."""
    description: str | None = None
    """What it is for; sacctmgr makes all letters small."""
    # One more means "as the parent".
    fairshare: int | None = Field(default=None, ge=0, le=MOST - 1)
    """Its share of the parent's."""
    qos: list[str] = []
    """QoS that its users may take; those of the parent by default."""
    default_qos: str | None = None
    """The QoS of jobs that ask for none."""
    users: list[str] = []
    """Users who may use it; the first account that names a user is the user's default."""

    @field_validator("name", "parent")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        return _in_small_letters(value)

    @field_validator("default_qos")
    @classmethod
    def _qos_is_a_word(cls, value: str | None) -> str | None:
        return value if value is None else slurm_name(value)

    @field_validator("qos", "users")
    @classmethod
    def _words(cls, value: list[str]) -> list[str]:
        return check_each(value, slurm_name)

    @field_validator("description")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None and (not value.strip() or not value.isprintable() or set(value) & set("'\"")):
            raise field_error("sacctmgr would not keep this text as it is", "Write one line of text, without quotes.")
        return value


def _in_small_letters(value: str) -> str:
    if value != value.lower():
        raise field_error("Slurm keeps this name in lower case", f'Write "{value.lower()}".')
    return slurm_name(value)


def _tres(value: dict[str, int]) -> dict[str, int]:
    return check_each_pair(value, value.items(), lambda key, _: tres_name(key))


def _option(key: str, text: str) -> None:
    if not re.fullmatch(r"[A-Za-z]+", key) or not re.fullmatch(r"[\w.,:/=+-]+", text):
        raise field_error(f"sacctmgr would not take {key}={text} as one option", "Write a key of letters and one word.")
