"""What a token is for: every route names a scope, and a token for something else is told so, whoever's it is."""

from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.access import Caller
from games.api.scopes import UNPUBLISHED, Needs, Scope
from games.errors import Forbidden
from games.models import Role, Token
from games.scopes import BOTS, WORDS, highest_role, in_order, opened
from tests.api.clients import Api, World, code_of
from tests.api.routes import all_routes, path_of, view_of
from tests.competitions.api.clients import Cup
from tests.competitions.api.routes import all_routes as competition_routes
from tests.competitions.api.routes import path_of as competition_path_of
from tests.competitions.api.routes import view_of as competition_view_of

READ, SCORE, MANAGE = Scope.SESSIONS_READ, Scope.SESSIONS_SCORE, Scope.SESSIONS_MANAGE
ROUTES = [(view_of(name), name, method) for name, method in all_routes()] + [
    (competition_view_of(name), name, method) for name, method in competition_routes()
]


def ones(needs: Needs) -> tuple[Scope, ...]:
    return needs if isinstance(needs, tuple) else (needs,)


def with_scopes(user, *scopes: str) -> Api:
    """A client of that account, with a token for these things alone."""
    client = Api(user)
    Token.objects.filter(digest=Token.digest_of(client.secret)).update(scopes=list(scopes))
    return client


@pytest.mark.parametrize(("view", "name", "method"), ROUTES, ids=lambda value: value if isinstance(value, str) else "")
def test_every_method_of_every_route_names_a_scope_that_there_is(view, name, method):
    assert set(ones(view.scopes[method])) <= set(Scope)
    # Reading is never for those alone who may change something, but for what only they see.
    reading = {Scope.ACCOUNT_READ, Scope.STANDINGS_READ, READ, Scope.SESSIONS_PLAY}
    if method == "GET" and view.scopes[method] is not UNPUBLISHED:
        assert set(ones(view.scopes[method])) & (reading | {Scope.TOKENS_MANAGE, Scope.WEBHOOKS_MANAGE})
    if method != "GET":
        assert not set(ones(view.scopes[method])) & (reading - {Scope.SESSIONS_PLAY})


def test_no_route_names_a_method_that_it_does_not_have():
    for view, name, _ in ROUTES:
        assert all(hasattr(view, method.lower()) for method in view.scopes), name


@pytest.fixture(params=["games", "competitions"])
def addresses(request, db):
    """A superuser, and every route of one app: its view, name, method and an address."""
    if request.param == "games":
        world = World()
        user, names, view, path = world.superuser.user, all_routes(), view_of, partial(path_of, world=world)
    else:
        cup = Cup(4)
        names, view, path = competition_routes(), competition_view_of, partial(competition_path_of, cup=cup)
        user = cup.superuser.user
    return user, [(view(name), name, method, path(name)) for name, method in names]


def test_a_token_without_the_scope_is_refused_on_every_route_even_a_superusers(addresses):
    user, routes = addresses
    kept = {}
    for view, name, method, path in routes:
        needs = ones(view.scopes[method])
        if needs == (Scope.ACCOUNT_READ,):
            continue  # which every token has
        others = tuple(scope.value for scope in Scope if opened((scope,)).isdisjoint(needs))
        client = kept.get(others) or kept.setdefault(others, with_scopes(user, *others))
        answer = getattr(client, method.lower())(path)
        assert code_of(answer) == (403, "scope_needed"), (name, method)
        assert answer.json()["scope"] == needs[0], (name, method)
        assert all(scope in answer.json()["detail"] for scope in needs)


def test_a_token_with_the_scope_is_not_refused_for_it_on_any_route(addresses):
    user, routes = addresses
    clients = {scope: with_scopes(user, scope) for scope in Scope}
    for view, name, method, path in routes:
        for scope in ones(view.scopes[method]):
            answer = getattr(clients[scope], method.lower())(path)
            body = answer.json() if answer["Content-Type"] == "application/problem+json" else {}
            assert body.get("code") != "scope_needed", (name, method, scope)


