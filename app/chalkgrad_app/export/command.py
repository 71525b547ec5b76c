"""``chalkgrad export FILE -o OUT...``: pictures and texts of a document, without a window and without a display."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from chalkgrad import cli
from chalkgrad.program import files
from chalkgrad.program.board import CARDS, DRAWINGS
from chalkgrad.program.sheet import Sheet
from chalkgrad_app import i18n, settings
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document
from chalkgrad_app.export import image
from chalkgrad_app.keeping import REFUSALS, read_sheet, refusal

LEAST_SCALE, MOST_SCALE = 0.1, 8.0


class RefusedError(Exception):
    """What is asked can't be done; the text is the line for stderr."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise RefusedError(message)


def parser() -> argparse.ArgumentParser:
    """The options of ``chalkgrad export``."""
    made = Parser(prog="chalkgrad export", description="Write pictures and texts of a document, by their extensions.")
    made.add_argument("file", type=Path, metavar="FILE", help="a .chalk document or PyTorch code (.py, .ipynb)")
    kinds = " ".join(dict.fromkeys((*image.FORMATS, *cli.WRITERS)))
    made.add_argument("-o", "--output", type=Path, nargs="+", required=True, metavar="OUT", help=kinds)
    made.add_argument("--view", choices=DRAWINGS, default="", help="the drawing, else that of the document")
    made.add_argument("--at", type=int, metavar="LINE", help="the picture as it is after this line")
    made.add_argument("--theme", choices=settings.THEMES, default="light")
    made.add_argument("--scale", type=float, default=2.0, help="pixels of a PNG for each unit, 0.1 to 8")
    made.add_argument("--lang", choices=tuple(i18n.LANGUAGES), default="en")
    made.add_argument("--selection", metavar="NAMES", help="only these tensors, separated by commas")
    made.add_argument("--transparent", action="store_true", help="no background")
    return made


def main(arguments: Sequence[str]) -> int:
    """Write what is asked; the exit status. Bad input: one line on stderr, status 2, nothing written."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # whatever is set: no window is shown, and a display may be missing
    try:
        options = parser().parse_args(arguments)
        _check(options)
        sheet = _read(options.file)
        _write(sheet, options)
    except RefusedError as error:
        sys.stderr.write(f"chalkgrad export: {error}\n")
        return 2
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what can be refused before anything is read."""
    for out in options.output:
        if out.suffix.lower() not in image.FORMATS and out.suffix.lower() not in cli.WRITERS:
            raise RefusedError(f"{out}: can't write {out.suffix or 'a file without an extension'}")
        if cli.is_source(out, options.file):
            raise RefusedError(f"{out}: this is the file that is read")
        if out.is_dir():
            raise RefusedError(f"{out}: this is a folder")
        if not os.access(out.absolute().parent, os.W_OK):
            raise RefusedError(f"{out}: can't write into this folder")
    if not LEAST_SCALE <= options.scale <= MOST_SCALE:
        raise RefusedError(f"--scale {options.scale:g}: must be between {LEAST_SCALE:g} and {MOST_SCALE:g}")


def _read(path: Path) -> Sheet:
    try:
        return read_sheet(path)
    except REFUSALS as error:
        raise RefusedError(refusal(path, error, "en")) from None


def _write(sheet: Sheet, options: argparse.Namespace) -> None:
    """Write pictures, then texts."""
    pictures = [out for out in options.output if _is_painted(out, sheet, options)]
    out = Path()
    try:
        if pictures:
            document = _document(sheet, options)
            for out in pictures:
                image.export_document(
                    document,
                    out,
                    theme=options.theme,
                    scale=options.scale,
                    selection=document.selected_statements,
                    transparent=options.transparent,
                    drawing=options.view,
                )
        for out in options.output:
            if out not in pictures:
                files.write_text(out, cli.WRITERS[out.suffix.lower()](sheet))
    except OSError as error:
        raise RefusedError(refusal(out, error, "en")) from None


def _is_painted(out: Path, sheet: Sheet, options: argparse.Namespace) -> bool:
    """True for pictures. TikZ of all the cards has a node for each, to go on with; else it is painted as well."""
    suffix = out.suffix.lower()
    if suffix not in cli.WRITERS:
        return True
    asked = options.selection or options.at is not None or options.transparent
    return suffix in image.FORMATS and bool(asked or (options.view or sheet.board.drawing) != CARDS)


def _document(sheet: Sheet, options: argparse.Namespace) -> Document:
    """The document as it is asked for, run to its end, with the cursor and the selection where they were asked for."""
    from chalkgrad_app.application import application

    application()
    i18n.set_language(options.lang)
    document = Document(sheet, options.file)
    document.finish()
    document.amend(arrange.place_missing(document.sheet, document.state))
    if options.at is not None:
        at = [id_ for id_, line in document.program.lines.items() if line == options.at]
        if not at:
            raise RefusedError(f"--at {options.at}: there is no such line")
        document.look_at_line(max(at, key=document.program.positions.__getitem__))
    if options.selection:
        names = [name.strip() for name in options.selection.split(",")]
        found = {name: document.program.named(name) for name in names}
        missing = [name for name, ref in found.items() if ref is None]
        if missing:
            raise RefusedError(f"--selection: there is no tensor called {missing[0]!r}")
        document.select(ref.statement for ref in found.values() if ref is not None)
    return document
