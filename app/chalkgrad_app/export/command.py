"""``chalkgrad export FILE -o OUT...``: pictures and texts of a document, without a window and without a display."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from chalkgrad import cli
from chalkgrad.errors import ChalkgradError
from chalkgrad.text import render
from chalkgrad_app import i18n, settings
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document
from chalkgrad_app.export import image
from chalkgrad_app.keeping import read_sheet

PICTURES = {".png", ".svg", ".pdf"}


def parser() -> argparse.ArgumentParser:
    """The options of ``chalkgrad export``."""
    made = argparse.ArgumentParser(prog="chalkgrad export", description="Write pictures and texts of a document.")
    made.add_argument("file", type=Path, metavar="FILE", help="a .chalk document or PyTorch code (.py, .ipynb)")
    made.add_argument("-o", "--output", type=Path, nargs="+", required=True, metavar="OUT", help="by extension")
    made.add_argument("--at", type=int, metavar="LINE", help="as it is after this line")
    made.add_argument("--theme", choices=settings.THEMES, default="light")
    made.add_argument("--scale", type=float, default=2.0, help="pixels of a PNG for each unit, 0.1 to 8")
    made.add_argument("--lang", choices=tuple(i18n.LANGUAGES), default="en")
    made.add_argument("--selection", metavar="NAMES", help="only these tensors, separated by commas")
    made.add_argument("--transparent", action="store_true", help="no background")
    return made


def main(arguments: Sequence[str]) -> int:
    """Write what is asked; the exit status. Bad input: one line on stderr, status 2, nothing written."""
    options = parser().parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        return _export(options)
    except (ChalkgradError, OSError) as error:
        words = render(error.text, "en") if isinstance(error, ChalkgradError) else str(error)
        return _refuse(f"{options.file}: {words}")


def _export(options: argparse.Namespace) -> int:
    unknown = [out for out in options.output if out.suffix not in PICTURES | cli.TEXTS]
    if unknown:
        return _refuse(f"{unknown[0]}: can't write {unknown[0].suffix or 'a file without an extension'}")
    if not 0.1 <= options.scale <= 8:
        return _refuse(f"--scale {options.scale:g}: must be between 0.1 and 8")
    sheet = read_sheet(options.file)
    pictures = [out for out in options.output if out.suffix in PICTURES]
    if pictures:
        from chalkgrad_app.application import application

        application()
        i18n.set_language(options.lang)
        document = Document(sheet, options.file)
        document.finish()
        document.amend(arrange.place_missing(document.sheet, document.state))
        problem = _point(document, options)
        if problem:
            return _refuse(problem)
        for out in pictures:
            image.export_document(
                document,
                out,
                theme=options.theme,
                scale=options.scale,
                selection=document.selected_statements,
                transparent=options.transparent,
            )
    for out in options.output:
        if out.suffix in cli.TEXTS:
            cli.write_text(sheet, out)
    return 0


def _point(document: Document, options: argparse.Namespace) -> str:
    """Move the cursor and select as asked; what is wrong with that, or the empty string."""
    if options.at is not None:
        at = [id_ for id_, line in document.program.lines.items() if line == options.at]
        if not at:
            return f"--at {options.at}: there is no such line"
        document.look_at_line(at[-1])
    if options.selection:
        names = [name.strip() for name in options.selection.split(",")]
        found = {name: document.program.named(name) for name in names}
        missing = [name for name, ref in found.items() if ref is None]
        if missing:
            return f"--selection: there is no tensor called {missing[0]}"
        document.select(ref.statement for ref in found.values() if ref is not None)
    return ""


def _refuse(line: str) -> int:
    print(f"chalkgrad export: {line}", file=sys.stderr)  # noqa: T201
    return 2
