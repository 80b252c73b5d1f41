"""Addresses of competitions under the API, version 1. They come before those of the table, which end with a 404."""

from django.urls import path

from competitions import converters  # noqa: F401 - patterns need them
from competitions.api import (
    competitions,
    corrections,
    entries,
    exports,
    files,
    imports,
    publications,
    rounds,
    sheets,
    standings,
)
from games.api import converters as games_converters  # noqa: F401

COMPETITION = "competitions/<public_id:competition>"
ENTRY = f"{COMPETITION}/entries/<public_id:player>"
ROUND = f"{COMPETITION}/rounds/<number:number>"
PUBLICATION = f"{COMPETITION}/publications/<number:number>"

urlpatterns = [
    path("competitions", competitions.Competitions.as_view(), name="competitions"),
    path("clubs/<slug:club>/competitions", competitions.ClubCompetitions.as_view(), name="club-competitions"),
    path("clubs/<slug:club>/results.ndjson", exports.ClubResults.as_view(), name="club-results"),
    path(f"{COMPETITION}/results.ndjson", exports.CompetitionResults.as_view(), name="competition-results"),
    path(f"{COMPETITION}/deals.ndjson", exports.CompetitionDeals.as_view(), name="competition-deals"),
    path(f"{COMPETITION}/export.ndjson", exports.CompetitionExport.as_view(), name="competition-export"),
    path(COMPETITION, competitions.OneCompetition.as_view(), name="competition"),
    path(f"{COMPETITION}/copy", competitions.Copy.as_view(), name="competition-copy"),
    path(f"{COMPETITION}/finish", competitions.Finish.as_view(), name="competition-finish"),
    path(f"{COMPETITION}/entries", entries.Entries.as_view(), name="entries"),
    path(f"{ENTRY}/withdraw", entries.Withdraw.as_view(), name="entry-withdraw"),
    path(f"{ENTRY}/reinstate", entries.Reinstate.as_view(), name="entry-reinstate"),
    path(f"{ENTRY}/sit-out", entries.SitOut.as_view(), name="entry-sit-out"),
    path(f"{ENTRY}/substitute", entries.Substitute.as_view(), name="entry-substitute"),
    path(f"{COMPETITION}/apart", entries.Apart.as_view(), name="apart"),
    path(f"{COMPETITION}/rounds", rounds.Rounds.as_view(), name="rounds"),
    path(ROUND, rounds.OneRound.as_view(), name="round"),
    path(f"{ROUND}/draw", rounds.Draw.as_view(), name="round-draw"),
    path(f"{ROUND}/seating", rounds.Seat.as_view(), name="round-seating"),
    path(f"{ROUND}/open", rounds.Open.as_view(), name="round-open"),
    path(f"{ROUND}/close", rounds.CloseRound.as_view(), name="round-close"),
    path(f"{ROUND}/reopen", rounds.Reopen.as_view(), name="round-reopen"),
    path(f"{ROUND}/tables", rounds.Tables.as_view(), name="round-tables"),
    path(f"{ROUND}/decide", rounds.Decide.as_view(), name="round-decide"),
    path(f"{COMPETITION}/adjustments", corrections.CompetitionAdjustments.as_view(), name="competition-adjustments"),
    path(f"{COMPETITION}/undo", corrections.UndoEvent.as_view(), name="competition-undo"),
    path(f"{COMPETITION}/table", standings.LiveStandings.as_view(), name="competition-table"),
    path(f"{COMPETITION}/standings", standings.LatestStandings.as_view(), name="standings"),
    path(f"{COMPETITION}/crosstable", standings.Crosstable.as_view(), name="crosstable"),
    path(f"{COMPETITION}/publications", publications.Publications.as_view(), name="publications"),
    path(PUBLICATION, publications.OnePublication.as_view(), name="publication"),
    path(f"{PUBLICATION}/unpublish", publications.Unpublish.as_view(), name="unpublish"),
    path(f"{PUBLICATION}/diff", publications.Difference.as_view(), name="publication-diff"),
    path(f"{COMPETITION}/events", corrections.CompetitionEvents.as_view(), name="competition-events"),
    path(f"{COMPETITION}/events/<number:seq>", corrections.OneCompetitionEvent.as_view(), name="competition-event"),
    path(f"{COMPETITION}/imports/entries", imports.ImportEntries.as_view(), name="import-entries"),
    path(f"{COMPETITION}/imports/results", imports.ImportResults.as_view(), name="import-results"),
    path(f"{COMPETITION}/imports/points", imports.ImportPoints.as_view(), name="import-points"),
    path("sessions/<public_id:session>/table.<form:form>", sheets.SessionTableFile.as_view(), name="file-table"),
    path("clubs/<slug:club>/players.<form:form>", sheets.PlayersFile.as_view(), name="club-file-players"),
    path("clubs/<slug:club>/sessions.<form:form>", sheets.SessionsFile.as_view(), name="club-file-sessions"),
    path(f"{COMPETITION}/rounds.<form:form>", sheets.RoundsFile.as_view(), name="file-rounds"),
    path(f"{ROUND}/draw.<form:form>", sheets.DrawFile.as_view(), name="file-draw"),
    path(f"{COMPETITION}/crosstable.<form:form>", sheets.CrosstableFile.as_view(), name="file-crosstable"),
    path(f"{COMPETITION}/entries.<form:form>", files.EntriesFile.as_view(), name="file-entries"),
    path(f"{COMPETITION}/results.<form:form>", files.ResultsFile.as_view(), name="file-results"),
    path(f"{COMPETITION}/standings.<form:form>", files.StandingsFile.as_view(), name="file-standings"),
]
