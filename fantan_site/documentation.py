"""The API's description and the page that shows it: to be read only, and with problems in JSON like the API's.

The views' own renderers write YAML and HTML, which is no form for application/problem+json.
"""

from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.views import APIView

from fantan_site.errors import answer, problem_of


class ReadOnly(APIView):
    """GET and HEAD. OPTIONS would describe a view that has nothing to describe."""

    http_method_names = ["get", "head"]

    def handle_exception(self, exc: Exception) -> Any:
        problem = problem_of(exc)
        if problem is None:
            raise exc
        return answer(problem)


class SchemaView(ReadOnly, SpectacularAPIView):
    pass


@method_decorator(csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch")
class DocsView(ReadOnly, SpectacularSwaggerSplitView):
    """Swagger's page sets styles of its own elements."""
