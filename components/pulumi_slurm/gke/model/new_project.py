"""A project that is made.

Sources: of ids and of who may make projects,
https://cloud.google.com/resource-manager/docs/creating-managing-projects; of display names,
https://cloud.google.com/resource-manager/reference/rest/v1/projects; of the policies for a deletion, the resource
google_project of Terraform's provider google, on which Pulumi's is built.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Self

from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, optional, raise_errors
from pulumi_slurm.gke.model import names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

_BILLING_ACCOUNT = re.compile(r"[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}")
_DISPLAY_NAME = re.compile(r"[A-Za-z0-9'\"! -]{4,30}")


class ProjectDeletionPolicy(StrEnum):
    """What `pulumi destroy` does with the project, in the words of Google's provider."""

    PREVENT = "PREVENT"
    ABANDON = "ABANDON"
    DELETE = "DELETE"


def billing_account_id(value: str) -> str:
    """Return the id of a billing account."""
    if not _BILLING_ACCOUNT.fullmatch(value):
        last = value.removeprefix("billingAccounts/").upper()
        fix = (
            f'Write "{last}".'
            if _BILLING_ACCOUNT.fullmatch(last)
            else "Write what `gcloud billing accounts list` shows as ACCOUNT_ID."
        )
        raise field_error("this is not the id of a billing account", fix)
    return value


def parent_of(kind: str) -> Callable[[str], str]:
    """Return a check that a value names a folder or an organization by its number, as "folders/123"."""

    def check(value: str) -> str:
        if not re.fullmatch(rf"{kind}/[0-9]+", value):
            fix = f'Write "{kind}/{value}".' if re.fullmatch("[0-9]+", value) else f'Write for example "{kind}/123456".'
            raise field_error(f"this is not the number of one of Google's {kind}", fix)
        return value

    return check


class GkeNewProjectSpec(Model):
    """A project that is made, in a folder or an organization; exactly one of the two is set. Its id is that of
    `project`, and nobody else's, now or before.

    Who runs Pulumi needs the permission resourcemanager.projects.create there (`roles/resourcemanager.projectCreator`),
    and `roles/billing.user` on the billing account. It has no network called default.
    """

    folder: str | None = None
    """The folder that it is in, "folders/123456789". Another one moves the project."""
    organization: str | None = None
    """The organization that it is in, where it is in no folder: "organizations/123456789"."""
    billing_account: str
    """The billing account that pays for it, "0123AB-CDEF01-234567"."""
    name: str | None = None
    """Its display name; by default its id."""
    labels: dict[str, str] = {}
    """Its labels, in addition to those of all resources."""
    deletion_policy: OneOf[ProjectDeletionPolicy] = ProjectDeletionPolicy.PREVENT
    """What happens to it when the stack goes. With PREVENT the preview of `pulumi destroy` refuses, before anything is
    deleted, even without `deletionProtection`; ABANDON leaves the project where it is; DELETE deletes it with all that
    is in it, made by the stack or not. For 30 days that can be undone, and the id can't be used again."""

    _folder = field_validator("folder")(optional(parent_of("folders")))
    _organization = field_validator("organization")(optional(parent_of("organizations")))
    _billing_account = field_validator("billing_account")(billing_account_id)
    _labels = field_validator("labels")(names.resource_labels)

    @field_validator("name")
    @classmethod
    def _is_a_display_name(cls, value: str | None) -> str | None:
        if value is not None and not _DISPLAY_NAME.fullmatch(value):
            raise field_error(
                "Google takes no such name of a project",
                "Write 4 to 30 letters, digits, spaces, hyphens, quotes and exclamation points.",
            )
        return value

    @model_validator(mode="after")
    def _is_in_one_place(self) -> Self:
        raise_errors(self._nowhere_or_twice())
        return self

    def _nowhere_or_twice(self) -> Iterator[FieldError]:
        if (self.folder is None) == (self.organization is None):
            yield FieldError(
                (),
                FieldError.ABSENT,
                "nothing says where it is" if self.folder is None else "a project in a folder is in its organization",
                'Write either folder: "folders/123456" or organization: "organizations/123456".',
                depends_on_fields=(("folder",), ("organization",)),
            )
