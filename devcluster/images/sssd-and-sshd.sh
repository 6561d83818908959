#!/bin/bash
# Starts sssd and sshd in the background, which is what a supervisor does in Slinky's images.
set -eu
mkdir -p /run/sshd
ssh-keygen -A >/dev/null
if [ -s /etc/sssd/sssd.conf ]; then
    sssd -i --logger=stderr &
fi
# shellcheck disable=SC2086 # several options, which Slinky's images separate by spaces
/usr/sbin/sshd -D -e ${SSHD_OPTIONS:-} &
