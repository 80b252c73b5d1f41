"""Write what clients read about the API: the OpenAPI schema and the list of error codes, both made from the code."""

import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.validation import validate_schema

from games.api.codes import SECTIONS, Code, Section

DOCS = Path(settings.BASE_DIR) / "docs"
ERRORS = """# Error codes

Made from the code by `python3 dev.py manage openapi`; [the API](api.md) says what every error looks like. `code` never
changes its meaning. Where a code comes with another status now and then, the usual one is first.
"""


class Command(BaseCommand):
    help = "Write docs/openapi.json and docs/errors.md. Exit status 1 with --check where they are not what is there."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing, say what is not as it would be")
        parser.add_argument("--release", action="store_true", help="write docs/openapi.released.json too")

    def handle(self, *, check: bool, release: bool, **options: Any) -> None:
        schema = schema_text()
        texts = {"openapi.json": schema, "errors.md": errors_text()}
        if release:
            texts["openapi.released.json"] = schema
        different = [name for name, text in texts.items() if not same(DOCS / name, text)]
        if not check:
            for name in different:
                (DOCS / name).write_text(texts[name])
        for name in different:
            self.stdout.write(f"docs/{name} {'is not what the code says' if check else 'written'}")
        if check and different:
            self.stdout.write("Write them: python3 dev.py manage openapi")
            sys.exit(1)


def same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


def schema_text() -> str:
    """The schema as JSON, the same for the same code. Raises where it is not valid OpenAPI."""
    schema = SchemaGenerator(urlconf=spectacular_settings.SERVE_URLCONF).get_schema(request=None, public=True)
    validate_schema(schema)
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def errors_text() -> str:
    """The list of codes as Markdown."""
    return "\n".join([ERRORS, *(section_text(section) for section in SECTIONS)])


def section_text(section: Section) -> str:
    rows = "\n".join(row(item) for item in section.codes)
    return f"## {section.title}\n\n| code | status | meaning |\n|---|---|---|\n{rows}\n"


def row(item: Code) -> str:
    return f"| `{item.name}` | {', '.join(map(str, item.statuses)) or '–'} | {item.meaning} |"
