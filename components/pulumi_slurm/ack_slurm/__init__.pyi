from .cluster import (
    AckSlurmCluster as AckSlurmCluster,
    AckSlurmClusterArgs as AckSlurmClusterArgs,
)
from .colocation_gres import (
    GresRequest as GresRequest,
    gres_request as gres_request,
)
from .copilot import (
    SlurmCopilot as SlurmCopilot,
    SlurmCopilotArgs as SlurmCopilotArgs,
)
from .dicts import (
    AckSlurmClusterArgsDict as AckSlurmClusterArgsDict,
    AckSlurmOperatorArgsDict as AckSlurmOperatorArgsDict,
    AckSlurmSpecDict as AckSlurmSpecDict,
    AckSshSpecDict as AckSshSpecDict,
    ClusterChartSpecDict as ClusterChartSpecDict,
    CopilotSpecDict as CopilotSpecDict,
    JobCompletionSpecDict as JobCompletionSpecDict,
    LdapClientSpecDict as LdapClientSpecDict,
    OperatorChartSpecDict as OperatorChartSpecDict,
    OutsideSlurmSpecDict as OutsideSlurmSpecDict,
    PodExtrasSpecDict as PodExtrasSpecDict,
    PowerSavingSpecDict as PowerSavingSpecDict,
    SharedNodesSpecDict as SharedNodesSpecDict,
    SlurmCopilotArgsDict as SlurmCopilotArgsDict,
    StartedPodExtrasSpecDict as StartedPodExtrasSpecDict,
    WorkerExtrasSpecDict as WorkerExtrasSpecDict,
    WorkerRequestsSpecDict as WorkerRequestsSpecDict,
)
from .model.options import (
    AckSlurmSpec as AckSlurmSpec,
    AckSshSpec as AckSshSpec,
    ClusterChartSpec as ClusterChartSpec,
    CopilotSpec as CopilotSpec,
    JobCompletionSpec as JobCompletionSpec,
    LdapClientSpec as LdapClientSpec,
    OperatorChartSpec as OperatorChartSpec,
    PowerSavingSpec as PowerSavingSpec,
)
from .model.outside import (
    GenericNodeSpec as GenericNodeSpec,
    OutsideSlurmSpec as OutsideSlurmSpec,
    SharedNodesSpec as SharedNodesSpec,
)
from .model.pods import (
    PodExtrasSpec as PodExtrasSpec,
    StartedPodExtrasSpec as StartedPodExtrasSpec,
    WorkerExtrasSpec as WorkerExtrasSpec,
    WorkerRequestsSpec as WorkerRequestsSpec,
)
from .operator import (
    AckSlurmOperator as AckSlurmOperator,
    AckSlurmOperatorArgs as AckSlurmOperatorArgs,
)
