"""The lines of a note, as Markdown is to read them: prose keeps its line ends, and a table stands apart from it."""

from __future__ import annotations

import re

_NOT_PROSE = re.compile(r"\s*([#>|]|[-*+] |\d+[.)] |```|~~~|---|===)|\s*$")
_STANDS_ALONE = re.compile(r"\s*([#|]|```|~~~|$)")
_FENCE = ("```", "~~~")
_ROW, _RULE = re.compile(r"\s*\|"), re.compile(r"\s*\|[\s:|-]*-[\s:|-]*$")
"""A row of a table, and the line below its head."""
_ADDRESS = re.compile(r"(?://|www\.|@)\S+$")
"""An address at the end of a line: what follows it at once would be a part of it."""


def with_breaks(text: str, sign: str) -> str:
    """Lines of prose keep their ends, as they were typed, by a ``sign``; Markdown alone would join them."""
    lines = _apart(text.split("\n"))
    in_code = False
    for index, line in enumerate(lines[:-1]):
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        if not in_code and not _STANDS_ALONE.match(line) and not _NOT_PROSE.match(lines[index + 1]):
            lines[index] = line + (" " if _ADDRESS.search(line) else "") + sign
    return "\n".join(lines)


def _apart(lines: list[str]) -> list[str]:
    """An empty line before and after each table that prose touches: it would be taken for prose, or take it in."""
    found: list[str] = []
    in_code = in_table = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        begins = not in_code and not in_table and bool(_ROW.match(line) and _RULE.match(below))
        ends = in_table and not _ROW.match(line)
        if (begins or ends) and line.strip() and found and found[-1].strip():
            found.append("")
        in_table = begins or (in_table and not ends)
        found.append(line)
    return found
