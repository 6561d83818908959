"""Lists whose items each stand there once."""

from collections.abc import Sequence

from pulumi_slurm.errors.field_error import Mistake, wrong_together


def each_once(values: Sequence[str], problem: str, remedy: str, *, field: str | None = None) -> None:
    """Raise a mistake for every value that stands before already, of a validator of the list that has them.

    ``field`` is the field of the list's items that the values were taken from; without it they are the items.
    """
    found = [
        Mistake((index,) if field is None else (index, field), value, problem, remedy)
        for index, value in enumerate(values)
        if value in values[:index]
    ]
    if found:
        raise wrong_together(found)
