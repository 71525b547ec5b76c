"""The commands that draw nothing, as a person starts them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from chalkgrad.cli import main

SAMPLE = Path(__file__).parents[1] / "data" / "files" / "version-1.chalk"
SCRIPT = """\
import torch
from math import log

w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
y.backward()
print("gradient:\\n", w.grad, x.grad)
print(torch.tensor(log(11)), (y * 2).sum(), y.T.grad_fn is None)
with torch.no_grad():
    w -= 0.1 * w.grad
print(w)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "course.py"
    path.write_text(SCRIPT, "utf-8")
    return path


def test_run_prints_what_torch_prints(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(script)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "gradient:",
        " tensor([5.]) tensor([2.])",
        "tensor(2.3979) tensor(12., grad_fn=<SumBackward0>) False",
        "tensor([0.5000], requires_grad=True)",
    ]


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_run_prints_exactly_what_live_torch_prints(script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    main(["run", str(script)])
    live = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert capfd.readouterr().out == live.stdout


def test_run_prints_as_print_does(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("import torch\nx = torch.ones(1)\nprint(x, 1.0, None, (x, x), sep='|', end='.')\nprint()\n")
    assert main(["run", str(script)]) == 0
    assert capsys.readouterr().out == "tensor([1.])|1.0|None|(tensor([1.]), tensor([1.])).\n"


def test_run_ends_at_the_first_error_with_its_line(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text(SCRIPT + '\ny.backward()\nprint("not reached")\n', "utf-8")
    assert main(["run", str(script)]) == 1
    out, err = capsys.readouterr()
    assert "not reached" not in out
    assert err.startswith("Traceback (most recent call last):\n")
    assert f'File "{script}", line 16, in <module>\n    y.backward()' in err
    assert err.splitlines()[-1].startswith("RuntimeError: Trying to backward through the graph a second time")
    assert "chalkgrad/" not in err.replace(str(script), "")


def test_run_raises_pythons_own_errors(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("import torch\nprint(1)\ninput = torch.tensor(log(11), requires_grad=True)\n", "utf-8")
    assert main(["run", str(script)]) == 1
    out, err = capsys.readouterr()
    assert out == "1\n"
    assert err.splitlines()[-1] == "NameError: name 'log' is not defined"


def test_run_goes_on_after_an_error_that_is_caught(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text(
        "import torch\ntry:\n    torch.ones(2).sum().backward()\nexcept RuntimeError as e:\n    print(e)\n"
    )
    assert main(["run", str(script)]) == 0
    assert capsys.readouterr().out.startswith("element 0 of tensors does not require grad")


def test_run_warns_at_the_line(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        "import torch",
        "w = torch.ones(1, requires_grad=True)",
        "a = w + 1",
        "print(a.grad, a.grad)",
        "print(a.grad)",
    ]
    script.write_text("\n".join(lines))
    assert main(["run", str(script)]) == 0
    out, err = capsys.readouterr()
    assert out == "None None\nNone\n"
    assert next(line for line in err.splitlines() if "UserWarning" in line).startswith(
        f"{script}:4: UserWarning: The .grad"
    )
    assert err.count("UserWarning") == 2
    script.write_text("import warnings\nwarnings.filterwarnings('ignore')\n" + "\n".join(lines))
    main(["run", str(script)])
    assert capsys.readouterr().err == ""


def test_run_refuses_what_is_not_read_and_runs_nothing(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text("import torch\nprint('ran')\nwhile True:\n    print(1)\n")
    assert main(["run", str(script)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{script}:3:1: ")
    assert err.count("\n") == 1


def test_run_leaves_real_torch_alone(script: Path) -> None:
    before = sys.modules.get("torch")
    main(["run", str(script)])
    assert sys.modules.get("torch") is before


def test_as_a_module(script: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "chalkgrad", "run", str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": "core:resources", "PATH": ""},
        cwd=Path(__file__).parents[2],
    )
    assert found.returncode == 0
    assert found.stderr.startswith(f"{script}:11: UserWarning: The use of `x.T` on tensors of dimension other than 2")
    assert found.stderr.count("\n") == 2


@pytest.mark.parametrize("kind", ["script", "document"])
def test_trace(kind: str, script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", str(script if kind == "script" else SAMPLE)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"ran", "printed", "accumulated"} <= {event.get("event") for event in events}


def test_check(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(script)]) == 0
    assert "finite differences" in capsys.readouterr().out


def test_export_of_text(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [str(tmp_path / f"out.{kind}") for kind in ("py", "json", "dot", "mmd", "tex")]
    assert main(["export", str(SAMPLE), *[part for output in outputs for part in ("-o", output)]]) == 0
    assert "y = a * b" in Path(outputs[0]).read_text()
    json.loads(Path(outputs[1]).read_text())
    assert all(Path(output).read_text().strip() for output in outputs)


def test_exported_code_does_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "twice.py"
    script.write_text(SCRIPT + "\ny.backward()\nprint(w.grad)\n")
    copy = tmp_path / "copy.py"
    assert main(["export", str(script), "-o", str(copy)]) == 0
    assert main(["run", str(copy)]) == 0
    out = capsys.readouterr().out
    assert "Trying to backward through the graph a second time" in out
    assert out.splitlines()[-1] == "tensor([5.])"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["nothing"], "nothing"),
        (["run"], "SCRIPT.py"),
        (["run", "missing.py"], "missing.py: No such file"),
        (["run", "."], ".: Is a directory"),
        (["trace", "missing.chalk"], "missing.chalk: No such file"),
        (["trace", "a.txt"], "a.txt: "),
        (["trace", "broken.chalk"], "broken.chalk: statements[0].kind: "),
        (["trace", "binary.py"], "binary.py: not UTF-8"),
        (["check", "broken.py"], "broken.py:2:5: "),
        (["export", "good.chalk"], "-o"),
        (["export", "good.chalk", "-o", "a.svg"], "chalkgrad export"),
        (["export", "good.chalk", "-o", "a.doc"], "a.doc: "),
        (["export", "good.chalk", "-o", "nowhere/a.py"], "nowhere/a.py: "),
        (["lessons", "--lang", "xx"], "xx"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLE, "good.chalk")
    Path("broken.chalk").write_text('{"format": "chalkgrad", "version": 1, "statements": [{"id": 1}]}')
    Path("broken.py").write_text("import torch\ny = torch.nothing(1)\n")
    Path("binary.py").write_bytes(b"\xff\xfe")
    before = sorted(Path().iterdir())
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err
    assert sorted(Path().iterdir()) == before


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == 0
    assert "torch.matmul" in capsys.readouterr().out
    assert main(["lessons", "--lang", "zh_CN"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 6


def test_an_empty_script_runs(tmp_path, capsys):
    script = tmp_path / "empty.py"
    script.write_text("")
    assert main(["run", str(script)]) == 0
    assert capsys.readouterr().out == ""


def test_the_file_that_is_read_is_not_written(tmp_path, capsys):
    script = tmp_path / "net.py"
    script.write_text(SCRIPT)
    assert main(["export", str(script), "-o", str(script)]) == 2
    assert "this is the file that is read" in capsys.readouterr().err
    assert script.read_text() == SCRIPT