@pytest.mark.django_db
def test_what_a_scope_includes():
    assert all(Scope.ACCOUNT_READ in opened((scope,)) for scope in Scope)
    assert opened(("admin",)) == set(Scope)
    assert opened(("competitions:manage",)) == {
        "account:read", "competitions:manage", "sessions:read", "standings:read",
    }  # fmt: skip
    assert opened(("sessions:play",)) == {"account:read", "sessions:play", "sessions:read"}
    assert opened(("sessions:paly",)) == opened(()) == set()
    assert in_order(["sessions:score", "account:read", "sessions:score"]) == ["account:read", "sessions:score"]
    assert set(WORDS) == set(Scope)
    assert highest_role(opened(tuple(BOTS))) == Role.MEMBER


@pytest.mark.django_db
def test_a_token_acts_in_no_higher_role_than_it_is_for():
    world = World()
    user = world.organiser.user
    club = world.club.pk
    for scopes, role in [
        ((READ, Scope.STANDINGS_READ, Scope.SESSIONS_PLAY), Role.MEMBER),
        ((SCORE,), Role.SCORER),
        ((MANAGE,), Role.ORGANISER),
    ]:
        for account in (user, world.superuser.user):
            caller = Caller.of(account)
            narrow = Caller(caller.user, caller.superuser, caller.roles, scopes=opened(tuple(scopes)))
            assert [each for each in Role if narrow.has(each, club)][-1] == role


@pytest.mark.django_db
def test_an_organisers_token_for_a_web_site_reads_what_is_published_and_no_more():
    cup = Cup(4)
    cup.organiser.post(f"{cup.path}/rounds/1/draw")
    site, desk = (
        with_scopes(cup.organiser.user, "standings:read"),
        with_scopes(cup.organiser.user, "competitions:manage"),
    )
    drawn = desk.get(f"{cup.path}/rounds/1").json()
    published = cup.member.get(f"{cup.path}/rounds/1").json()
    assert drawn != published
    assert site.get(f"{cup.path}/rounds/1").json() == published


@pytest.mark.django_db
def test_a_token_for_playing_enters_no_deal_and_one_for_scoring_plays_no_hand():
    world = World()
    world.start()
    seat, table = world.to_act()
    user = world.seats[seat].user
    action = (table["view"]["legal"] or ["-"])[0]
    scorer = with_scopes(user, "sessions:score")
    assert code_of(scorer.act(world.session, action, table["seq"])) == (403, "scope_needed")
    assert code_of(scorer.get(f"{world.path}/seats/{seat}/view")) == (403, "scope_needed")
    player = with_scopes(user, "sessions:play")
    assert player.act(world.session, action, table["seq"]).status_code == 201
    paper = {"number": 1, "result": {"cards_left": [0, 1, 2, 3]}}
    organiser = with_scopes(world.organiser.user, "sessions:play")
    answer = organiser.post(f"{world.path}/deals", paper)
    assert (*code_of(answer), answer.json()["scope"]) == (403, "scope_needed", "sessions:score")


@pytest.mark.django_db
def test_without_a_token_what_is_public_needs_no_scope():
    world = World(settings={"public": True})
    assert world.anonymous.get(world.path).status_code == 200
    # A token that is for something else is told so here too: its owner would wonder elsewhere.
    assert code_of(with_scopes(world.organiser.user, "standings:read").get(world.path)) == (403, "scope_needed")


@pytest.mark.django_db
def test_an_unknown_method_is_unknown_whatever_the_token_is_for():
    world = World()
    assert code_of(with_scopes(world.organiser.user, "standings:read").delete("/me")) == (405, "method_not_allowed")


@pytest.mark.django_db
def test_scopes_cost_no_statement():
    world = World()
    client = with_scopes(world.organiser.user, "sessions:read")
    with CaptureQueriesContext(connection) as statements:
        assert client.get("/rules").status_code == 200
    assert len(statements) == 1


def test_somebody_without_a_token_is_narrowed_by_none():
    Caller(1).require(Scope.ADMIN)
    with pytest.raises(Forbidden, match="tokens:manage"):
        Caller(1, scopes=opened(("sessions:play",))).require(Scope.TOKENS_MANAGE)
