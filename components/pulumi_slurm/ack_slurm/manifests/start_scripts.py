"""Scripts that pods run when they start.

Workers get a start script that replaces the operator's: the public form of the latter sets no features, so that no node
would be in the partition of a single node set. Controllers run the operator's start script and then one of this module.
Those of slurmdbd and slurmrestd can't
be replaced; of slurmdbd a hook looks whether it started munge, which slurmrestd doesn't need: its clients have tokens.

The operator reads a start script as a Go template: it replaces the two fields of its spec between double braces.
"""

import shlex

from pulumi_slurm.ack_slurm.manifests.groups import Group
from pulumi_slurm.ack_slurm.manifests.slurm_conf import STATE_PATH
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.derived.slurm_conf_lines import LOCK_MEMORY
from pulumi_slurm.model import SlurmSpec

AFTER_START = "controller-started.sh"
FOLLOW = "follow-config.sh"
DRAIN = "drain-node.sh"
MUNGE = "start-munge.sh"
SLURMDBD_STARTED = "slurmdbd-started.sh"
HOST_KEYS = "ssh-host-keys.sh"

REASON = "slurm.pulumi.com: its pod ends"
"""The drain reason of a node whose pod terminates; only nodes with this reason are resumed when the pod is back."""

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
# Slurm keeps one reason, and a node that somebody has drained for another one stays drained when its pod is back.
state=$(scontrol show node "$1" --oneliner | grep -o ' State=[^ ]*')
case $state in
*POWERING_DOWN* | *POWERED_DOWN* | *DRAIN* | "") ;;
*) scontrol update NodeName="$1" State=DRAIN Reason={shlex.quote(REASON)} ;;
esac
"""

_START_MUNGE = """#!/bin/bash
# Starts munge with the mounted key. Argument: mungeConfPath, which may be the key's file or its folder.
key=$1
if [ -d "$key" ]; then key=$key/munge.key; fi
install -o munge -m 0400 "$key" /etc/munge/munge.key
service munge restart
"""

_SLURMDBD_STARTED = """#!/bin/bash
# Starts munge and slurmdbd once more where the operator's script could not, by reading a folder as the key's file.
# Arguments: the folder of the configuration, mungeConfPath.
sleep "${SLURMDBD_SETTLE:-30}"
munge -n >/dev/null && exit
bash "$1/start-munge.sh" "$2"
service slurmdbd restart || /slurmdbd restart
"""

_HOST_KEYS = """#!/bin/bash
# Gives the SSH server host keys of this cluster alone, in place of those that are in the image for all who pull it.
# Arguments: the folder that keeps them, on the state volume if there is one; the folder in which sshd looks for them.
keys=$1/etc/ssh to=$2
mkdir -p "$keys" && chmod 0700 "$1"
ssh-keygen -A -f "$1" || exit
rm -f "$to"/ssh_host_*
install -m 0600 "$keys"/ssh_host_*_key "$to"
install -m 0644 "$keys"/ssh_host_*_key.pub "$to"
"""

_WORKER = """#!/bin/bash
{limit}bash "{{{{.SlurmConfPath}}}}/{munge}" "{{{{.MungeKeyPath}}}}"
cp -L -r "{{{{.SlurmConfPath}}}}"/* /etc/slurm
for folder in /var/spool/slurmd /var/log; do mkdir -p "$folder"; done
touch /var/log/slurmd.log
{nslcd}bash /etc/slurm/{follow} "{{{{.SlurmConfPath}}}}" /etc/slurm worker &
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

    Nodes that slurm.conf lists register with their options there: as dynamic nodes slurmd would fail with
    "Duplicated NodeName". All other nodes register as dynamic nodes, with options from the command line.
    """
    init_bash = ack.worker(group.name).init_bash
    if init_bash is not None:
        return init_bash
    options = {key: value for key, value in group.options.items() if value not in (None, "")}
    conf = " ".join(f"{key}={value}" for key, value in options.items())
    return _WORKER.format(
        # A user's job has this limit of slurmd, which in a container is 64 KiB.
        limit=f"{LOCK_MEMORY} || exit\n" if group.machine and group.machine.has_rdma else "",
        munge=MUNGE,
        follow=FOLLOW,
        nslcd="service nslcd start\n" if spec.identity and ack.ldap.start_nslcd else "",
        resume=_RESUME.format(reason=shlex.quote(REASON)) if ack.drain_before_end else "",
        name=' -N "$NODE_NAME"' if needs_node_name(group, ack) else "",
        dynamic="" if group.listed else f" -Z --conf {_go_text(shlex.quote(conf))}",
    )


def needs_node_name(group: Group, ack: AckSlurmSpec) -> bool:
    """Return whether the host name differs from the pod's name, so that slurmd needs the node name as an argument."""
    return group.node_set.pod.host_network or ack.worker(group.name).set_hostname_as_fqdn


def scripts(spec: SlurmSpec, ack: AckSlurmSpec) -> dict[str, str]:
    """Return the scripts that are mounted with the configuration files."""
    files = {
        AFTER_START: _after_start(spec, ack),
        FOLLOW: _FOLLOW_CONFIG,
        MUNGE: _START_MUNGE,
        SLURMDBD_STARTED: _SLURMDBD_STARTED,
    }
    if _has_logins(spec, ack):
        files[HOST_KEYS] = _HOST_KEYS
    return {**files, DRAIN: _DRAIN_NODE} if ack.drain_before_end else files


def _has_logins(spec: SlurmSpec, ack: AckSlurmSpec) -> bool:
    return bool(ack.ssh or spec.login_sets)


def _after_start(spec: SlurmSpec, ack: AckSlurmSpec) -> str:
    """Return the script of controllers, which runs after the operator's own.

    The latter starts munge with mungeConfPath itself as the key
    (framework/slurm/set-init-bash-for-slurmcluster/READNE.md of AliyunContainerService/ai-models-on-ack at 3af8a5e),
    while Alibaba's guides have a folder there. So munge may not run yet, and slurmctld neither.
    """
    start_munge = _command(ack, MUNGE, ack.munge_path)
    lines = [
        "#!/bin/bash",
        f"if ! munge -n >/dev/null; then {start_munge}; service slurmctld restart; fi",
        f"nohup {_command(ack, FOLLOW, ack.config_path)} /etc/slurm controller >/var/log/{FOLLOW}.log 2>&1 &",
    ]
    if spec.identity and ack.ldap.start_nslcd:
        lines.append("service nslcd start")
    if _has_logins(spec, ack):
        lines.append(_command(ack, HOST_KEYS, f"{STATE_PATH}/ssh", "/etc/ssh"))
        # The operator's script has started it already, with the image's host keys.
        lines.append("service ssh restart || service sshd restart")
    return "".join(f"{line}\n" for line in lines)


def _command(ack: AckSlurmSpec, script: str, *arguments: str) -> str:
    """Return the command that runs one of the mounted scripts."""
    return shlex.join(["bash", f"{ack.config_path}/{script}", *arguments])


def _go_text(text: str) -> str:
    """Return text as a Go template that renders to this text."""
    return text.replace("{{", '{{"{{"}}')


def after_slurmdbd_starts(ack: AckSlurmSpec) -> list[str]:
    """Return the command that runs in slurmdbd's pod after its start, and that never fails."""
    script = _command(ack, SLURMDBD_STARTED, ack.config_path, ack.munge_path)
    return ["sh", "-c", f"nohup {script} >/var/log/{SLURMDBD_STARTED}.log 2>&1 &"]
