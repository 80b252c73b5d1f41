"""Whether clients of one OpenAPI schema can live with another: each break as a sentence.

A request that was taken must still be taken, and an answer must be one that was promised before. So one question is
asked both ways round: is every value of one JSON Schema a value of the other? Answers may have further members,
optional parameters and operations may come, an operation may be refused with a further code; all else is a break.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RELEASED, CURRENT = ROOT / "docs" / "openapi.released.json", ROOT / "docs" / "openapi.json"
ADVICE = (
    "Clients of the released API would break. Keep the old beside the new (another name, another address, /api/v2/), "
    "or take the change back. Only with a release: python3 dev.py manage openapi --release"
)
METHODS = ("get", "post", "put", "patch", "delete")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
EXACT = ("pattern", "format", "multipleOf", "uniqueItems")


def main(before: Path = RELEASED, after: Path = CURRENT) -> list[str]:
    """What breaks between two files; nothing where nothing was released."""
    if not before.exists():
        return []
    return breaks(json.loads(before.read_text()), json.loads(after.read_text()))


def breaks(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The breaks that clients written for `before` would meet with `after`, each once."""
    return list(dict.fromkeys(_Comparison(before, after).found()))


@dataclass(frozen=True, slots=True)
class _Side:
    """A part of one of the two schemas."""

    whole: dict[str, Any]
    part: Any

    def at(self, part: Any) -> "_Side":
        return _Side(self.whole, part)

    def resolved(self) -> Any:
        return _resolved(self.whole, self.part)


