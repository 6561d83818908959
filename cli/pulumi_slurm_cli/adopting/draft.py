"""Live objects as a specification in the form of stack configuration, as far as its fields go."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pulumi_slurm.derived.operator_lines import slurmdbd_lines_operator_omits
from pulumi_slurm.manifests.files import files_hash
from pulumi_slurm.model import DEFAULT_OPERATOR, OperatorVersion, operator_version
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.names import login_set_object, node_set_object, operators_cluster_name
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release
from pulumi_slurm_cli.adopting import images, slurm_conf
from pulumi_slurm_cli.adopting.live import CONFIG_MAP, LiveObjects, Object, title
from pulumi_slurm_cli.adopting.node_set import node_set_fields
from pulumi_slurm_cli.adopting.pods import pod_fields
from pulumi_slurm_cli.adopting.refusal import IN_THE_CHART, Refusal, path_of
from pulumi_slurm_cli.adopting.release import Release

Place = tuple[str | int, ...]
"""A path in the form of stack configuration, for example ("nodeSets", 0)."""
FILES = MappingProxyType(
    {
        "configFileRefs": ("configFiles",),
        "prologScriptRefs": ("hooks", "prolog"),
        "epilogScriptRefs": ("hooks", "epilog"),
        "prologSlurmctldScriptRefs": ("hooks", "prologSlurmctld"),
        "epilogSlurmctldScriptRefs": ("hooks", "epilogSlurmctld"),
    }
)
"""The fields of a specification with the files of ConfigMaps, by the field of the Controller that names these."""
MAIN = MappingProxyType(
    {
        "Controller": "slurmctld",
        "Accounting": "slurmdbd",
        "RestApi": "slurmrestd",
        "NodeSet": "slurmd",
        "LoginSet": "login",
    }
)
"""The main container of each kind."""


@dataclass
class Draft:
    """A specification in the making."""

    cluster: dict[str, Any]
    refused: list[Refusal]
    lines: Conf
    """What the chart adds to slurm.conf."""
    own_partitions: list[Entry]
    """Lines of partitions that NodeSets make of themselves."""
    series: Series
    operator: OperatorVersion
    places: dict[Place, Object] = field(default_factory=dict)
    """The objects by where their fields are in the specification."""
    config_maps: list[str] = field(default_factory=list)
    """The names of ConfigMaps with files that are in the specification."""

    def take(self, parsed: tuple[Any, list[Refusal]]) -> Any:
        """Note what is refused, and return the rest."""
        self.refused += parsed[1]
        return parsed[0]

    def value_at(self, place: Place) -> Any:
        """Return what stands there; an empty mapping where there is nothing."""
        data: Any = self.cluster
        for step in place:
            try:
                data = data[step]
            except (KeyError, IndexError, TypeError):
                return {}
        return data

    def override(self, item: Object, steps: tuple[str, ...], value: Any) -> bool:
        """Set a field of an object's spec by overrides; return whether that can be, and hasn't been tried before."""
        if value is None:
            return False
        place = next(place for place, its in self.places.items() if its is item and place[0] in _WITH_OVERRIDES)
        fields = self.value_at(place).setdefault("overrides", {})
        for step in steps[:-1]:
            fields = fields.setdefault(step, {})
        if fields.get(steps[-1]) == value:
            return False
        fields[steps[-1]] = value
        return True


_WITH_OVERRIDES = frozenset({"accounting", "controller", "loginSets", "nodeSets", "restApi"})


def draft_of(release: Release, controller: Object, objects: list[Object], live: LiveObjects) -> Draft:
    """Return the draft of a cluster: its Controller, and the other objects of its release as they are now."""
    by_kind: dict[str, list[Object]] = {kind: [item for item in objects if item["kind"] == kind] for kind in MAIN}
    spec, metadata = controller["spec"], controller["metadata"]
    fullname, namespace = metadata["name"], metadata["namespace"]
    image = _image(controller)
    version = images.slurm_version(image, release.app_version)
    series = Series.of(version) if is_release(version, SERIES) else SERIES[-1]
    extra_conf = path_of(title(controller), "spec", "extraConf")
    lines, refused = slurm_conf.read_lines(spec.get("extraConf") or "", series, extra_conf)
    daemons = {Daemon(MAIN[item["kind"]]): _image(item) for item in objects}
    cluster: dict[str, Any] = {
        "name": fullname,
        # Without one it has the operator's own, which it keeps when `adopted` is taken out.
        "clusterName": spec.get("clusterName") or operators_cluster_name(namespace, fullname),
        "namespace": namespace,
        "slurmVersion": version,
        "operatorVersion": release.version,
        "adopted": {},
        "images": _images(daemons, version, objects),
        "keys": _keys(spec),
    }
    draft = Draft(cluster, refused, lines, [], series, _operator(release.version))
    _add_files(draft, controller, live)
    cluster["controller"] = _controller(draft, controller)
    cluster["monitoring"] = {"metrics": bool((spec.get("metrics") or {}).get("enabled"))}
    for item in by_kind["Accounting"]:
        cluster["accounting"] = _accounting(draft, item)
    for item in by_kind["RestApi"]:
        cluster["restApi"] = {"replicas": item["spec"].get("replicas", 1), **_daemon(draft, item)}
        draft.places[("restApi",)] = item
    _add_node_sets(draft, by_kind["NodeSet"])
    _add_login_sets(draft, by_kind["LoginSet"])
    _add_users(draft, [*by_kind["LoginSet"], *by_kind["NodeSet"]])
    cluster["slurmConf"] = draft.take(slurm_conf.options(lines, extra_conf))
    names = {
        _slurm_name(item): name for item, name in zip(by_kind["NodeSet"], _names(cluster["nodeSets"]), strict=True)
    }
    cluster["partitions"] = draft.take(slurm_conf.partitions(lines, names, extra_conf))
    of_controller = ("configFiles", "controller", "hooks", "keys", "name", "partitions", "slurmConf")
    draft.places |= {(name,): controller for name in of_controller}
    return draft


def _operator(version: str) -> OperatorVersion:
    """Return the row of a release; of one that isn't known, which the specification refuses, another."""
    try:
        return operator_version(version)
    except ValueError:
        return operator_version(DEFAULT_OPERATOR)


