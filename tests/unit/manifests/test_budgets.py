"""Every daemon in front of which users stand is evicted one pod at a time."""

import pytest

from pulumi_slurm.model.releases.operator_version import RELEASES
from tests.unit.manifests.rendered import WHOLE, rendered


@pytest.mark.parametrize("release", RELEASES)
def test_every_daemon_has_a_budget_with_every_release(release: str) -> None:
    """The operator's own budget is of workers alone."""
    budgets = {
        item["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"]: item
        for item in rendered(**WHOLE, operatorVersion=release, restApi={"replicas": 3})
        if item["kind"] == "PodDisruptionBudget"
    }
    assert budgets.keys() == {"slurmctld", "slurmdbd", "slurmrestd", "login"}
    waiting = budgets["slurmrestd"]["metadata"]["annotations"]["pulumi.com/waitFor"]
    assert waiting == "jsonpath={.status.currentHealthy}=3"