@dataclass(slots=True)
class _Comparison:
    before: dict[str, Any]
    after: dict[str, Any]
    known: dict[tuple[str, str, bool], list[str]] = field(default_factory=dict)
    """What was found for two references, once, without the place; a schema may refer to itself."""

    def found(self) -> Iterator[str]:
        for path, methods in self.before["paths"].items():
            for method in METHODS:
                if method in methods:
                    where = f"{method.upper()} {path}"
                    now = self.after["paths"].get(path, {}).get(method)
                    if now is None:
                        yield f"{where}: this operation is gone."
                    else:
                        yield from self.operation(where, methods[method], now)

    def operation(self, where: str, before: Any, after: Any) -> Iterator[str]:
        if before["operationId"] != after["operationId"]:
            yield f"{where}: operationId was {before['operationId']}, and generated clients call it so."
        yield from self.parameters(where, before, after)
        yield from self.body(where, before.get("requestBody"), after.get("requestBody"))
        yield from self.answers(where, before["responses"], after["responses"])
        yield from self.security(where, before, after)

    def parameters(self, where: str, before: Any, after: Any) -> Iterator[str]:
        old, new = (_parameters(whole, of) for whole, of in ((self.before, before), (self.after, after)))
        for key, item in old.items():
            name = f"{where}: the {key[0]} parameter {key[1]}"
            if key not in new:
                yield f"{name} is gone, and would be refused."
                continue
            if new[key].get("required") and not item.get("required"):
                yield f"{name} has become required."
            yield from self.request(name, item["schema"], new[key]["schema"])
        for key, item in new.items():
            if key not in old and item.get("required"):
                yield f"{where}: the {key[0]} parameter {key[1]} is new and required; give it a default."

    def body(self, where: str, before: Any, after: Any) -> Iterator[str]:
        if before is None:
            if after is not None and after.get("required"):
                yield f"{where}: a body is required, which was none before."
            return
        if after is None:
            yield f"{where}: the body is gone."
            return
        if after.get("required") and not before.get("required"):
            yield f"{where}: the body has become required."
        for media, content in before["content"].items():
            if media not in after["content"]:
                yield f"{where}: bodies of the type {media} are no longer read."
            else:
                yield from self.request(f"{where}: the body", content["schema"], after["content"][media]["schema"])

    def answers(self, where: str, before: Any, after: Any) -> Iterator[str]:
        for status, item in before.items():
            name, old = f"{where} -> {status}", _resolved(self.before, item)
            if status not in after:
                yield f"{name}: this answer is gone."
                continue
            new = _resolved(self.after, after[status])
            for header, described in old.get("headers", {}).items():
                yield from self.header(f"{name}: the header {header}", described, new.get("headers", {}).get(header))
            for media, content in old.get("content", {}).items():
                if media not in new.get("content", {}):
                    yield f"{name}: answers of the type {media} are gone."
                    continue
                if status[0] in "45":
                    for code in content.get("examples", {}).keys() - new["content"][media].get("examples", {}).keys():
                        yield f"{name}: nothing is refused with {code} any more."
                yield from self.answer(f"{name}: the answer", content["schema"], new["content"][media]["schema"])
        for status in after.keys() - before.keys():
            if status[0] in "123":
                yield f"{where} -> {status}: an answer that clients do not expect."

    def header(self, where: str, before: Any, after: Any) -> Iterator[str]:
        if after is None:
            yield f"{where} is gone."
            return
        old, new = _resolved(self.before, before), _resolved(self.after, after)
        if old.get("required") and not new.get("required"):
            yield f"{where} may be missing."
        yield from self.answer(where, old["schema"], new["schema"])

    def security(self, where: str, before: Any, after: Any) -> Iterator[str]:
        wanted = after.get("security", [])
        for given in before.get("security", [{}]) or [{}]:
            if wanted and not any(_enough(given, one) for one in wanted):
                what = " + ".join(f"a token for {' and '.join(scopes) or 'anything'}" for scopes in given.values())
                yield f"{where}: {what or 'no token'} is not enough any more."

    def request(self, where: str, before: Any, after: Any) -> Iterator[str]:
        """Breaks of what a client sends: whatever was taken must be taken."""
        yield from self.beyond(where, _Side(self.before, before), _Side(self.after, after), asked=True)

    def answer(self, where: str, before: Any, after: Any) -> Iterator[str]:
        """Breaks of what a client gets: whatever comes must be as it was promised."""
        yield from self.beyond(where, _Side(self.after, after), _Side(self.before, before), asked=False)

    def beyond(self, where: str, inner: _Side, outer: _Side, *, asked: bool) -> Iterator[str]:
        """Why not every value of `inner` is one of `outer`. `asked`: of a request, so `outer` is the new one."""
        if not (set(inner.part) == set(outer.part) == {"$ref"}):
            yield from self._beyond(where, inner, outer, asked=asked)
            return
        pair = (inner.part["$ref"], outer.part["$ref"], asked)
        if pair not in self.known:
            self.known[pair] = []
            self.known[pair] = list(self._beyond("", inner, outer, asked=asked))
        yield from (f"{where}{reason}" for reason in self.known[pair])

    def _beyond(self, where: str, inner: _Side, outer: _Side, *, asked: bool) -> Iterator[str]:
        mine, theirs = _merged(inner), _merged(outer)
        mine_any, theirs_any = _alternatives(mine), _alternatives(theirs)
        if mine_any or theirs_any:
            for number, one in enumerate(mine_any or [mine], 1):
                reasons = [
                    list(self.beyond(where, inner.at(one), outer.at(other), asked=asked))
                    for other in theirs_any or [theirs]
                ]
                if all(reasons):
                    best = min(reasons, key=len)
                    yield from best if len(reasons) == 1 else [f"{where}: alternative {number}: {best[0]}"]
            return
        yield from _values(where, mine, theirs, asked=asked)
        if "items" in theirs:
            here, there = inner.at(mine.get("items", {})), outer.at(theirs["items"])
            yield from self.beyond(f"{where}[]", here, there, asked=asked)
        yield from self.members(where, inner.at(mine), outer.at(theirs), asked=asked)

    def members(self, where: str, inner: _Side, outer: _Side, *, asked: bool) -> Iterator[str]:
        mine, theirs = inner.part.get("properties", {}), outer.part.get("properties", {})
        for name in sorted(set(outer.part.get("required", [])) - set(inner.part.get("required", []))):
            if asked:
                yield f"{where}: the field {name} has become required."
            else:
                yield f"{where}: {name} may be missing, or is gone."
        for name in mine.keys() & theirs.keys():
            yield from self.beyond(f"{where}.{name}", inner.at(mine[name]), outer.at(theirs[name]), asked=asked)
        more, others = (side.part.get("additionalProperties", True) for side in (inner, outer))
        if asked and "object" in _types(outer.part):
            for name in sorted(mine.keys() - theirs.keys()):
                if others is False or "properties" in outer.part:
                    yield f"{where}: the field {name} is gone, and would be refused."
            if others is False and more is not False and "properties" not in inner.part:
                yield f"{where}: fields of any name were taken, and are refused."
        if not asked:
            for name in sorted(theirs.keys() - mine.keys() - set(outer.part.get("required", []))):
                yield f"{where}: {name} is gone."
        if isinstance(others, dict):
            here = inner.at({} if more is True else more)
            if more is not False:
                yield from self.beyond(f"{where}.*", here, outer.at(others), asked=asked)


