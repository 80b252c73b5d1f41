"""Addresses below /competitions/."""

from django.urls import path

import competitions.pages.belonging  # noqa: F401 - it registers
from competitions import converters  # noqa: F401 - patterns need them
from competitions.pages import crosstable, files, listing, players, printing, room, rounds, standings

ONE = "<slug:public_id>"

urlpatterns = [
    path("", listing.competitions, name="competition-list"),
    path(f"{ONE}/", standings.standings, name="competition-page"),
    path(f"{ONE}/news", standings.news, name="competition-news"),
    path(f"{ONE}/crosstable", crosstable.met, name="competition-crosstable"),
    path(f"{ONE}/rounds/", rounds.rounds, name="competition-rounds"),
    path(f"{ONE}/rounds/<int:number>/", rounds.one, name="competition-round"),
    path(f"{ONE}/players/<slug:player>/", players.player, name="competition-player"),
    path(f"{ONE}/room", room.room, name="competition-room"),
    path(f"{ONE}/print/standings", printing.standings, name="print-standings"),
    path(f"{ONE}/print/rounds/<int:number>/draw", printing.draw, name="print-draw"),
    path(f"{ONE}/print/rounds/<int:number>/slips", printing.slips, name="print-slips"),
    path(f"{ONE}/files/entries.<form:form>", files.entries, name="entries-file"),
    path(f"{ONE}/files/results.<form:form>", files.results, name="results-file"),
    path(f"{ONE}/files/standings.<form:form>", files.standings, name="standings-file"),
]
