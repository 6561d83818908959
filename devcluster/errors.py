"""The error type of the launcher: a sentence for the person, shown without a traceback.

Standard library only, because the bootstrap imports it before the virtual environment exists.
"""


class Terminated(KeyboardInterrupt):
    """The launcher was asked to end by a signal that, unlike Ctrl-C, its children have not got."""


class DevclusterError(Exception):
    """Something the person can do something about: one line that says what is wrong and what to do."""
