"""What sets the number of pods: replicas, an autoscaler, or the number of Kubernetes nodes."""

import pytest

from pulumi_slurm import SpecWarning, load
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "replicas beside an autoscaler": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          replicas: 2
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            (
                "nodeSets[0].replicas = 2: the autoscaler sets the number of replicas, and every `pulumi "
                "up` would undo its work. Leave replicas out; autoscaling.minReplicas is where it starts."
            ),
        ],
    ),
    "autoscaler without Prometheus": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}, autoscaling: {maxReplicas: 4}}]
        """,
        [
            (
                "nodeSets[0].autoscaling.prometheusAddress: KEDA counts jobs and nodes in Prometheus and "
                "needs its address. Write monitoring: {prometheus: {}} to make one, or add prometheusAddress, for "
                "example "
                '"http://prometheus.monitoring:9090", or use kind "hpa".'
            ),
        ],
    ),
    "Prometheus for a slurmctld outside": (
        """
        name: c
        controller: {external: {host: login.example.org, port: 6817}}
        keys: {slurm: {existing: {name: a, key: b}}, jwt: {existing: {name: a, key: c}}}
        monitoring: {prometheus: {interval: 1m}}
        """,
        [
            (
                "monitoring.prometheus: slurmctld is outside, and nothing is known here of its metrics. Leave it out, "
                "and let a Prometheus of yours scrape that slurmctld."
            ),
        ],
    ),
    "autoscaler without partition": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            (
                "nodeSets[0].autoscaling.partition: the node set is in no partition, so no pending job "
                "would ever start it. Add it to one."
            ),
        ],
    ),
    "autoscaler of another partition": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, partition: b, prometheusAddress: 'http://p'}
        """,
        [
            'nodeSets[0].autoscaling.partition = "b": the node set "a" is not in it. Write one of: a.',
        ],
    ),
    "autoscaler upside down": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          autoscaling: {kind: hpa, minReplicas: 5, maxReplicas: 4}
        """,
        [
            "nodeSets[0].autoscaling.minReplicas = 5: the minimum is above maxReplicas, 4. Write 4 or less.",
        ],
    ),
    "HPA to zero": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, autoscaling: {kind: hpa, maxReplicas: 4}}]
        """,
        [
            (
                "nodeSets[0].autoscaling.minReplicas = 0: a HorizontalPodAutoscaler can't go to zero. Write "
                '1 or more, or use kind "keda".'
            ),
        ],
    ),
    "KEDA without metrics": (
        """
        name: c
        monitoring: {metrics: false}
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            'monitoring.metrics = false: the autoscaler of node set "a" reads slurmctld\'s metrics. Write true.',
        ],
    ),
    "KEDA with metrics that Prometheus may not read": (
        """
        name: c
        slurmConf: {extra: {privateData: 'jobs,nodes', MetricsAuthUsers: prometheus}}
        slurmVersion: '26.05'
        operatorVersion: 1.2.1
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            (
                'slurmConf.extra.privateData = "jobs,nodes": slurmctld then refuses its metrics to all who don\'t '
                'authenticate, and the autoscaler of node set "a" gets none. Leave it out, or from Slurm 26.05 on add '
                'MetricsParameters: "ignore_private_data".'
            ),
        ],
    ),
    "a Prometheus of ours without a token": (
        """
        name: c
        slurmConf: {extra: {PrivateData: cloud, MetricsAuthUsers: prometheus}}
        slurmVersion: '26.05'
        operatorVersion: 1.2.1
        monitoring: {prometheus: {}}
        """,
        [
            (
                'slurmConf.extra.PrivateData = "cloud": slurmctld then refuses its metrics to all who don\'t '
                "authenticate, and monitoring.prometheus gets none. Leave it out, or from Slurm 26.05 on add "
                'MetricsParameters: "ignore_private_data".'
            ),
            (
                'slurmConf.extra.MetricsAuthUsers = "prometheus": slurmctld then refuses its metrics to all without a '
                "token, and monitoring.prometheus has none. Leave it out."
            ),
        ],
    ),
    "an autoscaler of workers with the names of Kubernetes nodes": (
        """
        name: c
        monitoring: {prometheus: {}}
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}, pod: {hostNetwork: true},
           autoscaling: {maxReplicas: 4}}
        """,
        [
            (
                "nodeSets[0].autoscaling.query: with hostNetwork workers have the names of Kubernetes nodes, by which "
                "ours doesn't find them. Write a query of your own, or leave hostNetwork out."
            )
        ],
    ),
    "a ServiceMonitor for metrics that Prometheus may not read": (
        """
        name: c
        slurmConf: {extra: {PrivateData: jobs}}
        monitoring: {serviceMonitor: {}}
        """,
        [
            (
                'slurmConf.extra.PrivateData = "jobs": slurmctld then refuses its metrics to all who don\'t '
                "authenticate, and the ServiceMonitor gets none. Leave it out, or from Slurm 26.05 on add "
                'MetricsParameters: "ignore_private_data".'
            ),
        ],
    ),
    "fields of KEDA that don't agree": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling:
            {maxReplicas: 4, prometheusAddress: 'http://p', query: '', behavior: {scaleSide: {}}}
        - name: b
          machine: {cpus: 4, memory: 8Gi}
          autoscaling: {kind: hpa, minReplicas: 1, maxReplicas: 4, query: up, idleReplicas: 0}
        - name: d
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, minReplicas: 2, prometheusAddress: 'http://p', idleReplicas: 1}
        - name: e
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p', idleReplicas: 0}
        """,
        [
            'nodeSets[0].autoscaling.query = "": this is no query. Write one in PromQL, or leave it out.',
            (
                "nodeSets[0].autoscaling.behavior.scaleSide = {}: a HorizontalPodAutoscaler knows no such behavior. "
                "Write scaleUp or scaleDown."
            ),
            'nodeSets[1].autoscaling.idleReplicas = 0: only KEDA has this. Leave it out, or write kind "keda".',
            'nodeSets[1].autoscaling.query = "up": only KEDA has this. Leave it out, or write kind "keda".',
            "nodeSets[2].autoscaling.idleReplicas = 1: KEDA goes to zero or not at all. Write 0, or leave it out.",
            (
                "nodeSets[3].autoscaling.idleReplicas = 0: without minReplicas there are no replicas when idle in any "
                "case, and KEDA refuses both. Leave it out, or write minReplicas of at least 1."
            ),
        ],
    ),
    "KEDA for login nodes": (
        """
        name: c
        identity: {directory: {}}
        loginSets: [{name: l, autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}}]
        """,
        [
            (
                'loginSets[0].autoscaling.kind = "keda": pending jobs say nothing about how many login '
                'nodes are needed. Write kind "hpa", or add a query of your own.'
            ),
        ],
    ),
    "DaemonSet without replicas, and the default padding": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, replicas: 0, ordinalPadding: 0}]
        """,
        [
            (
                "nodeSets[0].replicas = 0: with scalingMode DaemonSet the number of matching nodes decides. "
                'Leave replicas out, or write scalingMode "StatefulSet".'
            ),
        ],
    ),
    "DaemonSet with replicas, names and padding": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          scalingMode: DaemonSet
          replicas: 2
          hostNamePrefix: x-
          ordinalPadding: 2
        """,
        [
            (
                "nodeSets[0].replicas = 2: with scalingMode DaemonSet the number of matching nodes decides. "
                'Leave replicas out, or write scalingMode "StatefulSet".'
            ),
            (
                "nodeSets[0].ordinalPadding = 2: with scalingMode DaemonSet Slurm's names are those of the "
                'Kubernetes nodes. Leave ordinalPadding out, or write scalingMode "StatefulSet".'
            ),
            (
                'nodeSets[0].hostNamePrefix = "x-": with scalingMode DaemonSet Slurm\'s names are those of '
                'the Kubernetes nodes. Leave hostNamePrefix out, or write scalingMode "StatefulSet".'
            ),
        ],
    ),
    "no update ever": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, updateStrategy: {maxUnavailable: 0}}]
        """,
        [
            (
                "nodeSets[0].updateStrategy.maxUnavailable = 0: with this no pod would ever be replaced. "
                'Write a number from 1, or a percentage such as "25%".'
            ),
        ],
    ),
    "scrape longer than interval": (
        """
        name: c
        monitoring: {serviceMonitor: {interval: 10s}}
        """,
        [
            (
                'monitoring.serviceMonitor.scrapeTimeout = "25s": a scrape may not take longer than the '
                "interval, 10s. Write 10s or less."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_partitions_whose_jobs_start_no_workers_or_those_of_others_are_warned_of() -> None:
    scaling = {"maxReplicas": 4}
    machine = {"cpus": 4, "memory": "8Gi"}
    node_sets = [{"name": name, "machine": machine, "autoscaling": scaling} for name in ("a", "b")]
    partitions = [{"name": "all", "nodeSets": ["ALL"]}, {"name": "a", "nodeSets": ["a"]}]
    settings = {"name": "c", "nodeSets": node_sets, "partitions": partitions, "monitoring": {"prometheus": {}}}
    with pytest.warns(SpecWarning) as shown:
        load(settings)
    at = 'nodeSets[{}].autoscaling.partition = "all"'
    sharing = (
        "each of its pending jobs would start workers of a, b, whichever it can run on. Give the node set a partition "
        "of its own. [autoscaled-partitions-are-counted-once]"
    )
    assert [str(warning.message) for warning in shown] == [
        f"{at.format(0)}: only its pending jobs start workers, those of a start none. Put the node set into one "
        "partition, or write a query. [autoscaled-partitions-are-counted-once]",
        f"{at.format(0)}: {sharing}",
        f"{at.format(1)}: {sharing}",
    ]
