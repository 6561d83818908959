#!/bin/bash
# Keeps a named pipe open for writing. The operator's log container reads it until its end, which would come with every
# reconfigure: see README.md.
set -eu
{
    # That container makes it, at about the same time.
    for _ in {1..300}; do
        if [ -p "$1" ]; then exec sleep infinity 9<>"$1"; fi
        sleep 0.1
    done
} >/dev/null 2>&1 &
