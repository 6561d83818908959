"""What pods run when they start.

Workers get a start script of ours in place of the operator's, whose public form knows no features, so that no node
would be in a partition of one node set. Controllers keep the operator's, and run ours after it. slurmdbd and slurmrestd
can't be given one.

The operator reads a start script as a Go template over spec: the two fields between double braces are its own.
"""

import shlex

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.groups import Group
from pulumi_slurm.model import SlurmSpec

AFTER_START = "controller-started.sh"
FOLLOW = "follow-config.sh"
DRAIN = "drain-node.sh"

REASON = "slurm.pulumi.com: its pod ends"
"""Why a node is drained when its pod ends; only such nodes are resumed when the pod is back."""

_FOLLOW_CONFIG = """#!/bin/bash
# Has changed configuration files take effect: Kubernetes brings them into a pod a minute or so after the change.
# Arguments: the folder that is mounted, the folder that Slurm reads, "controller" or "worker".
from=$1 to=$2 role=$3
before=$(readlink "$from/..data")
while sleep "${FOLLOW_EVERY:-15}"; do
  now=$(readlink "$from/..data")
  if [ "$now" != "$before" ]; then
    before=$now
    cp -L -r "$from"/* "$to"
    if [ "$role" = controller ]; then
      # Nodes first. A restart, since some lines take more than `scontrol reconfigure`; jobs go on meanwhile.
      sleep "${FOLLOW_SETTLE:-120}"
      service slurmctld restart
      sleep 5
      scontrol reconfigure
    fi
  fi
done
"""

_DRAIN_NODE = f"""#!/bin/bash
# Takes no more jobs onto a node whose pod is about to end, unless Slurm itself has ended it. Argument: the node.
state=$(scontrol show node "$1" --oneliner | grep -o ' State=[^ ]*')
case $state in
*POWERING_DOWN* | *POWERED_DOWN* | "") ;;
*) scontrol update NodeName="$1" State=DRAIN Reason={shlex.quote(REASON)} ;;
esac
"""

_WORKER = """#!/bin/bash
cat {{{{.MungeKeyPath}}}}/munge.key >/etc/munge/munge.key
chown munge: /etc/munge/munge.key
chmod 0400 /etc/munge/munge.key
service munge start
cp -L -r {{{{.SlurmConfPath}}}}/* /etc/slurm
for folder in /var/spool/slurmd /var/log; do mkdir -p "$folder"; done
touch /var/log/slurmd.log
{nslcd}bash /etc/slurm/{follow} {{{{.SlurmConfPath}}}} /etc/slurm worker &
{resume}exec slurmd -D -b{name}{dynamic}
"""

_RESUME = """(
  # Drained when it ended last time; a moment, until it has registered.
  sleep 20
  if scontrol show node "$NODE_NAME" | grep -q {reason}; then scontrol update NodeName="$NODE_NAME" State=RESUME; fi
) &
"""


def worker_script(spec: SlurmSpec, group: Group, ack: AckSlurmSpec) -> str:
    """Return the start script of a group's workers.

    slurmd registers nodes that Slurm scales by the lines that slurm.conf has of them, for it ends at "Duplicated
    NodeName" when it registers such a node as a dynamic one (seen with Slurm 24.11). All others say
    themselves what they are.
    """
    own = ack.worker(group.name).init_bash
    if own is not None:
        return own
    texts = {key: value for key, value in group.options.items() if value not in (None, "")}
    conf = " ".join(f"{key}={value}" for key, value in texts.items())
    return _WORKER.format(
        follow=FOLLOW,
        nslcd="service nslcd start\n" if spec.identity and ack.ldap.start_nslcd else "",
        resume=_RESUME.format(reason=shlex.quote(REASON)) if ack.drain_before_end else "",
        name=' -N "$NODE_NAME"' if named_by_pod(group, ack) else "",
        dynamic="" if group.elastic else f" -Z --conf {_go_text(shlex.quote(conf))}",
    )


def named_by_pod(group: Group, ack: AckSlurmSpec) -> bool:
    """Whether the pod's host name isn't its own name, so that slurmd needs the node's as an argument."""
    return group.node_set.pod.host_network or ack.worker(group.name).set_hostname_as_fqdn


def scripts(spec: SlurmSpec, ack: AckSlurmSpec) -> dict[str, str]:
    """Return the scripts that lie beside the configuration files."""
    follow = f"bash /etc/slurm/{FOLLOW} {ack.config_path} /etc/slurm controller"
    started = f"#!/bin/bash\nnohup {follow} >/var/log/{FOLLOW}.log 2>&1 &\n"
    if spec.identity and ack.ldap.start_nslcd:
        started += "service nslcd start\n"
    files = {AFTER_START: started, FOLLOW: _FOLLOW_CONFIG}
    return {**files, DRAIN: _DRAIN_NODE} if ack.drain_before_end else files


def _go_text(text: str) -> str:
    """Return text that comes out of a Go template as it went in."""
    return text.replace("{{", '{{"{{"}}')
