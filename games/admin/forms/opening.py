"""Opening a session, seating, settings, dealing."""

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import bots
from games.access import Caller
from games.admin import words
from games.admin.desk import Desk
from games.admin.forms.base import DOOR, DeskForm, now
from games.admin.pages import PageForm
from games.admin.widgets import PlayerField
from games.engine.errors import EngineError
from games.engine.rules import MAX_SEATS, OPTION_VALUES, PROFILES, Rules, usual_scheme
from games.models import Club, Player, Role
from games.services import dealing, sessions
from games.services.sessions import DEFAULT_SETTINGS, LONGEST_DELAY, MOST_PLANNED
from games.wording import Text, said
from scoring.schemes import scheme_from_json
from scoring.wording import listed, say, say_n

SEATS = [f"seat_{seat}" for seat in range(MAX_SEATS)]
OPTIONS = list(OPTION_VALUES)
OPTION_LABELS: dict[str, Text] = {
    "deck": gettext_lazy("Deck"),
    "ace": gettext_lazy("Ace"),
    "start": gettext_lazy("Who begins"),
    "min_seats": gettext_lazy("Fewest players"),
    "wrongful_pass": gettext_lazy("Passing with a card that fits"),
}
SEATS_HELP = gettext_lazy("Fill the seats from 1 on, clockwise, without a gap. Search by name.")
WRONGFUL: dict[str, Text] = {
    "refused": gettext_lazy("refused"),
    "fined": gettext_lazy("allowed, and fined at the end of the deal"),
}


def rules_fields() -> dict[str, forms.Field]:
    """The profile, and options that go beyond it."""
    fields: dict[str, forms.Field] = {
        "profile": forms.ChoiceField(
            choices=[(name, words.profile_in_words(name)) for name in PROFILES], label=_("Rules"), initial="pagat"
        )
    }
    for name, values in OPTION_VALUES.items():
        shown = [(str(value), WRONGFUL.get(str(value), words.option_in_words(name, value))) for value in values]
        fields[name] = forms.ChoiceField(
            choices=[("", _("As the rules above say")), *shown], required=False, label=OPTION_LABELS[name]
        )
    return fields


def scheme_fields() -> dict[str, forms.Field]:
    values = "; ".join(f"{title}: {parameters}" for title, parameters in words.scheme_values())
    return {
        "scheme": forms.ChoiceField(
            choices=[("", _("The usual one for these rules")), *words.scheme_choices()],
            required=False,
            label=_("Scoring"),
        ),
        "values": forms.CharField(
            required=False,
            max_length=200,
            label=_("Scoring values"),
            help_text=_("Only to change them, such as target=5. Usual values – {values}.").format(values=values),
        ),
    }


def settings_fields() -> dict[str, forms.Field]:
    strategies = [(name, name) for name in bots.available()]
    return {
        "public": forms.BooleanField(required=False, label=_("Everybody may watch, not only the club")),
        "deals_planned": forms.IntegerField(
            required=False,
            min_value=1,
            max_value=MOST_PLANNED,
            label=_("Deals to be played"),
            help_text=_("The session is finished once so many count; empty: the scoring alone says when."),
        ),
        "confirm": forms.BooleanField(
            required=False,
            label=_("What is entered on paper counts once a second person has confirmed it"),
        ),
        "self_seating": forms.BooleanField(
            required=False,
            label=_("Members may take a free seat by themselves"),
            help_text=_("Over the API; whoever sits there may then start the first deal."),
        ),
        "spectator_delay": forms.IntegerField(
            required=False,
            min_value=0,
            max_value=LONGEST_DELAY,
            label=_("Spectators see it later by"),
            help_text=_(
                "Seconds; empty: at once. Players see their own seat at once, scorers and organisers everything."
            ),
        ),
        "deal_after": forms.IntegerField(
            required=False, min_value=0, label=_("Deal on by itself after"), help_text=_("Seconds; empty: by hand.")
        ),
        "turn_seconds": forms.IntegerField(
            required=False, min_value=1, label=_("Time for a turn"), help_text=_("Seconds; empty: no limit.")
        ),
        "stand_in": forms.ChoiceField(
            required=False,
            choices=[("", _("Nobody: the table waits")), *strategies],
            label=_("When the time is over"),
            help_text=_("A bot plays that one turn."),
        ),
    }


