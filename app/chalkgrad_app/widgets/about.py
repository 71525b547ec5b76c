"""The box that says what Chalkgrad is: its version, its licence, on what it stands, and where one reads on."""

from __future__ import annotations

import html
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QMessageBox, QWidget

from chalkgrad import __version__
from chalkgrad_app.i18n import translate
from chalkgrad_app.style import icons
from chalkgrad_app.widgets.code_font import scaled

LOGO = 64
"""Side of the logo, in pixels at 100% text size."""

PARTS = (
    ("NumPy", "numpy", "BSD-3-Clause"),
    ("NetworkX", "networkx", "BSD-3-Clause"),
    ("Pygments", "Pygments", "BSD-2-Clause"),
    ("ziamath", "ziamath", "MIT"),
    ("Qt, PySide6", "PySide6-Essentials", "LGPL-3.0"),
)
"""What it stands on: its name, its package, its licence."""

DOCS = Path(__file__).resolve().parents[3] / "docs"
"""The documents of a checkout; an installed Chalkgrad has none."""


def about_box(parent: QWidget) -> QMessageBox:
    """The box, made and not shown yet."""
    box = QMessageBox(parent)
    box.setObjectName("about")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(translate("About", "About Chalkgrad"))
    side = scaled(LOGO)
    box.setIconPixmap(icons.icon("app").pixmap(side, side))
    box.setText(_words())
    return box


def _words() -> str:
    what = translate("About", "Chalkgrad shows what PyTorch 2.13's autograd does, computed by a numpy core of its own.")
    licence = translate("About", "It is free software under the {name} licence and stands on:").format(name="MIT")
    paragraphs = [f"<b>Chalkgrad {__version__}</b>", html.escape(what), html.escape(licence) + _parts()]
    if DOCS.is_dir():
        link, words = QUrl.fromLocalFile(str(DOCS)).toString(), translate("About", "Documents")
        paragraphs.append(f"<a href='{html.escape(link)}'>{html.escape(words)}</a>")
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def _parts() -> str:
    rows = (
        f"<tr><td>{name}</td><td width=12></td><td>{_version(package)}</td><td width=12></td><td>{licence}</td></tr>"
        for name, package, licence in PARTS
    )
    return f"<table>{''.join(rows)}</table>"


def _version(package: str) -> str:
    """The version that is installed; nothing where a bundle doesn't say it."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
