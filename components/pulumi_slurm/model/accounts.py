"""QoS, accounts and their users in the accounting database.

Source of names and meanings: https://slurm.schedmd.com/sacctmgr.html and https://slurm.schedmd.com/qos.html.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import Field, field_validator
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from pulumi_slurm.errors import check_each_pair, each, field_error, nearest, optional
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.extra_lines import scalars_to_text, unique_keys
from pulumi_slurm.model.names import slurm_name, user_name
from pulumi_slurm.model.sacctmgr_options import (
    ACCOUNT_OPTIONS,
    MAX_DATABASE_INTEGER,
    QOS_FLAGS,
    QOS_OPTIONS,
    Form,
    option_issues,
)
from pulumi_slurm.model.tres import MAX_TRES_AMOUNT, check_tres_amounts
from pulumi_slurm.model.units import slurm_time

ROOT_ACCOUNT = "root"
BUILT_IN_QOS = "normal"
"""slurmdbd creates it by itself."""


def _of_tres_amounts(schema: JsonDict) -> None:
    """Say to editors which amounts a field may have."""
    schema["additionalProperties"] = {"type": "integer", "minimum": 0, "maximum": MAX_TRES_AMOUNT}


_OTHER_NAMES = MappingProxyType(
    {
        "maxwalldurationperjob": "maxWall",
        "maxjobspu": "maxJobsPerUser",
        "maxtrespu": "maxTresPerUser",
        "qoslevel": "qos",
        "shares": "fairshare",
    }
)
"""Further names that sacctmgr has for what is a field here, in small letters."""


def _check_qos_flag(flag: str) -> None:
    """Raise a field error for what is no flag of a QoS; Slurm ignores case."""
    if flag.lower() not in map(str.lower, QOS_FLAGS):
        raise field_error("Slurm has no such flag of a QoS", nearest(flag, QOS_FLAGS))


def _checked_options(
    value: dict[str, str], options: Mapping[str, tuple[int, Form]], model: type["LimitsSpec"]
) -> dict[str, str]:
    fields = {field.replace("_", ""): to_camel(field) for field in model.model_fields if field != "options"}
    fields |= {name: field for name, field in _OTHER_NAMES.items() if field in fields.values()}

    def check(name: str, text: str) -> None:
        if name.lower() in ("comment", "description"):
            raise field_error("pulumi-slurm marks its own entries in the database with it", f"Leave {name} out.")
        for issue in option_issues(options, fields, name, text):
            raise field_error(issue.problem, issue.fix)

    return check_each_pair(value, value.items(), check)


class LimitsSpec(Model):
    """Limits of a QoS or an account. Fields that are not set impose no limit."""

    grp_tres: dict[str, int] = Field(default={}, json_schema_extra=_of_tres_amounts)
    """Maximum of each TRES that all running jobs may use together, for example {"cpu": 512, "gres/gpu": 16}."""
    grp_jobs: int | None = Field(default=None, ge=0, le=MAX_DATABASE_INTEGER)
    """Maximum number of jobs that run at the same time."""
    max_wall: str | None = None
    """Maximum time limit of a job."""
    options: dict[str, str] = {}
    """Additional options of sacctmgr, for example {"GrpSubmitJobs": "1000"}, except Comment and Description."""

    _options_as_text = field_validator("options", mode="before")(scalars_to_text)
    _options_once = field_validator("options")(unique_keys)

    _tres_exist = field_validator("grp_tres")(check_tres_amounts)

    _time = field_validator("max_wall", mode="before")(optional(slurm_time))


class QosSpec(LimitsSpec):
    """A quality of service: a priority, limits, and the QoS that it may preempt."""

    name: str
    """The QoS's name, which users pass to `--qos`."""
    priority: int | None = Field(default=None, ge=0, le=MAX_DATABASE_INTEGER)
    """The priority that it adds to its jobs."""
    preempt: list[str] = []
    """QoS whose jobs it may preempt."""
    max_tres_per_user: dict[str, int] = Field(default={}, json_schema_extra=_of_tres_amounts)
    """Maximum of each TRES that the running jobs of one user may use together."""
    max_jobs_per_user: int | None = Field(default=None, ge=0, le=MAX_DATABASE_INTEGER)
    """Maximum number of jobs of one user that run at the same time."""
    flags: list[str] = []
    """Flags, for example "DenyOnLimit" or "NoDecay": those of sacctmgr(1)."""

    @field_validator("name")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        return _lower_case_name(value)

    _words = field_validator("preempt")(each(slurm_name))
    _flags_exist = field_validator("flags")(each(_check_qos_flag))

    @field_validator("options")
    @classmethod
    def _options_exist(cls, value: dict[str, str]) -> dict[str, str]:
        return _checked_options(value, QOS_OPTIONS, cls)

    _tres_per_user_exist = field_validator("max_tres_per_user")(check_tres_amounts)


class AccountSpec(LimitsSpec):
    """An account: its users, and the limits for the jobs that are charged to it."""

    name: str
    """The account's name, which users pass to `--account`."""
    parent: str = ROOT_ACCOUNT
    """The parent account, whose limits also apply to this one."""
    description: str | None = None
    """A description; sacctmgr converts it to lower case."""
    # The largest integer itself means "as the parent".
    fairshare: int | None = Field(default=None, ge=0, le=MAX_DATABASE_INTEGER - 1)
    """The account's share of its parent's."""
    qos: list[str] = []
    """QoS that its jobs may use; by default those of the parent."""
    default_qos: str | None = None
    """The QoS of jobs that don't name one."""
    users: list[str] = []
    """Users of the account; a user's default account is the first one that lists the user."""
    coordinators: list[str] = []
    """Users who may add users to the account and its sub-accounts and change their limits."""

    @field_validator("name", "parent")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        return _lower_case_name(value)

    @field_validator("options")
    @classmethod
    def _options_exist(cls, value: dict[str, str]) -> dict[str, str]:
        return _checked_options(value, ACCOUNT_OPTIONS, cls)

    _qos_is_a_word = field_validator("default_qos")(optional(slurm_name))

    _words = field_validator("qos")(each(slurm_name))
    _users = field_validator("users", "coordinators")(each(user_name))

    @field_validator("description")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None and (not value.strip() or not value.isprintable() or set(value) & set("'\"")):
            raise field_error("sacctmgr would not keep this text as it is", "Write one line of text, without quotes.")
        return value


def _lower_case_name(value: str) -> str:
    if value != value.lower():
        raise field_error("Slurm keeps this name in lower case", f'Write "{value.lower()}".')
    return slurm_name(value)
