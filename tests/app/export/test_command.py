"""``chalkgrad export``, and what ``chalkgrad`` does where there is no display."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from chalkgrad.program import files
from chalkgrad_app.__main__ import main

ROOT = Path(__file__).parents[3]
CODE = "import torch\nw = torch.tensor([1.], requires_grad=True)\ny = w * w\ny.backward()\n"


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(CODE)
    return path


@pytest.fixture(autouse=True)
def english(qapp):
    yield
    from chalkgrad_app import i18n

    i18n.set_language("en")


def export(*arguments):
    return main(["export", *(str(argument) for argument in arguments)])


def test_all_kinds_at_once(code, tmp_path, capfd):
    kinds = ("svg", "png", "pdf", "py", "json", "dot", "mmd", "tex")
    outs = [tmp_path / f"out.{kind}" for kind in kinds]
    assert export(code, "-o", *outs) == 0
    assert all(out.stat().st_size > 40 for out in outs)
    assert "w.grad" not in capfd.readouterr().err
    assert "y = w * w" in (tmp_path / "out.py").read_text()


def test_a_picture_as_it_is_after_a_line(code, tmp_path):
    assert export(code, "-o", tmp_path / "now.svg") == 0
    assert export(code, "-o", tmp_path / "then.svg", "--at", 2) == 0
    assert (tmp_path / "now.svg").read_bytes() != (tmp_path / "then.svg").read_bytes()


def test_scale_theme_language_and_transparency(code, tmp_path):
    sizes = []
    for scale in (1, 3):
        assert export(code, "-o", tmp_path / "a.png", "--scale", scale) == 0
        sizes.append(QImage(str(tmp_path / "a.png")).width())
    assert abs(sizes[1] - 3 * sizes[0]) <= 3
    assert QImage(str(tmp_path / "a.png")).pixelColor(1, 1).lightness() > 200
    assert export(code, "-o", tmp_path / "dark.png", "--theme", "dark") == 0
    assert QImage(str(tmp_path / "dark.png")).pixelColor(1, 1).lightness() < 60
    assert export(code, "-o", tmp_path / "clear.png", "--transparent") == 0
    assert QImage(str(tmp_path / "clear.png")).pixelColor(1, 1).alpha() == 0
    assert export(code, "-o", tmp_path / "zh.svg", "--lang", "zh_CN") == 0
    assert export(code, "-o", tmp_path / "en.svg", "--lang", "en") == 0
    assert (tmp_path / "zh.svg").read_bytes() != (tmp_path / "en.svg").read_bytes()


def test_a_selection(code, tmp_path):
    assert export(code, "-o", tmp_path / "all.png") == 0
    assert export(code, "-o", tmp_path / "w.png", "--selection", "w") == 0
    assert QImage(str(tmp_path / "w.png")).width() < QImage(str(tmp_path / "all.png")).width()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("net.py", "-o", "a.svg", "b.xyz"), "can't write .xyz"),
        (("net.py", "-o", "a.svg", "noending"), "without an extension"),
        (("gone.py", "-o", "a.svg"), "gone.py: No such file"),
        (("loop.py", "-o", "a.svg"), "loop.py:2:1: "),
        (("bad.chalk", "-o", "a.svg"), "bad.chalk: "),
        (("net.py", "-o", "a.svg", "--at", "9"), "--at 9"),
        (("net.py", "-o", "a.svg", "--selection", "w,q"), "'q'"),
        (("net.py", "-o", "a.svg", "--scale", "99"), "--scale 99"),
        (("net.py", "-o", "a.svg", "--theme", "pink"), "--theme"),
        (("net.py", "-o", "a.svg", "missing/b.svg"), "missing"),
        (("net.py",), "-o"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(code, tmp_path, capfd, monkeypatch, arguments, said):
    (tmp_path / "loop.py").write_text("import torch\nwhile True: pass\n")
    (tmp_path / "bad.chalk").write_text("{}")
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    assert export(*arguments) == 2
    said_in_full = [line for line in capfd.readouterr().err.splitlines() if "plugin" not in line]
    assert len(said_in_full) == 1
    assert said in said_in_full[0]
    assert set(tmp_path.iterdir()) == before


def run(tmp_path, *arguments):
    paths = os.pathsep.join(str(ROOT / part) for part in ("core", "app", "resources"))
    environment = {**os.environ, "PYTHONPATH": paths}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "chalkgrad_app", *arguments]
    return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_the_main_job_without_a_display(tmp_path):
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert "tensor([5.])" in rows["w"]
    assert "tensor([2.])" in rows["x"]
    assert rows["a"].split()[-2:] == ["None", "AddBackward0"]
    picture = tmp_path / "course-example.png"
    assert str(picture) in done.stdout
    assert QImage(str(picture)).width() > 400


def test_help_and_unknown_options(tmp_path):
    assert run(tmp_path, "--help").stdout.startswith("usage: chalkgrad")
    refused = run(tmp_path, "--nonsense")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_the_commands_of_the_core_are_here_too(tmp_path):
    files.write_file(tmp_path / "a.chalk", files.Sheet())
    (tmp_path / "net.py").write_text(CODE + "print(w.grad)\n")
    assert run(tmp_path, "run", "net.py").stdout == "tensor([2.])\n"


def test_the_file_that_is_read_is_not_written(code, capfd):
    assert export(code, "-o", code) == 2
    assert "this is the file that is read" in capfd.readouterr().err
    assert code.read_text() == CODE


def test_a_script_that_stops_is_exported_as_it_is(tmp_path):
    script = tmp_path / "stop.py"
    script.write_text("import torch\n\nw = torch.tensor([1.], requires_grad=True)\nw.add_(1)\nprint(w)\n")
    assert export(script, "-o", tmp_path / "copy.py") == 0
    assert (tmp_path / "copy.py").read_text() == script.read_text()


def test_no_such_command(capfd):
    assert main(["bogus"]) == 2
    assert "no such command or file" in capfd.readouterr().err
    assert main(["--version"]) == 0


def test_each_drawing(code, tmp_path):
    for view in ("cards", "data", "autograd"):
        outs = [tmp_path / f"{view}.{kind}" for kind in ("svg", "png", "pdf")]
        assert export(code, "-o", *outs, "--view", view) == 0
        assert all(out.stat().st_size > 400 for out in outs)
    texts = [(tmp_path / f"{view}.svg").read_text() for view in ("cards", "data", "autograd")]
    assert len(set(texts)) == 3
    assert export(code, "-o", tmp_path / "plain.svg") == 0
    assert (tmp_path / "plain.svg").read_text() == texts[0]


def test_a_document_is_exported_as_it_shows_itself(code, tmp_path):
    from dataclasses import replace

    from chalkgrad_app.keeping import read_sheet

    sheet = read_sheet(code)
    path = tmp_path / "net.chalk"
    files.write_file(path, replace(sheet, board=sheet.board.drawn_as("data")))
    assert export(path, "-o", tmp_path / "as_it_is.svg") == 0
    assert export(code, "-o", tmp_path / "data.svg", "--view", "data") == 0
    assert (tmp_path / "as_it_is.svg").read_text().count("<text") == (tmp_path / "data.svg").read_text().count("<text")
    assert export(path, "-o", tmp_path / "cards.svg", "--view", "cards") == 0
    assert ">ƒ Mul<" in (tmp_path / "cards.svg").read_text()


def test_a_drawing_that_nobody_knows(code, tmp_path, capfd):
    assert export(code, "-o", tmp_path / "a.svg", "--view", "tensors") == 2
    assert "tensors" in capfd.readouterr().err