def _names(items: list[dict[str, Any]]) -> list[str]:
    return [str(item["name"]) for item in items]


def _image(item: Object) -> str:
    return str((item["spec"].get(MAIN[item["kind"]]) or {}).get("image", ""))


def _images(daemons: Mapping[Daemon, str], version: str, objects: list[Object]) -> dict[str, Any]:
    fields: dict[str, Any] = images.shared(daemons, version)
    containers = [
        (item["kind"], item["spec"].get(name) or {})
        for item in objects
        for name in (MAIN[item["kind"]], *_HELPERS[item["kind"]])
    ]
    helpers = [
        item["spec"].get(name) or {} for item in objects for name in _HELPERS[item["kind"]] if name != "reconfigure"
    ]
    if logfile := images.most_common(helper.get("image") for helper in helpers):
        fields["logfile"] = logfile
    policies = {
        # A NodeSet that states a default has another text.
        container.get("imagePullPolicy") if kind == "NodeSet" else images.pull_policy(container)
        for kind, container in containers
    }
    if len(policies) == 1 and None not in policies:
        fields["pullPolicy"] = policies.pop()
    return fields


_HELPERS = MappingProxyType(
    {
        "Controller": ("reconfigure", "logfile"),
        "Accounting": (),
        "RestApi": (),
        "NodeSet": ("logfile",),
        "LoginSet": ("initconf",),
    }
)
"""The further containers of each kind."""


def _keys(spec: Mapping[str, Any]) -> dict[str, Any]:
    references = {"slurm": spec.get("slurmKeyRef"), "jwt": spec.get("jwtKeyRef") or spec.get("jwtHs256KeyRef")}
    keys: dict[str, Any] = {name: {"existing": _key(ref)} for name, ref in references.items() if ref}
    return keys | ({"jwks": _key(spec["jwksKeyRef"])} if spec.get("jwksKeyRef") else {})


def _key(reference: Mapping[str, Any]) -> dict[str, str]:
    return {"name": reference.get("name", ""), "key": reference.get("key", "")}


def _daemon(draft: Draft, item: Object) -> dict[str, Any]:
    """Return the fields that objects of all kinds have: the main container's image, and the pod."""
    cluster, container = draft.cluster, MAIN[item["kind"]]
    of_pod = pod_fields(item, container, with_metadata=item["kind"] != "NodeSet" and draft.operator.passes_on_metadata)
    own_image = images.image_of(cluster["images"], Daemon(container), cluster["slurmVersion"], _image(item))
    return {**own_image, **({"pod": of_pod} if of_pod else {})}


