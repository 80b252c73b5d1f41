"""A QR code is a piece of SVG that stands inside a page and says the address."""

from xml.etree import ElementTree

import pytest

from competitions.qr import qr_svg

ADDRESS = "https://club.example/s/ab2cd3?round=3&table=4"


def test_the_code_is_drawn_inline_with_its_title_for_those_who_cannot_see_it():
    root = ElementTree.fromstring(qr_svg(ADDRESS, title='<Table 4> & "Ann"'))
    assert root.tag == "svg"
    assert root.findtext("title") == '<Table 4> & "Ann"'
    assert {node.tag for node in root.iter()} == {"svg", "title", "g", "path"}


def test_an_address_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="too long"):
        qr_svg("https://club.example/" + "x" * 3000)
