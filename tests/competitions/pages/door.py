"""A competition, and browsers for those who come to its pages."""

import re

from django.test import Client
from django.urls import reverse

from games.models import Role
from tests.admin.conftest import log_in
from tests.competitions.builders import a_club, a_league
from tests.games.builders import a_member


class Door:
    """A league and browsers for those who come to it."""

    def __init__(self, count=8, **settings):
        self.league = a_league(count, **settings)
        club = self.league.club
        self.organiser = log_in(self.league.organiser)
        self.scorer = log_in(a_member(club, "scorer", Role.SCORER))
        self.member = log_in(a_member(club, "member", Role.MEMBER))
        self.stranger = log_in(a_club("other")[1])
        self.nobody = Client()

    def at(self, name, **more):
        return reverse(name, kwargs={"public_id": self.league.public_id, **more})

    def statuses(self, address):
        """Answers to organiser, scorer, member, stranger and nobody."""
        browsers = (self.organiser, self.scorer, self.member, self.stranger, self.nobody)
        return [browser.get(address).status_code for browser in browsers]


def text_of(answer):
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())
