"""The base of every component: how it takes its arguments, what a preview shows of them, and what comes after it."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, get_args, get_origin

import pulumi
from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, model_validator

from pulumi_slurm.errors import FieldError, SpecError, collected_warnings, field_errors, with_free_keys
from pulumi_slurm.errors.annotations import classes_in
from pulumi_slurm.kube.resources import KubernetesObject, create, create_all, create_secret
from pulumi_slurm.loading import load_model
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.base import Model, keywords
from pulumi_slurm.secrecy import is_secret_name


class SpecRunError(SpecError, pulumi.RunError):
    """A `SpecError` in a Pulumi program: the engine prints it without a traceback."""


Model._raised_as = SpecRunError


_checked = ContextVar("checked", default=False)


@contextmanager
def checked_before() -> Iterator[None]:
    """Let arguments within the block run no rules and show no warnings.

    They come from a specification of which all rules have run, and whose warnings were shown.
    """
    token = _checked.set(True)
    try:
        yield
    finally:
        _checked.reset(token)


def are_checked() -> bool:
    """Return whether arguments come from a specification that was checked as a whole."""
    return _checked.get()


class Args(Model):
    """The base of every component's arguments: one frozen model that also accepts a plain mapping.

    A field of type ``pulumi.Input[T]`` takes a T or an Output of one, and what it takes is not shown as an input of the
    component: it may be a secret, or not be known yet.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Run `_show_warnings` around the validators of subclasses too, which pydantic would run after it."""
        validators = cls.__pydantic_decorators__.model_validators
        validators["_show_warnings"] = validators.pop("_show_warnings")

    @classmethod
    def model_rebuild(cls, *, _types_namespace: Mapping[str, Any] | None = None, **options: Any) -> bool | None:
        """Tell pydantic what the names in ``pulumi.Input`` mean, which Pulumi writes as text.

        pydantic calls it when the model is first used: to do so for every component takes longer than to load Pulumi.
        """
        names = {**vars(pulumi.output), **vars(sys.modules[cls.__module__]), cls.__name__: cls}
        rebuilt = super().model_rebuild(_types_namespace={**names, **(_types_namespace or {})}, **options)
        for name, field in cls.model_fields.items():
            field.repr = field.repr and not is_secret_name(name)
            for kind in classes_in(field.annotation):
                # pydantic reads arguments within arguments for these alone, and leaves the class as it is.
                if issubclass(kind, Args) and not kind.__pydantic_complete__:
                    kind.model_rebuild()
        return rebuilt

    @model_validator(mode="wrap")
    @classmethod
    def _show_warnings(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Let the preview show what rules warn of, or refuse it where the stack's configuration says so."""
        with collected_warnings() as warned:
            args = handler(data)
        warned = [replace(warning, path=with_free_keys(cls, warning.path)) for warning in warned]
        if not are_checked():
            if warned and pulumi.Config("slurm").get("warningsAsErrors") == "true":
                raise field_errors(warned)
            for warning in warned:
                pulumi.log.warn(warning.line)
        return args


class _Signature:
    """What `help` and notebooks show of a component: the names of all arguments in place of ``**fields``.

    In place of the overloads, which are for type checkers alone. Made when it is asked for.
    """

    def __get__(self, instance: object, owner: "type[Component[Any]]") -> inspect.Signature:
        """Return the signature of a class of components."""
        named = inspect.signature(owner.__init__).parameters
        _, *parameters = named.values()
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            parameters[-1:] = [field for field in keywords(owner.args_model()) if field.name not in named]
        return inspect.Signature(parameters)


A = TypeVar("A", bound=Args)
Options = pulumi.ResourceOptions | None


