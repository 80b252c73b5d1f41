"""Tables of one club's tables: columns and constraints, no rules."""

from games.models.club import Club, Membership, Role, Token, User
from games.models.club_event import ClubEvent
from games.models.deal import Deal, DealCards
from games.models.event import Event, EventDetail
from games.models.import_job import ImportChunk, ImportJob, ImportNote, ImportPart
from games.models.player import Player
from games.models.request_key import RequestKey
from games.models.session import Occupancy, PointAdjustment, Session, TableRow
from games.models.webhook import Webhook, WebhookCursor, WebhookDelivery

__all__ = [
    "Club",
    "ClubEvent",
    "Deal",
    "DealCards",
    "Event",
    "EventDetail",
    "ImportChunk",
    "ImportJob",
    "ImportNote",
    "ImportPart",
    "Membership",
    "Occupancy",
    "Player",
    "PointAdjustment",
    "RequestKey",
    "Role",
    "Session",
    "TableRow",
    "Token",
    "User",
    "Webhook",
    "WebhookCursor",
    "WebhookDelivery",
]
