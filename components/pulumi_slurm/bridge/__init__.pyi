from .dicts import (
    BridgedGpusSpecDict as BridgedGpusSpecDict,
    BridgedJobArgsDict as BridgedJobArgsDict,
    BridgedJobSetArgsDict as BridgedJobSetArgsDict,
    BridgedLeaderWorkerSetArgsDict as BridgedLeaderWorkerSetArgsDict,
    BridgedPodGroupArgsDict as BridgedPodGroupArgsDict,
    BridgedWorkSpecDict as BridgedWorkSpecDict,
)
from .job import (
    BridgedJob as BridgedJob,
    BridgedJobArgs as BridgedJobArgs,
)
from .job_set import (
    BridgedJobSet as BridgedJobSet,
    BridgedJobSetArgs as BridgedJobSetArgs,
)
from .leader_worker_set import (
    BridgedLeaderWorkerSet as BridgedLeaderWorkerSet,
    BridgedLeaderWorkerSetArgs as BridgedLeaderWorkerSetArgs,
)
from .pod_group import (
    BridgedPodGroup as BridgedPodGroup,
    BridgedPodGroupArgs as BridgedPodGroupArgs,
)
from .work import (
    BridgedGpusSpec as BridgedGpusSpec,
    BridgedWorkSpec as BridgedWorkSpec,
    GpuResource as GpuResource,
    annotations as annotations,
)