class Component(pulumi.ComponentResource, Generic[A]):
    """A component of type ``slurm:index:<class name>`` with arguments of type A.

    A subclass writes ``class NodeSet(Component[NodeSetArgs])``, calls ``super().__init__`` first, creates its children
    with the options of `child`, and ends with `finish`. As in Pulumi's SDKs, its arguments are a model or a mapping, or
    each is given by its name: the overloads have the types of `dicts`, which `make generate` writes, because one
    TypedDict serves both the mapping and the names.
    """

    _args_model: ClassVar[type[Args]]
    __signature__ = _Signature()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Note the type of the arguments, which Pulumi's schema of components wants as a single class."""
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            kind, args = get_origin(base), get_args(base)
            if isinstance(kind, type) and issubclass(kind, Component) and isinstance(args[0], type):
                (cls._args_model,) = args
        if "_args_model" in vars(cls) and "args" in cls.__init__.__annotations__:
            cls.__init__.__annotations__["args"] = cls._args_model

    @classmethod
    def args_model(cls) -> type[Args]:
        """Return the model of its arguments, whose fields have their types."""
        cls._args_model.model_rebuild()
        return cls._args_model

    def __init__(
        self,
        resource_name: str,
        args: A | Mapping[str, Any] | None,
        opts: Options,
        fields: Mapping[str, Any] = MappingProxyType({}),
        *,
        inputs: Mapping[str, Any] | None = None,
    ) -> None:
        """Register the component.

        ``fields`` are arguments that are given by their names. ``inputs`` are what a preview shows of it; by default
        all arguments but those that may be Outputs.
        """
        parsed = cast(A, parse_args(self._args_model, args, fields))
        opts = _after_last_children(opts)
        super().__init__(
            f"slurm:index:{type(self).__name__}", resource_name, _inputs(parsed) if inputs is None else inputs, opts
        )
        self._name, self._args, self._opts = resource_name, parsed, opts
        self._last: list[pulumi.Resource] = []
        self._finished_with: set[pulumi.Resource] = set()

    def child(self, *after: pulumi.Resource, **options: Any) -> pulumi.ResourceOptions:
        """Return the options of a child that comes after others; see `child_options`."""
        return child_options(self, self._opts, after_all(*after), **options)

    def create(
        self, role: str, manifest: Manifest, *after: pulumi.Resource, annotate: bool = True, **options: Any
    ) -> KubernetesObject:
        """Create a Kubernetes object as a child called ``<name>-<role>``, after others."""
        return create(f"{self._name}-{role}", manifest, self.child(*after, **options), annotate=annotate)

    def create_all(
        self, role: str, manifests: Sequence[Manifest], *after: pulumi.Resource, **options: Any
    ) -> list[KubernetesObject]:
        """Create objects of different kinds as children called ``<name>-<role>-<kind>``, side by side after others."""
        return create_all(_join(self._name, role), manifests, self.child(*after, **options))

    def create_in_turn(
        self,
        manifests: Mapping[str, Manifest],
        *after: pulumi.Resource,
        options_of: Callable[[str], Mapping[str, Any]] = lambda kind: {},
    ) -> list[KubernetesObject]:
        """Create objects, given by their roles, one after another, and the first after others.

        ``options_of`` returns additional options for objects of a kind.
        """
        objects: list[KubernetesObject] = []
        for role, manifest in manifests.items():
            objects.append(self.create(role, manifest, *(objects[-1:] or after), **options_of(manifest["kind"])))
        return objects

    def create_secret(
        self, role: str, manifest: Manifest, data: Mapping[str, pulumi.Input[str]], *after: pulumi.Resource
    ) -> KubernetesObject:
        """Create a Secret as a child called ``<name>-<role>``; its values are secret from here on."""
        return create_secret(f"{self._name}-{role}", manifest, data, self.child(*after))

    def last_children(self) -> list[pulumi.Resource]:
        """Return the children that nothing comes after, those that a program has added among them."""
        added = [child for child in self._childResources if child not in self._finished_with]
        return [*self._last, *after_all(*added)]

    def _depends_on(self) -> list[Any]:
        """Return what it depends on itself, in place of a component that makes nothing."""
        depends_on = getattr(self._opts, "depends_on", None)
        return depends_on if isinstance(depends_on, list) else []

    def finish(self, *last: pulumi.Resource) -> None:
        """Register the outputs that the class annotates; ``last`` are the children that nothing comes after.

        A subclass that creates more children calls it again with the last of those.
        """
        self._last += after_all(*last)
        self._finished_with = {*self._childResources}
        self.register_outputs(self.outputs())

    @classmethod
    def output_types(cls) -> dict[str, Any]:
        """Return the types of the outputs that the class annotates, by the names that they have in Python."""
        annotations: dict[str, Any] = {}
        for component in reversed(cls.__mro__):
            annotations |= inspect.get_annotations(component)
        return {name: get_args(kind)[0] for name, kind in annotations.items() if get_origin(kind) is pulumi.Output}

    def outputs(self) -> dict[str, pulumi.Output[Any]]:
        """Return the outputs that the class annotates, by the names that they have in other languages."""
        return {_camel(name): getattr(self, name) for name in self.output_types()}


def after_all(*resources: pulumi.Resource) -> list[pulumi.Resource]:
    """Return what to depend on in order to come after resources: of a component of ours, only its last children.

    To Pulumi a component in ``depends_on`` stands for all of its children. The order is the same, but when a step
    fails, the engine walks every path of dependencies, not every resource; see `child_options`. So our components do
    this with the ``depends_on`` that they are given, and only resources of other packages need it: the more of them
    come after a component, the longer a failed update takes to end. Raise TypeError for what is no resource.
    """
    flat: list[pulumi.Resource] = []
    for resource in resources:
        if isinstance(resource, Component):
            flat += resource.last_children() or resource._depends_on()
        elif not isinstance(resource, pulumi.Resource):
            raise TypeError(f"after_all takes resources, not {resource!r}")
        else:
            flat.append(resource)
    return flat


