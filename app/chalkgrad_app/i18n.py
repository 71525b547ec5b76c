"""The language of the window: Qt translators, switched while running."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from chalkgrad.errors import ChalkgradError
from chalkgrad.text import Text, render

LANGUAGES = {"en": "English", "zh_CN": "简体中文"}
"""Languages by code, each by its own name."""


class Languages:
    """The translators installed for the language in use."""

    def __init__(self) -> None:
        self.code = "en"
        self._installed: list[QTranslator] = []

    def use(self, code: str) -> None:
        """Switch to language ``code``; every widget gets a LanguageChange event. KeyError for an unknown code."""
        if code not in LANGUAGES:
            raise KeyError(code)
        for translator in self._installed:
            QCoreApplication.removeTranslator(translator)
        self._installed = [] if code == "en" else _translators(code)
        self.code = code
        for translator in self._installed:
            QCoreApplication.installTranslator(translator)


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # the name that Qt's lupdate looks for
    """``text`` as it is, marked to be translated later in ``context``. (PySide6's own has no type.)"""
    del context
    return text


def system_language() -> str:
    """The code of the language that the system's user reads: zh_CN for any Chinese, else en."""
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def translate(context: str, text: str) -> str:
    """``text`` in the language in use; for modules that are no QObject."""
    return QCoreApplication.translate(context, text)


def in_a_row(sentences: Iterable[Text]) -> str:
    """Sentences of the core as one text in the language in use."""
    gap = "" if language().startswith("zh") else " "  # Chinese full stops have their room in them
    return gap.join(render(sentence, language()) for sentence in sentences)


def sentence(error: Exception) -> str:
    """What an error says, in the language in use where it knows it."""
    return render(error.text, language()) if isinstance(error, ChalkgradError) else str(error)


def in_every_language(context: str, text: str) -> tuple[str, ...]:
    """``text`` in each language there is: what can be searched for whichever is in use."""
    return text, *(other.translate(context, text) or text for other in _catalogues())


@cache
def _catalogues() -> tuple[QTranslator, ...]:
    """The application's own texts in every language but English, which the texts themselves are in."""
    return tuple(_translators(code)[-1] for code in LANGUAGES if code != "en")


def _translators(code: str) -> list[QTranslator]:
    """Translators for Qt's own texts, where its file is there, and for those of the application."""
    qts, own = QTranslator(), QTranslator()
    found = qts.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    own.load(_compiled(code))
    return [qts, own] if found else [own]


@cache
def _compiled(code: str) -> bytes:
    """The compiled texts of a language, kept in memory: Qt reads them there, whatever becomes of the file."""
    return (files("chalkgrad_resources") / "translations" / f"chalkgrad_{code}.qm").read_bytes()


languages = Languages()


def set_language(code: str) -> None:
    """Switch the whole application to language ``code``."""
    languages.use(code)


def language() -> str:
    """The code of the language in use."""
    return languages.code
