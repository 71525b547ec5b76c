"""Sentences for people are there, complete, in every language."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from chalkgrad import text
from chalkgrad.engine.record import OPS
from chalkgrad.text import LANGUAGES, Text, catalogue, fields, render

ROOT = Path(__file__).parents[3]


@pytest.fixture
def strict(monkeypatch):
    monkeypatch.setattr(text, "strict", True)


@pytest.fixture
def sentences(monkeypatch):
    """Two small catalogues in place of the real ones."""
    known = {
        "en": {"a": "{n} lines in {where}", "line": "line {n}", "only": "English only"},
        "zh_CN": {"a": "{where}有 {n} 行", "line": "第 {n} 行"},
    }
    monkeypatch.setattr(text, "catalogue", known.__getitem__)


def test_catalogues_have_the_same_keys_and_fields():
    english = catalogue("en")
    for language in LANGUAGES:
        other = catalogue(language)
        assert english.keys() == other.keys()
        assert {key: fields(english[key]) for key in english} == {key: fields(other[key]) for key in other}
        assert all(sentence.strip() for sentence in other.values())


def test_chinese_is_chinese():
    assert [key for key, sentence in catalogue("zh_CN").items() if not re.search("[\u4e00-\u9fff]", sentence)] == []


def test_every_operator_and_section_has_its_words():
    importlib.import_module("chalkgrad.ops")
    assert OPS
    seen = [record for record in OPS.values() if not record.hidden]
    wanted = {record.text_key for record in seen}
    wanted |= {f"section.{record.section.replace(' ', '-')}" for record in seen}
    assert wanted - catalogue("en").keys() == set()


def test_every_key_in_the_code_has_its_sentence():
    sources = [path for folder in ("core", "app") for path in (ROOT / folder).rglob("*.py")]
    keys = {key for path in sources for key in re.findall(r'\bText\(\s*"([\w.-]+)"', path.read_text(encoding="utf-8"))}
    assert keys
    assert keys - catalogue("en").keys() == set()


def test_fields_are_filled(sentences):
    assert render(Text("a", n=3, where="x.py"), "en") == "3 lines in x.py"
    assert render(Text("a", n=3, where="x.py"), "zh_CN") == "x.py有 3 行"


def test_a_value_may_be_a_text(sentences):
    nested = Text("a", n=2, where=Text("line", n=7))
    assert render(nested, "en") == "2 lines in line 7"
    assert render(nested, "zh_CN") == "第 7 行有 2 行"


def test_braces_in_a_value_are_left_alone(sentences):
    assert render(Text("line", n="{n} {x}"), "en") == "line {n} {x}"


def test_what_is_missing_is_made_do_without(sentences):
    assert render(Text("only"), "zh_CN") == "English only"
    assert render(Text("line", n=1), "fr") == "line 1"
    assert render(Text("nowhere"), "en") == "nowhere"
    assert render(Text("line"), "en") == "line {n}"


def test_what_is_missing_is_an_error_when_strict(sentences, strict):
    for missing in (lambda: render(Text("only"), "zh_CN"), lambda: render(Text("line"), "en")):
        with pytest.raises(KeyError):
            missing()


def test_texts_are_values():
    assert Text("a", n=1) == Text("a", n=1) != Text("a", n=2)
    assert len({Text("a", n=[1]), Text("a", n=[1])}) == 1
    with pytest.raises(AttributeError):
        Text("a").key = "b"
