"""Python on a host, whose image has none: by it a proof measures GPUs."""

import io
import tarfile

from tests.slurmd.host import Host
from tools.gpu_bundle import write_python

FOLDER = "/opt/python"


def python_in(host: Host) -> None:
    """Put the Python that runs these tests into a host."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as packed:
        write_python(packed)
    archive.seek(0)
    with tarfile.open(fileobj=archive) as packed:
        packed.extractall(host.root / FOLDER.lstrip("/"), filter="tar")
    host.write("/usr/bin/python3", f'#!/bin/sh\nexec {FOLDER}/bin/python3 "$@"\n', mode=0o755)
