"""The script of a rehearsal: it starts MariaDB, slurmdbd and slurmctld on the copies, in this order, and asks them.

Each of the three has a role of the script, its first argument, as it has a container of its own. They meet in a folder
that they share, by files that say how far one is. A role that fails says why in a file of the answers, and the others
go on without it or end.
"""

import shlex

from pulumi_slurm.manifests.database import MY_CNF
from pulumi_slurm_cli.rehearsal.places import (
    ADDRESS,
    ANSWERS,
    BEGIN,
    DATABASE,
    DATABASE_PORT,
    DONE,
    DUMP,
    FILES,
    FOLDER,
    SCRIPTS,
    SECRETS,
    STATE,
)

QOS, ACCOUNTS = "qos.sh", "accounts.sh"
"""The specification's scripts of sacctmgr: one before slurmctld, one after it, as their Jobs run in a cluster."""
PERMISSIONS, TOKEN = "permissions.sql", "token"
JOB_FIELDS = ("%i", "%T", "%P", "%a", "%q", "%l", "%N", "%r")
"""Of squeue: number, state, partition, account, QoS, time limit, nodes, reason."""
PARTITION_FIELDS = ("%R", "%a", "%l", "%D", "%N")
"""Of sinfo: name, state, time limit, count of nodes, nodes."""
SEPARATOR = "|"
SQUEUE = ("--all", "--noheader", "--states=all", f"--format={SEPARATOR.join(JOB_FIELDS)}")
_ASSOCIATIONS = "cluster,account,user,partition,qos,defaultqos,fairshare,grptres,maxjobs,maxtres,maxwall"
_SETTINGS = " ".join(f"--{line}" for line in MY_CNF.splitlines() if "=" in line)
_LOOK = 3
"""Seconds for which slurmctld has to live once it answers: a thread reads its own options, and may end it then."""

_WITHOUT_ACCOUNTS = "Retrying initial connection to slurmdbd"
"""What slurmctld says, without end, where its state has no accounts and slurmdbd isn't there: `_retry_init_db_conn` in
src/slurmctld/controller.c of SchedMD/slurm, branches slurm-24.11 to slurm-26.05."""
_NO_ACCOUNTS = (
    "the copy of the state has no accounts, and slurmctld waits for a slurmdbd whose database is not copied: slurmctld "
    "writes them every five minutes, so try again then"
)
_PATIENCE = 300
"""Seconds after which a slurmctld that doesn't answer is given up."""

