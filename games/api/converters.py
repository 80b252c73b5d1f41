"""What ids and numbers look like in addresses; importing this makes them known to patterns."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class PublicId(StringConverter):
    regex = "[2-9a-hj-km-np-z]{12}"


class Number(StringConverter):
    """A deal's number, from 1."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class Seat(Number):
    regex = "[0-7]"


register_converter(PublicId, "public_id")
register_converter(Number, "number")
register_converter(Seat, "seat")
