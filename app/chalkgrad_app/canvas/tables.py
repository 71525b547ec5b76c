"""Numbers pasted as a table: rows of a spreadsheet, or an array as NumPy prints it."""

from __future__ import annotations

import re

from chalkgrad.program.names import narrow

_NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf)", re.IGNORECASE)


def as_list(text: str) -> str:
    """The text of a value with a table written as a nested list, and NumPy's ``array( )`` taken off.

    A table has several lines or a tab, no brackets, and as many numbers in each line; other text is left as it is.
    """
    plain = narrow(text).strip()
    printed = re.fullmatch(r"(?:np\.|numpy\.)?array\((\[.*\])(?:,\s*dtype=[\w.]+)?\)", plain, re.DOTALL)
    if printed is not None:
        return printed.group(1)
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    if "[" in plain or (len(lines) < 2 and "\t" not in plain):
        return text
    rows = [[cell for cell in re.split(r"[\s,;]+", line) if cell] for line in lines]
    if any(len(row) != len(rows[0]) or not all(map(_NUMBER.fullmatch, row)) for row in rows):
        return text
    written = [f"[{', '.join(row)}]" for row in rows]
    return f"[{', '.join(written)}]" if len(written) > 1 else written[0]
