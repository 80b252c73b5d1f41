"""Addresses: the API and its documentation, the admin, sheets to print, the health probes, a front page to them all."""

from django.contrib import admin
from django.urls import include, path

from competitions.pages import slips
from fantan_site.documentation import DocsView, SchemaView
from fantan_site.front import front
from fantan_site.health import healthz, readyz

urlpatterns = [
    path("", front, name="front"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", DocsView.as_view(url_name="schema"), name="docs"),
    path("api/v1/", include("competitions.api.urls")),
    path("api/v1/", include("competitions.live.urls")),
    path("api/v1/", include("games.live.urls")),
    path("api/v1/", include("games.api.urls")),
    path("competitions/", include("competitions.pages.urls")),
    path("r/worker.js", slips.worker, name="slip-worker"),
    path("r/<str:code>/", slips.slip, name="slip"),
    path("", include("games.live.doors")),
    path("", include("games.pages.urls")),
]

handler400 = "fantan_site.errors.bad_request"
handler404 = "fantan_site.errors.not_found"
handler500 = "fantan_site.errors.server_error"
