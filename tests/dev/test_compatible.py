"""What breaks clients is found, and what does not is let through: by changing the real schema in every way."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from devtools.compatible import CURRENT, METHODS, RELEASED, breaks, main

PLACES = 3
"""Of each kind of change, so many places in the schema are tried, drawn by lot but the same every time."""

Schema = dict[str, Any]
Change = tuple[str, Callable[[Schema], None]]


@cache
def text() -> str:
    return CURRENT.read_text()


def schema() -> Schema:
    found: Schema = json.loads(text())
    return found


@cache
def unchanged() -> Schema:
    return schema()


def resolved(whole: Schema, part: Any) -> Any:
    while "$ref" in part:
        found: Any = whole
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def operations(whole: Schema) -> Iterator[tuple[str, str, Any]]:
    for path, methods in whole["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


def bodies(whole: Schema, *, asked: bool) -> Iterator[Any]:
    """The objects that are requests, or answers, as they stand in the schema, to be changed there."""
    seen: set[int] = set()
    for _, _, operation in operations(whole):
        if asked:
            contents = [operation["requestBody"]["content"]] if "requestBody" in operation else []
        else:
            contents = [resolved(whole, one).get("content", {}) for s, one in operation["responses"].items() if s < "3"]
        for content in contents:
            for one in content.values():
                yield from objects(whole, one["schema"], seen)


def objects(whole: Schema, part: Any, seen: set[int]) -> Iterator[Any]:
    part = resolved(whole, part)
    if id(part) in seen:
        return
    seen.add(id(part))
    if "properties" in part:
        yield part
    for inner in [*part.get("properties", {}).values(), *part.get("oneOf", []), part.get("items")]:
        if inner:
            yield from objects(whole, inner, seen)


def fields(whole: Schema, *, asked: bool) -> Iterator[tuple[Any, str]]:
    for part in bodies(whole, asked=asked):
        for name in part["properties"]:
            yield part, name


def parameters(whole: Schema) -> Iterator[tuple[Any, Any]]:
    for _, _, operation in operations(whole):
        for item in operation.get("parameters", []):
            if "$ref" not in item:
                yield operation, item


def plain(part: Any, name: str) -> bool:
    """Whether the field says its type itself."""
    return isinstance(part["properties"][name].get("type"), str)


def edit(part: Any, name: str, **changes: Any) -> None:
    part["properties"][name] = {**part["properties"][name], **changes}


def drop(part: Any, name: str) -> None:
    del part["properties"][name]
    part["required"] = [one for one in part.get("required", []) if one != name]


def drop_answer(operation: Any, status: str) -> None:
    del operation["responses"][status]


def successes(whole: Schema) -> Iterator[tuple[Any, str]]:
    for _, _, operation in operations(whole):
        yield operation, next(status for status in operation["responses"] if status < "3")


def refusals(whole: Schema) -> Iterator[Any]:
    for _, _, operation in operations(whole):
        for status, answer in operation["responses"].items():
            if status >= "4" and "$ref" not in answer:
                yield answer["content"]["application/problem+json"]["examples"]


def bounded(whole: Schema, *names: str) -> Iterator[tuple[Any, str]]:
    """Fields of requests, and parameters, with such a bound."""
    for part, name in fields(whole, asked=True):
        for bound in names:
            if bound in part["properties"][name]:
                yield part["properties"][name], bound
    for _, item in parameters(whole):
        for bound in names:
            if bound in item["schema"]:
                yield item["schema"], bound


def enums(whole: Schema, *, asked: bool) -> Iterator[Any]:
    if asked:
        yield from (item["schema"] for _, item in parameters(whole) if "enum" in item["schema"])
        return
    for part, name in fields(whole, asked=False):
        found = resolved(whole, part["properties"][name])
        if "enum" in found:
            yield found


def set_to(part: Any, name: str, value: Any) -> None:
    part[name] = value


def removing_a_path(whole: Schema) -> Iterator[Callable[[], Any]]:
    for path in whole["paths"]:
        yield lambda path=path: whole["paths"].pop(path)


def removing_an_operation(whole: Schema) -> Iterator[Callable[[], Any]]:
    for path, method, _ in operations(whole):
        yield lambda path=path, method=method: whole["paths"][path].pop(method)


def renaming_an_operation(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        yield lambda operation=operation: set_to(operation, "operationId", "another_name")


def removing_a_parameter(whole: Schema) -> Iterator[Callable[[], Any]]:
    for operation, item in parameters(whole):
        yield lambda operation=operation, item=item: operation["parameters"].remove(item)


def requiring_a_parameter(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, item in parameters(whole):
        if not item.get("required"):
            yield lambda item=item: set_to(item, "required", True)


def adding_a_required_parameter(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        new = {"in": "query", "name": "colour", "required": True, "schema": {"type": "string"}}
        yield lambda operation=operation, new=new: operation.setdefault("parameters", []).append(new)


def narrowing_a_parameter_to_a_few_values(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, item in parameters(whole):
        if "enum" not in item["schema"] and item["schema"].get("type") == "string":
            yield lambda item=item: set_to(item["schema"], "enum", ["red"])


def removing_a_value_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in enums(whole, asked=True):
        yield lambda part=part: part["enum"].pop()


def removing_a_field_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        yield lambda part=part, name=name: drop(part, name)


def requiring_a_field_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        if name not in part.get("required", []):
            yield lambda part=part, name=name: set_to(part, "required", [*part.get("required", []), name])


def adding_a_required_field_to_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in bodies(whole, asked=True):
        yield lambda part=part: require_new(part, "colour")


def edit_new(part: Any, name: str) -> None:
    part["properties"][name] = {"type": "string"}


def require_new(part: Any, name: str) -> None:
    edit_new(part, name)
    part["required"] = [*part.get("required", []), name]


def changing_the_type_of_a_field_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        if plain(part, name):
            other = "boolean" if part["properties"][name]["type"] == "string" else "string"
            yield lambda part=part, name=name, other=other: edit(part, name, type=other)


def raising_a_lower_bound_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, bound in bounded(whole, "minimum", "minLength", "minItems"):
        yield lambda part=part, bound=bound: set_to(part, bound, part[bound] + 1)


def lowering_an_upper_bound_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, bound in bounded(whole, "maximum", "maxLength", "maxItems"):
        yield lambda part=part, bound=bound: set_to(part, bound, part[bound] - 1)


def asking_for_a_pattern(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        if part["properties"][name].get("type") == "string":
            yield lambda part=part, name=name: edit(part, name, pattern="^red$")


def removing_a_type_of_bodies(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        for media in operation.get("requestBody", {}).get("content", {}):
            yield lambda operation=operation, media=media: operation["requestBody"]["content"].pop(media)


def removing_a_member_of_an_answer(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=False):
        yield lambda part=part, name=name: drop(part, name)


def leaving_out_a_member_of_an_answer(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=False):
        if name in part.get("required", []):
            yield lambda part=part, name=name: part["required"].remove(name)


def changing_the_type_of_a_member_of_an_answer(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=False):
        if plain(part, name):
            other = "boolean" if part["properties"][name]["type"] == "string" else "string"
            yield lambda part=part, name=name, other=other: edit(part, name, type=other)


def answering_null(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=False):
        if plain(part, name):
            both = [part["properties"][name]["type"], "null"]
            yield lambda part=part, name=name, both=both: edit(part, name, type=both)


def answering_a_value_that_was_not_named(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in enums(whole, asked=False):
        yield lambda part=part: part["enum"].append("red")


def changing_the_status_of_an_answer(whole: Schema) -> Iterator[Callable[[], Any]]:
    for operation, status in successes(whole):
        answers = operation["responses"]
        yield lambda answers=answers, status=status: set_to(answers, "202", answers.pop(status))


def removing_a_type_of_answers(whole: Schema) -> Iterator[Callable[[], Any]]:
    for operation, status in successes(whole):
        for media in operation["responses"][status].get("content", {}):
            content = operation["responses"][status]["content"]
            yield lambda content=content, media=media: content.pop(media)


def removing_a_header(whole: Schema) -> Iterator[Callable[[], Any]]:
    for operation, status in successes(whole):
        headers = operation["responses"][status].get("headers", {})
        for name in headers:
            yield lambda headers=headers, name=name: headers.pop(name)


def removing_a_code(whole: Schema) -> Iterator[Callable[[], Any]]:
    for examples in refusals(whole):
        for code in examples:
            yield lambda examples=examples, code=code: examples.pop(code)


def asking_a_token_for_more(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        yield lambda operation=operation: set_to(operation, "security", [{"token": ["admin", "colour"]}])


BREAKING = [
    removing_a_path,
    removing_an_operation,
    renaming_an_operation,
    removing_a_parameter,
    requiring_a_parameter,
    adding_a_required_parameter,
    narrowing_a_parameter_to_a_few_values,
    removing_a_value_of_a_request,
    removing_a_field_of_a_request,
    requiring_a_field_of_a_request,
    adding_a_required_field_to_a_request,
    changing_the_type_of_a_field_of_a_request,
    raising_a_lower_bound_of_a_request,
    lowering_an_upper_bound_of_a_request,
    asking_for_a_pattern,
    removing_a_type_of_bodies,
    removing_a_member_of_an_answer,
    leaving_out_a_member_of_an_answer,
    changing_the_type_of_a_member_of_an_answer,
    answering_null,
    answering_a_value_that_was_not_named,
    changing_the_status_of_an_answer,
    removing_a_type_of_answers,
    removing_a_header,
    removing_a_code,
    asking_a_token_for_more,
]


def adding_an_operation(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        new = {**operation, "operationId": "another"}
        yield lambda new=new: set_to(whole["paths"], "/api/v1/colours", {"get": new})


def adding_a_parameter(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        new = {"in": "query", "name": "colour", "schema": {"type": "string"}}
        yield lambda operation=operation, new=new: operation.setdefault("parameters", []).append(new)


def adding_a_field_to_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in bodies(whole, asked=True):
        yield lambda part=part: edit_new(part, "colour")


def adding_a_member_to_an_answer(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in bodies(whole, asked=False):
        if part.get("type") == "object":
            yield lambda part=part: require_new(part, "colour")


def taking_a_further_value(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part in enums(whole, asked=True):
        yield lambda part=part: part["enum"].append("red")


def taking_null(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        if plain(part, name):
            both = [part["properties"][name]["type"], "null"]
            yield lambda part=part, name=name, both=both: edit(part, name, type=both)


def widening_the_bounds_of_a_request(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, bound in bounded(whole, "maximum", "maxLength", "maxItems"):
        yield lambda part=part, bound=bound: set_to(part, bound, part[bound] + 1)
    for part, bound in bounded(whole, "minimum", "minItems"):
        yield lambda part=part, bound=bound: set_to(part, bound, part[bound] - 1)


def no_longer_requiring_a_field(whole: Schema) -> Iterator[Callable[[], Any]]:
    for part, name in fields(whole, asked=True):
        if name in part.get("required", []):
            yield lambda part=part, name=name: part["required"].remove(name)


def refusing_with_a_further_code(whole: Schema) -> Iterator[Callable[[], Any]]:
    for examples in refusals(whole):
        yield lambda examples=examples: set_to(examples, "red", {"$ref": "#/components/examples/stale"})


def saying_it_in_other_words(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        yield lambda operation=operation: operation.update(description="Otherwise.", summary="Otherwise", tags=["red"])


def deprecating_an_operation(whole: Schema) -> Iterator[Callable[[], Any]]:
    for _, _, operation in operations(whole):
        yield lambda operation=operation: set_to(operation, "deprecated", True)


HARMLESS = [
    adding_an_operation,
    adding_a_parameter,
    adding_a_field_to_a_request,
    adding_a_member_to_an_answer,
    taking_a_further_value,
    taking_null,
    widening_the_bounds_of_a_request,
    no_longer_requiring_a_field,
    refusing_with_a_further_code,
    saying_it_in_other_words,
    deprecating_an_operation,
]


def changed(change: Any) -> Iterator[tuple[int, Schema]]:
    """The schema with that change at each of a few places."""
    many = sum(1 for _ in change(unchanged()))
    assert many, "the schema has no place for such a change"
    for place in sorted(random.Random(change.__name__).sample(range(many), min(PLACES, many))):
        after = schema()
        list(change(after))[place]()
        yield place, after


@pytest.mark.parametrize("change", BREAKING, ids=lambda change: change.__name__)
def test_a_break_is_found(change):
    for place, after in changed(change):
        assert breaks(unchanged(), after), f"{change.__name__}, place {place}"


@pytest.mark.parametrize("change", HARMLESS, ids=lambda change: change.__name__)
def test_what_breaks_nobody_is_let_through(change):
    for place, after in changed(change):
        assert breaks(unchanged(), after) == [], f"{change.__name__}, place {place}"


def test_the_schema_breaks_nothing_of_what_was_released():
    assert RELEASED.exists()
    assert main() == []


def test_a_break_says_where_and_what():
    after = schema()
    del after["components"]["schemas"]["SessionShape"]["properties"]["label"]
    after["components"]["schemas"]["SessionShape"]["required"].remove("label")
    found = breaks(unchanged(), after)
    assert "GET /api/v1/sessions -> 200: the answer.results[]: label may be missing, or is gone." in found


def test_a_schema_that_refers_to_itself_is_compared_once():
    tree = {"type": "object", "properties": {"inner": {"$ref": "#/components/schemas/Tree"}}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}
    get = {"operationId": "tree", "responses": {"200": {"content": content}}}
    whole = {"paths": {"/tree": {"get": get}}, "components": {"schemas": {"Tree": tree}}}
    assert breaks(whole, copy.deepcopy(whole)) == []
    other = copy.deepcopy(whole)
    other["components"]["schemas"]["Tree"]["properties"] = {}
    assert breaks(whole, other) == ["GET /tree -> 200: the answer: inner is gone."]
