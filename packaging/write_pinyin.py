"""Write messages/pinyin.json, by which Chinese names are found as they are typed: ``python packaging/write_pinyin.py``.

Needs pypinyin, as translating needs Qt's tools; the application reads the table alone.
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESOURCES = ROOT / "resources" / "chalkgrad_resources"
TABLE = RESOURCES / "messages" / "pinyin.json"
READ_SO = {"重做": [["chóng"], ["zuò"]], "重命名": [["chóng"], ["mìng"], ["míng"]]}
"""Words that pypinyin takes for others."""
CONTEXTS = ("Actions", "Bars", "Docks")
"""Where the names of commands are, and of what menus offer to choose."""
ALIASES = ("中文", "简体中文", "英文", "英语", "暗色", "夜间", "亮色", "字号")
"""What choices are called besides."""
LONGEST = 16
HAN = re.compile(r"[\u4e00-\u9fff]+")


def main() -> int:
    """Write the file; the exit status."""
    from pypinyin import lazy_pinyin, load_phrases_dict

    load_phrases_dict(READ_SO)
    found = {text: " ".join(lazy_pinyin("".join(HAN.findall(text)))) for text in sorted(set(texts()))}
    TABLE.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    return 0


def texts() -> Iterator[str]:
    """Every Chinese name of an operator and of a command."""
    messages = json.loads((RESOURCES / "messages" / "zh_CN.json").read_text(encoding="utf-8"))
    yield from (text for key, text in messages.items() if key.startswith("name.") and _is_title(text))
    tree = ET.parse(RESOURCES / "translations" / "chalkgrad_zh_CN.ts")
    for context in tree.iter("context"):
        if context.findtext("name") in CONTEXTS:
            yield from (text for text in (found.text or "" for found in context.iter("translation")) if _is_title(text))
    yield from ALIASES


def _is_title(text: str) -> bool:
    """False for the sentences that explain."""
    return bool(HAN.search(text)) and "{" not in text and len(text) <= LONGEST


if __name__ == "__main__":
    sys.exit(main())
