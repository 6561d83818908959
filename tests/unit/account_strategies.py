"""Random accounting databases, with QoS and accounts."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm import model as s
from tests.unit.pod_strategies import claims, endpoints, placements, pods, resources, secret_keys
from tests.unit.value_strategies import FLAGS, config_lines, hosts, images, partial_model, slurm_times

S3_KEYS: dict[str, Any] = {
    key: s.SecretKeyRef(name="s3", key=key.replace("_", "-")) for key in ("access_key_id", "secret_access_key")
}
databases = st.one_of(
    partial_model(
        s.DatabaseSpec,
        volume=claims,
        port=st.integers(1, 65535),
        name=st.just("acct_db"),
        user=st.just("me"),
        resources=resources,
        pod=placements,
    ),
    partial_model(
        s.DatabaseSpec,
        {"kind": st.just("mariadb-operator"), "replicas": st.sampled_from([1, 3])},
        backup=st.builds(s.BackupSpec, volume=claims)
        | st.just(s.BackupSpec(s3=s.S3Spec(bucket="hpc-backups", endpoint="minio:9000", tls=False, **S3_KEYS))),
        volume=claims,
        image=images,
        resources=resources,
        pod=placements,
    ),
    partial_model(
        s.DatabaseSpec, {"kind": st.just("external"), "host": hosts, "password_secret": secret_keys}, port=st.just(3307)
    ),
)
slurmdbd_lines = config_lines(
    {
        **dict.fromkeys(["PurgeJobAfter", "PurgeEventAfter"], st.sampled_from(["12months", "1month"])),
        "ArchiveDir": st.just("/tmp"),
        "TrackWCKey": FLAGS,
        "MessageTimeout": st.integers(5, 300),
        "MaxQueryTimeRange": slurm_times,
    }
)
accountings = st.one_of(
    partial_model(s.AccountingSpec, {"external": endpoints}),
    partial_model(
        s.AccountingSpec,
        database=databases,
        extra_conf=slurmdbd_lines,
        image=images,
        resources=resources,
        pod=pods(host_network=False),
    ),
    partial_model(s.AccountingSpec, database=databases),
)

amounts = st.dictionaries(st.sampled_from(["cpu", "node", "mem"]), st.integers(1, 10**6), max_size=2)
limits: dict[str, st.SearchStrategy[Any]] = {
    "grp_tres": amounts,
    "grp_jobs": st.integers(0, 10**4),
    "max_wall": st.sampled_from(["30", "1-00:00:00", "UNLIMITED"]),
    "options": st.sampled_from([{"GrpSubmitJobs": "100"}, {"MaxTRESPerNode": "cpu=4"}]),
}
qos_fields = st.fixed_dictionaries(
    {
        "priority": st.none() | st.integers(0, 10**6),
        "max_tres_per_user": amounts,
        "max_jobs_per_user": st.none() | st.integers(0, 100),
        "flags": st.lists(st.sampled_from(["DenyOnLimit", "NoDecay"]), max_size=2, unique=True),
        **limits,
    }
)
account_fields = st.fixed_dictionaries(
    {
        "description": st.none() | st.just("Group of A, B & C"),
        "fairshare": st.none() | st.integers(0, 1000),
        "default_qos": st.none() | st.just("normal"),
        "users": st.lists(st.sampled_from(["alice", "bob.b", "carol-1"]), max_size=2, unique=True),
        **limits,
    }
)


@st.composite
def with_accounts(draw: DrawFn, accounting: s.AccountingSpec, qos_names: Iterable[str]) -> s.AccountingSpec:
    """Draw an accounting database that has at least the named QoS."""
    # Slurm ignores the case of what refers to them.
    all_qos_names = sorted(
        {*map(str.lower, qos_names), *draw(st.lists(st.sampled_from(["gold", "spot"]), max_size=2))} - {"normal"}
    )
    qos = [
        s.QosSpec(
            name=name,
            preempt=draw(st.lists(st.sampled_from(all_qos_names[:index] or ["normal"]), max_size=1)),
            **draw(qos_fields),
        )
        for index, name in enumerate(all_qos_names)
    ]
    accounts: list[s.AccountSpec] = []
    for name in draw(st.lists(st.sampled_from(["ml", "physics", "chem_2"]), max_size=3, unique=True)):
        # One that every account may take, so that it can be the default of any.
        account_qos = draw(
            st.just([]) | st.lists(st.sampled_from(all_qos_names or ["normal"]), max_size=2, unique=True)
        )
        account_qos = ["normal", *(name for name in account_qos if name != "normal")] if account_qos else []
        accounts.append(
            s.AccountSpec(
                name=name,
                parent=draw(st.sampled_from(["root", *(account.name for account in accounts)])),
                qos=account_qos,
                **draw(account_fields),
            )
        )
    users = sorted({user for account in accounts for user in account.users})
    admins, coordinators = (draw(st.lists(st.sampled_from(users), max_size=1)) if users else [] for _ in range(2))
    if accounts:
        accounts[-1] = accounts[-1].model_copy(update={"coordinators": coordinators})
    return accounting.model_copy(update={"qos": qos, "accounts": accounts, "admins": admins})
