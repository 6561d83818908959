"""The Slurm cluster that a part belongs to."""

from pulumi_slurm.keys import Purpose
from pulumi_slurm.model.cluster_settings import ClusterSettings
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.model.slurm import SlurmSpec

SLURM_KEY = "slurm.key"
JWT_KEY = "jwt.key"
"""The keys of the Secrets that are made here; others say theirs."""


class ClusterRef(ClusterSettings):
    """Reference to the Slurm cluster that a part belongs to, with the settings that all of its parts share."""

    @classmethod
    def of(cls, spec: SlurmSpec) -> "ClusterRef":
        """Return the reference to the cluster of a specification."""
        return cls(**{name: getattr(spec, name) for name in cls.model_fields})

    def key_generations(self, *purposes: Purpose) -> str:
        """Return the generations of keys, as the value of an annotation of pods that read those of ``purposes``.

        A key that they don't read always counts as the first one. It isn't left out: the annotation used to name all
        keys in every pod, and another text would replace the workers of clusters whose keys were never rotated.
        """
        generations = {Purpose.SLURM: self.keys.slurm.generation, Purpose.JWT: self.keys.jwt.generation}
        current = {purpose: generations[purpose] if purpose in purposes else 1 for purpose in generations}
        return ",".join(f"{purpose}={generation}" for purpose, generation in current.items())

    def image(self, daemon: Daemon, slurm_version: str | None = None) -> str:
        """Return the image of a daemon, of the cluster's Slurm version or another."""
        return self.images.of(daemon, slurm_version or self.slurm_version)

    def reference(self) -> dict[str, str]:
        """Return the reference to the Controller (or Accounting), in the form that the operator's release expects."""
        return {
            "name": self.name,
            **({"namespace": self.namespace} if self.operator.references_carry_namespace else {}),
        }

    def slurm_key(self) -> dict[str, str]:
        """Return the reference to the auth/slurm key."""
        existing = self.keys.slurm.existing
        name, key = (existing.name, existing.key) if existing else (key_secret(self.name, "slurm"), SLURM_KEY)
        return {"name": name, "key": key}

    def jwt_key(self) -> dict[str, str]:
        """Return the reference to the auth/jwt key."""
        existing = self.keys.jwt.existing
        name, key = (existing.name, existing.key) if existing else (key_secret(self.name, "jwt"), JWT_KEY)
        return {"name": name, "key": key}
