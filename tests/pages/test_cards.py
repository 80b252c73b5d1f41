"""Cards as drawings: what lies on the table and what fits is what the engine says."""

import re

from django.template import Context, Template
from hypothesis import given

from games.engine.actions import action_text
from games.templatetags.cards import layout_tag
from tests.engine.deals import Setup, setups, texts


def marked(svg: str, what: str) -> set[str]:
    return set(re.findall(rf'class="place {what}" data-card="(..)"', svg))


@given(setups())
def test_the_layout_shows_what_is_laid_and_what_fits(setup: Setup) -> None:
    deal, naive = setup.deal(), setup.naive()
    for action in setup.actions()[: setup.seed % 60]:
        deal.apply(action)
        naive.do(action_text(action))
    svg = layout_tag(deal.rules, deal.rows(), "", deal.open)
    assert marked(svg, "laid") == set(setup.deck).difference(*naive.hands)
    assert marked(svg, "fits") == texts(deal.open)


def test_an_example_of_the_rules_page_marks_what_the_engine_would_take() -> None:
    svg = Template('{% load cards %}{% example "6H-8H 7C-7C" %}').render(Context())
    assert marked(svg, "laid") == {"6H", "7H", "8H", "7C"}
    assert marked(svg, "fits") == {"5H", "9H", "6C", "8C", "7D", "7S"}
    assert 'aria-label="six of hearts–eight of hearts, seven of clubs"' in svg


def test_a_card_is_told_by_its_name_to_those_who_do_not_see_it() -> None:
    svg = Template('{% load cards %}{% card "TD" %}').render(Context())
    assert 'aria-label="ten of diamonds"' in svg
    assert ">10</text>" in svg
