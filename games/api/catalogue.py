"""What can be chosen: rules profiles, scoring schemes, bots. The same for everybody."""

from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games import bots
from games.api.base import ApiView
from games.api.docs import operation
from games.api.scopes import Scope
from games.engine.rules import OPTION_VALUES, PROFILES, Rules, usual_scheme
from scoring import schemes

FOR_SECONDS = 300


class ProfileShape(serializers.Serializer[Any]):
    profile = serializers.CharField()
    options = serializers.DictField(help_text="Every option with its value.")
    scheme = serializers.CharField(help_text="The scheme that the profile is usually played for.")


class RulesShape(serializers.Serializer[Any]):
    profiles = ProfileShape(many=True)
    options = serializers.DictField(help_text="Every option with the values that it can have.")


class ParameterShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    default = serializers.IntegerField(allow_null=True, help_text="null: may be left open.")
    minimum = serializers.IntegerField()
    help = serializers.CharField()


class PresetShape(serializers.Serializer[Any]):
    scheme = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    values = serializers.DictField(child=serializers.IntegerField())


class SchemeShape(serializers.Serializer[Any]):
    scheme = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    lowest_wins = serializers.BooleanField()
    parameters = ParameterShape(many=True)
    presets = PresetShape(many=True)


class SchemesShape(serializers.Serializer[Any]):
    schemes = SchemeShape(many=True)


class BotShape(serializers.Serializer[Any]):
    strategy = serializers.CharField()
    title = serializers.CharField()


class BotsShape(serializers.Serializer[Any]):
    bots = BotShape(many=True)


class CatalogueView(ApiView):
    scopes = {"GET": Scope.ACCOUNT_READ}
    permission_classes = [AllowAny]
    cacheable = FOR_SECONDS


class RulesProfiles(CatalogueView):
    @operation(
        "rules",
        tag="catalogue",
        summary="Rules profiles",
        description="Every profile with its options, and the values that each option can have. Where a session asks "
        'for rules, send the name of a profile or an object: `{"profile": "pagat", "ace": "low"}`.',
        answer=RulesShape,
        example={
            "profiles": [
                {
                    "profile": "pagat",
                    "options": {
                        "deck": 52,
                        "ace": "high",
                        "start": "left_of_dealer",
                        "min_seats": 3,
                        "wrongful_pass": "refused",
                    },
                    "scheme": "wins",
                }
            ],
            "options": {"deck": [52, 32], "ace": ["high", "low"]},
        },
    )
    def get(self, request: Request) -> Response:
        profiles = [
            {
                "profile": name,
                "options": Rules.from_json(name).with_wrongful_pass("refused").options(),
                "scheme": usual_scheme(name),
            }
            for name in PROFILES
        ]
        return Response({"profiles": profiles, "options": {name: list(v) for name, v in OPTION_VALUES.items()}})


class Schemes(CatalogueView):
    @operation(
        "schemes",
        tag="catalogue",
        summary="Scoring schemes",
        description="Every scheme with its parameters and presets. Where a session asks for a scheme, send its text "
        '(`wins:target=5`) or an object: `{"scheme": "wins", "target": 5}`.',
        answer=SchemesShape,
        example={
            "schemes": [
                {
                    "scheme": "wins",
                    "title": "Wins",
                    "description": "One point to the winner of each deal.",
                    "lowest_wins": False,
                    "parameters": [{"name": "target", "default": 3, "minimum": 1, "help": "wins that end the session"}],
                    "presets": [],
                }
            ]
        },
    )
    def get(self, request: Request) -> Response:
        return Response({"schemes": schemes.describe()})


class Bots(CatalogueView):
    @operation(
        "bots",
        tag="catalogue",
        summary="Bots",
        description="The strategies that a bot, or a session's stand-in, can play by.",
        answer=BotsShape,
        example={"bots": [{"strategy": "follow", "title": "Follow"}]},
    )
    def get(self, request: Request) -> Response:
        return Response({"bots": [{"strategy": key, "title": bot.title} for key, bot in bots.available().items()]})
