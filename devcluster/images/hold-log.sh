#!/bin/bash
# Keeps a named pipe open for writing. The operator's log container reads it until its end, which would come with every
# reconfigure: see README.md.
set -eu
if [ -p "$1" ]; then
    sleep infinity 9<>"$1" >/dev/null 2>&1 &
fi
