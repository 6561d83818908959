"""Cloud SQL."""

from collections.abc import Iterator

from tests.clouds.gcp.google import GoogleKind, Reference, known_kind, now, number_of, project, region
from tests.clouds.gcp.networks import NETWORK, use_connection
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

INSTANCE = "gcp:sql/databaseInstance:DatabaseInstance"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nSIMULATED\n-----END CERTIFICATE-----"


@known_kind
class DatabaseInstance(GoogleKind):
    token = INSTANCE
    keys = {"encryptionKeyName": "gcp-sa-cloud-sql"}
    api = "sqladmin.googleapis.com"
    longest_name = 84
    permission = "cloudsql.instances.create"
    defaults = {"deletionProtection": True}
    references = (Reference("settings.ipConfiguration.privateNetwork", NETWORK),)
    secret = (("serverCaCerts",), ("rootPassword",), ("rootPasswordWo",), ("replicaConfiguration",))
    rules = Rules(unordered=("settings.databaseFlags",), by_last_part=("settings.ipConfiguration.privateNetwork",))

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        settings = inputs.get("settings") or {}
        backups = settings.get("backupConfiguration") or {}
        if settings.get("availabilityType") == "REGIONAL" and not (
            backups.get("enabled") and backups.get("binaryLogEnabled")
        ):
            yield ("settings", "availabilityType"), "REGIONAL needs backups and the binary log"
        edition, tier = settings.get("edition", "ENTERPRISE"), str(settings.get("tier"))
        if (edition == "ENTERPRISE_PLUS") is not tier.startswith("db-perf-optimized"):
            yield ("settings", "tier"), f"the edition {edition} has no tier {tier}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return self.name(inputs)

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        address = (inputs.get("settings") or {}).get("ipConfiguration") or {}
        if old is None:
            if self.name(inputs) in scope.cloud.settings.get("usedDatabaseNames", []):
                raise CloudError(
                    f"Error, failed to create instance {self.name(inputs)}: googleapi: Error 409: The "
                    "Cloud SQL instance already exists. When you delete an instance, you can't reuse the name of the "
                    "deleted instance until one week from the deletion date., instanceAlreadyExists"
                )
            if address.get("privateNetwork"):
                use_connection(address["privateNetwork"], scope, "DatabaseInstance")
        if address.get("ipv4Enabled") is False and not address.get("privateNetwork"):
            raise CloudError("googleapi: Error 400: At least one of Public IP or Private IP or PSC must be enabled.")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        where, name = region(inputs, scope), self.name(inputs)
        number = number_of(state["project"], scope)
        private = ((state.get("settings") or {}).get("ipConfiguration") or {}).get("privateNetwork")
        address = "10.127.16.3" if private else ""
        created = old.state["serverCaCerts"][0]["createTime"] if old else now()
        authority = {
            "cert": CERTIFICATE,
            "commonName": "Google Cloud SQL Server CA (SIMULATED)",
            "createTime": created,
            "expirationTime": "2036-01-01T00:00:00Z",
            "sha1Fingerprint": "0" * 40,
        }
        return {
            **state,
            "region": where,
            "selfLink": f"https://sqladmin.googleapis.com/sql/v1beta4/projects/{state['project']}/instances/{name}",
            "connectionName": f"{state['project']}:{where}:{name}",
            "privateIpAddress": address,
            "publicIpAddress": "",
            "firstIpAddress": address,
            "ipAddresses": [{"ipAddress": address, "type": "PRIVATE", "timeToRetire": ""}] if address else [],
            "serverCaCerts": [authority],
            "instanceType": "CLOUD_SQL_INSTANCE",
            "serviceAccountEmailAddress": f"p{number}-simulated@gcp-sa-cloud-sql.iam.gserviceaccount.com",
        }

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if state.get("deletionProtection") is not False:
            raise CloudError(
                "Error, failed to delete instance because deletion_protection is set to true. "
                "Set it to false to proceed with instance deletion"
            )
        if (resource.state.get("settings") or {}).get("deletionProtectionEnabled"):
            raise CloudError(
                f"Error, failed to delete instance {resource.name}: googleapi: Error 400: The instance is protected. "
                "Please disable the deletion protection and try again., badRequest"
            )
        used = scope.cloud.settings.get("usedDatabaseNames", [])
        scope.cloud.set(usedDatabaseNames=[*used, resource.name])

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Delete its databases and users with it."""
        for token in (Database.token, User.token):
            for child in scope.cloud.all(token):
                if child.state["instance"] == resource.name:
                    scope.cloud.remove(child)


@known_kind
class Database(GoogleKind):
    token = "gcp:sql/database:Database"
    api = "sqladmin.googleapis.com"
    permission = "cloudsql.databases.create"
    references = (Reference("instance", INSTANCE, holds=False),)

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/instances/{inputs['instance']}/databases/{inputs['name']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        return {**state, "selfLink": f"https://sqladmin.googleapis.com/sql/v1beta4/{self.identify(inputs, scope)}"}


@known_kind
class User(GoogleKind):
    token = "gcp:sql/user:User"
    api = "sqladmin.googleapis.com"
    permission = "cloudsql.users.create"
    references = (Reference("instance", INSTANCE, holds=False),)
    secret = (("password",), ("passwordWo",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['name']}/{inputs.get('host', '')}/{inputs['instance']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        # Write-only: neither the state nor a read ever shows it.
        state.pop("passwordWo", None)
        return {"host": "", **state}
