"""The streams of a session for the page of its table: the same as the API's, opened by the login's cookie."""

from django.urls import path

from games.api import converters  # noqa: F401 - patterns need them
from games.api.cookies import CookieAuthentication
from games.live.views import SeatStream, SessionStream


class PageSessionStream(SessionStream):
    authentication_classes = [CookieAuthentication]
    schema = None


class PageSeatStream(SeatStream):
    authentication_classes = [CookieAuthentication]
    schema = None


urlpatterns = [
    path("sessions/<public_id:session>/stream", PageSessionStream.as_view(), name="page-stream"),
    path("sessions/<public_id:session>/seats/<seat:seat>/stream", PageSeatStream.as_view(), name="page-seat-stream"),
]
"""From the root."""