def seat_fields(club_id: int) -> dict[str, forms.Field]:
    return {
        name: PlayerField(club_id, required=False, label=_("Seat {number}").format(number=number))
        for number, name in enumerate(SEATS, 1)
    }


def rules_of(data: dict[str, Any]) -> Any:
    """The rules that the fields name, in their JSON form."""
    chosen = {name: data[name] for name in OPTIONS if data.get(name)}
    numbers = {name: int(chosen[name]) for name in ("deck", "min_seats") if name in chosen}
    return {"profile": data["profile"], **chosen, **numbers} if chosen else data["profile"]


def scheme_of(data: dict[str, Any]) -> str | None:
    """The scheme that the fields name, in its text form; None for the usual one."""
    values = "".join(data["values"].split())
    if not data["scheme"]:
        return None
    return f"{data['scheme']}:{values}" if values else str(data["scheme"])


def settings_of(data: dict[str, Any]) -> dict[str, Any]:
    return {**{name: data[name] for name in DEFAULT_SETTINGS}, "spectator_delay": data["spectator_delay"] or 0}


def players_of(data: dict[str, Any]) -> dict[int, str]:
    """Public ids by seat."""
    return {seat: data[name].public_id for seat, name in enumerate(SEATS) if data.get(name)}


def check_values(form: forms.Form) -> None:
    """Values need a scheme that they are of."""
    if form.cleaned_data.get("values") and not form.cleaned_data.get("scheme"):
        form.add_error("values", _("Choose the scoring that these values are for."))


SETTINGS = list(DEFAULT_SETTINGS)
COUNTING = ["deals_planned", "confirm"]
HOSTING = [name for name in SETTINGS if name not in COUNTING]


