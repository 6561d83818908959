"""Lines of slurm.conf, and fields that become such lines, that we refuse; with the words of slurmctld."""

from tests.slurmd.refusal import Refusal


def of_extra(line: str, message: str) -> Refusal:
    """Return the refusal of a further line of slurm.conf."""
    key, _, text = line.partition("=")
    path = f"slurmConf.extra.{key}" if key.isalnum() else f'slurmConf.extra["{key}"]'
    return Refusal(f"slurmConf: {{extra: {{{key}: '{text}'}}}}", path, line, message)


OPTIONS = {
    # Lines of slurm.conf: keys, then values.
    "an unknown key": of_extra("KilWait=30", "unrecognized key: KilWait"),
    "a key of node lines": of_extra("RealMemory=1", "unrecognized key: RealMemory"),
    "a key of another file": of_extra("ConstrainCores=yes", "unrecognized key: ConstrainCores"),
    "a key that was dropped": of_extra("CacheGroups=1", "unrecognized key: CacheGroups"),
    "a key of other marks": of_extra("Kill-Wait=30", "Parse error in file"),
    "no value": of_extra("Licenses=", "Parse error in file"),
    "no number": of_extra("KillWait=lots", 'KillWait value "lots" is not a valid number'),
    "a number with a unit": of_extra("KillWait=1k", 'KillWait value "1k" is not a valid number'),
    "a number beyond Slurm's": of_extra("KillWait=70000", "KillWait value .70000. is greater than 65535"),
    "an octal number that is none": of_extra("MinJobAge=09", "MinJobAge value .09. is not a valid number"),
    "a memory size with a unit": of_extra("MaxMemPerNode=4G", "MaxMemPerNode value .4G. is not a valid number"),
    "neither yes nor no": of_extra("TrackWCKey=perhaps", '"perhaps" is not a valid option for "TrackWCKey"'),
    "a word that Slurm lacks": of_extra("PrologFlags=Sometimes", "PrologFlags invalid: Sometimes"),
    "a time in words": of_extra("PreemptExemptTime=soon", "PreemptExemptTime=soon invalid"),
    "a resource that is none": of_extra("PriorityWeightTRES=gpu=5", "TRES weight 'gpu' is not a configured TRES type"),
    "counting what is none": of_extra("AccountingStorageTRES=gpu", "Unknown tres type 'gpu'"),
    "counting GPUs nowhere": of_extra(
        "AccountingStorageTRES=gres/gpu", "slurmdbd is required to run with TRES gres/gpu"
    ),
    "weighing GPUs that nobody counts": of_extra(
        "PriorityWeightTRES=CPU=1,GRES/gpu=5", "TRES weight 'GRES:gpu' is not a configured TRES type"
    ),
    "a parameter that has another name": Refusal(
        "slurmConf: {schedulerParameters: [max_job_bf=50]}",
        "slurmConf.schedulerParameters",
        "SchedulerParameters=max_job_bf=50",
        "Invalid parameter max_job_bf",
    ),
    "a script that is not there": of_extra("JobSubmitPlugins=lua", "Unable to stat /etc/slurm/job_submit.lua"),
    # Words, plugins and ranges.
    "a scheduler that is none": of_extra(
        "SchedulerType=sched/backfil", "cannot create sched context for sched/backfil"
    ),
    "a topology that is none": of_extra("TopologyPlugin=topology/trees", "Failed to initialize topology plugin"),
    "a switch that is none": of_extra("SwitchType=switch/ethernet", "switch/ethernet"),
    "an MCS plugin that is none": of_extra("MCSPlugin=mcs/users", "cannot create mcs context for mcs/users"),
    "gathering by nothing": of_extra("JobAcctGatherType=jobacct_gather/aix", "jobacct_gather/aix"),
    "a debug flag that is none": of_extra("DebugFlags=Backfil", "DebugFlags invalid: Backfil"),
    "a limit that is none": of_extra("PropagateResourceLimitsExcept=NOSUCH", "Bad rlimit name: NOSUCH"),
    "parameters of tasks of old": of_extra("TaskPluginParam=Sched", "Bad TaskPluginParam: Sched"),
    "no first job": of_extra("FirstJobId=0", "FirstJobId cannot be zero"),
    "licenses without a number": of_extra("Licenses=foo:bar", "Invalid configured licenses: foo:bar"),
    # Lines that need others.
    "jobs by whole nodes": of_extra("SelectType=select/linear", "MaxNodeCount only compatible with cons_tres"),
    "a log of jobs without a file": of_extra("JobCompType=jobcomp/filetxt", "jobcomp"),
    "parameters of no MCS plugin": of_extra("MCSParameters=enforced", "MCSParameters=enforced used and no MCSPlugin"),
    "certificates that nobody signs": of_extra("CertmgrType=certmgr/script", "sign_csr_script="),
    "no way to communicate": of_extra("CommunicationParameters=DisableIPv4", "Both IPv4 and IPv6 support disabled"),
    # Lines of the operator.
    "another authentication": of_extra("AuthType=auth/munge", "Munge encode failed"),
    "another key": of_extra("AuthAltParameters=jwt_key=/other", "auth/jwt: cannot stat '/other'"),
    "other plugins": of_extra("PluginDir=/nosuch", "Bad value ./nosuch. for PluginDir"),
    "another user": of_extra("SlurmUser=root", "/run/slurmctld exists but is owned by"),
    "a second slurmctld": of_extra("SlurmctldHost=c-controller-0", "Duplicate SlurmctldHost records"),
    "a hook that is not there": of_extra("PrologSlurmctld=/other", "Invalid PrologSlurmctld"),
    # Fields of slurmConf.
    "a level that is none": Refusal(
        "slurmConf: {slurmctldDebug: loud}",
        "slurmConf.slurmctldDebug",
        "SlurmctldDebug=loud",
        "Invalid SlurmctldDebug loud",
    ),
    "no jobs at all": Refusal(
        "slurmConf: {maxJobCount: 0}", "slurmConf.maxJobCount", "MaxJobCount=0", "No jobs permitted"
    ),
    "an unknown weight": Refusal(
        "slurmConf: {priorityWeights: {Luck: 1}}",
        "slurmConf.priorityWeights.Luck",
        "PriorityWeightLuck=1",
        "unrecognized key: PriorityWeightLuck",
    ),
    "a negative weight": Refusal(
        "slurmConf: {priorityWeights: {QOS: -1}}",
        "slurmConf.priorityWeights.QOS",
        "PriorityWeightQOS=-1",
        "PriorityWeightQOS value .-1. is less than zero",
    ),
    "an unknown PriorityType": Refusal(
        "slurmConf: {priorityType: priority/luck}",
        "slurmConf.priorityType",
        "PriorityType=priority/luck",
        "failed to initialize priority plugin",
    ),
    "an unknown PreemptType": Refusal(
        "slurmConf: {preemptType: preempt/luck, preemptMode: REQUEUE}",
        "slurmConf.preemptType",
        "PreemptType=preempt/luck\nPreemptMode=REQUEUE",
        "failed to initialize preempt plugin",
    ),
    "a word of other series": Refusal(
        "slurmConf: {selectTypeParameters: 'CR_Core,OTHER_CONS_TRES'}",
        "slurmConf.selectTypeParameters",
        "SelectTypeParameters=CR_Core,OTHER_CONS_TRES",
        "Bad SelectTypeParameter",
    ),
    "an unknown SelectTypeParameters": Refusal(
        "slurmConf: {selectTypeParameters: CR_Luck}",
        "slurmConf.selectTypeParameters",
        "SelectTypeParameters=CR_Luck",
        "Bad SelectTypeParameter: CR_Luck",
    ),
    "an unknown AccountingStorageEnforce": Refusal(
        "{accounting: {}, slurmConf: {accountingStorageEnforce: [luck]}}",
        "slurmConf.accountingStorageEnforce",
        "AccountingStorageEnforce=luck",
        "AccountingStorageEnforce invalid: luck",
    ),
}
