"""The XML inside a workbook, read as a stream of events and never as a tree, so that nothing can be made to swell.

A document type (and so entities) is refused, depth and unpacked bytes are bounded, names are taken without their
namespace, as files in the strict and in the usual dialect have different ones.
"""

import zipfile
import zlib
from collections.abc import Callable
from typing import IO
from xml.parsers import expat

from competitions.files.errors import FileError
from scoring.wording import say

UNPACKED = 64 * 1024 * 1024
"""Bytes that all parts read of one workbook may unpack to."""
_DEPTH = 32
_CHUNK = 256 * 1024

Start = Callable[[str, dict[str, str]], None]
Name = Callable[[str], None]


class Package:
    """The parts of a workbook, unpacked within bounds. Raise FileError for what is no workbook."""

    def __init__(self, source: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(source)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, IndexError) as error:
            raise FileError(say("The file is damaged: it is no workbook (.xlsx).")) from error
        self.names = frozenset(self._zip.namelist())
        self._left = UNPACKED

    def parse(self, part: str, start: Start, end: Name, text: Name | None = None) -> None:
        """Read one part: `start` with a local name and the attributes by local names, `end`, and text between."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        depth = 0

        def opened(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEPTH:
                raise FileError(say("The workbook is nested deeper than any spreadsheet program writes it."))
            start(_local(name), {_local(key): value for key, value in attributes.items()})

        def closed(name: str) -> None:
            nonlocal depth
            depth -= 1
            end(_local(name))

        parser.StartElementHandler = opened
        parser.EndElementHandler = closed
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = _refuse_doctype
        try:
            with self._zip.open(part) as source:
                while chunk := source.read(_CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        size = UNPACKED // 1024**2
                        raise FileError(say("The workbook unpacks to more than {size} MiB. Split it.", size=size))
                    parser.Parse(chunk)
            parser.Parse(b"", True)
        except KeyError as error:
            sentence = say("The workbook is damaged: its part {part} is missing.", part=part[:80])
            raise FileError(sentence) from error
        except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            if isinstance(error, FileError):
                raise
            sentence = say("The workbook is damaged: its part {part} cannot be read.", part=part[:80])
            raise FileError(sentence) from error
        except (RuntimeError, NotImplementedError) as error:
            raise FileError(say("The workbook is encrypted or packed in a way that is not read here.")) from error


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _refuse_doctype(*_: object) -> None:
    raise FileError(say("The workbook declares a document type; no spreadsheet program writes one."))
