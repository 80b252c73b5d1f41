"""Addresses of a session's streams under the API, version 1. They come before those of the table."""

from django.urls import path

from games.api import converters  # noqa: F401 - patterns need them
from games.live import views

urlpatterns = [
    path("sessions/<public_id:session>/stream", views.SessionStream.as_view(), name="session-stream"),
    path("sessions/<public_id:session>/seats/<seat:seat>/stream", views.SeatStream.as_view(), name="seat-stream"),
]
