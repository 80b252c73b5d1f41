"""The rules page of each language says what the engine plays and the schemes score."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.engine.rules import PROFILES
from scoring.schemes import scheme_from_text
from tests.scoring.cases import WORKED

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def page(code: str) -> str:
    answer = Client().get(reverse("rules-in", args=[code]))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_names_every_profile(code):
    terms = " ".join(re.findall(r"<dt>(.*?)</dt>", page(code)))
    assert set(PROFILES) <= set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", terms))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("scheme", ["wins", "card-count", "pool", "yellowclub-chips", "bicycle"])
def test_its_worked_deal_is_what_the_schemes_score(code, scheme):
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>.*?</tr>", page(code), re.DOTALL)]
    told = [[int(cell.replace("−", "-")) for cell in row] for row in rows if len(row) == 4 and all(map(is_number, row))]
    assert list(map(int, scheme_from_text(scheme).score(WORKED))) in told


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_says_which_language_it_is_in_and_that_there_are_others(code):
    text = page(code)
    assert re.search(r'<html lang="([^"]+)"', text)[1].lower() == code
    assert all(f'hreflang="{other}"' in text for other in LANGUAGES)


def test_it_is_read_in_the_language_that_the_browser_asks_for():
    for header, code in (("ru-RU,ru;q=0.9", "ru"), ("pt-BR", "pt"), ("sr", "sr-Latn"), ("de", "en")):
        answer = Client().get(reverse("rules"), headers={"accept-language": header})
        assert f'<html lang="{code}">' in answer.content.decode()


def test_a_language_that_there_is_not_is_not_found():
    assert Client().get("/rules/xx/").status_code == 404


def is_number(text: str) -> bool:
    return re.fullmatch(r"[+−-]?\d+", text) is not None
