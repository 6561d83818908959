from .cluster import (
    GkeCluster as GkeCluster,
    GkeClusterArgs as GkeClusterArgs,
)
from .database import (
    GkeDatabase as GkeDatabase,
    GkeDatabaseArgs as GkeDatabaseArgs,
)
from .dicts import (
    AuthorizedNetworkSpecDict as AuthorizedNetworkSpecDict,
    BucketSpecDict as BucketSpecDict,
    CloudSqlMaintenanceSpecDict as CloudSqlMaintenanceSpecDict,
    CloudSqlSpecDict as CloudSqlSpecDict,
    FilestoreSpecDict as FilestoreSpecDict,
    GkeAcceleratorSpecDict as GkeAcceleratorSpecDict,
    GkeCapacityOptionSpecDict as GkeCapacityOptionSpecDict,
    GkeCatalogueSpecDict as GkeCatalogueSpecDict,
    GkeClusterArgsDict as GkeClusterArgsDict,
    GkeControlPlaneSpecDict as GkeControlPlaneSpecDict,
    GkeDatabaseArgsDict as GkeDatabaseArgsDict,
    GkeDiskSpecDict as GkeDiskSpecDict,
    GkeExistingClusterArgsDict as GkeExistingClusterArgsDict,
    GkeExistingClusterSpecDict as GkeExistingClusterSpecDict,
    GkeExistingNetworkSpecDict as GkeExistingNetworkSpecDict,
    GkeExistingPoolSpecDict as GkeExistingPoolSpecDict,
    GkeFabricNetworkSpecDict as GkeFabricNetworkSpecDict,
    GkeFabricSubnetworkSpecDict as GkeFabricSubnetworkSpecDict,
    GkeGpuSpecDict as GkeGpuSpecDict,
    GkeLocalSsdSpecDict as GkeLocalSsdSpecDict,
    GkeMachineLocalSsdSpecDict as GkeMachineLocalSsdSpecDict,
    GkeMachineTypeSpecDict as GkeMachineTypeSpecDict,
    GkeMaintenanceExclusionSpecDict as GkeMaintenanceExclusionSpecDict,
    GkeMaintenanceWindowSpecDict as GkeMaintenanceWindowSpecDict,
    GkeManageSpecDict as GkeManageSpecDict,
    GkeNetworkArgsDict as GkeNetworkArgsDict,
    GkeNetworkInterfaceArgsDict as GkeNetworkInterfaceArgsDict,
    GkeNetworkSpecDict as GkeNetworkSpecDict,
    GkeNewProjectArgsDict as GkeNewProjectArgsDict,
    GkeNewProjectSpecDict as GkeNewProjectSpecDict,
    GkeNodeAccountArgsDict as GkeNodeAccountArgsDict,
    GkeNodePoolArgsDict as GkeNodePoolArgsDict,
    GkePoolSpecDict as GkePoolSpecDict,
    GkePriceSpecDict as GkePriceSpecDict,
    GkeRegistryArgsDict as GkeRegistryArgsDict,
    GkeRegistrySpecDict as GkeRegistrySpecDict,
    GkeSharedStorageArgsDict as GkeSharedStorageArgsDict,
    GkeSlurmArgsDict as GkeSlurmArgsDict,
    GkeSpecDict as GkeSpecDict,
    GkeStorageSpecDict as GkeStorageSpecDict,
    GkeSystemPoolArgsDict as GkeSystemPoolArgsDict,
    GkeSystemPoolSpecDict as GkeSystemPoolSpecDict,
    GkeWorkloadIdentityArgsDict as GkeWorkloadIdentityArgsDict,
    LustreSpecDict as LustreSpecDict,
    NcclSpecDict as NcclSpecDict,
)
from .existing_cluster import (
    GkeExistingCluster as GkeExistingCluster,
    GkeExistingClusterArgs as GkeExistingClusterArgs,
)
from .fast_networks import (
    GkeNetworkInterfaceArgs as GkeNetworkInterfaceArgs,
)
from .load import (
    load_gke as load_gke,
)
from .model.cluster import (
    GkeSpec as GkeSpec,
)
from .model.control_plane import (
    AuthorizedNetworkSpec as AuthorizedNetworkSpec,
    AutoscalingProfile as AutoscalingProfile,
    ClusterDns as ClusterDns,
    GkeControlPlaneSpec as GkeControlPlaneSpec,
    Observability as Observability,
    ReleaseChannel as ReleaseChannel,
)
from .model.database import (
    CloudSqlEdition as CloudSqlEdition,
    CloudSqlMaintenanceSpec as CloudSqlMaintenanceSpec,
    CloudSqlSpec as CloudSqlSpec,
    GkeMySqlVersion as GkeMySqlVersion,
)
from .model.existing import (
    GkeExistingClusterSpec as GkeExistingClusterSpec,
    GkeExistingNetworkSpec as GkeExistingNetworkSpec,
    GkeExistingPoolSpec as GkeExistingPoolSpec,
    GkeManageSpec as GkeManageSpec,
)
from .model.maintenance import (
    ExclusionScope as ExclusionScope,
    GkeMaintenanceExclusionSpec as GkeMaintenanceExclusionSpec,
    GkeMaintenanceWindowSpec as GkeMaintenanceWindowSpec,
)
from .model.nccl import (
    NcclSpec as NcclSpec,
)
from .model.network import (
    GkeNetworkSpec as GkeNetworkSpec,
)
from .model.new_project import (
    GkeNewProjectSpec as GkeNewProjectSpec,
    ProjectDeletionPolicy as ProjectDeletionPolicy,
)
from .model.pool import (
    ConfidentialType as ConfidentialType,
    GkeAcceleratorSpec as GkeAcceleratorSpec,
    GkeCapacity as GkeCapacity,
    GkeCapacityOptionSpec as GkeCapacityOptionSpec,
    GkeDiskSpec as GkeDiskSpec,
    GkeDriver as GkeDriver,
    GkeImageType as GkeImageType,
    GkeLocalSsdSpec as GkeLocalSsdSpec,
    GkePoolSpec as GkePoolSpec,
    GkeSystemPoolSpec as GkeSystemPoolSpec,
    HostMaintenance as HostMaintenance,
    LocalSsdUse as LocalSsdUse,
)
from .model.registry import (
    GkeRegistrySpec as GkeRegistrySpec,
)
from .model.slurm_operator import (
    GkeOperator as GkeOperator,
)
from .model.storage import (
    BucketProfile as BucketProfile,
    BucketSpec as BucketSpec,
    FilestoreSpec as FilestoreSpec,
    FilestoreTier as FilestoreTier,
    GkeStorageSpec as GkeStorageSpec,
    LustreSpec as LustreSpec,
)
from .network import (
    GkeNetwork as GkeNetwork,
    GkeNetworkArgs as GkeNetworkArgs,
)
from .new_project import (
    GkeNewProject as GkeNewProject,
    GkeNewProjectArgs as GkeNewProjectArgs,
)
from .node_account import (
    GkeNodeAccount as GkeNodeAccount,
    GkeNodeAccountArgs as GkeNodeAccountArgs,
)
from .node_pool import (
    GkeNodePool as GkeNodePool,
    GkeNodePoolArgs as GkeNodePoolArgs,
)
from .plan.addons import (
    GkeAddon as GkeAddon,
)
from .plan.network import (
    GkeFabricNetworkSpec as GkeFabricNetworkSpec,
    GkeFabricSubnetworkSpec as GkeFabricSubnetworkSpec,
)
from .registry import (
    GkeRegistry as GkeRegistry,
    GkeRegistryArgs as GkeRegistryArgs,
)
from .shared_storage import (
    GkeSharedStorage as GkeSharedStorage,
    GkeSharedStorageArgs as GkeSharedStorageArgs,
)
from .slurm import (
    GkeSlurm as GkeSlurm,
    GkeSlurmArgs as GkeSlurmArgs,
)
from .system_pool import (
    GkeSystemPool as GkeSystemPool,
    GkeSystemPoolArgs as GkeSystemPoolArgs,
)
from .workload_identity import (
    GkeWorkloadIdentity as GkeWorkloadIdentity,
    GkeWorkloadIdentityArgs as GkeWorkloadIdentityArgs,
)
