"""Errors of slurm-operator that concern users, in words; `operator_version` has the releases with each of them.

Sources are commits and issues of https://github.com/SlinkyProject/slurm-operator.
"""

from enum import Enum


class OperatorDefect(Enum):
    """An error of the operator; its value is the problem that it causes."""

    RECONFIGURE_HANGS = (
        "in this release slurmctld can hang at a change of its configuration: the container of its log replaces the "
        "pipe that it writes to"
    )
    """Commits 4abbf5395c28 (in v1.2.0), 8ba171246e1d (in v1.1.2) and e89a2573577c (in v1.0.5) mend it."""
    WEBHOOK_STOPS_SCHEDULING = (
        "while its webhook doesn't answer, this release lets no pod of the whole Kubernetes cluster be scheduled"
    )
    """Issue 189. helm/slurm-operator/templates/webhook/webhook.yaml at v1.1.0, and at v1.1.1 with its values.yaml;
    earlier releases don't have the webhook for pods/binding."""
    TOKENS_EXPIRE = "this release can stop renewing tokens, which then expire"
    """Issue 240. Commits fcc501f19b4f (main), 1d8c0eb0 (release-1.2) and 706a4964 (release-1.1) mend it, after v1.1.2
    and v1.2.1; releases 1.0 look at a token every 30 s."""
    CONFUSES_CLUSTERS_OF_ONE_NAME = (
        "this release stops the node sets of two Slurm clusters that have one name, whatever their namespaces are"
    )
    """Commits 73a6ab50cbcb (main), 7572fd30 (release-1.2) and 7afafde3 (release-1.1) mend it, after v1.1.2 and v1.2.1;
    `SetOwnerReferences` in internal/controller/nodeset/utils/utils.go."""
    ROLLING_UPDATE_DRAINS_ALL = (
        "in this release a rolling update doesn't count workers whose replacement isn't ready, so a slow or wrong "
        "image drains a whole node set, whatever maxUnavailable says"
    )
    """Commits fdb963a1 (main), f920598c (in v1.2.1), e4969e31 (in v1.1.2) and 92c993f2 (in v1.0.5) mend it."""
    ROLLING_UPDATE_STOPS = (
        "in this release a rolling update of node sets with scalingMode DaemonSet can stop, with a node drained and "
        "its pod gone"
    )
    """Issue 249, seen with 1.2.1. `doPodScale` in internal/controller/nodeset/nodeset_sync.go is the same from v1.1.0
    to the branches of 2026-08-21. 1.3.0 came after the issue was closed; its source was not seen."""
    TOPOLOGY_TAKES_THE_NEXT_OPTION = (
        "the candidate of this release gives slurmd an empty Topology, which takes the option after it as its value, "
        "and nothing says that the release doesn't: a worker that Slurm doesn't know yet is drained as INVALID_REG, "
        "with all CPUs of its host, also each one that is added later"
    )
    """Issue 261, and issue 20 of https://github.com/SlinkyProject/containers, both open on 2026-09-09.
    internal/builder/workerbuilder/worker_app.go of commit f2ed3fc53252, on the way to 1.3.0-rc1, writes
    ``Topology='"$SLINKY_TOPOLOGY"'``, and v1.2.1 does not, though the issue names it; in the image
    slurmd-entrypoint.sh appends more options. The release text of 1.3.0 has no word on it. Run with an operator of that
    commit: a worker with a record comes back in order, and Topology among its options takes the empty one's place."""
    CORDONED_NODES_GET_NO_WORKER = (
        "a node set with scalingMode DaemonSet makes no worker on a cordoned node, also not in place of one that was "
        "there"
    )
    """Issue 259, open on 2026-09-06. `NodeShouldRunDaemonPod` in internal/controller/nodeset/nodeset_sync.go is the
    same from v1.1.0 to commit f2ed3fc53252; before there is no such mode."""
    CRASHES_WITHOUT_ACCOUNTING = (
        "this release crashes, and after each start again, while one Slurm cluster of the Kubernetes cluster has "
        "accounting and another one has none, or one gets it or loses it"
    )
    """Seen with 1.1.0. `GetControllersForAccounting` in internal/utils/refresolver/refresolver.go of v1.1.0 reads the
    accountingRef of each Controller, also of one without it. v1.0.0 to v1.0.3 have a value there, others look first."""
