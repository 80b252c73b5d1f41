"""Addresses of the pages of players and spectators, from the root."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from games.api import converters  # noqa: F401 - patterns need them
from games.pages import account, replay, rules

urlpatterns = [
    path("login", account.LoginView.as_view(), name="login"),
    path("logout", LogoutView.as_view(next_page="front"), name="logout"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:language>/", rules.rules, name="rules-in"),
    path("sessions/<public_id:public_id>/deals/<number:number>/", replay.replay, name="replay"),
    path("sessions/<public_id:public_id>/deals/<number:number>/embed", replay.embed, name="replay-embed"),
    path("language", account.language, name="set_language"),
]
