"""What the ending of a file's address looks like; importing this makes it known to patterns."""

from django.urls import register_converter
from django.urls.converters import StringConverter

from competitions.files.reading import MEDIA_TYPES


class FormConverter(StringConverter):
    regex = "|".join(MEDIA_TYPES)


register_converter(FormConverter, "form")
