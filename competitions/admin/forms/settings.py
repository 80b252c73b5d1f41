"""The settings of a competition as fields of a form, and back."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from competitions import formats
from competitions.services.checking import checked_settings
from competitions.settings import DEFAULTS, MOST_DEALS, MOST_ROUNDS, read_settings
from games.admin.forms.opening import OPTIONS, check_values, rules_fields, rules_of, scheme_fields, scheme_of
from games.engine.rules import Rules
from games.errors import Invalid
from games.wording import said
from scoring.schemes import scheme_from_json
from scoring.tiebreaks import available as tie_breaks_available

TIE_BREAKS = [f"tie_{place}" for place in range(1, 7)]
POINTS = {
    "neutral": gettext_lazy("By place, alike at tables of any size: 1000 for the first, 0 for the last"),
    "scheme": gettext_lazy("The points of the table itself, as its scoring gives them"),
    "places": gettext_lazy("By place, as listed below"),
}
PARAMETERS = {"go_on": gettext_lazy("go on"), "seeds_together": gettext_lazy("seeds together")}
BOTS = "bot"
TABLES = ("preferred", "smallest", "largest")
BASIC = ["format", "preferred", "smallest", "largest", "rounds", "deals"]
COUNTING = ["points", "points_list", "best", "drop", "absence", "bye", *TIE_BREAKS, "bots_ranked", "withdrawn_ranked"]
PLAY = ["profile", "scheme"]
EXCEPTIONS = [*OPTIONS, "values"]
TABLE_SETTINGS = ["confirm", "slip_entry", "public", "deal_after", "turn_seconds", "stand_in"]

AT_FIELD = {
    "bad_points": "points_list",
    "bad_tie_break": "tie_1",
    "no_tables": "preferred",
    "bad_rules": "values",
    "bad_scheme": "values",
    "bad_standings": "best",
    "bad_days": "ends_on",
    "name_taken": "name",
    "bad_text": "name",
    "reason_required": "reason",
}


def parameter_fields() -> dict[str, forms.Field]:
    """The whole numbers that formats can be given, of all formats."""
    found: dict[str, forms.Field] = {}
    for about in formats.describe():
        for item in about["parameters"]:
            found[f"of_{about['format']}_{item['name']}"] = forms.IntegerField(
                required=False,
                min_value=item["smallest"],
                max_value=item["largest"],
                label=_("{format}: {parameter}").format(
                    format=said(about["title"]), parameter=PARAMETERS.get(item["name"], item["name"].replace("_", " "))
                ),
                help_text=_("{meaning} Usually {default}.").format(meaning=said(item["help"]), default=item["default"]),
            )
    return found


def settings_fields() -> dict[str, forms.Field]:
    usual = DEFAULTS["tables"]
    keys = [("", "–"), *((key, said(one.title)) for key, one in tie_breaks_available().items())]
    host = _host_fields()
    return {
        "format": forms.ChoiceField(
            choices=[
                (item["format"], f"{said(item['title'])} – {said(item['description'])}") for item in formats.describe()
            ],
            label=_("How it is played"),
            initial=DEFAULTS["format"],
            widget=forms.RadioSelect,
        ),
        **parameter_fields(),
        "preferred": _number(_("Players at a table"), usual["preferred"], 2, 8, required=True),
        "smallest": _number(_("But at least"), usual["smallest"], 2, 8, required=True),
        "largest": _number(_("And at most"), usual["largest"], 2, 8, required=True),
        "rounds": _number(_("Rounds"), None, 1, MOST_ROUNDS, help_text=_("Empty: as many as you draw.")),
        "deals": _number(
            _("Deals at a table"),
            None,
            1,
            MOST_DEALS,
            help_text=_("In each round. Empty: until the scoring says that the table is over."),
        ),
        **rules_fields(),
        **scheme_fields(),
        "points": forms.ChoiceField(
            choices=list(POINTS.items()), initial="neutral", label=_("Points of a table"), widget=forms.RadioSelect
        ),
        "points_list": forms.CharField(
            required=False,
            label=_("Points by place"),
            widget=forms.Textarea(attrs={"rows": 3, "cols": 30, "spellcheck": "false"}),
            help_text=_(
                "From the first place on, such as 7 5 3 1. Or a line for each table size: “3: 7 4 1”, "
                "“4: 7 5 3 1”. Equal places share what they use up."
            ),
        ),
        "best": _number(_("Only the best rounds count"), None, 1, MOST_ROUNDS, help_text=_("How many. Empty: all.")),
        "drop": _number(
            _("The worst rounds do not count"), None, 0, MOST_ROUNDS, help_text=_("How many. Empty: none.")
        ),
        "absence": _exact(_("A missed round counts"), _("Points. Empty: nothing, and it uses up one of the worst.")),
        "bye": _exact(_("Sitting out by the draw counts"), _("Points. Empty: it is no result.")),
        **{
            name: forms.ChoiceField(choices=keys, required=False, label=f"{place}.")
            for place, name in enumerate(TIE_BREAKS, 1)
        },
        "bots_ranked": forms.BooleanField(required=False, label=_("Bots have a place like everybody")),
        "withdrawn_ranked": forms.BooleanField(required=False, label=_("Who withdrew keeps a place")),
        "confirm": forms.BooleanField(required=False, label=_("A result counts once a second person has confirmed it")),
        "slip_entry": forms.BooleanField(
            required=False,
            initial=True,
            label=_("Players enter results on their phones"),
            help_text=_("By the code on the score slip of their table, without an account, until the round is closed."),
        ),
        "public": forms.BooleanField(required=False, label=_("Everybody may see what is published, not only the club")),
        **host,
    }


def _host_fields() -> dict[str, forms.Field]:
    from games.admin.forms.opening import settings_fields as of_session

    return {name: field for name, field in of_session().items() if name in ("deal_after", "turn_seconds", "stand_in")}


def _number(
    label: str, initial: int | None, least: int, most: int, *, required: bool = False, help_text: str = ""
) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"class": "count", "inputmode": "numeric"})
    return forms.IntegerField(
        label=label,
        initial=initial,
        min_value=least,
        max_value=most,
        required=required,
        help_text=help_text,
        widget=widget,
    )


def _exact(label: str, about: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"class": "count", "inputmode": "decimal"})
    return forms.CharField(required=False, max_length=30, label=label, help_text=about, widget=widget)


def exact_of(text: str) -> int | str | None:
    """Points as typed ("-5", "1,5", "3/2", "−2") as services take them; None for nothing."""
    text = text.strip().replace("−", "-").replace(",", ".").removeprefix("+")
    if not text:
        return None
    return int(text) if re.fullmatch("-?[0-9]{1,9}", text, re.ASCII) else text


def points_of(choice: str, text: str) -> Any:
    """The points rule that the fields name, in its JSON form (scoring.points)."""
    if choice != "places":
        return choice
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and all(":" in line for line in lines):
        sizes = {}
        for line in lines:
            size, _, numbers = line.partition(":")
            sizes[size.strip()] = _list(numbers)
        return {"places": sizes}
    return {"places": _list(" ".join(lines))}


def _list(text: str) -> list[Any]:
    return [exact_of(word) for word in re.split(r"[\s;]+", text.strip()) if word]


def points_text(rule: Any) -> tuple[str, str]:
    """The inverse of `points_of`: the choice and the text."""
    if isinstance(rule, str):
        return rule, ""
    places = rule["places"]
    if isinstance(places, Mapping):
        return "places", "\n".join(f"{size}: {' '.join(map(str, numbers))}" for size, numbers in places.items())
    return "places", " ".join(map(str, places))


def settings_of(data: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings that the fields say, canonical; `before` has what the form does not ask. Raises Invalid."""
    key = data["format"]
    prefix = f"of_{key}_"
    parameters = {
        name.removeprefix(prefix): value
        for name, value in data.items()
        if name.startswith(prefix) and value is not None
    }
    unranked = {
        "excluded",
        *(() if data["bots_ranked"] else (BOTS,)),
        *(() if data["withdrawn_ranked"] else ("withdrawn",)),
    }
    given = {
        **(before or {}),
        "format": {"format": key, **parameters} if parameters else key,
        "rules": rules_of(dict(data)),
        "scheme": scheme_of(dict(data)),
        "points": points_of(data["points"], data["points_list"]),
        "best": data["best"],
        "drop": data["drop"] or 0,
        "absence": exact_of(data["absence"]),
        "bye": exact_of(data["bye"]),
        "tie_breaks": [data[name] for name in TIE_BREAKS if data.get(name)],
        "unranked": sorted(unranked),
        "tables": {**((before or {}).get("tables") or {}), **{name: data[name] for name in TABLES}},
        "rounds": data["rounds"],
        "deals": data["deals"],
        **{name: data[name] for name in TABLE_SETTINGS},
    }
    usual = formats.available()[key].usual
    given |= {name: value for name, value in usual.items() if given.get(name) in (None, "")}
    return checked_settings(given)


