"""Clusters that come, go, or are made anew as a whole."""

from collections.abc import Iterator

from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.effect import Effect, Verdict


def cluster_is_made_anew(change: ClusterChange) -> str:
    """Return why all objects of a cluster are deleted and made again; "" if they aren't."""
    before, after = change.before, change.after
    if before is None or after is None:
        return ""
    if before.spec.namespace != after.spec.namespace:
        return "its namespace is another"
    return "its name is another" if before.spec.name != after.spec.name else ""


def whole_cluster_effects(change: ClusterChange) -> Iterator[Effect]:
    """Yield what becomes of the cluster as a whole; nothing of one that stays."""
    subject = f"cluster {change.name}"
    if change.taken_over:
        meaning = "Nothing says what it was before: read what its objects change."
        yield Effect(Verdict.UNJUDGED, subject, "is taken over", meaning)
    elif change.before is None:
        yield Effect(Verdict.NOTHING, subject, "is new")
    elif change.after is None:
        yield Effect(Verdict.ENDS, subject, "is destroyed", "All jobs end, and nothing is drained before.")
    elif anew := cluster_is_made_anew(change):
        yield Effect(Verdict.ENDS, subject, f"is made anew, since {anew}", "All jobs end.")
