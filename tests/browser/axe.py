"""Looking at a page as assistive technology does: axe-core, inside the browser."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def serious(page: Page) -> list[str]:
    """What axe finds serious or critical on the page as it stands; a line each: the rule, and the first places.

    It does not load the stylesheets anew, which the content policy would refuse."""
    found: list[dict[str, Any]] = Axe().run(page, options={"preload": False}).response["violations"]
    return [
        f"{item['id']}: {item['help']} at {', '.join(str(node['target']) for node in item['nodes'][:5])}"
        for item in found
        if item["impact"] in ("serious", "critical")
    ]
