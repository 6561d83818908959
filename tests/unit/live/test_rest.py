"""What slurmrestd and the API server before it answer: a list, or an error, and never an empty list for an error."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pulumi_slurm_cli.live import Answer, LiveClusterError, Slurmrestd, take_look
from pulumi_slurm_cli.live.rest import VERSIONS

NO_SUCH_PATH = "Unable find requested URL. Please view /openapi/v3 for API reference."
ABOUT = {"slurm": {"release": "25.11.2", "cluster": "slurm_c"}}
PING = {"pings": [{"hostname": "slurm-controller-0", "responding": True}], "meta": ABOUT, "errors": []}
LISTS = ("jobs", "nodes", "partitions", "reservations")


def answers(
    version: str = "v0.0.44", asked: list[str] | None = None, **other: tuple[int, Any]
) -> Callable[[str, Mapping[str, str]], Answer]:
    """Return a slurmrestd without jobs and nodes that knows one version; `other` is what it says instead."""

    def get(path: str, headers: Mapping[str, str]) -> Answer:
        if asked is not None:
            asked.append(path)
        assert headers["X-SLURM-USER-TOKEN"] == "t"
        _, _, its_version, what = path.split("/")[:4]
        if its_version != version and (its_version, what) != ("v0.0.44", "jobs"):
            return Answer(404, NO_SUCH_PATH)
        status, content = other.get(what, (200, PING if what == "ping" else {what: [], "errors": []}))
        return Answer(status, content if isinstance(content, str) else json.dumps(content))

    return get


def error(**other: tuple[int, Any]) -> str:
    with pytest.raises(LiveClusterError) as told:
        take_look(Slurmrestd(answers("v0.0.44", None, **other), "t"))
    return str(told.value)


def status(code: int, message: str) -> tuple[int, Any]:
    return code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}


def test_an_empty_cluster() -> None:
    look = take_look(Slurmrestd(answers(), "t"))
    assert (look.cluster, look.release, look.controllers) == ("slurm_c", "25.11.2", ("slurm-controller-0",))
    assert not any((look.jobs, look.nodes, look.partitions, look.reservations, look.unfinished))
    assert look.configuration is None


@pytest.mark.parametrize("version", VERSIONS)
def test_the_newest_version_that_it_has_is_asked(version: str) -> None:
    asked: list[str] = []
    slurm = Slurmrestd(answers(version, asked, conf=(200, {"slurm_conf": {"ClusterName": "c"}})), "t")
    assert slurm.version == version
    asked.clear()
    look = take_look(slurm)
    # v0.0.45 doesn't say which jobs share their nodes.
    assert f"/slurm/{'v0.0.44' if version == 'v0.0.45' else version}/jobs/?flags=ALL" in asked
    assert f"/slurm/{version}/nodes/" in asked
    assert look.configuration == ({"ClusterName": "c"} if version == "v0.0.45" else None)


def test_a_slurmrestd_with_none_of_our_versions() -> None:
    with pytest.raises(LiveClusterError, match=r"none of the versions v0\.0\.40 to v0\.0\.45 of its API\. Slurm 24"):
        Slurmrestd(answers("v0.0.39"), "t")


@pytest.mark.parametrize("what", LISTS)
def test_a_list_with_an_error_is_no_list(what: str) -> None:
    errors = [
        {"description": f"Unable to query {what}", "error_number": 1007, "error": "Protocol authentication error"}
    ]
    told = error(**{what: (511, {what: [], "errors": errors})})
    assert told == (
        f"slurmrestd: it doesn't say {what}: Unable to query {what} - Protocol authentication error. "
        "The token is of no use: it has expired, or is of another key. Take a new one."
    )
    assert error(**{what: (200, {what: [], "errors": errors})}) == told


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize("content", ["", "<html>", "[]", {}, {"errors": []}, {"kind": "Status"}])
def test_another_answer_is_no_empty_list(what: str, content: Any) -> None:
    assert error(**{what: (200, content)}).startswith(f"slurmrestd: it doesn't say {what}: its answer has no {what}.")


def test_slurmctld_away() -> None:
    away = {"pings": [{"hostname": "slurm-controller-0", "responding": False}], "meta": ABOUT, "errors": []}
    assert error(ping=(200, away)) == "slurmctld: it doesn't answer slurmrestd. See that its pod is ready."
    errors = [{"error": "Unable to contact slurm controller (connect failure)"}]
    assert error(jobs=(500, {"jobs": [], "errors": errors})) == (
        "slurmrestd: it doesn't say jobs: Unable to contact slurm controller (connect failure). "
        "See that slurmctld answers, as by scontrol ping."
    )


@pytest.mark.parametrize(
    ("code", "message", "fix"),
    [
        (401, "Unauthorized", "You need the verb get on services/proxy in this namespace."),
        (403, 'services "slurm-slurmrestd:http" is forbidden', "You need the verb get on services/proxy"),
        (404, 'services "slurm-slurmrestd" not found', "Name the context and the namespace of the cluster."),
        (
            503,
            'no endpoints available for service "slurm-slurmrestd:http"',
            "See that the pods of slurmrestd are ready",
        ),
        (500, "etcd is slow", "etcd is slow."),
    ],
)
def test_the_api_server_answers_in_its_place(code: int, message: str, fix: str) -> None:
    with pytest.raises(LiveClusterError) as told:
        Slurmrestd(answers("v0.0.45", ping=status(code, message)), "t", "here")
    assert str(told.value).startswith("here: Kubernetes ")
    assert f": {message}." in str(told.value)
    assert fix in str(told.value)


@pytest.mark.parametrize("what", LISTS)
def test_a_shape_that_we_do_not_know_is_told(what: str) -> None:
    assert error(**{what: (200, {what: [{}], "errors": []})}).startswith(
        f"slurmrestd: this version can't read what it says of {what}: KeyError: "
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"errors": "not found"}, "jobs: errors: this is not a list. See that the Service leads to slurmrestd."),
        ({"jobs": [], "errors": [3]}, "jobs: errors[0] = 3: this is not a mapping. See that the Service leads to"),
    ],
)
def test_errors_of_another_shape_are_told(content: Any, told: str) -> None:
    assert error(jobs=(404, content)).startswith(f"slurmrestd: it doesn't say {told}")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({**PING, "pings": 3}, "pings = 3: this is not a list"),
        ({**PING, "pings": [{"hostname": "a"}]}, "pings[0].responding: this field is required"),
        ({**PING, "meta": None}, "meta = null: this is not a mapping"),
    ],
)
def test_a_ping_of_another_shape_is_told(content: Any, told: str) -> None:
    told = f"slurmrestd: this version can't read what it says of ping: {told}. Tell us, with its release."
    assert error(ping=(200, content)) == told


def test_a_configuration_of_another_shape_is_told() -> None:
    with pytest.raises(LiveClusterError, match="it doesn't say conf: slurm_conf is no mapping"):
        take_look(Slurmrestd(answers("v0.0.45", conf=(200, {"slurm_conf": 3})), "t"))
