"""The table of parts: what the toolchain consists of, and from which Go module each comes.

Versions are not here: they stand in each part's go.mod, pinned by its go.sum. A part's key is the hash of everything
that decides how it comes out, so a changed pin makes a new folder and an unchanged one is never built again.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

MODULES = Path(__file__).resolve().parent / "go"
KUBERNETES = "k8s.io/component-base/version"
PULUMI_SDK = "github.com/pulumi/pulumi/sdk/v3"
PROVIDER = "github.com/pulumi/pulumi-kubernetes/provider/v4"
OPERATOR = "github.com/SlinkyProject/slurm-operator"
ENGINE_PARTS = ("engine", "provider-kubernetes")
YAML = "language-yaml"
"""The part by which the engine runs programs in YAML."""
SDK_GENERATOR = "sdk-generator"
"""The part that writes a package's SDK for a language."""
PULUMI_PARTS = (*ENGINE_PARTS, YAML, SDK_GENERATOR)
"""What an official pulumi has itself."""
REAL_NODE_PARTS = ("charts", *ENGINE_PARTS, "control-plane", "slurm-operator")
"""What a cluster with real nodes needs."""
SIMULATED_NODE_PARTS = (*REAL_NODE_PARTS, "kwok")
"""What a cluster with simulated nodes needs; the previous slurm-operator is for tests alone."""


@dataclass(frozen=True)
class Copy:
    """Files of a module that go into the part's folder as they are; `source` is a pattern inside the module."""

    module: str
    source: str
    target: str = "."
    version: str | None = None
    """Needed only where the part takes the same module in two versions."""
    executable: bool = False
    """Set for scripts, because module archives carry no permissions."""


@dataclass(frozen=True)
class Part:
    """One folder of the toolchain."""

    name: str
    says: str
    """What it is, in the progress lines."""
    binaries: tuple[tuple[str, str], ...] = ()
    """(file name, Go package) of each program."""
    ldflags: str = ""
    copies: tuple[Copy, ...] = ()
    scripts: tuple[tuple[str, str], ...] = ()
    """(file name, text) of each script of ours."""
    on_demand: bool = False
    """Whether it is made only where it is named: a cluster doesn't need it."""
    gib: float = 0.5
    """Disk that building it from nothing takes in Go's caches, measured and rounded up."""

    @property
    def module(self) -> Path:
        """The Go module with the part's pins."""
        return MODULES / self.name

    @property
    def key(self) -> str:
        """Short hash over the pins, the sources and the way of building."""
        digest = hashlib.sha256(repr((self.binaries, self.ldflags, self.copies, *self.scripts)).encode())
        sources = {"main.go", *(source.name for source in self.module.glob("*.go"))}
        for file in ("go.mod", "go.sum", *sorted(sources)):
            path = self.module / file
            digest.update(file.encode() + (path.read_bytes() if path.exists() else b""))
        return digest.hexdigest()[:16]

    def requirements(self) -> list[tuple[str, str]]:
        """Return (module, version) of every requirement in go.mod."""
        return re.findall(r"^\s*(?:require\s+)?(\S+\.\S+)\s+(v\S+)", (self.module / "go.mod").read_text(), re.M)


LANGUAGE_HOST = "PULUMI_SLURM_LANGUAGE_HOST"
"""The variable with the file of Pulumi's language host for Python: `devcluster/language_host.py` of the checkout."""
_LANGUAGE_HOST = f"""#!/bin/sh
# Runs the language host of the checkout that runs the engine, by the Python of the program.
exec python -P "${LANGUAGE_HOST}" "$@"
"""

