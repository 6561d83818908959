#!/bin/bash
# Whether mariadbd takes connections, which it does once InnoDB is there; the arguments of the official script are
# accepted, as our probes state them.
exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/3306 && read -r -t 2 -n 5 -u 3'
