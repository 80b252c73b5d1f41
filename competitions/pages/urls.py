"""Addresses below /competitions/."""

from django.urls import path

from competitions import converters  # noqa: F401 - patterns need them
from competitions.pages import files, listing, printing

urlpatterns = [
    path("", listing.competitions, name="competition-list"),
    path("<slug:public_id>/print/standings", printing.standings, name="print-standings"),
    path("<slug:public_id>/print/rounds/<int:number>/draw", printing.draw, name="print-draw"),
    path("<slug:public_id>/print/rounds/<int:number>/slips", printing.slips, name="print-slips"),
    path("<slug:public_id>/files/entries.<form:form>", files.entries, name="entries-file"),
    path("<slug:public_id>/files/results.<form:form>", files.results, name="results-file"),
    path("<slug:public_id>/files/standings.<form:form>", files.standings, name="standings-file"),
]