_CHARTS = (
    Copy("github.com/cert-manager/cert-manager", "deploy/charts/cert-manager", "cert-manager/chart"),
    Copy("github.com/cert-manager/cert-manager", "deploy/crds/*.yaml", "cert-manager/crds"),
    Copy("github.com/kedacore/charts", "keda", "keda/chart"),
    Copy("github.com/kedacore/keda/v2", "config/crd/bases/*.yaml", "keda/crds"),
    Copy("github.com/mariadb-operator/mariadb-operator", "config/crd/bases/*.yaml", "mariadb-operator/crds"),
    Copy(
        "github.com/prometheus-operator/prometheus-operator",
        "example/prometheus-operator-crd/*.yaml",
        "prometheus-operator/crds",
    ),
    Copy("sigs.k8s.io/jobset", "config/components/crd/bases/*.yaml", "workloads/crds"),
    Copy("sigs.k8s.io/lws", "config/crd/bases/*.yaml", "workloads/crds"),
    Copy("sigs.k8s.io/scheduler-plugins", "config/crd/bases/scheduling.x-k8s.io_podgroups.yaml", "workloads/crds"),
    Copy("sigs.k8s.io/kwok", "kustomize/stage/pod/fast/pod-*.yaml", "kwok/stages"),
    Copy("sigs.k8s.io/kwok", "kustomize/stage/node/fast/node-*.yaml", "kwok/stages"),
    Copy("sigs.k8s.io/kwok", "kustomize/stage/node/heartbeat/node-*.yaml", "kwok/stages"),
    Copy("sigs.k8s.io/kwok", "kustomize/stage/volume/fast/pv*.yaml", "kwok/stages"),
    *(
        Copy(OPERATOR, source, f"slurm-operator-{version}/{target}", f"v{version}")
        for version in ("1.0.1", "1.1.0")
        for source, target in (
            ("helm/*", "helm"),
            ("config/crd/bases/*.yaml", "crds"),
            ("config/rbac/*.yaml", "rbac"),
            ("config/webhook/*.yaml", "webhook"),
        )
    ),
)

PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        Part("charts", "charts and CRDs of the operators", copies=_CHARTS),
        Part(
            "engine",
            "Pulumi engine",
            gib=4,
            binaries=(("pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"),),
            # The Automation API refuses an engine that does not know its own version.
            ldflags=f"-X {PULUMI_SDK}/go/common/version.Version=v3.259.0",
            # What runs a program in Python, and the resources that one defines.
            copies=(
                Copy(PULUMI_SDK, "python/cmd/pulumi-language-python-exec", executable=True),
                Copy(PULUMI_SDK, "python/dist/pulumi-resource-pulumi-python", executable=True),
            ),
            # Beside the engine, which warns of one that is elsewhere on PATH.
            scripts=(("pulumi-language-python", _LANGUAGE_HOST),),
        ),
        # These two take four minutes of processor time, for a few tests; `make up` doesn't wait for them.
        Part(
            YAML,
            "Pulumi's language host for YAML",
            on_demand=True,
            gib=2,
            binaries=(("pulumi-language-yaml", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"),),
        ),
        Part(SDK_GENERATOR, "Pulumi's generators of SDKs", on_demand=True, gib=2, binaries=(("generate-sdk", "."),)),
        Part(
            "provider-kubernetes",
            "Pulumi's Kubernetes provider",
            gib=5,
            binaries=(("pulumi-resource-kubernetes", "."),),
            copies=(
                Copy(PROVIDER, "cmd/pulumi-resource-kubernetes/schema.json"),
                Copy(PROVIDER, "cmd/pulumi-resource-kubernetes/terraform-mapping.json"),
            ),
        ),
        Part(
            "control-plane",
            "etcd, the Kubernetes control plane, kubelet, kube-proxy and CoreDNS",
            gib=4,
            binaries=(("control-plane", "."),),
            # Without these the API server's version is unparsable for clients.
            ldflags=f"-X {KUBERNETES}.gitVersion=v1.35.4 -X {KUBERNETES}.gitMajor=1 -X {KUBERNETES}.gitMinor=35",
        ),
        Part(
            "slurm-operator",
            "slurm-operator 1.1.0",
            binaries=(
                ("slurm-operator", f"{OPERATOR}/cmd/manager"),
                ("slurm-operator-webhook", f"{OPERATOR}/cmd/webhook"),
            ),
        ),
        Part(
            "slurm-operator-previous",
            "slurm-operator 1.0.1",
            # Its webhook binds a fixed port on all interfaces, so only the manager is built.
            binaries=(("slurm-operator-previous", f"{OPERATOR}/cmd/manager"),),
        ),
        Part("kwok", "kwok", gib=1, binaries=(("kwok", "sigs.k8s.io/kwok/cmd/kwok"),)),
    )
}
