"""Errors that users can mend."""


class UserError(ValueError):
    """Something that a user can mend, told in full by its text: commands print that, and no traceback."""