def _values(where: str, inner: Any, outer: Any, *, asked: bool) -> Iterator[str]:
    """Types, values and bounds, without what is inside."""
    said = "is refused" if asked else "may come"
    if extra := _types(inner) - _types(outer):
        yield f"{where}: {' or '.join(sorted(extra))} {said}, which {'was taken' if asked else 'could not'} before."
    allowed, given = _enumerated(outer), _enumerated(inner)
    if allowed is not None:
        if given is None:
            yield f"{where}: {'only some values are taken' if asked else 'values come that were not named'} any more."
        else:
            for value in [one for one in given if one not in allowed]:
                yield f"{where}: the value {value!r} {said}."
    for name in LOWER:
        if name in outer and outer[name] > inner.get(name, float("-inf")) and not _covered(name, inner, outer):
            yield f"{where}: {name} {outer[name]} {_bound(inner.get(name), asked=asked)}."
    for name in UPPER:
        if name in outer and outer[name] < inner.get(name, float("inf")) and not _covered(name, inner, outer):
            yield f"{where}: {name} {outer[name]} {_bound(inner.get(name), asked=asked)}."
    for name in EXACT:
        if name in outer and outer[name] != inner.get(name) and not _covered(name, inner, outer):
            yield f"{where}: {name} {outer[name]} {_bound(inner.get(name), asked=asked)}."


def _bound(other: Any, *, asked: bool) -> str:
    old = "none" if other is None else str(other)
    return f"is asked for, and was {old}" if asked else f"holds no longer, it is {old}"


def _covered(name: str, inner: Any, outer: Any) -> bool:
    """Whether all values are named one by one, so that bounds say nothing more."""
    return _enumerated(inner) is not None and _enumerated(outer) is not None


def _types(schema: Any) -> set[str]:
    """The JSON types of its values; integers are numbers."""
    given = schema.get("type", ["null", "boolean", "object", "array", "number", "string"])
    types = {given} if isinstance(given, str) else set(given)
    return types | {"integer"} if "number" in types else types


def _enumerated(schema: Any) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    values: list[Any] | None = schema.get("enum")
    return values


def _alternatives(schema: Any) -> list[Any]:
    found: list[Any] = schema.get("oneOf") or schema.get("anyOf") or []
    return found


def _merged(side: _Side) -> Any:
    """The schema itself, with all that it refers to by $ref and allOf in one object."""
    schema = side.resolved()
    if schema is True or schema is None:
        return {}
    parts = [_merged(side.at(part)) for part in schema.get("allOf", [])]
    found: dict[str, Any] = {}
    for part in [*parts, {name: value for name, value in schema.items() if name not in ("allOf", "$ref")}]:
        both = {
            "properties": {**found.get("properties", {}), **part.get("properties", {})},
            "required": [*found.get("required", []), *part.get("required", [])],
        }
        found = {**found, **part, **{name: value for name, value in both.items() if value}}
    return found


def _resolved(whole: dict[str, Any], part: Any) -> Any:
    """What a reference refers to, with what stands beside it; anything else itself."""
    while isinstance(part, dict) and "$ref" in part:
        found: Any = whole
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = {**found, **{name: value for name, value in part.items() if name != "$ref"}}
    return part


def _parameters(whole: dict[str, Any], operation: Any) -> dict[tuple[str, str], Any]:
    items = [_resolved(whole, item) for item in operation.get("parameters", [])]
    return {(item["in"], item["name"]): item for item in items}


def _enough(given: dict[str, list[str]], wanted: dict[str, list[str]]) -> bool:
    """Whether whoever has what `given` says has what is `wanted`."""
    return all(name in given and set(scopes) <= set(given[name]) for name, scopes in wanted.items())


if __name__ == "__main__":
    found = main()
    print("\n".join([*found, ADVICE] if found else ["no breaking change"]))
    raise SystemExit(bool(found))
