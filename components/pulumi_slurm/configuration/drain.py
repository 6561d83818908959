"""The script that drains partitions and node sets before they go, and fails while they have jobs.

slurmctld ends the running jobs of a partition that is gone, and waiting ones of which no partition is left:
`_sync_jobs_to_conf` in src/slurmctld/read_config.c, slurm-25-11-0-1 and later. The operator ends workers and what runs
on them.
"""

from collections.abc import Iterable

PARTS_FILE = "/etc/slurm/parts"
"""Where the Job's pod has the partitions and node sets of the specification, one a line."""
LAST_PARTS_FILE = "/etc/slurm-last/parts"
"""Where the Job's pod has those of the last Job that has succeeded, if there was one."""
SECONDS_FOR_JOBS = 30
"""How long the Job waits for jobs that are about to end."""
SECONDS_FOR_SLURMCTLD = 180
"""How long it waits for slurmctld, whose pod may just be made anew, on another node and with a large state.

Together shorter than the 10 minutes that Pulumi gives a Job, so that it has the script's last words to show
(https://www.pulumi.com/registry/packages/kubernetes/api-docs/batch/v1/job/).
"""
UP_FILE = "/etc/slurm/up"
"""Where the Job's pod has the names of partitions whose state is UP."""
NO_JOBS_FILE = "/etc/slurm/no-jobs"
"""What is in the Job's pod where `controller.assumeNoJobs` says that slurmctld need not answer."""
REASON = "pulumi-slurm:"
"""How the reason of nodes begins that are drained by something of ours. slurm-operator lets them alone.

What a check of health writes begins so too (`pulumi_slurm.manifests.node_verdict`), and is not the script's to end.
"""
_LEAVES = f"{REASON} the node set leaves the configuration"

DRAIN_SCRIPT = rf"""#!/bin/sh
# Drains partitions and node sets that leave the specification, and fails while they have jobs.
set -u
# The shell is the first process of its pod. Without this a Job that is deleted would go on beside its successor.
trap 'exit 1' TERM
if [ ! -e {LAST_PARTS_FILE} ]; then exit 0; fi
leaving=$(grep -vxFf {PARTS_FILE} {LAST_PARTS_FILE})
jobs=
seconds_for_jobs={SECONDS_FOR_JOBS}
seconds_for_slurmctld={SECONDS_FOR_SLURMCTLD}
begun=$(date +%s)
waited() {{ [ "$(date +%s)" -ge "$(($1 + $2))" ]; }}  # SINCE SECONDS
ask() {{  # COMMAND. Its output becomes $answer; without one the script ends.
  until answer=$("$@" 2>&1); do
    if [ -z "$leaving" ]; then echo "Nothing leaves, and nothing is set back: $answer"; exit 0; fi
    case $answer in
      # Not there, not yet there, or too busy.
      *"Unable to contact slurm controller"* | *"in standby mode"* | *"Socket timed out"* | *"Zero Bytes were"*)
        seconds=$seconds_for_slurmctld
        then="Run the update again when slurmctld answers. If its configuration keeps it from starting, mend that \
first, by an update that removes nothing." ;;
      *)
        seconds=$seconds_for_jobs
        then="Rotate keys and change versions in an update of their own, before or after this one." ;;
    esac
    if [ -e {NO_JOBS_FILE} ] && [ -z "$jobs" ]; then
      if waited "$begun" "$seconds_for_jobs"; then
        echo "slurmctld doesn't answer, and controller.assumeNoJobs lets the change go on: $answer"
        exit 0
      fi
    elif waited "$begun" "$seconds"; then
      what=$(printf '%s\n' "$leaving" | sed 's/^nodeSet /node set /' | paste -s -d , - | sed 's/,/, /g')
      echo "slurmctld doesn't say whether there are jobs in what leaves the configuration: $what"
      echo "$answer"
      echo "They would end, so nothing is removed. $then"
      echo "If you know that there are none, write controller.assumeNoJobs: true for this update."
      exit 1
    fi
    sleep 2
  done
}}
names() {{ printf '%s\n' "$2" | sed -n "s/^$1 //p"; }}  # TYPE LINES
is_there() {{ printf '%s\n' "$partitions" | grep -F "PartitionName=$1 "; }}
with() {{ printf '%s\n' "$nodes" | grep -E " AvailableFeatures=([^ ]*,)?$1[, ]"; }}
listed() {{ sed 's/^NodeName=\([^ ]*\) .*/\1/' | paste -s -d , -; }}

ask scontrol --all --oneliner show partitions
partitions=$answer
ask scontrol --all --oneliner show nodes
nodes=$answer
for name in $(cat {UP_FILE}); do
  if is_there "$name" | grep -q " State=DRAIN "; then
    echo "The partition $name is up again."
    ask scontrol update "PartitionName=$name" State=UP
  fi
done
for name in $(names nodeSet "$(cat {PARTS_FILE})"); do
  list=$(with "$name" | grep -F " Reason={_LEAVES}" | listed)
  if [ -n "$list" ]; then
    echo "The node set $name is no longer drained: $list"
    ask scontrol update "NodeName=$list" State=UNDRAIN
  fi
done
if [ -z "$leaving" ]; then exit 0; fi

leaving_partitions=
for name in $(names partition "$leaving"); do
  if is_there "$name" >/dev/null; then
    leaving_partitions="$leaving_partitions $name"
    ask scontrol update "PartitionName=$name" State=DRAIN
  fi
done
for name in $(names nodeSet "$leaving"); do
  list=$(with "$name" | grep -v " State=[^ ]*DRAIN" | listed)
  if [ -n "$list" ]; then
    ask scontrol update "NodeName=$list" State=DRAIN "Reason={_LEAVES}"
  fi
done

stays() {{  # PARTITION,...: whether one of them stays
  for partition in $(echo "$1" | tr , ' '); do
    case " $leaving_partitions " in *" $partition "*) ;; *) return 0 ;; esac
  done
  return 1
}}
look() {{  # WHERE OPTION: adds the jobs that squeue shows with the option to $found.
  ask squeue --all --noheader "$2" "--format=%i %T %P"
  while read -r job state in_partitions; do
    case $1-$in_partitions in
      *-) continue ;;
      "partition "*) if stays "$in_partitions"; then continue; fi ;;
    esac
    found="$found$1: job $job, $state
"
  done <<END
$answer
END
}}
looking=$(date +%s)
while true; do
  found=
  for name in $leaving_partitions; do look "partition $name" "--partition=$name"; done
  for name in $(names nodeSet "$leaving"); do
    list=$(with "$name" | listed)
    if [ -n "$list" ]; then look "node set $name" "--nodelist=$list"; fi
  done
  jobs=$found
  if [ -z "$jobs" ]; then exit 0; fi
  if waited "$looking" "$seconds_for_jobs"; then break; fi
  sleep 2
done
printf '%s' "$jobs" | head -n 20
more=$(($(printf '%s' "$jobs" | wc -l) - 20))
if [ "$more" -gt 0 ]; then echo "and $more more"; fi
echo "These jobs would end with what leaves the configuration, which is drained now: it takes no new jobs."
echo "Run the update again when they have ended, end them by scancel, or put it back into the configuration."
exit 1
"""


def parts_file(partitions: Iterable[str], node_sets: Iterable[str]) -> str:
    """Return the content of `PARTS_FILE`; node sets by their names in Slurm."""
    lines = [*(f"partition {name}" for name in partitions), *(f"nodeSet {name}" for name in node_sets)]
    return "".join(f"{line}\n" for line in sorted(lines))
