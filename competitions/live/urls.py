"""Addresses of competitions' streams under the API, version 1. They come before those of the table."""

from django.urls import path

from competitions.live import views
from games.api import converters  # noqa: F401 - patterns need them

urlpatterns = [
    path("competitions/<public_id:competition>/stream", views.CompetitionStream.as_view(), name="competition-stream"),
]
