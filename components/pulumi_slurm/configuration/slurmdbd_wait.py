"""The script with which Jobs wait for slurmdbd, so that their first pod doesn't fail while it starts."""

SECONDS = 300
"""How long a pod waits; then it fails with sacctmgr's last words, and the Job tries again.

Shorter than the 10 minutes that Pulumi gives a Job, so that it has them to show
(https://www.pulumi.com/registry/packages/kubernetes/api-docs/batch/v1/job/), and than the hour of the pod's token.
"""

WAIT_SCRIPT = f"""#!/bin/sh
# Waits until slurmdbd answers, which may have been started just now. What waiting doesn't mend ends it at once.
set -u
deadline=$(($(date +%s) + {SECONDS}))
said=
until answer=$(sacctmgr --noheader --parsable2 show cluster format=cluster 2>&1); do
  case $answer in
    # A wrong key, or a token that has expired.
    *"Protocol authentication error"*) ;;
    # Said with the reason whenever there is no connection: _connect_dbd_conn in
    # src/plugins/accounting_storage/slurmdbd/dbd_conn.c at slurm-25-11-0-1, the same since slurm-22-05-0-1.
    *"Sending PersistInit msg"*)
      if [ "$(date +%s)" -lt "$deadline" ]; then
        if [ -z "$said" ]; then echo "Waiting for slurmdbd."; fi
        said=yes
        sleep 2
        continue
      fi ;;
  esac
  printf '%s\n' "$answer" "sacctmgr did not reach slurmdbd." >&2
  exit 1
done
"""
