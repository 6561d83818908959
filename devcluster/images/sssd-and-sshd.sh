#!/bin/bash
# Starts sssd and sshd in the background, which is what a supervisor does in Slinky's images.
set -eu
mkdir -p /run/sshd
ssh-keygen -A >/dev/null
if [ -s /etc/sssd/sssd.conf ]; then
    sssd -i --logger=stderr &
fi
/usr/sbin/sshd -D -e ${SSHD_OPTIONS:-} &