def _after_last_children(opts: Options) -> Options:
    """Return options in which ``depends_on`` has the last children of our components; an Output is left as it is."""
    depends_on = getattr(opts, "depends_on", None)
    if opts is None or not isinstance(depends_on, pulumi.Resource | Sequence):
        return opts
    changed = pulumi.ResourceOptions.merge(opts, None)
    changed.depends_on = after_all(*([depends_on] if isinstance(depends_on, pulumi.Resource) else depends_on))
    return changed


def parse_args(
    model: type[A], args: A | Mapping[str, Any] | None, fields: Mapping[str, Any] = MappingProxyType({})
) -> A:
    """Return a component's arguments, which are a model, a mapping or fields by name; raise ``SpecRunError``."""
    if isinstance(args, pulumi.ResourceOptions):
        options = FieldError(("args",), FieldError.ABSENT, "these are options, not arguments", "Pass them as opts=...")
        raise SpecRunError([options], model.__name__)
    stray = [name for name in fields if name in _OPTIONS and name not in _names_of(model)]
    if stray:
        raise SpecRunError(
            [
                FieldError(
                    (name,),
                    FieldError.ABSENT,
                    "this is an option, not an argument",
                    f"Pass opts=pulumi.ResourceOptions({name}=...).",
                )
                for name in stray
            ],
            model.__name__,
        )
    if args is not None and fields:
        problem = f"other arguments are given by name: {', '.join(fields)}"
        twice = FieldError(("args",), FieldError.ABSENT, problem, "Write all in one of the two ways.")
        raise SpecRunError([twice], model.__name__)
    if isinstance(args, model):
        return args
    argument = next((name for name, field in model.model_fields.items() if type(args) is field.annotation), None)
    if isinstance(args, BaseModel) and argument:
        problem = f"this is a {type(args).__name__}, which is the argument {argument}"
        other = FieldError(("args",), FieldError.ABSENT, problem, f'Pass {argument}=..., or {{"{argument}": ...}}.')
        raise SpecRunError([other], model.__name__)
    if not isinstance(args, Mapping | None):
        problem = f"this is of type {type(args).__name__}"
        other = FieldError(
            ("args",), FieldError.ABSENT, problem, f"Pass {model.__name__}(...), or arguments by their names."
        )
        raise SpecRunError([other], model.__name__)
    try:
        return load_model(model, fields if args is None else args, model.__name__)
    except SpecError as error:
        refused = SpecRunError(error.errors, error.subject)
    raise refused


_OPTIONS = frozenset(inspect.signature(pulumi.ResourceOptions).parameters)


def _names_of(model: type[Args]) -> set[str]:
    return {name for field, info in model.model_fields.items() for name in (field, str(info.alias))}


def child_options(
    parent: pulumi.Resource,
    opts: pulumi.ResourceOptions | None,
    depends_on: Sequence[pulumi.Resource] = (),
    **more: Any,
) -> pulumi.ResourceOptions:
    """Return the options of a component's child; ``depends_on`` are others of its children.

    Parents don't hand ``depends_on`` down, so a component that has to come after another would be ready for it while
    its children are made too early. It is therefore passed on here, and nothing else is.

    A child that comes after another gets the other's alone, which has the component's by the same way. When a step
    fails, the engine walks every path of dependencies, not every resource, and with each dependency stated at each
    level these become too many to end: see `markAsDependency` in its pkg/resource/graph/dependency_graph.go, v3.259.
    """
    inherited = getattr(opts, "depends_on", None) or []
    return pulumi.ResourceOptions(parent=parent, depends_on=list(depends_on) or inherited, **more)


def protection(wanted: bool) -> bool | None:
    """Return what a child's option ``protect`` is to be.

    None, not False, where it isn't wanted, so that a protection that a user gives to the component still counts.
    """
    return wanted or None


def _inputs(args: Args) -> dict[str, Any]:
    """Return arguments as a component's inputs, for reviewers to see in a preview."""
    shown = {name for name, field in type(args).model_fields.items() if not takes_outputs(field.annotation)}
    return args.model_dump(mode="json", by_alias=True, exclude_defaults=True, include=shown)


def takes_outputs(annotation: Any) -> bool:
    """Return whether an argument of this type takes an Output, itself or in its items."""
    return get_origin(annotation) is pulumi.Output or any(map(takes_outputs, get_args(annotation)))


def _join(name: str, role: str) -> str:
    return f"{name}-{role}" if role else name


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)
