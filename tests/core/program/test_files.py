"""Files: what is saved is opened again, and what is no document is refused with its place."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import sheets

from chalkgrad.program import edits, files
from chalkgrad.program.board import DRAWINGS, Place
from chalkgrad.program.decode import TOP_KEYS
from chalkgrad.program.decode_board import BOARD_KEYS
from chalkgrad.program.decode_program import STATEMENT_KEYS
from chalkgrad.program.files import FileError, load, save
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Array, Kind, Statement
from chalkgrad.program.vocabulary import DTYPES, LOOP, MODES, STEPS, STYLES
from chalkgrad.source.emit import program_text
from chalkgrad.source.read import read_source

DATA = Path(__file__).parents[2] / "data" / "files"
COURSE = (DATA / "version-1.chalk").read_text("utf-8")


@given(sheets())
@settings(max_examples=200)
def test_what_is_saved_is_opened_again(sheet: Sheet) -> None:
    text = save(sheet)
    again = load(text)
    assert again == sheet
    assert again.program.next_id >= sheet.program.next_id
    assert save(again) == text


def test_the_sample_of_version_1_opens() -> None:
    sheet = load(COURSE)
    assert [statement.name for statement in sheet.program] == ["w", "x", "big", "a", "b", "y", "", "", ""]
    assert sheet.program[3].operands[0] == Array("float32", (2, 40), sheet.program[3].operands[0].data)
    assert sheet.program[3].operands[0].numpy()[1, 39] == 79.0
    assert sheet.board.place(6) == Place(496.0, 96.0, True)
    assert dict(sheet.extra)["made_with"] == "a later version"
    assert save(sheet) == COURSE


def test_one_statement_a_line() -> None:
    lines = COURSE.splitlines()
    assert sum('"kind"' in line for line in lines) == len(load(COURSE).program.order)
    changed = load(COURSE)
    changed = changed.apply(edits.rename(changed.program, 6, 0, "loss"))
    assert sum(a != b for a, b in zip(save(changed).splitlines(), lines, strict=True)) == 1


def test_unknown_keys_stay_where_they_were() -> None:
    document = json.loads(COURSE)
    document["statements"][1]["colour"] = [1, {"a": None}]
    document["board"]["grid"] = 8
    again = json.loads(save(load(json.dumps(document))))
    assert again["statements"][1]["colour"] == [1, {"a": None}]
    assert again["board"]["grid"] == 8
    assert again["made_with"] == "a later version"


def test_numbers_that_json_does_not_have() -> None:
    values = (float("inf"), float("-inf"), float("nan"), -0.0)
    made = Statement(1, Kind.LEAF, "tensor", ("x",), (values,))
    text = save(Sheet().apply(edits.insert(Sheet().program, [made])))
    json.loads(text, parse_constant=pytest.fail)
    assert repr(load(text).program[1].operands[0]) == repr(values)


def test_a_number_where_an_in_place_operator_wants_its_tensor() -> None:
    program = read_source("import torch\na = torch.tensor([1.])\na.sub_(a)")
    sheet = Sheet(program)
    sheet = sheet.apply(edits.set_port(program, program.order[-1], 0, 3.5))
    assert program_text(sheet.program).endswith("(3.5).sub_(a)\n")
    assert load(save(sheet)) == sheet


def test_version() -> None:
    with pytest.raises(FileError, match="version 99; this Chalkgrad reads up to version 1"):
        load(COURSE.replace('"version": 1', '"version": 99'))
    for version in ("0", "-1", "true", '"1"', "1.5"):
        with pytest.raises(FileError, match="version: "):
            load(COURSE.replace('"version": 1', f'"version": {version}'))


def test_older_versions_are_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "VERSION", 3)
    monkeypatch.setattr(files, "MIGRATIONS", {1: lambda d: {**d, "one": 1}, 2: lambda d: {**d, "two": d["one"]}})
    assert dict(load(COURSE).extra) == {"made_with": "a later version", "one": 1, "two": 1}


def changed(path: str, value: object) -> str:
    """The course example with the value at ``path`` replaced."""
    document = json.loads(COURSE)
    steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
    here = document
    for step in steps[:-1]:
        here = here[step]
    if isinstance(here, list) and steps[-1] == len(here):
        here.append(value)
    else:
        here[steps[-1]] = value
    return json.dumps(document)


HOSTILE = [
    ("statements", {}, "statements"),
    ("statements[3]", 7, "statements[3]"),
    ("statements[3].id", "4", "statements[3].id"),
    ("statements[3].id", 2**70, "statements[3].id"),
    ("statements[3].id", 1, "statements[3].id"),
    ("statements[3].id", True, "statements[3].id"),
    ("statements[3].kind", "exec", "statements[3].kind"),
    ("statements[3].call", "__import__", "statements[3].call"),
    ("statements[3].call", "unsafe_view", "statements[3].call"),
    ("statements[0].call", "load", "statements[0].call"),
    ("statements[3].targets", ["a b"], "statements[3].targets[0]"),
    ("statements[3].targets", ["lambda"], "statements[3].targets[0]"),
    ("statements[3].targets", ["torch"], "statements[3].targets[0]"),
    ("statements[3].targets", ["\uff54orch"], "statements[3].targets[0]"),  # Python reads it as torch
    ("statements[3].targets", [0], "statements[3].targets[0]"),
    ("statements[3].targets", [], "statements[3].targets"),
    ("statements[3].operands", [{"ref": 1}], "statements[3].operands"),
    ("statements[3].operands[0]", {"ref": 99}, "statements[3].operands[0].ref"),
    ("statements[3].operands[0]", {"ref": 4}, "statements[3].operands[0].ref"),
    ("statements[3].operands[0]", {"ref": 6}, "statements[3].operands[0].ref"),
    ("statements[3].operands[0]", {"ref": 1, "output": 1}, "statements[3].operands[0]"),
    ("statements[3].operands[0]", {"ref": 1, "path": ["__class__"]}, "statements[3].operands[0].path[0]"),
    ("statements[3].operands[0]", {"ref": 1, "path": ["item()", "grad"]}, "statements[3].operands[0].path"),
    ("statements[3].operands[0]", {"ref": 1, "path": ["is None"]}, "statements[3].operands[0].path"),
    ("statements[3].operands[0]", {"eval": "1"}, "statements[3].operands[0]"),
    ("statements[3].operands[0]", "w", "statements[3].operands[0]"),
    ("statements[3].operands[0]", 10**400, "statements[3].operands[0]"),
    ("statements[3].operands[0]", {"float": "1e999"}, "statements[3].operands[0].float"),
    ("statements[3].options", [["out", 1]], "statements[3].options[0]"),
    ("statements[3].options", [["alpha", 1], ["alpha", 2]], "statements[3].options[1]"),
    ("statements[3].options", {"alpha": 1}, "statements[3].options"),
    ("statements[3].style", "exec", "statements[3].style"),
    ("statements[3].block", 77, "statements[3].block"),
    ("statements[6].operands", [], "statements[6].operands"),
    ("statements[2].operands[0].array", "AAAA", "statements[2].operands[0].array"),
    ("statements[2].operands[0].array", "not base64!", "statements[2].operands[0].array"),
    ("statements[2].operands[0].shape", [2, -40], "statements[2].operands[0].shape[1]"),
    ("statements[2].operands[0].shape", [10**9, 10**9], "statements[2].operands[0].array"),
    ("statements[2].operands[0].dtype", "object", "statements[2].operands[0].dtype"),
    ("blocks", [{"id": 50, "mode": "rm", "parent": None}], "blocks[0].mode"),
    ("blocks", [{"id": 10, "mode": "no_grad", "parent": 10}], "blocks"),
    ("blocks", [{"id": 50, "mode": "no_grad"}, {"id": 50, "mode": "no_grad"}], "blocks[1].id"),
    ("board", [], "board"),
    ("board.places[0].x", "1", "board.places[0].x"),
    ("board.places[0].x", 1e300, "board.places[0].x"),
    ("board.places[1]", {"id": 1, "drawing": "cards", "x": 0, "y": 0}, "board.places[1].id"),
    ("board.notes[0].texts", [["en"]], "board.notes[0].texts[0]"),
    ("board.notes[0].id", None, "board.notes[0].id"),
]


@pytest.mark.parametrize(("path", "value", "place"), HOSTILE)
def test_what_does_not_fit_is_refused_with_its_place(path: str, value: object, place: str) -> None:
    with pytest.raises(FileError) as error:
        load(changed(path, value))
    assert error.value.place == place
    assert error.value.message
    assert str(error.value) == f"{place}: {error.value.message}"


INDEX = {"kind": "op", "call": "getitem", "targets": ["part"], "operands": [{"ref": 1}], "style": "operator"}
HOOK = {"kind": "attribute", "call": "register_hook", "targets": ["h"], "style": "method"}


@pytest.mark.parametrize("index", ["0", "1:, ::2", "...", "None, -1", "[0, 1], True", "_"])
def test_an_index_is_an_index(index: str) -> None:
    document = changed("statements[9]", {"id": 90, **INDEX, "options": [["index", index]]})
    assert program_text(load(document).program).endswith(f"part = w[{index}]\n")


@pytest.mark.parametrize(
    "index",
    [
        "__import__('os').system('ls')",
        "print(1)",
        "0]\nimport os\n[0",
        "0] + [1",
        "0 #",
        "0 if 1 else 2",
        "'a'",
        "",
        1,
        None,
        ["0"],
    ],
)
def test_what_stands_between_brackets_can_be_nothing_else(index: object) -> None:
    document = changed("statements[9]", {"id": 90, **INDEX, "options": [["index", index]]})
    with pytest.raises(FileError, match="an index is expected") as error:
        load(document)
    assert error.value.place == "statements[9].options[0]"


@pytest.mark.parametrize(
    "hook", ["print #", "lambda g: g #\n", "print\n", "lambda g: (g\n* 2)", "lambda g: 10**9**9 * g"]
)
def test_a_hook_is_one_line_that_is_soon_worked_out(hook: str) -> None:
    document = changed("statements[9]", {"id": 90, **HOOK, "operands": [{"ref": 1}, hook]})
    with pytest.raises(FileError, match="register_hook needs a hook"):
        load(document)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": "other", "version": 1}',
        "[" * 100_000,
        '{"format": "chalkgrad", "version": 1, "x": ' + "[" * 900 + "]" * 900 + "}",
        '{"format": "chalkgrad", "version": 1, "x": NaN}',
        '{"format": "chalkgrad", "version": 1, "x": 1e999}',
        '{"format": "chalkgrad", "version": ' + "9" * 5000 + "}",
        "import os",
    ],
)
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(FileError):
        load(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
    )
)
def test_no_json_makes_it_stumble(value: object) -> None:
    for path in (
        "statements[3].operands[0]",
        "statements[1]",
        "board.notes[0]",
        "blocks",
        "next_id",
        "statements[2].options",
    ):
        with contextlib.suppress(FileError):
            save(load(changed(path, value)))


def test_writing_replaces_the_file_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "课程.chalk"
    path.write_text("old")
    path.chmod(0o640)
    files.write_file(path, load(COURSE))
    assert path.read_text("utf-8") == COURSE
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == [path.name]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.chalk"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        files.write_file(path, load(COURSE))
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.chalk"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    target = tmp_path / "target.chalk"
    target.write_text("old")
    link = tmp_path / "link.chalk"
    link.symlink_to(target)
    files.write_file(link, load(COURSE))
    assert link.is_symlink()
    assert target.read_text("utf-8") == COURSE


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.chalk"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="UTF-8"):
        files.read_file(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.chalk"
    path.write_text(COURSE)
    monkeypatch.setattr(files, "LARGEST", len(COURSE) - 1)
    monkeypatch.setattr(Path, "read_bytes", pytest.fail)
    with pytest.raises(FileError, match="too large"):
        files.read_file(path)


def test_the_published_schema_names_what_the_format_knows() -> None:
    schema = json.loads(resources.files("chalkgrad_resources").joinpath("schema", "chalk-1.json").read_text("utf-8"))
    parts = schema["$defs"]
    assert set(schema["properties"]) == TOP_KEYS
    assert set(parts["statement"]["properties"]) == STATEMENT_KEYS
    assert set(parts["board"]["properties"]) == BOARD_KEYS
    assert tuple(parts["board"]["properties"]["drawing"]["enum"]) == DRAWINGS
    assert parts["statement"]["properties"]["kind"]["enum"] == [kind.value for kind in Kind]
    assert tuple(parts["statement"]["properties"]["style"]["enum"]) == STYLES
    assert tuple(parts["dtype"]["enum"]) == DTYPES
    assert set(parts["reference"]["properties"]["path"]["items"]["enum"]) == STEPS
    assert tuple(parts["block"]["properties"]["mode"]["enum"]) == (*MODES, LOOP)
