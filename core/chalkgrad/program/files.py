"""Files: a sheet as JSON text and back, and the file on disk.

Reading executes nothing: every value is checked against what the format allows, and what doesn't fit is refused with
its place. The format is published as a JSON schema (``schema/chalk-1.json`` in the resources); the check here is
stricter, for a schema can't say that a wire leads to an earlier line.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path

from chalkgrad.program import encode
from chalkgrad.program.decode import decode_sheet
from chalkgrad.program.encode import FORMAT, VERSION, encode_sheet
from chalkgrad.program.json_values import FileError, Place, no_constant
from chalkgrad.program.sheet import Sheet
from chalkgrad.stepwise import Stepwise, beside, finished
from chalkgrad.text import Text

__all__ = [
    "FileError",
    "load",
    "loading",
    "migrated",
    "parse",
    "read_file",
    "reading",
    "save",
    "write_file",
    "write_text",
    "writing_text",
]

Document = dict[str, object]

MIGRATIONS: Mapping[int, Callable[[Document], Document]] = {}
"""For each older version, what makes a document of it one of the next version."""

LARGEST = 256 * 2**20
"""Bytes, or characters of a text; what is longer is refused before anything is read from it."""

DISK_S = 0.02
"""For so long a disk is waited for in one go, in seconds: most need less to have a file."""


def save(sheet: Sheet) -> str:
    """The sheet as the text of a file: stable in order, one statement a line."""
    return encode_sheet(sheet)


def pieces(sheet: Sheet) -> Iterator[str]:
    """The same text, a line or less at a time."""
    return encode.pieces(sheet)


def load(text: str) -> Sheet:
    """The sheet that a file's text holds; FileError where it holds none."""
    return finished(loading(text))


def loading(text: str) -> Stepwise[Sheet]:
    """The same in steps."""
    return (yield from decode_sheet(migrated(parse(text))))


def parse(text: str) -> Document:
    """A file's JSON, checked to be a document of a version that is known."""
    if len(text) > LARGEST:
        raise FileError(Text("file.too_large"), Place())
    try:
        document = json.loads(text.removeprefix("\ufeff"), parse_constant=no_constant)
    except json.JSONDecodeError as error:
        raise FileError(Text("file.no_json", line=error.lineno, column=error.colno), Place()) from None
    except (RecursionError, ValueError):
        raise FileError(Text("file.too_deep"), Place()) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileError(Text("file.other_format"), Place())
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileError(Text("file.bad_version"), Place("version"))
    if version > VERSION:
        raise FileError(Text("file.newer", version=version, known=VERSION), Place("version"))
    return document


def migrated(document: Document) -> Document:
    """A document of any older version as one of the current version."""
    version = document["version"]
    assert isinstance(version, int)
    while version < VERSION:
        document = {**MIGRATIONS[version](document), "version": version + 1}
        version += 1
    return document


def read_file(path: str | os.PathLike[str]) -> Sheet:
    """The sheet in a file; FileError where it holds none, OSError where it can't be read."""
    return finished(reading(path))


def reading(path: str | os.PathLike[str]) -> Stepwise[Sheet]:
    """The same in steps."""
    if os.stat(path).st_size > LARGEST:
        raise FileError(Text("file.too_large"), Place())
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(Text("file.no_utf8"), Place()) from None
    return (yield from loading(text))


def write_file(path: str | os.PathLike[str], sheet: Sheet) -> None:
    """Write the sheet so that the file is either the old one or the whole new one; OSError where it can't be.

    The new text is written beside the file and then takes its place, and its mode. A link is written through.
    """
    write_text(path, save(sheet))


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file's text in one step."""
    finished(writing_text(path, text, inf))


def writing_text(path: str | os.PathLike[str], text: str, at_once: float | None = None) -> Stepwise[None]:
    """The same in steps: a disk that takes longer than ``at_once`` seconds is waited for in a thread.

    Given up, the file is as it was.
    """
    at_once = DISK_S if at_once is None else at_once
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    unwanted: list[str] = []
    try:
        yield from _done(partial(_put, handle, text, unwanted), at_once)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        unwanted.append(name)
        _remove(name)
        raise
    yield from _done(partial(_sync_folder, target.parent), at_once)


def _done(work: Callable[[], None], at_once: float) -> Stepwise[None]:
    """Do it beside; here where it would be waited for at any rate."""
    if at_once == inf:
        work()
    else:
        yield from beside(work, at_once)


def _put(handle: int, text: str, unwanted: Sequence[str]) -> None:
    """Write a text through to the disk; what is ``unwanted`` by then is removed: Windows does that to no open file."""
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    for name in unwanted:
        _remove(name)


def _remove(name: str) -> None:
    with suppress(PermissionError):
        Path(name).unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """The mode of the file as it is, or that of a new file."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Have the folder's new entry on disk, where the system can do that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
