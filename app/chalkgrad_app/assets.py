"""The files that come with Chalkgrad: themes, icons, translations, read alike from a checkout, a wheel and a bundle."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

PACKAGE = "chalkgrad_resources"


def data(path: str) -> bytes:
    """The bytes of the resource at ``path`` (``"themes/light.toml"``); FileNotFoundError where there is none."""
    return _at(path).read_bytes()


def text(path: str) -> str:
    """The UTF-8 text of the resource at ``path``; FileNotFoundError where there is none."""
    return _at(path).read_text(encoding="utf-8")


def has(path: str) -> bool:
    """True when there is a resource at ``path``."""
    return _at(path).is_file()


@cache
def names(folder: str, ending: str = "") -> tuple[str, ...]:
    """Names of the files in ``folder`` that end in ``ending``, sorted, the ending taken off."""
    found = (entry.name for entry in _at(folder).iterdir() if entry.is_file() and entry.name.endswith(ending))
    return tuple(sorted(name.removesuffix(ending) for name in found))


def _at(path: str) -> Traversable:
    return _package().joinpath(*path.split("/"))


@cache
def _package() -> Traversable:
    return files(PACKAGE)
