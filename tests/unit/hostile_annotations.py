"""Annotations with which a node would like to be taken for others, or for several."""

from hypothesis import strategies as st

_PIECES = ("\n", "|", '"', "\\", "{", "}", ",", ":", "\u2028", "\0", " ", "a", "b", "--all", "true", "pods", "/z1")


def hostile_annotations(*keys: str) -> st.SearchStrategy[dict[str, str]]:
    """Return a strategy of annotations: some of the keys of a script, and others whose values look like its rows."""
    forged = [f"x\n{target}|{field}|{field}|" for target in ("--all", "b", "") for field in ("", "slurm/hpc|true|pods")]
    quoted = [f'x","{key}":"slurm/hpc' for key in keys]
    pieces = st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)
    texts = st.one_of(st.sampled_from([*forged, *quoted]), pieces, st.text(st.characters(exclude_categories=["Cs"])))
    return st.dictionaries(st.sampled_from([*keys, "example.com/a", "z"]), texts, max_size=4)
