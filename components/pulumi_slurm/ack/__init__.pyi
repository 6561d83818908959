from .cluster import (
    AckCluster as AckCluster,
    AckClusterArgs as AckClusterArgs,
)
from .database import (
    AckDatabase as AckDatabase,
    AckDatabaseArgs as AckDatabaseArgs,
)
from .dicts import (
    AckCatalogueSpecDict as AckCatalogueSpecDict,
    AckClusterArgsDict as AckClusterArgsDict,
    AckControlPlaneSpecDict as AckControlPlaneSpecDict,
    AckDatabaseArgsDict as AckDatabaseArgsDict,
    AckDataDiskSpecDict as AckDataDiskSpecDict,
    AckDiskClassSpecDict as AckDiskClassSpecDict,
    AckDiskSpecDict as AckDiskSpecDict,
    AckEnisSpecDict as AckEnisSpecDict,
    AckExistingClusterArgsDict as AckExistingClusterArgsDict,
    AckExistingClusterSpecDict as AckExistingClusterSpecDict,
    AckExistingNetworkSpecDict as AckExistingNetworkSpecDict,
    AckExistingPoolSpecDict as AckExistingPoolSpecDict,
    AckGpuSpecDict as AckGpuSpecDict,
    AckLocalDisksSpecDict as AckLocalDisksSpecDict,
    AckMachineTypeSpecDict as AckMachineTypeSpecDict,
    AckMaintenanceWindowSpecDict as AckMaintenanceWindowSpecDict,
    AckNetworkArgsDict as AckNetworkArgsDict,
    AckNetworkSpecDict as AckNetworkSpecDict,
    AckNodePoolArgsDict as AckNodePoolArgsDict,
    AckPoolSpecDict as AckPoolSpecDict,
    AckPriceSpecDict as AckPriceSpecDict,
    AckSharedStorageArgsDict as AckSharedStorageArgsDict,
    AckSlurmArgsDict as AckSlurmArgsDict,
    AckSpecDict as AckSpecDict,
    AckStorageSpecDict as AckStorageSpecDict,
    AckSystemPoolArgsDict as AckSystemPoolArgsDict,
    AckSystemPoolSpecDict as AckSystemPoolSpecDict,
    AddonSpecDict as AddonSpecDict,
    NasSpecDict as NasSpecDict,
    RdsSpecDict as RdsSpecDict,
)
from .existing_cluster import (
    AckExistingCluster as AckExistingCluster,
    AckExistingClusterArgs as AckExistingClusterArgs,
)
from .load import (
    load_ack as load_ack,
)
from .model.cluster import (
    AckSpec as AckSpec,
)
from .model.control_plane import (
    AckControlPlaneSpec as AckControlPlaneSpec,
    AckEdition as AckEdition,
    AddonSpec as AddonSpec,
    Cni as Cni,
    LogComponent as LogComponent,
    ProxyMode as ProxyMode,
)
from .model.database import (
    AckMySqlVersion as AckMySqlVersion,
    RdsSpec as RdsSpec,
)
from .model.disk import (
    AckDataDiskSpec as AckDataDiskSpec,
    AckDiskClassSpec as AckDiskClassSpec,
    AckDiskSpec as AckDiskSpec,
    Performance as Performance,
)
from .model.existing import (
    AckExistingClusterSpec as AckExistingClusterSpec,
    AckExistingNetworkSpec as AckExistingNetworkSpec,
    AckExistingPoolSpec as AckExistingPoolSpec,
)
from .model.maintenance import (
    AckMaintenanceWindowSpec as AckMaintenanceWindowSpec,
    UpgradeChannel as UpgradeChannel,
)
from .model.network import (
    AckNetworkSpec as AckNetworkSpec,
    SecurityGroupType as SecurityGroupType,
)
from .model.pool import (
    AckCapacity as AckCapacity,
    AckImageType as AckImageType,
    AckPoolSpec as AckPoolSpec,
    AckSystemPoolSpec as AckSystemPoolSpec,
)
from .model.slurm_operator import (
    AckOperator as AckOperator,
)
from .model.storage import (
    AckStorageSpec as AckStorageSpec,
    FileSystemType as FileSystemType,
    NasSpec as NasSpec,
    NfsVersion as NfsVersion,
)
from .network import (
    AckNetwork as AckNetwork,
    AckNetworkArgs as AckNetworkArgs,
)
from .node_pool import (
    AckNodePool as AckNodePool,
    AckNodePoolArgs as AckNodePoolArgs,
)
from .shared_storage import (
    AckSharedStorage as AckSharedStorage,
    AckSharedStorageArgs as AckSharedStorageArgs,
)
from .slurm import (
    AckSlurm as AckSlurm,
    AckSlurmArgs as AckSlurmArgs,
)
from .system_pool import (
    AckSystemPool as AckSystemPool,
    AckSystemPoolArgs as AckSystemPoolArgs,
)