def _external(draft: Draft, item: Object) -> dict[str, Any]:
    """Return where a daemon is that runs outside the cluster; refuse an object that doesn't say."""
    config = dict(item["spec"].get("externalConfig") or {})
    if not config.get("host"):
        at = path_of(title(item), "spec", "externalConfig", "host")
        draft.refused.append(Refusal(at, "the daemon is external, and no host is set", IN_THE_CHART))
    return config


def _controller(draft: Draft, item: Object) -> dict[str, Any]:
    spec = item["spec"]
    if spec.get("external"):
        return {"external": _external(draft, item)}
    fields = _daemon(draft, item)
    if "inplaceReconfigure" in spec:
        fields["inplaceReconfigure"] = spec["inplaceReconfigure"]
    return {**fields, "state": _state(spec.get("persistence") or {})}


def _state(claim: Mapping[str, Any]) -> dict[str, Any]:
    if claim.get("enabled") is False:
        return {"enabled": False}
    modes = claim.get("accessModes") or []
    size = ((claim.get("resources") or {}).get("requests") or {}).get("storage")
    fields = {
        "accessMode": modes[0] if len(modes) == 1 else None,
        "size": size,
        "storageClass": claim.get("storageClassName"),
        "existingClaim": claim.get("existingClaim"),
    }
    return {name: value for name, value in fields.items() if value}


def _accounting(draft: Draft, item: Object) -> dict[str, Any]:
    spec = item["spec"]
    draft.places[("accounting",)] = item
    if spec.get("external"):
        return {"external": _external(draft, item)}
    database = spec.get("storageConfig") or {}
    fields: dict[str, Any] = {
        "database": {
            "kind": "external",
            "host": database.get("host"),
            "port": database.get("port", 3306),
            "name": database.get("database", "slurm_acct_db"),
            "user": database.get("username"),
            "passwordSecret": _key(database.get("passwordKeyRef") or {}),
        },
        **_daemon(draft, item),
    }
    text = spec.get("extraConf") or ""
    if text or slurmdbd_lines_operator_omits(draft.operator):
        fields["extraConf"] = draft.take(slurm_conf.key_values(text, title(item), "extraConf"))
        draft.cluster["adopted"]["slurmdbdConf"] = text
    return fields


def _add_files(draft: Draft, controller: Object, live: LiveObjects) -> None:
    cluster = draft.cluster
    by_field: dict[str, dict[str, str]] = {}
    for reference, place in FILES.items():
        files: dict[str, str] = {}
        adopted = []
        for index, item in enumerate(controller["spec"].get(reference) or []):
            at = path_of(title(controller), "spec", f"{reference}[{index}]")
            config_map = live.find(CONFIG_MAP, item["name"])
            problem = _problem(config_map, files)
            if config_map is None or problem:
                draft.refused.append(Refusal(at, f"{CONFIG_MAP}/{item['name']} {problem}", IN_THE_CHART))
                continue
            data = config_map.get("data") or {}
            files |= data
            adopted.append({"name": item["name"], "files": [*data]})
            draft.config_maps.append(item["name"])
        if files:
            holder = cluster
            for step in place[:-1]:
                holder = holder.setdefault(step, {})
            holder[place[-1]] = files
            cluster["adopted"].setdefault("files", {})[reference] = adopted
            by_field[reference] = files
    if by_field and draft.operator.has("Controller", "inplaceReconfigure"):
        cluster["adopted"]["filesHash"] = files_hash(by_field)
    if "cgroup.conf" not in cluster.get("configFiles", {}):
        # The chart's clusters confine jobs to nothing, and another ConfigMap restarts slurmctld.
        cluster["confine"] = {"cores": False, "memory": False, "devices": False}


def _problem(config_map: Object | None, files: Mapping[str, str]) -> str:
    if config_map is None:
        return "isn't there"
    if config_map.get("binaryData"):
        return "has binaryData, and files are text here"
    if config_map.get("immutable"):
        return "is immutable, so a stack could change no file"
    both = sorted((config_map.get("data") or {}).keys() & files.keys())
    return f"has {', '.join(both)}, which an earlier one has too" if both else ""


def _slurm_name(item: Object) -> str:
    """Return a NodeSet's name in slurm.conf: buildNodeSetConf in internal/builder/controllerbuilder, v1.1.0."""
    template = (item["spec"].get("template") or {}).get("spec") or {}
    return str(template.get("hostname") or item["metadata"]["name"]).strip("-")


