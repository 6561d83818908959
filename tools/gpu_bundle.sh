#!/usr/bin/env bash
# On a machine with a GPU, and without network: takes the parts that tools/gpu_bundle.py has made, and runs the tests.
#   bash tools/gpu_bundle.sh take PART...      as often as some parts come
#   bash tools/gpu_bundle.sh run [ARGUMENTS]   of pytest, in addition
# BUNDLE is where it unpacks, OUT the folder for output, JUnit's report, the reports of proofs, and logs of failed tests.
set -euo pipefail
bundle=${BUNDLE:-/opt/gpu-bundle}
out=${OUT:-/tmp/gpu-tests}
mkdir -p "$bundle/parts" "$out"
case ${1:-} in
take)
    shift
    mv "$@" "$bundle/parts/"
    ls -s --block-size=M "$bundle/parts"
    ;;
run)
    shift
    if [ ! -e "$bundle/unpacked" ]; then
        cat "$bundle"/parts/part-* | xz -d | tar -x --numeric-owner -C "$bundle"
        touch "$bundle/unpacked"
    fi
    cd "$(dirname "$0")/.."
    # A wait in vain must not take all the time for which the machine is there.
    export SECONDS_THAT_HANG=${SECONDS_THAT_HANG:-60} REPORTS=$out PULUMI_SLURM_CACHE=$bundle/cache
    export PYTHONPATH=components:stacks:cli:. PATH=$PATH:/usr/sbin:/sbin:$bundle/bin PYTHONUNBUFFERED=1
    code=0
    "$bundle/bin/python3" -m pytest -v -p no:randomly -p no:cacheprovider --repeats --evidence="$out/evidence" \
        --junitxml="$out/junit.xml" tests/slurmd/test_proof.py tests/gpu "$@" 2>&1 | tee "$out/output" || code=$?
    # One file, since folders may not come back.
    if [ -d "$out/evidence" ]; then tar -czf "$out/evidence.tgz" -C "$out" evidence && rm -r "$out/evidence"; fi
    exit $code
    ;;
*)
    sed -n '2,5s/^# *//p' "$0"
    exit 2
    ;;
esac
