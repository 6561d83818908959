"""Keys, tokens and passwords, and the lines of configuration files about them."""

import base64

from tests.unit.ack_slurm.errors.harness import SECRETS, errors_of

TWICE = base64.b64encode(base64.b64encode(b"k" * 512)).decode()
TOKEN = base64.b64encode(b"a.b.c").decode()


def test_messages_never_repeat_a_secret() -> None:
    for name in SECRETS:
        for secret in ("s3cret#", "s3cret\n", "s3cret"):
            assert "s3cret" not in " ".join(errors_of({name: secret}))
