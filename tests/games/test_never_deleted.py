"""A player is withdrawn, merged or anonymised, and never deleted: by no door, service or statement."""

import ast
from pathlib import Path

import pytest
from django.contrib import admin
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.models import Player, User
from tests.admin.conftest import log_in
from tests.api.clients import World
from tests.api.routes import all_routes, path_of
from tests.games.people import add, merge, played

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def world():
    world = World()
    played(world.table, *world.table.players)
    merge(world.table, add(world.table, "Ann"), add(world.table, "Anna"))
    return world


def ids() -> set[int]:
    return set(Player.objects.values_list("pk", flat=True))


def test_no_address_of_the_api_deletes_one(world):
    before = ids()
    names = dict.fromkeys(name for name, _ in all_routes())
    # All addresses first: what they name may be gone by then.
    for path in [path_of(name, world, player=one.public_id) for name in names for one in Player.objects.all()]:
        world.superuser.delete(path)
    assert ids() == before


def test_no_page_of_the_admin_deletes_one(world):
    before = ids()
    client: Client = log_in(User.objects.get(username="root"))
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        chosen = list(model._default_manager.values_list("pk", flat=True))
        bulk = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
        client.post(reverse(f"admin:{name}_changelist"), bulk)
        for pk in chosen:
            client.post(reverse(f"admin:{name}_delete", args=[pk]), {"post": "yes"})
    assert ids() == before


def test_no_address_that_speaks_of_deleting_players_exists():
    def names(patterns):
        for item in patterns:
            if isinstance(item, URLResolver):
                yield from names(item.url_patterns)
            elif isinstance(item, URLPattern) and item.name:
                yield item.name

    found = {name for name in names(get_resolver().url_patterns) if "delete" in name and "player" in name}
    assert found == {"games_player_delete"}  # the admin's own, which is refused to everybody


def test_no_code_deletes_one():
    for folder in ("games", "competitions"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "delete":
                    assert "Player" not in ast.unparse(node), path


def test_the_database_deletes_none_that_has_played_or_was_merged(world):
    seated = world.table.players[0]
    for player in (seated, Player.objects.get(name="Ann"), Player.objects.get(name="Anna")):
        with pytest.raises(ProtectedError):
            player.delete()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            with pytest.raises(DatabaseError), transaction.atomic():
                cursor.execute("DELETE FROM games_player WHERE id = %s", [player.pk])
