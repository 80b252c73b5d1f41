"""Finding what can be added by one file: every class of a kind in a folder, and those of installed packages."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isabstract
from pkgutil import iter_modules
from typing import TypeVar

T = TypeVar("T")


def discover(
    base: type[T], *, package: str, path: Iterable[str], group: str, names: Callable[[type[T]], tuple[str, ...]]
) -> dict[str, type[T]]:
    """The concrete subclasses of `base` by each of their names, in the order of their first names.

    They come from the modules of `package`, whose folders are `path`, and from the entry points of `group`, each naming
    a class. Raise ValueError when two classes have a name in common.
    """
    found: dict[str, type[T]] = {}
    classes = {*_in_folder(base, package, path), *(entry.load() for entry in entry_points(group=group))}
    for cls in sorted(classes, key=lambda cls: (names(cls), cls.__module__)):
        for name in names(cls):
            if name in found:
                raise ValueError(f"The name {name} is taken twice: by {found[name].__module__} and {cls.__module__}.")
            found[name] = cls
    return found


def _in_folder(base: type[T], package: str, path: Iterable[str]) -> Iterator[type[T]]:
    for found in iter_modules(path):
        module = import_module(f"{package}.{found.name}")
        classes = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, base)]
        yield from (cls for cls in classes if cls.__module__ == module.__name__ and not isabstract(cls))
