#!/bin/bash
# sackd, sssd and sshd; the container ends with sackd.
set -eu
mkdir -p /run/sshd /run/slurm
chown slurm:slurm /run/slurm
sssd-and-sshd
eval "exec setpriv --reuid=slurm --regid=slurm --init-groups /usr/sbin/sackd -D ${SACKD_OPTIONS:-}"
