"""Which file of Slurm a text is by its keys, for one that is given in place of another."""

from pulumi_slurm.slurmconf.catalogue import File, find
from pulumi_slurm.slurmconf.statements import Reader, Statement


def looks_like(text: str, expected: File) -> File | None:
    """Return the other file that knows most lines of a text; None where the expected one knows as many."""
    statements = list(Reader(None, []).read(text, expected))
    counts = {file: sum(_is_of(file, statement) for statement in statements) for file in File}
    likely = max(File, key=lambda file: counts[file])
    return likely if counts[likely] > max(counts[expected], len(statements) // 2) else None


def _is_of(file: File, statement: Statement) -> bool:
    (first, _), *others = statement.pairs
    key = find(file, first)
    return key is not None and all(find(file, name, key.name) for name, _ in others)
