"""Addresses of the pages of players and spectators, from the root."""

from django.urls import path

from games.api import converters  # noqa: F401 - patterns need them
from games.pages import account, doors, playing, replay, rules, table

urlpatterns = [
    path("login", account.LoginView.as_view(), name="login"),
    path("logout", account.LogoutView.as_view(), name="logout"),
    path("play", playing.play_now, name="play-now"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:language>/", rules.rules, name="rules-in"),
    path("sessions/<public_id:public_id>/deals/<number:number>/", replay.replay, name="replay"),
    path("sessions/<public_id:public_id>/deals/<number:number>/embed", replay.embed, name="replay-embed"),
    path("language", account.language, name="set_language"),
    path("sessions/<public_id:public_id>/", table.table, name="session-page"),
    path("sessions/<public_id:public_id>/do", table.do, name="table-do"),
    path("sessions/<public_id:session>/actions", doors.PageActions.as_view(), name="page-actions"),
    path("sessions/<public_id:session>/deals", doors.PageDeals.as_view(), name="page-deals"),
    path("sessions/<public_id:session>/join", doors.PageJoin.as_view(), name="page-join"),
]
