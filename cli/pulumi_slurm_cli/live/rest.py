"""slurmrestd, read only: what it answers, or why it has no answer."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pulumi_slurm_cli.live.error import LiveClusterError
from pulumi_slurm_cli.live.proxy import Answer
from pulumi_slurm_cli.shapes import Fields, Shape, shape_errors

VERSIONS = ("v0.0.45", "v0.0.44", "v0.0.43", "v0.0.42", "v0.0.41", "v0.0.40")
"""Versions of slurmrestd's API that we read, the newest first.

Slurm 24.11 has 40 to 42, 25.05 has 40 to 43, 25.11 has 41 to 44, 26.05 has 42 to 45: src/plugins/data_parser of the
branches slurm-24.11 to slurm-26.05.
"""
_FOR_JOBS = VERSIONS[1:]
"""In v0.0.45 of 26.05 no job says whether it shares its nodes: `exclusive` of slurm_job_info_t isn't in
PARSER_ARRAY(JOB_INFO) of src/plugins/data_parser/v0.0.45/parsers.c, and `shared` there is no longer filled."""

Get = Callable[[str, Mapping[str, str]], Answer]
"""Sends a GET with a path below slurmrestd and with headers."""


class Slurmrestd:
    """slurmrestd as a user with a token reads it."""

    def __init__(self, get: Get, token: str, name: str = "slurmrestd") -> None:
        """Take how it is asked, and how messages call it; find the newest version that both know.

        Raises:
            LiveClusterError: if it has no answer, or none of our versions.
        """
        self._get = get
        self._headers = {"X-SLURM-USER-TOKEN": token, "Accept": "application/json"}
        self._name = name
        self.version = self._newest()

    def _newest(self) -> str:
        for version in VERSIONS:
            answer = self._get(f"/slurm/{version}/ping/", self._headers)
            if answer.status != NOT_FOUND or _is_of_kubernetes(answer):
                self._read(answer, "ping", "pings")
                return version
        problem = f"it has none of the versions {VERSIONS[-1]} to {VERSIONS[0]} of its API"
        raise LiveClusterError(f"{self._name}: {problem}. Slurm 24.11 to 26.05 have them.")

    def get(self, resource: str, key: str, query: str = "") -> dict[str, Any]:
        """Return what it says of something, such as "nodes", in which ``key`` has the list.

        Raises:
            LiveClusterError: if it doesn't say.
        """
        version = self.version if resource != "jobs" or self.version in _FOR_JOBS else _FOR_JOBS[0]
        return self._read(self._get(f"/slurm/{version}/{resource}/{query}", self._headers), resource, key)

    def get_database(self, resource: str, key: str) -> dict[str, Any]:
        """Return what slurmdbd says of something, such as "accounts".

        Raises:
            LiveClusterError: if it doesn't say, as without slurmdbd.
        """
        return self._read(self._get(f"/slurmdb/{self.version}/{resource}/", self._headers), resource, key)

    def get_configuration(self) -> Mapping[str, Any] | None:
        """Return slurmctld's slurm.conf as it has it in memory; None before Slurm 26.05, whose slurmrestd can't say.

        Raises:
            LiveClusterError: if it doesn't say.
        """
        if self.version != VERSIONS[0]:
            return None
        answer = self._get(f"/slurm/{self.version}/conf", self._headers)
        configuration = self._read(answer, "conf", "slurm_conf")["slurm_conf"]
        if not isinstance(configuration, dict):
            raise LiveClusterError(f"{self._name}: it doesn't say conf: slurm_conf is no mapping. {_OTHER_SERVER}")
        return configuration

    def _read(self, answer: Answer, resource: str, key: str) -> dict[str, Any]:
        """Return an answer; one with errors is none, since its lists are empty whatever there is."""
        data = _json(answer.text)
        if _is_of_kubernetes(answer):
            raise LiveClusterError(f"{self._name}: {_of_kubernetes(data, answer.status)}")
        if wrong := shape_errors(_Answer, data):
            detail = f"{wrong[0].where}: {wrong[0].problem}. {_OTHER_SERVER}"
            raise LiveClusterError(f"{self._name}: it doesn't say {resource}: {detail}")
        errors = data.get("errors") or []
        if errors or answer.status != OK:
            raise LiveClusterError(f"{self._name}: it doesn't say {resource}: {_of_slurm(errors, answer)}")
        if key not in data:
            raise LiveClusterError(f"{self._name}: it doesn't say {resource}: its answer has no {key}. {_OTHER_SERVER}")
        return data


class _Answer(Shape):
    errors: list[Fields] | None = None


OK, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, NO_AUTHENTICATION = 200, 401, 403, 404, 511
_NO_SERVER = (502, 503, 504)
_OTHER_SERVER = "See that the Service leads to slurmrestd."
_WRONG_TOKEN = "Protocol authentication error"


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _is_of_kubernetes(answer: Answer) -> bool:
    """Return whether the API server answers in place of slurmrestd."""
    return answer.text.startswith("{") and answer.status != OK and _json(answer.text).get("kind") == "Status"


def _of_kubernetes(data: Mapping[str, Any], status: int) -> str:
    message = str(data.get("message", "")).strip() or str(status)
    if status in (UNAUTHORIZED, FORBIDDEN):
        return f"Kubernetes refuses: {message}. You need the verb get on services/proxy in this namespace."
    if status == NOT_FOUND:
        return f"Kubernetes says: {message}. Name the context and the namespace of the cluster."
    if status in _NO_SERVER:
        fix = "See that the pods of slurmrestd are ready, and that they admit the API server."
        return f"Kubernetes says: {message}. {fix}"
    return f"Kubernetes says: {message}."


def _of_slurm(errors: list[Mapping[str, Any]], answer: Answer) -> str:
    message = "; ".join(
        " - ".join(text for key in ("description", "error") if (text := str(error.get(key) or ""))) for error in errors
    )
    message = message or f"{answer.status} {'' if answer.text.startswith('{') else answer.text[:200]}".strip()
    if answer.status in (UNAUTHORIZED, NO_AUTHENTICATION) or _WRONG_TOKEN in message:
        return f"{message}. The token is of no use: it has expired, or is of another key. Take a new one."
    return f"{message}. See that slurmctld answers, as by scontrol ping."
