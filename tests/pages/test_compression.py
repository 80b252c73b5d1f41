"""What is compressed on its way."""

import gzip

import pytest
from django.test import Client
from django.urls import reverse

ASKING = {"accept-encoding": "gzip, br"}


def test_a_page_goes_compressed_to_whoever_reads_that_and_is_the_same():
    plain, packed = Client().get(reverse("rules")), Client().get(reverse("rules"), headers=ASKING)
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 4
    assert "Accept-Encoding" in packed["Vary"]


@pytest.mark.django_db
def test_answers_of_the_api_are_left_as_they_are():
    answer = Client().get("/api/v1/schemes", headers=ASKING)
    assert answer.status_code in (200, 401, 404)
    assert "Content-Encoding" not in answer.headers
    schema = Client().get(reverse("schema"), headers=ASKING)
    assert "Content-Encoding" not in schema.headers
