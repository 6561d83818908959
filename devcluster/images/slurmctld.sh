#!/bin/bash
# slurmctld in the foreground: a reconfigure replaces the program in its process, so no supervisor is needed.
set -eu
mkdir -p /run/slurmctld
hold-log /var/log/slurm/slurmctld.log
eval "exec /usr/sbin/slurmctld -D ${SLURMCTLD_OPTIONS:-} $*"
