"""The control plane: keys, versions, who may connect, and maintenance."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "key of another region": (
        """
        controlPlane: {secretsEncryptionKey: projects/p/locations/europe-west4/keyRings/k/cryptoKeys/c}
        """,
        [
            (
                "controlPlane.secretsEncryptionKey: the key has to be where the "
                "control plane is, in us-central1. Write a key of locations/us-central1."
            ),
        ],
    ),
    "key in another form": (
        """
        controlPlane: {secretsEncryptionKey: my-key}
        """,
        [
            (
                "controlPlane.secretsEncryptionKey: this is not the full name of a key. Write "
                "projects/P/locations/R/keyRings/K/cryptoKeys/C."
            ),
        ],
    ),
    "version in another form": (
        """
        controlPlane: {version: latest}
        """,
        [
            (
                'controlPlane.version = "latest": this is not a version of GKE. Write for example "1.35" or '
                '"1.35.2-gke.1842000".'
            ),
        ],
    ),
    "version before the add-on": (
        """
        slurmOperator: gke-addon
        controlPlane: {version: 1.35.1-gke.9000000}
        """,
        [
            (
                'controlPlane.version = "1.35.1-gke.9000000": slurmOperator gke-addon needs 1.35.2-gke.1842000. '
                'Write "1.35.2-gke.1842000" or a later one.'
            ),
        ],
    ),
    "version before Lustre and flex-start": (
        """
        controlPlane: {version: "1.32.1"}
        pools: [{name: p, machineType: g2-standard-4, capacity: flex-start, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'controlPlane.version = "1.32.1": capacity flex-start needs 1.32.2-gke.1652000. Write '
                '"1.32.2-gke.1652000" or a later one.'
            ),
            (
                'controlPlane.version = "1.32.1": Lustre needs 1.33.2-gke.1111000. Write '
                '"1.33.2-gke.1111000" or a later one.'
            ),
        ],
    ),
    "version before Lustre on Arm": (
        """
        controlPlane: {version: "1.33"}
        pools: [{name: p, machineType: t2a-standard-8, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'controlPlane.version = "1.33": Lustre on the Arm machines of "p" needs 1.34.1-gke.2541000. '
                'Write "1.34.1-gke.2541000" or a later one.'
            ),
        ],
    ),
    "control plane open to the world": (
        """
        controlPlane: {authorizedNetworks: [{cidr: 0.0.0.0/0, name: all}, {cidr: office, name: office}]}
        """,
        [
            (
                'controlPlane.authorizedNetworks[1].cidr = "office": this is not a network in CIDR form. '
                'Write for example "192.0.2.0/24".'
            ),
            (
                'controlPlane.authorizedNetworks[0].cidr = "0.0.0.0/0": this opens the control plane to '
                "everyone. Name the networks that need it, or leave it out and use the DNS name, which IAM "
                "guards."
            ),
        ],
    ),
    "window that is too short": (
        """
        controlPlane: {maintenanceWindow: {hours: 3}}
        """,
        [
            "controlPlane.maintenanceWindow.hours = 3: this is too small. Write 4 or more.",
        ],
    ),
    "window with both days and recurrence": (
        """
        controlPlane: {maintenanceWindow: {days: [Friday], hours: 24, recurrence: "FREQ=DAILY"}}
        """,
        [
            ('controlPlane.maintenanceWindow.days = ["Friday"]: recurrence says when windows begin. Keep one of them.'),
        ],
    ),
    "windows on too few days": (
        """
        controlPlane: {maintenanceWindow: {days: [Saturday]}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.days = ["Saturday"]: that gives 32 hours in 32 days, and GKE '
                "takes no less than 48. Add days, or write more hours."
            ),
        ],
    ),
    "windows that are too rare": (
        """
        controlPlane: {maintenanceWindow: {recurrence: "FREQ=WEEKLY;BYDAY=SA"}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.recurrence = "FREQ=WEEKLY;BYDAY=SA": that gives 32 hours in '
                "32 days, and GKE takes no less than 48. Add days, or write more hours."
            ),
        ],
    ),
    "window in another form": (
        """
        controlPlane: {maintenanceWindow: {start: "2026-01-03", recurrence: weekly}}
        """,
        [
            (
                'controlPlane.maintenanceWindow.start = "2026-01-03": this is not a time in RFC 3339 form. '
                'Write for example "2026-01-03T02:00:00Z", in quotes.'
            ),
            (
                'controlPlane.maintenanceWindow.recurrence = "weekly": this is not a recurrence of days, '
                'weeks or months. Write for example "FREQ=WEEKLY;BYDAY=SA,SU".'
            ),
        ],
    ),
    "versions that are too old for Filestore": (
        """
        controlPlane: {version: "1.33.3-gke.1000000"}
        storage:
          - {name: home, mountPath: /home, filestore: {tier: REGIONAL}}
          - {name: apps, mountPath: /apps, filestore: {}}
          - {name: old, mountPath: /old, filestore: {tier: BASIC_HDD}}
        """,
        [
            'controlPlane.version = "1.33.3-gke.1000000": Filestore of tier REGIONAL needs 1.33.4-gke.1172000. Write '
            '"1.33.4-gke.1172000" or a later one.',
        ],
    ),
    "exclusions of all upgrades without end, and too many of them": (
        """
        controlPlane:
          maintenanceExclusions:
            - {name: a, start: "2026-01-01T00:00:00Z", scope: NO_UPGRADES}
            - {name: b, start: "2026-03-01T00:00:00Z"}
        """,
        [
            "controlPlane.maintenanceExclusions[0].end: GKE goes without any upgrade for 30 days at most. Write an "
            "end, or another scope.",
        ],
    ),
    "too many exclusions of all upgrades": (
        """
        controlPlane:
          maintenanceExclusions:
            - {name: a, start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z", scope: NO_UPGRADES}
            - {name: b, start: "2026-02-01T00:00:00Z", end: "2026-02-02T00:00:00Z", scope: NO_UPGRADES}
            - {name: c, start: "2026-03-01T00:00:00Z", end: "2026-03-02T00:00:00Z"}
            - {name: d, start: "2026-04-01T00:00:00Z", end: "2026-04-02T00:00:00Z", scope: NO_UPGRADES}
            - {name: e, start: "2026-05-01T00:00:00Z", end: "2026-05-02T00:00:00Z", scope: NO_UPGRADES}
        """,
        [
            'controlPlane.maintenanceExclusions[4].scope = "NO_UPGRADES": a cluster can have 3 exclusions of all '
            "upgrades, and this is one more. Write NO_MINOR_OR_NODE_UPGRADES, or leave an earlier one out.",
        ],
    ),
    "exclusion that is too long": (
        """
        controlPlane:
          maintenanceExclusions:
            - {name: run, start: "2026-01-01T00:00:00Z", end: "2026-03-01T00:00:00Z", scope: NO_UPGRADES}
            - {name: run, start: "2026-05-01T00:00:00Z", end: "2026-04-01T00:00:00Z"}
        """,
        [
            (
                'controlPlane.maintenanceExclusions[0].end = "2026-03-01T00:00:00Z": that is 59 days, and '
                "GKE goes without any upgrade for 30 at most. Write an earlier end, or scope "
                "NO_MINOR_OR_NODE_UPGRADES."
            ),
            (
                'controlPlane.maintenanceExclusions[1].end = "2026-04-01T00:00:00Z": this is not after the '
                "start, 2026-05-01T00:00:00Z. Write a later end."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
