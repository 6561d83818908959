#!/bin/bash
# slurmd with what the pod may use, as Slinky's entry point works it out: what lies beyond the limits of the pod is
# Slurm's "specialized" part of the machine.
set -eu
mkdir -p /run/slurm /var/spool/slurmd /run/sshd
hold-log /var/log/slurm/slurmd.log

read -r cores threads memory < <(slurmd -C | awk '
    { for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] } }
    END { print value["Boards"] * value["SocketsPerBoard"] * value["CoresPerSocket"], value["ThreadsPerCore"],
          value["RealMemory"] }')
conf=
spare=$((POD_CPUS > 0 ? cores - POD_CPUS / threads : 0))
if [ $spare -gt 0 ]; then conf+=" CoreSpecCount=$spare"; fi
spare=$((POD_MEMORY > 0 ? memory - POD_MEMORY : 0))
if [ $spare -gt 0 ]; then conf+=" MemSpecLimit=$spare"; fi
if [ -n "${POD_TOPOLOGY:-}" ]; then conf+=" Topology=$POD_TOPOLOGY"; fi

# The arguments arrive with quotes of their own: --conf 'Features=cpu'.
eval "set -- ${SLURMD_OPTIONS:-} $*"
options=()
while [ $# -gt 0 ]; do
    if [ "$1" = --conf ]; then
        options+=("$1" "$2$conf")
        conf=
        shift
    else
        options+=("$1")
    fi
    shift
done
if [ -n "$conf" ]; then options+=(--conf "${conf# }"); fi

if [ -s /etc/sssd/sssd.conf ]; then sssd-and-sshd; fi
exec /usr/sbin/slurmd -D "${options[@]}"
