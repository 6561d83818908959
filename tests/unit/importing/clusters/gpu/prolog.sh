#!/bin/bash
nvidia-smi --query-gpu=ecc.errors.uncorrected.volatile.total --format=csv,noheader | grep -qv '^0$' && exit 1
exit 0
