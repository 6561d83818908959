"""What is refused before anything is touched, and what a user reads about it: path, value, problem, fix."""

import base64
from typing import Any

import pytest

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm import secret_checks
from pulumi_slurm.ack.slurm.copilot import OutsideSlurmSpec
from pulumi_slurm.ack.slurm.gres_request import check_job
from pulumi_slurm.ack.slurm.rules import check_ack_slurm, check_clusters
from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load, load_model
from tests.unit.ack.examples import CLUSTER, POOLS, cluster

TWICE = base64.b64encode(base64.b64encode(b"k" * 512)).decode()
TOKEN = base64.b64encode(b"a.b.c").decode()
LIMITS = {"limits": {"cpu": "1", "memory": "4Gi"}}
MOUNTS = [{"name": "config", "mountPath": "/var/slurm"}, {"name": "munge", "mountPath": "/var/munge"}]
SECRETS = {
    "munge": secret_checks.munge_key,
    "jwt": secret_checks.jwt_key,
    "token": secret_checks.token,
    "password": secret_checks.database_password,
}


def errors_of(part: dict[str, Any]) -> list[str]:
    """Return what is refused of a case."""
    for kind, check in SECRETS.items():
        if kind in part:
            issue = check(part[kind])
            return [str(issue)] if issue else []
    if "job" in part:
        return list(map(str, check_job(part["job"], submit_plugin=part["plugin"])))
    if "clusters" in part:
        return list(map(str, check_clusters([cluster()[0], cluster(namespace="other")[0]])))
    try:
        if "outside" in part:
            load_model(OutsideSlurmSpec, part["outside"], "The outside")
            return []
        data = {key: value for key, value in {**CLUSTER, **part.get("cluster", {})}.items() if value is not None}
        spec, pools = load(data, POOLS, at=("cluster",))
        ack = load_model(AckSlurmSpec, part.get("ack", {}), "The route", at=("ack", "slurm"))
    except SpecError as error:
        return list(map(str, error.errors))
    errors: list[FieldError] = list(check_ack_slurm(spec, pools, ack, **part.get("more", {})))
    return list(map(str, errors))


Case = tuple[dict[str, Any], list[str]]

