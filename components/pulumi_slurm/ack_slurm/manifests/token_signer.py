"""A small Deployment that signs the copilot's token for a Slurm outside, with Slurm's own key, and renews it.

Slurm takes a token that is signed with jwt_hs256.key (HS256) and names its user in the claim "sun":
src/plugins/auth/jwt/auth_jwt.c of SchedMD/slurm, and https://slurm.schedmd.com/jwt.html. It is signed here, and not
asked for by `scontrol token`: that takes a client of a release that the slurmctld outside speaks with, a way to its
port, and a token that has not expired.
"""

from pulumi_slurm.ack_slurm.model.outside import TOKEN_SECRET, OutsideSlurmSpec
from pulumi_slurm.manifests.kubectl_script import kubectl_script
from pulumi_slurm.manifests.objects import READABLE_BY_GROUP, Manifest, Manifests, by_kind, manifest
from pulumi_slurm.manifests.rbac import GROUP, role_binding
from pulumi_slurm.model.cluster_ref import ClusterRef

LIFETIME_SECONDS = 7 * 24 * 3600
"""How long a token is valid. Whatever keeps it from being renewed has that long to end."""
_RENEWED_EVERY = 24 * 3600
_LOOK_EVERY = 30
"""How soon another key counts, in seconds."""
_ROLE = "copilot-token"
_FOLDER = "/jwt"

# HMAC by sha256sum (RFC 2104), for kubectl's image has no openssl; no argument of a program holds key or token.
_SCRIPT = f"""
set -eu
umask 077
hex() {{ od -An -v -tx1 | tr -d ' \\n'; }}
numbers() {{ sed 's/../0x& /g'; }}
bytes() {{
  mask=$1
  shift
  text=
  for byte; do
    byte=$((byte ^ mask))
    text="$text\\\\0$((byte / 64))$((byte / 8 % 8))$((byte % 8))"
  done
  printf %b "$text"
}}
digest() {{ sha256sum | cut -c 1-64 | numbers; }}
hmac() {{
  key=$(hex < "$KEY_FILE")
  [ "${{#key}}" -le 128 ] || key=$(sha256sum < "$KEY_FILE" | cut -c 1-64)
  while [ "${{#key}}" -lt 128 ]; do key="${{key}}00"; done
  key=$(printf %s "$key" | numbers)
  # shellcheck disable=SC2046,SC2086 # Each number is a word.
  {{ bytes 92 $key; bytes 0 $({{ bytes 54 $key; cat; }} | digest); }} | {{ set -- $(digest); bytes 0 "$@"; }}
}}
base64url() {{ base64 | tr -d '=\\n' | tr '/+' '_-'; }}
sign() {{
  now=$(date +%s)
  claims="{{\\"exp\\":$((now + {LIFETIME_SECONDS})),\\"iat\\":$now,\\"sun\\":\\"$SLURM_USER\\"}}"
  text="$(printf '{{"alg":"HS256","typ":"JWT"}}' | base64url).$(printf %s "$claims" | base64url)"
  printf %s.%s "$text" "$(printf %s "$text" | hmac | base64url)"
}}
signed_for=
while true; do
  turn="$(($(date +%s) / {_RENEWED_EVERY})) $(sha256sum < "$KEY_FILE")"
  if [ "$turn" != "$signed_for" ]; then
    token=$(sign)
    printf '{{"stringData":{{"%s":"%s"}}}}' "$CLUSTER" "$token" |
      kubectl patch secret {TOKEN_SECRET} --type=merge --patch-file=/dev/stdin
    signed_for=$turn
    touch "$HOME/ready"
  fi
  sleep {_LOOK_EVERY}
done
"""


def token_signer(ref: ClusterRef, outside: OutsideSlurmSpec) -> Manifests:
    """Return the Deployment and what it may do; empty where nothing is to be signed.

    It is ready when the Secret has a token.
    """
    secret = outside.jwt_key_secret
    if secret is None:
        return {}
    name = f"{ref.name}-{_ROLE}"
    rule: Manifest = {
        "apiGroups": [""],
        "resources": ["secrets"],
        "resourceNames": [TOKEN_SECRET],
        "verbs": ["get", "patch"],
    }
    env = {"CLUSTER": outside.name, "SLURM_USER": outside.slurm_user, "KEY_FILE": f"{_FOLDER}/{secret.key}"}
    deployment = kubectl_script(
        ref,
        _ROLE,
        _SCRIPT,
        env,
        "$HOME/ready",
        folders={_FOLDER: {"secret": {"secretName": secret.name, "defaultMode": READABLE_BY_GROUP}}},
    )
    account = manifest("v1", "ServiceAccount", ref, name)
    role = manifest(f"{GROUP}/v1", "Role", ref, name, rules=[rule])
    binding = manifest(f"{GROUP}/v1", "RoleBinding", ref, name, **role_binding(ref, name, "Role", name))
    return by_kind("token", [account, role, binding, deployment])
