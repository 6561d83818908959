"""Requests in HTTP from within the cluster, by bash alone: no image is known to have a client."""

import shlex

from pulumi_slurm_cli.proof.place import Place

_SECONDS = 10
_NO_BASH = 3
_GET = """
command -v bash >/dev/null || exit 3
timeout {seconds} bash -c '
    exec 3<>"/dev/tcp/$1/$2" || exit 4
    printf "GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n" "$3" "$1" >&3
    {read}' bash {words}
"""


def status_of(place: Place, host: str, port: int, path: str) -> str | None:
    """Return the status of an answer, such as "401"; "" where none comes, None where nobody can ask."""
    return _asked(place, host, port, path, "read -r _ status _ <&3; echo $status")


def text_of(place: Place, host: str, port: int, path: str) -> str | None:
    """Return an answer as a whole; "" where none comes, None where nobody can ask."""
    return _asked(place, host, port, path, "cat <&3")


def _asked(place: Place, host: str, port: int, path: str, read: str) -> str | None:
    words = shlex.join((host, str(port), path))
    asked = place.query(_GET.format(seconds=_SECONDS, read=read, words=words))
    return None if asked.code == _NO_BASH else asked.output.strip() if asked.code == 0 else ""
