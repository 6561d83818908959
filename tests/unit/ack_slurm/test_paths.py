"""Paths of `ack.slurm`, which shells, slurm.conf and nslcd.conf read: one word, whatever somebody writes."""

import subprocess
from typing import Any

from hypothesis import example, given, strategies as st

from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.start_scripts import after_slurmdbd_starts, scripts, worker_script
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load_model
from pulumi_slurm.spelling import Spelling, spelled
from tests.unit.ack_slurm.examples import ack, cluster

FIELDS = (
    *((field,) for field in ("configPath", "mungePath", "jwtPath")),
    *(("powerSaving", field) for field in ("suspendProgram", "resumeProgram")),
    ("ldap", "caFile"),
)
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-")
ODD, FOLDER = "/var/m;id $(id) \"' &|", "/etc/my config;id"
"""What no field takes."""


def options(field: tuple[str, ...], value: str) -> dict[str, Any]:
    inner: Any = value
    for name in reversed(field):
        inner = {name: inner}
    return dict(inner)


def errors(field: tuple[str, ...], value: str) -> list[str]:
    try:
        with spelled(Spelling.CAMEL_CASE):
            load_model(AckSlurmSpec, options(field, value), "The options", at=("ack", "slurm"))
    except SpecError as error:
        return list(map(str, error.errors))
    return []


@given(
    st.sampled_from(FIELDS), st.text(max_size=8) | st.text(";$`'\"\\ \n\r\t&|<>(){}*?[]!#~=%:,", min_size=1, max_size=3)
)
@example(("mungePath",), "m;id")
@example(("jwtPath",), "j\n")
def test_a_path_has_no_letter_that_means_something(field: tuple[str, ...], text: str) -> None:
    path = f"/srv/{text}"
    found = errors(field, path)
    if set(path) <= PLAIN and ".." not in path.split("/"):
        assert found == []
    else:
        (error,) = found
        assert error.startswith(f"ack.slurm.{'.'.join(field)} = ")
        assert "this is not a plain absolute path" in error or "there is a line break" in error


SAYS_ITS_ARGUMENTS = """
munge() { return 1; }
nohup() { "$@"; }
bash() { printf '%s\\n' "$@"; exit; }
"""


def arguments(shell: str, script: str) -> list[str]:
    """Return the arguments of the first `bash` that a script calls."""
    done = subprocess.run([shell, "-c", f"{SAYS_ITS_ARGUMENTS}{script}"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_what_shells_are_given_is_quoted_all_the_same() -> None:
    spec, pools = cluster()
    odd = ack().model_copy(update={"munge_path": ODD, "config_path": FOLDER})
    assert arguments("bash", scripts(spec, odd)["controller-started.sh"]) == [f"{FOLDER}/start-munge.sh", ODD]
    *_, hook = after_slurmdbd_starts(odd)
    assert arguments("sh", hook.partition(" >/var/log")[0]) == [f"{FOLDER}/slurmdbd-started.sh", FOLDER, ODD]
    for group in groups_of(spec, pools, odd):
        # The operator fills in what the object says, as text.
        script = worker_script(spec, group, odd).replace("{{.SlurmConfPath}}", FOLDER)
        assert arguments("bash", script.replace("{{.MungeKeyPath}}", "/m;id")) == [f"{FOLDER}/start-munge.sh", "/m;id"]
