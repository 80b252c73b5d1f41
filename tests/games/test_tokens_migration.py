"""Tokens from before there were scopes are for everything, as they were, and get an id."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from games.models import Token
from tests.games.builders import a_user

pytestmark = pytest.mark.django_db


def test_tokens_without_an_id_get_one_each():
    user = a_user("ada")
    for _ in range(3):
        Token.issue(user=user, label="old")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_token ALTER public_id DROP NOT NULL")
        cursor.execute("UPDATE games_token SET public_id = NULL")
    import_module("games.migrations.0006_token_scopes").give_ids(apps, None)
    ids = set(Token.objects.values_list("public_id", flat=True))
    assert len(ids) == 3
    assert all(len(one) == 12 for one in ids)


def test_a_token_made_before_keeps_all_that_it_could_do():
    operations = import_module("games.migrations.0006_token_scopes").Migration.operations
    scopes = next(item for item in operations if getattr(item, "name", "") == "scopes")
    assert (scopes.field.default, scopes.preserve_default) == (["admin"], False)