REHEARSE = f"""#!/bin/sh
# Starts a copy of a Slurm cluster and asks what came of it. Nothing here leads to the cluster.
set -u
umask 077
mkdir -p {ANSWERS}
log() {{ echo "$(date -u +%H:%M:%S) $*"; }}
answer() {{ cat >"{ANSWERS}/.$1" && mv "{ANSWERS}/.$1" "{ANSWERS}/$1"; }}
wait_for() {{ until [ -e "$1" ]; do [ -e {DONE} ] && exit 0; sleep 0.2; done; }}
now() {{ date +%s%3N; }}
milliseconds() {{ echo $(($(now) - $1)) | answer "$2-milliseconds"; }}
until_done() {{ until [ -e {DONE} ]; do sleep 0.2; done; }}
# Clients have a token: daemons in other containers lend them no key.
as_slurm() {{ SLURM_JWT=$(cat {SECRETS}/{TOKEN}) "$@"; }}
lives() {{ kill -0 "$1" 2>/dev/null; }}
# A daemon that reads a file meanwhile has the old one or the new one, which are the same.
place() {{
  for file in {FILES}/* {SECRETS}/*; do
    [ -f "$file" ] || continue
    name=${{file##*/}}
    cp -L "$file" "/etc/slurm/.$name.$1"
    # What others may read, or slurmdbd itself may not write, it refuses.
    chmod 600 "/etc/slurm/.$name.$1"
    case $(head -c 2 "$file" | tr -d '\\0') in "#!") chmod 700 "/etc/slurm/.$name.$1" ;; esac
    mv "/etc/slurm/.$name.$1" "/etc/slurm/$name"
  done
}}

database() {{
  wait_for {BEGIN}
  data={FOLDER}/mysql socket={FOLDER}/mysql.sock
  set -- --datadir=$data --socket=$socket --port={DATABASE_PORT} --bind-address={ADDRESS} \\
    --pid-file={FOLDER}/mysql.pid {_SETTINGS} --innodb-buffer-pool-size=256M --innodb-flush-log-at-trx-commit=0
  mariadb="mariadb --user=root --socket=$socket"
  log "the database is made"
  # Without this file no server starts in some images, whose own settings name other folders.
  mariadb-install-db --no-defaults --datadir=$data --auth-root-authentication-method=normal --skip-test-db \\
    >{FOLDER}/mysql.log 2>&1 || {{ tail -n 20 {FOLDER}/mysql.log | answer database-failed; exit 1; }}
  mariadbd --no-defaults "$@" >>{FOLDER}/mysql.log 2>&1 &
  server=$!
  until $mariadb --execute="SELECT 1" >/dev/null 2>&1; do
    lives $server || {{ tail -n 20 {FOLDER}/mysql.log | answer database-failed; exit 1; }}
    sleep 0.2
  done
  $mariadb <{SECRETS}/{PERMISSIONS}
  began=$(now)
  if [ -e {DUMP} ]; then
    $mariadb {DATABASE} <{DUMP} 2>{FOLDER}/import.log || {{ answer database-failed <{FOLDER}/import.log; exit 1; }}
  fi
  milliseconds "$began" import
  log "the database has its copy"
  touch {FOLDER}/database-is-up
  until_done
  kill $server
  wait $server
}}

slurmdbd_role() {{
  wait_for {FOLDER}/database-is-up
  place slurmdbd
  log "slurmdbd starts"
  now >{FOLDER}/slurmdbd-began
  slurmdbd -D >{FOLDER}/slurmdbd.log 2>&1 &
  daemon=$!
  (until_done; kill $daemon 2>/dev/null) &
  wait $daemon
  code=$?
  [ -e {DONE} ] || echo $code | answer slurmdbd-ended
  log "slurmdbd ended with $code"
}}

slurmdbd_answers() {{
  while :; do
    if [ -e {FOLDER}/slurmdbd-began ]; then
      began=$(cat {FOLDER}/slurmdbd-began)
      if as_slurm timeout 60 sacctmgr --noheader show cluster format=cluster >/dev/null 2>&1; then
        milliseconds "$began" slurmdbd
        return 0
      fi
    fi
    [ -e {ANSWERS}/database-failed ] || [ -e {ANSWERS}/slurmdbd-ended ] && return 1
    sleep 0.2
  done
}}

slurmctld_role() {{
  wait_for {BEGIN}
  place slurmctld
  mkdir -p {STATE}
  slurmctld -V | answer version
  if [ -e {SECRETS}/slurmdbd.conf ]; then
    slurmdbd_answers || return
    if [ -e {SCRIPTS}/{QOS} ]; then
      log "the QoS of the specification are added"
      as_slurm sh {SCRIPTS}/{QOS} >{FOLDER}/qos.log 2>&1 || answer qos-failed <{FOLDER}/qos.log
    fi
  fi
  log "slurmctld starts"
  began=$(now)
  # slurmctld writes these every few minutes and when it stops, and refuses a state without them: so it would not
  # be started on this state, but on what it writes when it stops.
  lenient=
  for file in assoc_usage qos_usage; do [ -e {STATE}/$file ] || lenient=-i; done
  [ -z "$lenient" ] || echo yes | answer state-is-young
  # shellcheck disable=SC2086
  slurmctld -D $lenient >{FOLDER}/slurmctld.log 2>&1 &
  daemon=$!
  until as_slurm scontrol ping 2>/dev/null | grep -q " is UP"; do
    lives $daemon || break
    if [ ! -e {SECRETS}/slurmdbd.conf ] && grep -q "{_WITHOUT_ACCOUNTS}" {FOLDER}/slurmctld.log; then
      echo "{_NO_ACCOUNTS}" | answer slurmctld-silent
      kill -9 $daemon
    fi
    if [ $(($(now) - began)) -gt {_PATIENCE}000 ]; then
      echo "slurmctld lives and does not answer for {_PATIENCE} s" | answer slurmctld-silent
      kill -9 $daemon
    fi
    sleep 0.2
  done
  milliseconds "$began" slurmctld
  lives $daemon && ask
  for _ in $(seq {_LOOK}); do
    lives $daemon || break
    sleep 1
  done
  if lives $daemon; then
    if [ -e {SECRETS}/slurmdbd.conf ]; then
      if [ -e {SCRIPTS}/{ACCOUNTS} ]; then
        log "the accounts of the specification are set"
        as_slurm sh {SCRIPTS}/{ACCOUNTS} >{FOLDER}/accounts.log 2>&1 || answer accounts-failed <{FOLDER}/accounts.log
      fi
      as_slurm sacctmgr --noheader --parsable2 show association format={_ASSOCIATIONS} | answer associations
      as_slurm sacctmgr --noheader --parsable2 show qos format=name | answer qos
    fi
  fi
  if lives $daemon; then
    touch {ANSWERS}/came-up
    kill -9 $daemon
  fi
  wait $daemon
  echo $? | answer slurmctld-ended
}}

ask() {{
  as_slurm squeue {shlex.join(SQUEUE)} 2>/dev/null | answer jobs
  as_slurm sinfo --all --noheader --format='{SEPARATOR.join(PARTITION_FIELDS)}' 2>/dev/null | answer partitions
  as_slurm scontrol --all --oneliner show nodes 2>/dev/null | answer nodes
  as_slurm scontrol --all --oneliner show reservations 2>/dev/null | answer reservations
}}

case $1 in
database) database ;;
slurmdbd) slurmdbd_role ;;
slurmctld)
  slurmctld_role
  for daemon in slurmctld slurmdbd; do
    [ -e {FOLDER}/$daemon.log ] && grep -E 'fatal: |error: ' {FOLDER}/$daemon.log | tail -n 200 | answer $daemon.log
  done
  # Of a daemon that ends without a word on it, the last words.
  for daemon in slurmctld slurmdbd; do
    [ -e {FOLDER}/$daemon.log ] && tail -n 5 {FOLDER}/$daemon.log | answer $daemon.tail
  done
  grep -E "Table .* has changed|Conversion done: success" {FOLDER}/slurmdbd.log 2>/dev/null | answer conversion
  touch {DONE}
  log "done"
  ;;
esac
"""