def initial_of(json: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields hold for these settings."""
    settings = read_settings(json)
    usual = Rules.from_json(settings.rules.profile).options()
    options = {name: str(value) for name, value in settings.rules.options().items() if value != usual[name]}
    if options.get("wrongful_pass") == "refused":
        options.pop("wrongful_pass")
    short = scheme_from_json(settings.scheme.to_json()).to_json()
    differing = {} if isinstance(short, str) else {k: v for k, v in short.items() if k != "scheme"}
    choice, text = points_text(json["points"])
    return {
        "format": settings.format.key,
        **{f"of_{settings.format.key}_{name}": value for name, value in settings.format.values.items()},
        **{name: json["tables"][name] for name in TABLES},
        "profile": settings.rules.profile,
        **options,
        "scheme": settings.scheme.name,
        "values": ",".join(f"{key}={value}" for key, value in differing.items()),
        "points": choice,
        "points_list": text,
        **{name: json[name] for name in ("best", "rounds", "deals", *TABLE_SETTINGS)},
        "drop": json["drop"] or None,
        **{name: "" if json[name] is None else str(json[name]) for name in ("absence", "bye")},
        **dict(zip(TIE_BREAKS, json["tie_breaks"], strict=False)),
        "bots_ranked": BOTS not in json["unranked"],
        "withdrawn_ranked": "withdrawn" not in json["unranked"],
    }


class SettingsFields:
    """What both forms with settings check."""

    def checked(
        self, form: Any, before: Mapping[str, Any] | None, rest: Mapping[str, Any] = MappingProxyType({})
    ) -> dict[str, Any] | None:
        """The canonical settings; None, with the reason at its field, where they cannot be. `rest` has what the form
        does not ask."""
        check_values(form)
        data = form.cleaned_data
        asked = [data.get(name) for name in TIE_BREAKS if data.get(name)]
        for name in TIE_BREAKS:
            if data.get(name) and asked.count(data[name]) > 1:
                form.add_error(name, _("This one is asked twice."))
                break
        if form.errors:
            return None
        try:
            return settings_of({**rest, **data}, before)
        except Invalid as refusal:
            form.refuse(refusal.code, refusal.message)
            return None
