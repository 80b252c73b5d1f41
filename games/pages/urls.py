"""Addresses of the pages of players and spectators, from the root."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from games.pages import account, rules

urlpatterns = [
    path("login", account.LoginView.as_view(), name="login"),
    path("logout", LogoutView.as_view(next_page="front"), name="logout"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:language>/", rules.rules, name="rules-in"),
    path("language", account.language, name="set_language"),
]