class OpenForm(PageForm):
    """Open a session in `club`, with its first players if they are known."""

    heading, button = gettext_lazy("Open a session"), gettext_lazy("Open the session")
    intro = gettext_lazy("Choose the players and press the button: everything else has a usual value.")
    at_field = {"label_taken": "label", "bad_text": "label", "bad_rules": "values"}
    layout = [
        (gettext_lazy("Session"), ["label"], "", False),
        (gettext_lazy("Players"), SEATS, SEATS_HELP, False),
        (gettext_lazy("Rules and scoring"), ["profile", "scheme"], gettext_lazy("Fixed by the first deal."), False),
        (gettext_lazy("Exceptions from the rules and scoring"), [*OPTIONS, "values"], "", True),
        (gettext_lazy("How long, and what counts"), COUNTING, "", True),
        (
            gettext_lazy("How it is played here"),
            HOSTING,
            gettext_lazy("Only for deals that are played on this server."),
            True,
        ),
    ]

    def __init__(self, *args: Any, caller: Caller, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.club = caller, club
        self.fields["label"] = forms.CharField(
            max_length=100,
            label=pgettext("of a session", "Name"),
            required=False,
            help_text=_("Such as “Tuesday 3 March”. Empty: a random one."),
        )
        self.fields.update(rules_fields() | scheme_fields() | settings_fields() | seat_fields(club.pk))

    def person(self, seat: int) -> str | None:
        player = self.cleaned_data.get(f"seat_{seat}")
        return player.name if isinstance(player, Player) else None

    def clean(self) -> dict[str, Any]:
        check_values(self)
        return self.cleaned_data

    def run(self) -> str:
        data = self.cleaned_data
        self.made = sessions.open_session(
            caller=self.caller,
            club=self.club.slug,
            rules=rules_of(data),
            scheme=scheme_of(data),
            label=data["label"],
            settings=settings_of(data),
            players=players_of(data),
            now=now(),
            door=DOOR,
        ).session
        return say("The session is open.")


class SeatsForm(DeskForm):
    slug, label = "seats", gettext_lazy("Seat players")
    about = gettext_lazy("Who sits where, before the first deal.")
    heading, button, intro = gettext_lazy("Seat players"), gettext_lazy("Save the seats"), SEATS_HELP
    at_field = {}

    def set_up(self) -> None:
        self.fields.update(seat_fields(self.desk.session.club_id))
        self.initial.update({f"seat_{seat}": player for seat, player in self.desk.state.seated.items()})

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.open and not desk.state.frozen

    def run(self) -> str:
        wanted = players_of(self.cleaned_data)
        sessions.arrange(players=wanted, **self.call)
        return say_n("{n} player is seated.", "{n} players are seated.", len(wanted))


class SettingsForm(DeskForm):
    """Only what was changed is asked of the service."""

    slug, label = "settings", gettext_lazy("Settings")
    about = gettext_lazy("Name, who may watch, turn clock, dealing on; rules and scoring before the first deal.")
    heading, button = gettext_lazy("Settings"), gettext_lazy("Save the settings")
    at_field = {"label_taken": "label", "bad_text": "label", "bad_rules": "values"}

    def set_up(self) -> None:
        state = self.desk.state
        self.fields["label"] = forms.CharField(
            max_length=100, label=pgettext("of a session", "Name"), initial=state.label
        )
        self.fields.update(settings_fields())
        self.initial.update({name: state.settings.get(name, usual) for name, usual in DEFAULT_SETTINGS.items()})
        self.initial["spectator_delay"] = self.initial["spectator_delay"] or None
        self.layout = [("", ["label", *SETTINGS], "", False)]
        if state.frozen:
            return
        self.fields.update(rules_fields() | scheme_fields())
        usual = Rules.from_json(state.rules.profile).options()
        self.initial.update({name: str(value) for name, value in state.rules.options().items() if value != usual[name]})
        if self.initial.get("wrongful_pass") == "refused":
            self.initial["wrongful_pass"] = ""
        short = scheme_from_json(state.scheme_json).to_json()
        differing = {} if isinstance(short, str) else {k: v for k, v in short.items() if k != "scheme"}
        self.initial.update(
            profile=state.rules.profile,
            scheme=state.scheme.name,
            values=",".join(f"{key}={value}" for key, value in differing.items()),
        )
        fixed = ["profile", *OPTIONS, "scheme", "values"]
        self.layout += [(_("Rules and scoring"), fixed, _("Fixed by the first deal."), False)]

    def clean(self) -> dict[str, Any]:
        check_values(self)
        return self.cleaned_data

    def run(self) -> str:
        data, changed = self.cleaned_data, set(self.changed_data)
        data["spectator_delay"] = data["spectator_delay"] or 0
        changes: dict[str, Any] = {name: data[name] for name in ("label", *SETTINGS) if name in changed}
        if changed & {"profile", *OPTIONS}:
            changes["rules"] = rules_of(data)
        if changed & {"scheme", "values"}:
            changes["scheme"] = scheme_of(data) or usual_scheme(data["profile"])
        sessions.configure(changes=changes, **self.call)
        return say("The settings are saved.") if changes else say("Nothing was changed.")


class DealForm(DeskForm):
    slug, label = "deal", gettext_lazy("Deal the next deal")
    about = gettext_lazy("The server shuffles and deals; everybody plays on their own device.")
    main = True
    at_field = {}
    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def set_up(self) -> None:
        self.initial.setdefault("number", self.desk.state.next_number)
        self.heading = self.button = self.caption(self.desk)

    @classmethod
    def role(cls, desk: Desk) -> Role:
        return Role.SCORER if desk.state.frozen else Role.ORGANISER

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.session.status in ("open", "waiting") and startable(desk)

    @classmethod
    def caption(cls, desk: Desk) -> Text:
        return _("Deal the next deal") if desk.state.frozen else _("Start, and deal the first deal")

    @property
    def notice(self) -> str:
        state = self.desk.state
        names = said(listed(self.desk.seat_names.values()))
        if not state.frozen:
            return _("{names} play. Seats, rules and scoring are fixed by this; the first dealer is drawn.").format(
                names=names
            )
        return _("Deal {number} for {names}; {dealer} deals.").format(
            number=state.next_number, names=names, dealer=self.person(state.next_dealer or 0)
        )

    def run(self) -> str:
        number = self.cleaned_data["number"]
        dealing.deal(number=number, rng=secrets.SystemRandom(), **self.call)
        return say("Deal {number} is dealt.", number=number)


def startable(desk: Desk) -> bool:
    """Whether the session has started, or could now."""
    if desk.state.frozen:
        return True
    try:
        desk.state.check_startable()
    except EngineError:
        return False
    return True
