"""A kubectl in place of all others: it notes its arguments, and answers as a cluster without jobs might.

It makes nothing: `kubectl create` fails, and so do verbs that a test refuses. As a program it imports nothing of ours,
so that it starts at once.
"""

import io
import json
import os
import socket
import sys
import tarfile
from pathlib import Path

_CONF = b"ClusterName=c\nStateSaveLocation=/var/spool\n"
_LISTS = {"ping": ("pings", [{"hostname": "a", "responding": True}]), "conf": ("slurm_conf", {})}


def put_stub_kubectl(folder: Path, answer: object) -> None:
    """Write a program called kubectl into a folder, for which `kubectl get` finds this object, whatever it asks for."""
    (folder / "answer").write_text(json.dumps(answer))
    program = folder / "kubectl"
    program.write_text(f'#!/bin/sh\nSTUB={folder} exec {sys.executable} -S {__file__} "$@"\n')
    program.chmod(0o755)


def refuse(folder: Path, *verbs: str) -> None:
    """Have calls with these verbs fail."""
    (folder / "refused").write_text("\n".join(verbs))


def calls(folder: Path) -> list[list[str]]:
    """Return the arguments of each call, and forget them."""
    asked = folder / "asked"
    lines = asked.read_text().splitlines() if asked.exists() else []
    asked.unlink(missing_ok=True)
    return [json.loads(line) for line in lines]


def _answer(folder: Path, words: list[str]) -> int:
    with (folder / "asked").open("a") as asked:
        asked.write(json.dumps(words) + "\n")
    verb = next(word for word in words if not word.startswith("-"))
    if verb == "get":
        sys.stdout.write((folder / "answer").read_text())
    elif verb == "exec":
        sys.stdout.buffer.write(_inside(words[words.index("--") + 1 :]))
    elif verb == "proxy":
        _serve(next(word.partition("=")[2] for word in words if word.startswith("--unix-socket=")))
    refused = folder / "refused"
    if verb == "create" or (refused.exists() and verb in refused.read_text().split()):
        sys.stderr.write(f"no {verb}\n")
        return 1
    return 0


def _inside(command: list[str]) -> bytes:
    """Return what a program in slurmctld's pod prints: a tar file of its slurm.conf, unless it is one of Slurm's."""
    if command[0] != "sh":
        return {"slurmctld": b"slurm 25.11.1\n"}.get(command[0], b"")
    files = io.BytesIO()
    with tarfile.open(fileobj=files, mode="w") as archive:
        member = tarfile.TarInfo("slurm.conf")
        member.size = len(_CONF)
        archive.addfile(member, io.BytesIO(_CONF))
    return files.getvalue()


def _serve(name: str) -> None:
    """Answer as slurmrestd until somebody ends it."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(name)
    listener.listen()
    sys.stdout.write(f"Starting to serve on {name}\n")
    sys.stdout.flush()
    while True:
        connection, _ = listener.accept()
        path = connection.recv(65536).split()[1].decode().partition("/proxy/")[2].split("?")[0].split("/")
        key, content = _LISTS.get(path[2], (path[2], []))
        meta = {"slurm": {"release": "26.05.5", "cluster": "slurm_c"}}
        text = json.dumps({key: content, "meta": meta, "errors": []}).encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
        connection.close()


if __name__ == "__main__":
    sys.exit(_answer(Path(os.environ["STUB"]), sys.argv[1:]))
