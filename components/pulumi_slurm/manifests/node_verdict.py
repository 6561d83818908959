"""The program with which scripts on workers say what is wrong with their node, and drain it beside others who do.

Slurm keeps one reason of a node, and an update of its state replaces whose it was. What slurmd finds on a node that is
drained already is lost. Source: `update_node`, `_drain_node` and `validate_node_specs` in src/slurmctld/node_mgr.c of
SchedMD/slurm at slurm-26-05-3-1. slurm-operator ends the drains that have its own reasons, and no others:
https://github.com/SlinkyProject/slurm-operator/blob/v1.2.1/internal/controller/nodeset/nodeset_sync.go. So a verdict
is a file, and each call drains a node that nobody else keeps from jobs as long as there is one.

It undrains an idle node alone: a reason stays on one with jobs, and slurmctld, which drains it when an epilog of theirs
fails, keeps it (`_drain_node`). Slurm has no update on a condition, so whoever drains between the question and the
update is still overruled.

The folder is in the container's own file system, which belongs to root: of the volume with logs, jobs could remove it.
"""

from pulumi_slurm.configuration.drain import REASON

_SCRIPT = """\
#!/bin/sh
# node-verdict bad CHECK TEXT: drain this node now, or once nobody else drains it.
# node-verdict good CHECK: that is over. Undrain the node if it is drained for that.
# node-verdict: drain this node if there is a verdict, and nobody drains it.
set -u
verdict=${1-} check=${2-} text=${3-}
node=${SLURMD_NODENAME:-$(hostname)}
folder=/run/slurm-verdicts
case $check in .* | *[!A-Za-z0-9._-]*) verdict=wrong ;; esac
case $verdict,$#,$check in
bad,3,?* | good,2,?* | ,0,) ;;
*)
  echo "usage: node-verdict [bad CHECK TEXT | good CHECK]; CHECK is of letters, digits and ._-" >&2
  exit 2
  ;;
esac
mkdir -p "$folder"
# One call at a time, where the image has flock.
if { true >"$folder/.lock"; } 2>/dev/null && command -v flock >/dev/null; then
  exec 9>"$folder/.lock"
  flock -w 20 9
fi
reason_now=
case $verdict in
bad)
  text=$(printf %s "$text" | tr '\\n"' " '" | cut -c 1-150)
  # Also where no file can be written, which may be what is bad.
  reason_now="{reason} $check: $text"
  printf %s "$text" >"$folder/.$check.$$" && mv "$folder/.$check.$$" "$folder/$check"
  ;;
good) rm -f "$folder/$check" ;;
esac
for file in "$folder"/*; do
  if [ -f "$file" ]; then reason_now="{reason} ${file##*/}: $(cat "$file")"; fi
done

# The first time the node has not registered yet. Without an answer the next run acts.
node_now=$(timeout 5 scontrol --oneliner show node "$node" 2>/dev/null) || exit 0
state=${node_now#* State=}
reason=${node_now#* Reason=}
case +${state%% *} in
# Not in use: for somebody, a pod that ends, or slurmctld itself.
*+DOWN* | *+FAIL* | *+FUTURE* | *+INVALID* | *+POWER* | *+REBOOT* | *+UNKNOWN*) ;;
*+DRAIN*)
  case $verdict,$reason in
  good,"{reason} $check: "*)
    if [ "$reason_now" ]; then
      timeout 5 scontrol update nodename="$node" state=drain reason="$reason_now"
    elif [ "${state%%[+ ]*}" = IDLE ]; then
      timeout 5 scontrol update nodename="$node" state=undrain
    fi
    ;;
  good,*) echo "node-verdict: $node stays drained: ${reason%% \\[*}" >&2 ;;
  esac
  ;;
*) if [ "$reason_now" ]; then timeout 5 scontrol update nodename="$node" state=drain reason="$reason_now"; fi ;;
esac
# Whether a prolog fails is its own matter.
exit 0
"""
VERDICT_SCRIPT = _SCRIPT.replace("{reason}", REASON)
"""The program, in POSIX sh."""
