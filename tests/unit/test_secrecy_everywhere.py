"""No message repeats a secret at any place of any model: in a right field or an unknown one, of a right type or not."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import BaseModel

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_stacks.config import config_model, kinds
from tests.stack_configuration import ROOT_KEY
from tests.unit.secret_strategies import Place, looks, passwords, places_in
from tests.unit.telling import read_stack, told

NODE_SETS = [{"name": "a", "machine": {"cpus": 4, "memory": "8Gi"}}]
GKE = {"project": "my-project", "zones": ["us-central1-b"], "pools": []}
ACK = {"zones": ["cn-hangzhou-i"], "pools": []}


def load_slurm(data: dict[str, Any]) -> None:
    load({"name": "c", "nodeSets": NODE_SETS, **data})


def load_pools(data: dict[str, Any]) -> None:
    load({"name": "c"}, [{"name": "p", "machine": {"cpus": 4, "memory": "8Gi"}, **data}])


def load_stack(kind: str) -> Callable[[dict[str, Any]], None]:
    def read(data: dict[str, Any]) -> None:
        own = {"gke": GKE, "ack": ACK}.get(kind)
        needed = {"rootKey": ROOT_KEY, "cluster": {"name": "c"}, **({kind: own} if own else {})}
        if kind == "copilot":
            needed = {"outsideSlurm": {"name": "c", "addresses": ["10.1.0.4"]}, "copilotToken": "a.b.c"}
        read_stack({**needed, **data, "kind": kind})

    return read


SUBJECTS: dict[str, tuple[type[BaseModel], Callable[[dict[str, Any]], object]]] = {
    "specification": (SlurmSpec, load_slurm),
    "pools": (NodePoolSpec, load_pools),
    "gke": (GkeSpec, lambda data: load_gke({**GKE, **data})),
    "ack": (AckSpec, lambda data: load_ack({**ACK, **data})),
    **{f"stack {kind}": (config_model(kind), load_stack(kind)) for kind in kinds()},
}


@cache
def places(subject: str) -> list[Place]:
    return list(places_in(SUBJECTS[subject][0]))


@pytest.mark.parametrize("subject", SUBJECTS)
@settings(deadline=None)
@given(data=st.data())
def test_what_looks_like_a_secret_is_never_repeated(subject: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(places(subject)))
    text, secret = data.draw(looks)
    assert secret not in told(SUBJECTS[subject][1], place.put(text))


@pytest.mark.parametrize("subject", SUBJECTS)
@settings(deadline=None)
@given(data=st.data())
def test_where_values_are_never_shown_none_is(subject: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([place for place in places(subject) if place.never_shown]))
    secret = data.draw(passwords)
    assert secret not in told(SUBJECTS[subject][1], place.put(secret))
