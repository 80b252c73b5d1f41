"""Addresses of the API, version 1. What the patterns do not match is a 404 before any code sees it."""

from django.urls import path, re_path

from games.api import (
    accounts,
    bots,
    catalogue,
    clubs,
    converters,  # noqa: F401 - patterns need them
    corrections,
    deals,
    exports,
    imports,
    people,
    play,
    replaying,
    seating,
    sessions,
    standings,
    tokens,
)
from games.api.base import NoSuchAddress

BOT = "clubs/<slug:club>/bots/<public_id:player>"
SESSION = "sessions/<public_id:session>"
DEAL = f"{SESSION}/deals/<number:number>"

urlpatterns = [
    path("me", accounts.Me.as_view(), name="me"),
    path("me/tokens", tokens.MyTokens.as_view(), name="tokens"),
    path("me/tokens/<public_id:token>", tokens.MyToken.as_view(), name="token"),
    path("rules", catalogue.RulesProfiles.as_view(), name="rules"),
    path("schemes", catalogue.Schemes.as_view(), name="schemes"),
    path("bots", catalogue.Bots.as_view(), name="bots"),
    path("clubs", clubs.Clubs.as_view(), name="clubs"),
    path("clubs/<slug:club>", clubs.OneClub.as_view(), name="club"),
    path("clubs/<slug:club>/players", clubs.Players.as_view(), name="club-players"),
    path("clubs/<slug:club>/sessions", sessions.ClubSessions.as_view(), name="club-sessions"),
    path("clubs/<slug:club>/bots", bots.ClubBots.as_view(), name="club-bots"),
    path(f"{BOT}/tokens", bots.BotTokens.as_view(), name="club-bot-tokens"),
    path(f"{BOT}/tokens/<public_id:token>", bots.BotToken.as_view(), name="club-bot-token"),
    path("clubs/<slug:club>/imports", imports.Imports.as_view(), name="club-imports"),
    path("clubs/<slug:club>/deals.ndjson", exports.ClubDeals.as_view(), name="club-deals"),
    path("clubs/<slug:club>/events", people.ClubEvents.as_view(), name="club-events"),
    path("players/<public_id:player>/merge", people.Merge.as_view(), name="player-merge"),
    path("players/<public_id:player>/unmerge", people.Unmerge.as_view(), name="player-unmerge"),
    path("players/<public_id:player>/anonymise", people.Anonymise.as_view(), name="player-anonymise"),
    path("players/<public_id:player>", clubs.OnePlayer.as_view(), name="player"),
    path("sessions", sessions.Sessions.as_view(), name="sessions"),
    path(SESSION, sessions.OneSession.as_view(), name="session"),
    path(f"{SESSION}/seats/<seat:seat>", seating.OneSeat.as_view(), name="seat"),
    path(f"{SESSION}/seats/<seat:seat>/view", play.OwnSeat.as_view(), name="seat-view"),
    path(f"{SESSION}/join", seating.Join.as_view(), name="join"),
    path(f"{SESSION}/start", seating.Start.as_view(), name="start"),
    path(f"{SESSION}/deals", deals.Deals.as_view(), name="deals"),
    path(DEAL, deals.OneDeal.as_view(), name="deal"),
    path(f"{DEAL}/confirm", deals.ConfirmDeal.as_view(), name="deal-confirm"),
    path(f"{DEAL}/void", deals.VoidDeal.as_view(), name="deal-void"),
    path(f"{DEAL}/replay", replaying.WholeReplay.as_view(), name="deal-replay"),
    path(f"{DEAL}/record", replaying.DealRecord.as_view(), name="deal-record"),
    path(f"{SESSION}/actions", play.Actions.as_view(), name="actions"),
    path(f"{SESSION}/view", play.Spectator.as_view(), name="view"),
    path(f"{SESSION}/table", standings.Table.as_view(), name="table"),
    path(f"{SESSION}/events", standings.Events.as_view(), name="events"),
    path(f"{SESSION}/records", replaying.SessionRecords.as_view(), name="records"),
    path(f"{SESSION}/substitutions", corrections.Substitutions.as_view(), name="substitutions"),
    path(f"{SESSION}/reseats", corrections.Reseats.as_view(), name="reseats"),
    path(f"{SESSION}/adjustments", corrections.Adjustments.as_view(), name="adjustments"),
    path(f"{SESSION}/close", corrections.Close.as_view(), name="close"),
    path(f"{SESSION}/undo", corrections.Undo.as_view(), name="undo"),
    re_path("", NoSuchAddress.as_view(), name="no-such-address"),
]