# By the line of the reference's list of what has to be refused: what is wrong, and every error that is told.
CASES: dict[str, Case] = {
    # Line 1.
    "1: cluster not lower case": (
        {"cluster": {"name": "HPC"}},
        [
            (
                'cluster.name = "HPC": Kubernetes would refuse this name. Use lower-case letters, digits '
                'and "-", starting with a letter, for example "hpc".'
            ),
        ],
    ),
    "1: cluster too long": (
        {"cluster": {"name": "c" * 41}},
        [
            (
                'cluster.name = "ccccccccccccccccccccccccccccccccccccccccc": this name has 41 characters. '
                "Use 40 at most."
            ),
        ],
    ),
    # Line 2.
    "2: names of workers too long": (
        {
            "cluster": {
                "name": "c" * 36,
                "nodeSets": [{"name": "a-very-long-name-of-a-group", "pool": "cpu"}],
                "partitions": None,
                "loginSets": None,
            }
        },
        [
            (
                'cluster.nodeSets[0].name = "a-very-long-name-of-a-group": with the cluster\'s name it '
                "makes names such as "
                '"cccccccccccccccccccccccccccccccccccc-worker-a-very-long-name-of-a-group-00000", 77 '
                "characters of 63. Shorten it, or the cluster's name, by 14."
            ),
        ],
    ),
    # Line 3.
    "3: groups of one name": (
        {"cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}, {"name": "cpu", "pool": "cpu"}], "partitions": None}},
        [
            ('cluster.nodeSets[1].name = "cpu": this name is used before. Choose another name.'),
        ],
    ),
    "3: group ends with a dash": (
        {"cluster": {"nodeSets": [{"name": "cpu-", "pool": "cpu"}], "partitions": None}},
        [
            (
                'cluster.nodeSets[0].name = "cpu-": Kubernetes would refuse this name. Use lower-case '
                'letters, digits and "-", starting with a letter, for example "cpu".'
            ),
        ],
    ),
    "3: group under another name in Slurm": (
        {
            "cluster": {
                "nodeSets": [{"name": "cpu", "pool": "cpu", "hostNamePrefix": "node", "ordinalPadding": 3}],
                "partitions": None,
            }
        },
        [
            (
                'cluster.nodeSets[0].hostNamePrefix = "node": ack-slurm-operator names nodes '
                "<cluster>-worker-<node set>-<number>. Leave it out."
            ),
            (
                "cluster.nodeSets[0].ordinalPadding = 3: ack-slurm-operator names nodes "
                "<cluster>-worker-<node set>-<number>. Leave it out."
            ),
        ],
    ),
    # Line 4.
    "4: two clusters of one name": (
        {"clusters": 2},
        [
            (
                '[1].name = "hpc": a cluster of this name is in namespace "jobs", and in the operator\'s '
                "namespace the two would overwrite each other's token and Role. Choose another name."
            ),
        ],
    ),
    # Line 5.
    "5: own name or port of the REST Service": (
        {"ack": {"restService": {"name": "rest", "port": 8080}}},
        [
            (
                'ack.slurm.restService = {"name": "rest", "port": 8080}: there is no such field. Write one '
                "of: clusterChart, configPath, controller, controllerHosts, copilot, drainBeforeEnd, "
                "image, jobCompletion, jwtPath, ldap, mungePath, operator, overrides, powerSaving, "
                "prometheus, rest, slurmVersion, slurmdbd, slurmrestd, ssh, workers."
            ),
        ],
    ),
    "5: own name of the Service before a Slurm outside": (
        {"outside": {"name": "old", "addresses": ["10.0.0.1"], "service": "rest"}},
        [
            (
                'service = "rest": there is no such field. Write one of: addresses, name, namespace, '
                "nodes, port, slurmNodes."
            ),
        ],
    ),
    # Line 6.
    "6: GenericNodes of one name and one alias": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "nodes": [
                    {"name": "cn.10.1.0.1", "alias": "n1"},
                    {"name": "cn.10.1.0.1", "alias": "n2"},
                    {"name": "cn.10.1.0.2", "alias": "n1"},
                ],
            }
        },
        [
            ('nodes[1].name = "cn.10.1.0.1": another GenericNode has it. Give each node its own.'),
            ('nodes[2].alias = "n1": another GenericNode has it. Give each node its own.'),
        ],
    ),
    "6: GenericNode of no Slurm node": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "slurmNodes": "n[1-2]",
                "nodes": [{"name": "cn.10.1.0.1", "alias": "n3"}],
            }
        },
        [
            (
                'nodes[0].alias = "n3": Slurm has no such node among n[1-2], so its GRES could not be '
                "changed. Write the node's name in Slurm."
            ),
        ],
    ),
    "6: GenericNode with more than alias and type": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "nodes": [{"name": "cn.10.1.0.1", "alias": "n1", "cluster": "old"}],
            }
        },
        [
            ('nodes[0].cluster = "old": there is no such field. Write one of: alias, name.'),
        ],
    ),
    # Line 7.
    "7: munge key too short": (
        {"munge": "k" * 31},
        [
            ("the munge key has 31 bytes, and munged takes 32 to 1024. Leave it out: it is derived from the root key."),
        ],
    ),
    "7: munge key too long": (
        {"munge": "k" * 1025},
        [
            (
                "the munge key has 1025 bytes, and munged takes 32 to 1024. Leave it out: it is derived "
                "from the root key."
            ),
        ],
    ),
    "7: munge key in base64 twice": (
        {"munge": TWICE},
        [
            (
                "the munge key is base64 of base64, as from `data` of a Secret: the daemons elsewhere have "
                "another one. Write the content of the key file itself."
            ),
        ],
    ),
    "7: munge key and files in one place": (
        {"ack": {"mungePath": "/var/slurm/munge"}},
        [
            (
                'ack.slurm.mungePath = "/var/slurm/munge": it is not apart from configPath, /var/slurm, '
                "and a pod can mount only one of them there. Choose another path."
            ),
        ],
    ),
    "7: another place in one pod": (
        {
            "ack": {"overrides": {"mungeConfPath": "/etc/munge"}},
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None, "accounting": None},
        },
        [
            (
                'ack.slurm.overrides.slurmctld.template.spec.containers[0].volumeMounts = "/var/munge": '
                "the start script looks for munge.key in /etc/munge, which is mungeConfPath. Leave it out; "
                "ack.slurm.mungePath and ack.slurm.configPath say where both are mounted."
            ),
            (
                'ack.slurm.overrides.slurmrestd.template.spec.containers[0].volumeMounts = "/var/munge": '
                "the start script looks for munge.key in /etc/munge, which is mungeConfPath. Leave it out; "
                "ack.slurm.mungePath and ack.slurm.configPath say where both are mounted."
            ),
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].volumeMounts = "
                '"/var/munge": the start script looks for munge.key in /etc/munge, which is mungeConfPath. '
                "Leave it out; ack.slurm.mungePath and ack.slurm.configPath say where both are mounted."
            ),
        ],
    ),
    # Line 8.
    "8: lines about tokens in slurm.conf": (
        {
            "cluster": {
                "slurmConf": {"extra": {"AuthAltTypes": "auth/jwt", "AuthAltParameters": "jwt_key=/elsewhere/key"}}
            }
        },
        [
            (
                'cluster.slurmConf.extra.AuthAltTypes = "auth/jwt": this line is the operator\'s, and '
                "another would break the cluster. Instead leave it to the operator, which signs its own "
                "tokens with it."
            ),
            (
                'cluster.slurmConf.extra.AuthAltParameters = "jwt_key=/elsewhere/key": this line is the '
                "operator's, and another would break the cluster. Instead set keys.jwt or keys.jwks."
            ),
        ],
    ),
    "8: lines about tokens in slurmdbd.conf": (
        {
            "cluster": {
                "accounting": {"qos": [{"name": "low"}], "extraConf": {"AuthAltParameters": "jwt_key=/elsewhere/key"}}
            }
        },
        [
            (
                'cluster.accounting.extraConf.AuthAltParameters = "jwt_key=/elsewhere/key": this line is '
                "the operator's, and another would break the cluster. Instead set keys.jwt or keys.jwks."
            ),
        ],
    ),
    "8: key set of an identity provider": (
        {"cluster": {"operatorVersion": "1.1.0", "keys": {"jwks": {"name": "jwks", "key": "jwks.json"}}}},
        [
            (
                'cluster.keys.jwks = {"name": "jwks", "key": "jwks.json"}: the key set of an identity '
                "provider isn't mounted in ack-slurm-operator's pods. Leave it out."
            ),
        ],
    ),
    "8: JWT key too short": (
        {"jwt": "k" * 31},
        [
            ("the JWT key has 31 bytes, fewer than HS256 needs. Write 32 bytes or more."),
        ],
    ),
    "8: JWT key in PEM": (
        {"jwt": "-----BEGIN PRIVATE KEY-----kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"},
        [
            (
                "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text. Leave it "
                "out: it is derived from the root key."
            ),
        ],
    ),
    "8: JWT key as JWK": (
        {"jwt": '{"kty": "RSA", "n": "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"}'},
        [
            (
                "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text. Leave it "
                "out: it is derived from the root key."
            ),
        ],
    ),
    # Line 9.
    "9: token with a new line": (
        {"token": "a.b.c\n"},
        [
            ("the token has white space or a new line, and slurmrestd would refuse it. Write it as one word."),
        ],
    ),
    "9: token in base64": (
        {"token": TOKEN},
        [
            (
                "the token is in base64 already, and the Secret would hold base64 of base64. Write what "
                "`scontrol token` prints behind SLURM_JWT=."
            ),
        ],
    ),
    "9: password with a hash": (
        {"password": "abc#def"},
        [
            ("Slurm takes all from # on for a comment, and the password would be cut off. Choose one without #."),
        ],
    ),
    "9: password in a configuration file": (
        {"cluster": {"configFiles": {"more.conf": "StoragePass=secret\n"}}},
        [
            (
                'cluster.configFiles["more.conf"] = "...": StoragePass is a password, and configuration '
                "files lie in a ConfigMap that workers have too. Leave it out: passwords come from stack "
                "secrets."
            ),
        ],
    ),
    "9: password in slurm.conf": (
        {"cluster": {"slurmConf": {"extra": {"JobCompPass": "secret", "JobCompType": "jobcomp/mysql"}}}},
        [
            (
                'cluster.slurmConf.extra.JobCompPass = "...": it would stand in a ConfigMap, and its '
                "password beside it. Leave it out; set ack.slurm.jobCompletion."
            ),
            (
                'cluster.slurmConf.extra.JobCompType = "jobcomp/mysql": it would stand in a ConfigMap, and '
                "its password beside it. Leave it out; set ack.slurm.jobCompletion."
            ),
        ],
    ),
    # Line 10.
    "10: copilot without slurmrestd": (
        {"ack": {"copilot": {}, "slurmrestd": False}},
        [
            (
                "ack.slurm.slurmrestd = false: the copilot changes nodes through slurmrestd. Write true, "
                "or leave copilot out."
            ),
        ],
    ),
    "10: copilot without its lines in gres.conf": (
        {"ack": {"copilot": {}}, "cluster": {"configFiles": {"gres.conf": "AutoDetect=nvml\n"}}},
        [
            (
                'cluster.configFiles["gres.conf"] = "k8scpu": the copilot counts in k8scpu, and there is '
                "no line for it. Add the line Name=k8scpu Flags=CountOnly."
            ),
            (
                'cluster.configFiles["gres.conf"] = "k8smemory": the copilot counts in k8smemory, and '
                "there is no line for it. Add the line Name=k8smemory Flags=CountOnly."
            ),
        ],
    ),
    "10: copilot on an old Kubernetes": (
        {"ack": {"copilot": {}}, "more": {"kubernetes_version": "1.24.6-aliyun.1"}},
        [
            (
                'ack.cluster.version = "1.24.6-aliyun.1": colocated scheduling needs Kubernetes 1.26. '
                "Write 1.26 or later."
            ),
        ],
    ),
    "10: copilot in another domain": (
        {"ack": {"copilot": {}}, "more": {"cluster_domain": "hpc.local"}},
        [
            (
                'ack.cluster.clusterDomain = "hpc.local": the copilot asks for slurmrestd below '
                'svc.cluster.local, whatever the cluster\'s domain is. Write "cluster.local".'
            ),
        ],
    ),
    "10: copilot looks elsewhere": (
        {"ack": {"copilot": {}, "operator": {"watchNamespace": "default"}}},
        [
            (
                'ack.slurm.operator.watchNamespace = "default": the copilot looks for clusters in this '
                'namespace alone, and this one is in jobs. Leave it out, or write "jobs".'
            ),
        ],
    ),
    "10: copilot switched off": (
        {"ack": {"copilot": {}, "operator": {"values": {"enableCopilot": False}}}},
        [
            (
                "ack.slurm.operator.values.enableCopilot = false: the copilot is a part of the operator, "
                "and this leaves it out. Leave it out."
            ),
        ],
    ),
    # Line 11.
    "11: counters without the copilot": (
        {"cluster": {"configFiles": {"gres.conf": "AutoDetect=nvml\nName=k8scpu Flags=CountOnly\n"}}},
        [
            (
                'cluster.configFiles["gres.conf"] = "k8scpu": slurm.conf doesn\'t know the GRES k8scpu '
                "(GresTypes), so no job could ask for it. Add ack.slurm.copilot, or leave the line out."
            ),
        ],
    ),
    "11: counters with files and types": (
        {
            "ack": {"copilot": {}},
            "cluster": {
                "configFiles": {"gres.conf": "Name=k8scpu Flags=CountOnly Type=fast\nName=k8smemory File=/dev/null\n"}
            },
        },
        [
            (
                'cluster.configFiles["gres.conf"] = "Type=fast": k8scpu is a counter without files and '
                "types. Leave Type out."
            ),
            (
                'cluster.configFiles["gres.conf"] = "File=/dev/null": k8smemory is a counter without files '
                "and types. Leave File out."
            ),
        ],
    ),
    "11: GPUs that no node has": (
        {
            "cluster": {
                "nodeSets": [{"name": "cpu", "pool": "cpu"}],
                "partitions": None,
                "accounting": None,
                "configFiles": {"gres.conf": "Name=gpu File=/dev/nvidia0\n"},
            }
        },
        [
            (
                'cluster.configFiles["gres.conf"] = "gpu": slurm.conf doesn\'t know the GRES gpu '
                "(GresTypes), so no job could ask for it. State the GPUs of a node set's machine or pool, "
                "or leave the line out."
            ),
        ],
    ),
    # Line 12.
    "12: request that is not the job's": (
        {
            "job": {"ntasks": 4, "cpus-per-task": 2, "mem-per-cpu": 500, "gres": "k8scpu:4,k8smemory:4000"},
            "plugin": False,
        },
        [
            (
                'gres = "k8scpu:4,k8smemory:4000": the job has 8 CPUs and 4000 MiB on each node. Write '
                "--gres=k8scpu:8,k8smemory:4000."
            ),
        ],
    ),
    "12: no request and no plugin": (
        {"job": {"ntasks": 4, "cpus-per-task": 2, "mem-per-cpu": 500}, "plugin": False},
        [
            (
                "gres: without the submit plugin nobody else asks for the two GRES, and pods would get the "
                "same CPUs. Write --gres=k8scpu:8,k8smemory:4000."
            ),
        ],
    ),
    "12: job without its amounts": (
        {"job": {"nodes": 2}, "plugin": True},
        [
            ("ntasks: the submit plugin refuses the job, or asks for amounts that no node has. Add --ntasks."),
            (
                '["cpus-per-task"]: the submit plugin refuses the job, or asks for amounts that no node '
                "has. Add --cpus-per-task."
            ),
            ("mem: the submit plugin refuses the job, or asks for amounts that no node has. Add --mem."),
        ],
    ),
    "12: options at which the plugin fails": (
        {
            "job": {
                "ntasks": 1,
                "cpus-per-task": 3,
                "mem": 4000,
                "gpus": 1,
                "gpus-per-socket": 1,
                "cpus-per-gpu": 1,
                "mem-per-gpu": 1,
                "mem-per-cpu": 1,
                "gres": "k8scpu:3",
            },
            "plugin": True,
        },
        [
            ('gpus = "1": the submit plugin refuses the job. Write --gpus-per-task.'),
            ('["gpus-per-socket"] = "1": the submit plugin refuses the job. Write --gpus-per-task.'),
            (
                '["cpus-per-gpu"] = "1": Alibaba\'s submit plugin takes the length of a text that isn\'t '
                "there, which ends slurmctld. Write --cpus-per-task."
            ),
            (
                '["mem-per-gpu"] = "1": Alibaba\'s submit plugin takes the length of a text that isn\'t '
                "there, which ends slurmctld. Write --mem."
            ),
            (
                '["mem-per-cpu"] = "1": the submit plugin would ask for memory that no node has. Write '
                "--mem, the memory on each node."
            ),
            (
                'gres = "k8scpu:3": the submit plugin asks for the same once more, and the job would be '
                "counted twice. Leave k8scpu and k8smemory out."
            ),
        ],
    ),
    # Line 13.
    "13: worker without limits": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "template": {
                                "spec": {"containers": [{"name": "slurmd", "image": "i", "volumeMounts": MOUNTS}]}
                            },
                        }
                    ]
                }
            },
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None},
        },
        [
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.cpu: "
                "without it Slurm takes the whole machine for the worker's. Leave resources as they are."
            ),
            (
                ""
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.memory: "
                "without it Slurm takes the whole machine for the worker's. Leave resources as they are."
            ),
        ],
    ),
    "13: worker with half a CPU": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "template": {
                                "spec": {
                                    "containers": [
                                        {
                                            "name": "slurmd",
                                            "image": "i",
                                            "resources": {"limits": {"cpu": "1500m", "memory": "4Gi"}},
                                            "volumeMounts": MOUNTS,
                                        }
                                    ]
                                }
                            },
                        }
                    ]
                }
            },
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None},
        },
        [
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.cpu "
                '= "1500m": Slurm counts whole CPUs, and would round this up past what the pod may use. '
                "Write a whole number."
            ),
        ],
    ),
    "13: machine with half a CPU": (
        {"cluster": {"nodeSets": [{"name": "cpu", "machine": {"cpus": 1.5, "memory": "4Gi"}}], "partitions": None}},
        [
            (
                "cluster.nodeSets[0].machine.cpus = 1.5: this is not a whole number. Write a whole number, "
                "without quotes."
            ),
        ],
    ),
    # Line 14.
    "14: scaled group that is not there": (
        {"ack": {"powerSaving": {"groups": {"cpus": 4}}}},
        [
            (
                "ack.slurm.powerSaving.groups.cpus = 4: there is no such node set, so slurm.conf would "
                'name nodes that nothing can start. Did you mean "cpu"?'
            ),
        ],
    ),
    "14: fewer nodes than are always there": (
        {"ack": {"powerSaving": {"groups": {"cpu": 1}}}},
        [
            (
                "ack.slurm.powerSaving.groups.cpu = 1: 2 nodes of it are always there, and slurm.conf "
                "would not name all of them. Write 2 or more."
            ),
        ],
    ),
    "14: more nodes than the pool has": (
        {"ack": {"powerSaving": {"groups": {"cpu": 21}}}},
        [
            (
                'ack.slurm.powerSaving.groups.cpu = 21: the pool "cpu" has 20 nodes, and a node holds one '
                "worker. Write 20 or less."
            ),
        ],
    ),
    "14: nodes by hand": (
        {"cluster": {"slurmConf": {"extra": {"NodeName": "hpc-worker-gpu-[1-10] State=CLOUD"}}}},
        [
            (
                'cluster.slurmConf.extra.NodeName = "hpc-worker-gpu-[1-10] State=CLOUD": this line is the '
                "operator's, and another would break the cluster. Instead set nodeSets: workers register "
                "by themselves."
            ),
        ],
    ),
    "14: MaxNodeCount too small": (
        {"cluster": {"slurmConf": {"extra": {"MaxNodeCount": 11}}}},
        [
            (
                "cluster.slurmConf.extra.MaxNodeCount = 11: the node sets have 12 nodes at their largest, "
                "and slurmctld would refuse the others. Leave it out: it is derived."
            ),
        ],
    ),
    "14: another SelectType": (
        {"cluster": {"slurmConf": {"extra": {"SelectType": "select/linear"}}}},
        [
            (
                'cluster.slurmConf.extra.SelectType = "select/linear": slurmctld takes nodes that it '
                "doesn't know beforehand only with select/cons_tres. Leave it out."
            ),
        ],
    ),
    "14: addresses from DNS": (
        {"cluster": {"slurmConf": {"extra": {"SlurmctldParameters": "enable_configless,cloud_dns"}}}},
        [
            (
                'cluster.slurmConf.extra.SlurmctldParameters = "enable_configless,cloud_dns": names of '
                "workers aren't in DNS, and with cloud_dns slurmctld would look for them there. Leave "
                "cloud_dns out."
            ),
        ],
    ),
    # Line 15.
    "15: programs without a path": (
        {"ack": {"powerSaving": {"suspendProgram": "slurm-suspend.sh", "resumeProgram": "./slurm-resume.sh"}}},
        [
            (
                'ack.slurm.powerSaving.suspendProgram = "slurm-suspend.sh": this is not an absolute path. '
                'Write for example "/slurm-resume.sh".'
            ),
            (
                'ack.slurm.powerSaving.resumeProgram = "./slurm-resume.sh": this is not an absolute path. '
                'Write for example "/slurm-resume.sh".'
            ),
        ],
    ),
    "15: programs without a path in slurm.conf": (
        {"cluster": {"slurmConf": {"extra": {"ResumeProgram": "resume"}}}},
        [
            (
                'cluster.slurmConf.extra.ResumeProgram = "resume": slurmctld starts a program by its whole '
                "path, and without this one no node would come or go. Leave it out, and set "
                "ack.slurm.powerSaving.resumeProgram."
            ),
        ],
    ),
    "15: too little time for a machine": (
        {"ack": {"powerSaving": {"resumeTimeout": 600}}, "more": {"pools_from_zero": ["gpu"]}},
        [
            (
                'ack.slurm.powerSaving.resumeTimeout = 600: a machine of pool "gpu" is first made, gets '
                "its GPU driver and pulls the image, and slurmctld would call the node DOWN meanwhile. "
                "Write 900 or more."
            ),
        ],
    ),
    "15: negative rates": (
        {"ack": {"powerSaving": {"suspendRate": -1, "resumeRate": -1}}},
        [
            ("ack.slurm.powerSaving.suspendRate = -1: this is too small. Write 0 or more."),
            ("ack.slurm.powerSaving.resumeRate = -1: this is too small. Write 0 or more."),
        ],
    ),
    "15: another ServiceAccount": (
        {"cluster": {"controller": {"pod": {"serviceAccountName": "mine"}}}},
        [
            (
                'cluster.controller.pod.serviceAccountName = "mine": only the ServiceAccount of the '
                "cluster's own name may scale groups and write the copilot's token. Leave it out."
            ),
        ],
    ),
    "15: fields of the scaler": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "replicas": -1,
                            "podsToBeCreated": ["hpc-worker-cpu-0"],
                            "podsToBeDeleted": [0],
                            "template": {
                                "spec": {
                                    "containers": [
                                        {"name": "slurmd", "image": "i", "resources": LIMITS, "volumeMounts": MOUNTS}
                                    ]
                                }
                            },
                        }
                    ]
                }
            },
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None},
        },
        [
            ("ack.slurm.overrides.workerGroupSpecs[0].replicas = -1: this is no number of workers. Leave it out."),
            (
                'ack.slurm.overrides.workerGroupSpecs[0].podsToBeCreated[0] = "hpc-worker-cpu-0": the '
                "operator takes numbers of workers here, and the API server refuses all else. Leave it "
                "out: Slurm's own programs write it."
            ),
            (
                "ack.slurm.overrides.workerGroupSpecs[0].podsToBeDeleted[0] = 0: the operator takes names "
                "of pods here, and the API server refuses all else. Leave it out: Slurm's own programs "
                "write it."
            ),
        ],
    ),
    # Line 17.
    "17: slurmdbd without host and password": (
        {"cluster": {"accounting": {"database": {"kind": "external"}}}},
        [
            ("cluster.accounting.database.host: an external database needs a host. Add its host name or address."),
            (
                "cluster.accounting.database.passwordSecret: the password of an external database can't be "
                "derived. Add passwordSecret: {name: ..., key: ...}, a Secret in the cluster's namespace."
            ),
            (
                'cluster.partitions[1].qos = "low": there is no such QoS, and slurmctld would not start. '
                "Write one of: normal. Or add it: accounting.qos: [{name: low}]."
            ),
        ],
    ),
    "17: another AccountingStorageHost": (
        {"cluster": {"slurmConf": {"extra": {"AccountingStorageHost": "elsewhere"}}}},
        [
            (
                'cluster.slurmConf.extra.AccountingStorageHost = "elsewhere": this line is the operator\'s, '
                "and another would break the cluster. Instead set accounting."
            ),
        ],
    ),
    "17: another DbdHost": (
        {"cluster": {"accounting": {"qos": [{"name": "low"}], "extraConf": {"DbdHost": "hpc-slurmdbd"}}}},
        [
            (
                'cluster.accounting.extraConf.DbdHost = "hpc-slurmdbd": this line is the operator\'s, and '
                "another would break the cluster. Instead leave it to the operator, which names its own "
                "Service."
            ),
        ],
    ),
    "17: a path for job completion": (
        {"ack": {"jobCompletion": {"database": "/var/log/jobcomp.log"}}},
        [
            (
                'ack.slurm.jobCompletion.database = "/var/log/jobcomp.log": with jobcomp/mysql this is the '
                "name of a database, and Slurm would write to slurm_jobcomp_db instead. Write a name such "
                'as "slurm_jobcomp_db".'
            ),
        ],
    ),
    "17: job completion without a database": (
        {"ack": {"jobCompletion": {}}, "cluster": {"accounting": None, "partitions": None}},
        [
            (
                "ack.slurm.jobCompletion.host: there is no database of accounting, so the host isn't "
                "known. Add the host's name or address."
            ),
        ],
    ),
    "17: lines about accounting without it": (
        {
            "cluster": {
                "accounting": None,
                "partitions": None,
                "slurmConf": {
                    "extra": {
                        "AccountingStoreFlags": "job_comment",
                        "AccountingStorageParameters": "max_step_records=1",
                    }
                },
            }
        },
        [
            (
                'cluster.slurmConf.extra.AccountingStorageParameters = "max_step_records=1": without '
                "accounting there is no slurmdbd to ask. Add accounting, or leave this out."
            ),
        ],
    ),
    # Line 18.
    "18: one controller of another name": (
        {"ack": {"controllerHosts": ["head"]}},
        [
            (
                'ack.slurm.controllerHosts[0] = "head": the host name of a single controller is the '
                "cluster's, hpc, and slurmctld ends where it isn't named. Leave controllerHosts out."
            ),
        ],
    ),
    "18: two controllers of one name": (
        {"ack": {"controllerHosts": ["a", "a"]}, "cluster": {"controller": {"state": {"accessMode": "ReadWriteMany"}}}},
        [
            ('ack.slurm.controllerHosts[1] = "a": it stands here twice. Keep one of them.'),
        ],
    ),
    "18: two controllers and a state for one": (
        {"ack": {"controllerHosts": ["a", "b"]}},
        [
            (
                'cluster.controller.state.accessMode = "ReadWriteOnce": several controllers share their '
                "state, and only one could mount this volume. Write ReadWriteMany, and a storageClass of "
                "NAS."
            ),
        ],
    ),
    "18: two controllers without a state": (
        {"ack": {"controllerHosts": ["a", "b"]}, "cluster": {"controller": {"state": {"enabled": False}}}},
        [
            (
                "cluster.controller.state.enabled = false: a controller that takes over reads the state of "
                "the one before it. Write true, and a storageClass of NAS."
            ),
        ],
    ),
    "18: another number of controllers": (
        {"ack": {"overrides": {"slurmctld": {"replicas": 2}}}},
        [
            (
                "ack.slurm.overrides.slurmctld.replicas = 2: slurm.conf names 1 controller. Leave it out, "
                "and set ack.slurm.controllerHosts."
            ),
        ],
    ),
    # Line 19.
    "19: host name of the controller": (
        {"ack": {"overrides": {"slurmctld": {"template": {"spec": {"hostname": "head"}}}}}},
        [
            (
                'ack.slurm.overrides.slurmctld.template.spec.hostname = "head": the operator gives '
                "controllers their host name, which slurm.conf has to know. Leave it out."
            ),
        ],
    ),
    "19: unknown field in a start script": (
        {"ack": {"controller": {"initBash": "echo {{.Name}}\n"}}},
        [
            (
                'ack.slurm.controller.initBash = "echo {{.Name}}\\n": the operator reads the script as a Go '
                "template, and {{.Name}} is not one of its two fields. Write {{.MungeKeyPath}} or "
                "{{.SlurmConfPath}}; for braces of the shell put a space between them."
            ),
        ],
    ),
    "19: unknown key": (
        {"cluster": {"slurmConf": {"extra": {"AccuntingStorageHost": "x"}}}},
        [
            (
                'cluster.slurmConf.extra.AccuntingStorageHost = "x": there is no such key in slurm.conf. '
                "Write AccountingStorageHost, if you mean that."
            ),
        ],
    ),
    "19: key of a newer Slurm": (
        {"cluster": {"slurmConf": {"extra": {"HashPlugin": "hash/sha3"}}}},
        [
            (
                'cluster.slurmConf.extra.HashPlugin = "hash/sha3": it is new in Slurm 24.05, and this is '
                "23.02. Leave it out, or use Slurm 24.05."
            ),
        ],
    ),
    "19: file of a newer Slurm": (
        {"cluster": {"configFiles": {"topology.yaml": "- topology: default\n  cluster_default: true\n  flat: true\n"}}},
        [
            (
                'cluster.configFiles["topology.yaml"] = "the file": topology.yaml:1: Slurm 23.02 does not '
                "read it, only 25.05 and later. Write topology.conf instead."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_it_is_refused_with_path_value_and_remedy(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected


@pytest.mark.parametrize("number", [*range(1, 16), 17, 18, 19])
def test_every_line_of_the_reference_has_a_case(number: int) -> None:
    """16, fields of scaled groups that every `up` would set back, is the component's; 20 is about the cloud."""
    assert any(name.startswith(f"{number}: ") and expected for name, (_, expected) in CASES.items())


def test_a_sound_cluster_and_sound_secrets_are_taken() -> None:
    assert errors_of({}) == []
    assert errors_of({"ack": {"copilot": {}}, "more": {"kubernetes_version": "1.30.1-aliyun.1"}}) == []
    assert errors_of({"munge": base64.b64encode(bytes(range(256)) * 2).decode()}) == []
    assert errors_of({"jwt": "k" * 32}) == []
    assert errors_of({"token": "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJzbHVybSJ9.c2ln"}) == []
    assert errors_of({"password": "of-the-database_1"}) == []
    assert errors_of({"job": {"ntasks": 4, "cpus-per-task": 2, "mem": 4000}, "plugin": True}) == []
    job = {"ntasks": 4, "cpus-per-task": 2, "mem-per-cpu": 500, "gres": "k8scpu:8,k8smemory:4000"}
    assert errors_of({"job": job, "plugin": False}) == []


def test_every_error_is_told_in_one_go() -> None:
    options = {"copilot": {}, "slurmrestd": False, "powerSaving": {"groups": {"no": 1}}, "controllerHosts": ["head"]}
    assert len(errors_of({"ack": options, "cluster": {"slurmConf": {"extra": {"SelectType": "select/linear"}}}})) == 4


def test_messages_never_repeat_a_secret() -> None:
    for kind in SECRETS:
        for secret in ("s3cret#", "s3cret\n", "s3cret"):
            assert "s3cret" not in " ".join(errors_of({kind: secret}))