def _add_node_sets(draft: Draft, items: list[Object]) -> None:
    cluster = draft.cluster
    cluster["nodeSets"] = []
    for index, item in enumerate(items):
        spec = item["spec"]
        name = item["metadata"]["name"].removeprefix(node_set_object(cluster["name"], ""))
        template = (spec.get("template") or {}).get("spec") or {}
        fields: dict[str, Any] = {"name": name}
        if template.get("hostname", f"{name}-") != f"{name}-":
            fields["hostNamePrefix"] = template["hostname"]
        fields |= node_set_fields(spec)
        if "scalingMode" not in fields:
            fields["replicas"] = spec.get("replicas", 1)
        fields |= _slurmd_options(draft, name, item)
        fields |= _own_partition(draft, item)
        if (spec.get("ssh") or {}).get("enabled"):
            extra = spec["ssh"].get("extraSshdConfig")
            fields["ssh"] = {"extraSshdConfig": extra} if extra else {}
        fields |= _volumes(spec, "slurmd")
        cluster["nodeSets"].append({**fields, **_daemon(draft, item)})
        draft.places[("nodeSets", index)] = item


def _volumes(spec: Mapping[str, Any], container: str) -> dict[str, Any]:
    volumes = ((spec.get("template") or {}).get("spec") or {}).get("volumes")
    mounts = (spec.get(container) or {}).get("volumeMounts")
    fields = {"extraVolumes": volumes, "extraVolumeMounts": mounts}
    return {name: value for name, value in fields.items() if value}


_LISTS = MappingProxyType({"features": "features", "feature": "features", "gres": "extraGres"})


def _slurmd_options(draft: Draft, name: str, item: Object) -> dict[str, Any]:
    """Return the fields for the options of `slurmd --conf`, which the operator splits at spaces."""
    text = str(item["spec"].get("extraConf") or "")
    fields: dict[str, Any] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            at = path_of(title(item), "spec", "extraConf")
            draft.refused.append(Refusal(at, f"{word} is no option with a value", IN_THE_CHART))
        elif key.lower() in _LISTS:
            fields[_LISTS[key.lower()]] = value.split(",")
        elif key.lower() == "weight":
            fields["weight"] = int(value) if value.isdecimal() else value
        else:
            fields.setdefault("slurmdOptions", {})[key] = value
    if text:
        draft.cluster["adopted"].setdefault("slurmdOptions", {})[name] = text
    return fields


def _own_partition(draft: Draft, item: Object) -> dict[str, Any]:
    partition = item["spec"].get("partition") or {}
    if not partition.get("enabled"):
        return {}
    at = path_of(title(item), "spec", "partition", "config")
    parsed = slurm_conf.own_partition(_slurm_name(item), partition.get("config") or "", draft.series, at)
    entry: Entry | None = draft.take(parsed)
    if entry is None:
        return {}
    draft.own_partitions.append(entry)
    options = {key: value for key, value in entry.options.items() if key != "Nodes"}
    return {"partition": slurm_conf.options_of_partition(options)}


def _add_login_sets(draft: Draft, items: list[Object]) -> None:
    cluster = draft.cluster
    login_sets = []
    for index, item in enumerate(items):
        spec = item["spec"]
        fields: dict[str, Any] = {"name": item["metadata"]["name"].removeprefix(login_set_object(cluster["name"], ""))}
        fields["replicas"] = spec.get("replicas", 1)
        if spec.get("extraSshdConfig"):
            fields["extraSshdConfig"] = spec["extraSshdConfig"]
        fields |= _volumes(spec, "login")
        login_sets.append({**fields, **_daemon(draft, item)})
        draft.places[("loginSets", index)] = item
    if login_sets:
        cluster["loginSets"] = login_sets


def _add_users(draft: Draft, items: list[Object]) -> None:
    """Note the Secret with sssd.conf, of which a specification has one."""
    for item in items:
        with_ssh = item["spec"].get("ssh") or {}
        reference = item["spec"].get("sssdConfRef") or (
            with_ssh.get("sssdConfRef") if with_ssh.get("enabled") else None
        )
        if reference:
            draft.cluster.setdefault("identity", {"sssdConfSecret": _key(reference)})
            draft.places.setdefault(("identity",), item)
