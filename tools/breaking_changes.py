"""What of the plugin's schema a program in another language would miss, compared with that of the last release.

``python -m tools.breaking_changes`` compares with the last tag. It fails if there is anything in a release that by its
number may have nothing of the kind: before 1.0.0 that is a patch release, later every one but a major one.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from devcluster.folders import CHECKOUT
from tools.package_schema import FILE

Schema = Mapping[str, Any]


def breaking_changes(old: Schema, new: Schema) -> Iterator[str]:
    """Yield a line for each change by which programs that were right no longer are."""
    for kind in ("resources", "types"):
        for token, before in old.get(kind, {}).items():
            after = new.get(kind, {}).get(token)
            if after is None:
                yield f"{token}: is gone"
            elif kind == "resources":
                yield from _inputs(token, before, after, "inputProperties", "requiredInputs")
                yield from _outputs(token, before, after)
            elif "enum" in before or "enum" in after:
                yield from _choices(token, before, after)
            else:
                yield from _inputs(token, before, after, "properties", "required")


def _inputs(token: str, before: Schema, after: Schema, fields: str, required: str) -> Iterator[str]:
    """Yield what a program may no longer write."""
    yield from _fields(token, before.get(fields, {}), after.get(fields, {}))
    for name in after.get(required, ()):
        if name not in before.get(required, ()):
            yield f"{token}.{name}: is required"


def _outputs(token: str, before: Schema, after: Schema) -> Iterator[str]:
    """Yield what a program may no longer read."""
    yield from _fields(f"{token} (output)", before.get("properties", {}), after.get("properties", {}))
    for name in before.get("required", ()):
        if name in after.get("properties", {}) and name not in after.get("required", ()):
            yield f"{token} (output).{name}: may be missing"


def _fields(token: str, before: Schema, after: Schema) -> Iterator[str]:
    for name, field in before.items():
        if name not in after:
            yield f"{token}.{name}: is gone"
        else:
            yield from _type(f"{token}.{name}", field, after[name])


def _type(at: str, before: Schema, after: Schema) -> Iterator[str]:
    if after.get("plain") and not before.get("plain"):
        yield f"{at}: takes no Output any more"
    old, new = _form(before), _form(after)
    # A union takes what the type before took.
    if old != new and old not in new.split(" or "):
        yield f"{at}: was {old}, is {new}"
    for part, place in (("items", "[]"), ("additionalProperties", "{}")):
        if part in before and part in after:
            yield from _type(f"{at}{place}", before[part], after[part])


def _form(described: Schema) -> str:
    """Return a type as a word: that of items is compared by itself."""
    if "oneOf" in described:
        return " or ".join(map(_form, described["oneOf"]))
    return str(described.get("$ref") or described.get("type"))


def _choices(token: str, before: Schema, after: Schema) -> Iterator[str]:
    kept = {choice["value"]: choice["name"] for choice in after.get("enum", ())}
    for choice in before.get("enum", ()):
        value, name = json.dumps(choice["value"]), choice["name"]
        if choice["value"] not in kept:
            yield f"{token}: has no {value} any more"
        elif kept[choice["value"]] != name:
            # What a program writes is the constant of this name.
            yield f"{token}: {value} was {name}, is {kept[choice['value']]}"
    if ("enum" in before) != ("enum" in after):
        yield f"{token}: is a type of another kind"


def may_break(old: Schema, new: Schema) -> bool:
    """Return whether the new release's number says that programs may have to be changed: https://semver.org."""
    before, after = ([int(part) for part in schema["version"].partition("-")[0].split(".")] for schema in (old, new))
    telling = 1 if before[0] else 2
    return after[:telling] > before[:telling]


def of_last_release() -> tuple[str, Schema | None]:
    """Return the last tag, which may be none, and the schema there, which may be none either."""
    tag = _git("describe", "--tags", "--abbrev=0", "--match=v*")
    text = _git("show", f"{tag}:{FILE.relative_to(CHECKOUT)}") if tag else ""
    return tag, json.loads(text) if text else None


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def main() -> int:
    """Say what has changed since the last release; return 1 if a program would miss it."""
    tag, old = of_last_release()
    if old is None:
        where = f"schema of the plugin in {tag}" if tag else "release"
        sys.stdout.write(f"There is no {where} to compare with.\n")
        return 0
    new = json.loads(FILE.read_text())
    changes = [*breaking_changes(old, new)]
    for change in changes:
        sys.stdout.write(f"{change}\n")
    sys.stdout.write(f"Changes since {tag} that break programs in other languages: {len(changes)}.\n")
    return 1 if changes and not may_break(old, new) else 0


if __name__ == "__main__":
    sys.exit(main())
