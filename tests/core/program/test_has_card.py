"""What is drawn as a card: asked of one function by canvas, layout, panels and diagrams."""

import pytest

from chalkgrad.program.building import default_root, is_gradient
from chalkgrad.program.cards import has_card, is_tag
from chalkgrad.source import emit
from chalkgrad.source.read import read_source

START = "import torch\nw = torch.ones(2, 3, requires_grad=True)\n"


def calls(source, wanted):
    program = read_source(START + source)
    return [statement.call for statement in program if wanted(program, statement)]


def test_unnamed_operators_have_cards_and_what_passes_a_tensor_on_is_a_tag():
    line = "y = (w + 1) * w.detach().clone()\n"
    assert calls(line, has_card) == ["ones", "add", "mul"]
    assert calls(line, is_tag) == ["detach", "clone"]


def test_a_named_detach_has_a_card():
    assert calls("d = w.detach()\n", has_card) == ["ones", "detach"]


def test_marks_on_a_tensor_have_none_and_another_name_of_a_gradient_has_one():
    assert calls("w.grad.zero_()\nw.retain_grad()\nw.grad = None\n", has_card) == ["ones"]
    program = read_source(START + "g = w.grad\n")
    last = program[program.order[-1]]
    assert has_card(program, last)
    assert is_gradient(last)
    assert not is_gradient(program[program.order[0]])


def test_a_tensor_written_out_has_a_card_where_its_line_has_one():
    assert calls("y = w * torch.zeros(3)\n", has_card) == ["ones", "zeros", "mul"]
    assert calls("w.backward(gradient=torch.zeros(2, 3))\n", has_card) == ["ones"]


@pytest.mark.parametrize("tag", [".T", ".t()", ".detach()", ".clone()", ".view(3, 2)"])
def test_a_tag_says_what_the_code_says(tag):
    program = read_source(START + f"y = w{tag} * 2\n")
    (found,) = [statement for statement in program if is_tag(program, statement)]
    assert emit.tag(found) == tag
    assert emit.line(program, program.order[-1]) == f"y = w{tag} * 2"


def test_a_card_of_a_transpose_says_so():
    program = read_source(START + "y = w.T\n")
    assert emit.expression(program, program.order[-1]) == "w.T"


def test_an_in_place_line_is_no_result_to_start_a_backward_from():
    text = "import torch\nw = torch.ones(1, requires_grad=True)\na = w + 1\ny = a * a\na.add_(1)\n"
    program = read_source(text)
    assert default_root(program) == program.named("y")


def test_what_autograd_grad_was_asked_about_is_still_the_result_to_start_from():
    text = "import torch\nx = torch.tensor(3., requires_grad=True)\ny = x ** 3\n"
    text += "g, = torch.autograd.grad(y, x, create_graph=True)\n"
    program = read_source(text + "h, = torch.autograd.grad(g, x)\n")
    assert default_root(program) == program.named("y")


def test_what_is_only_summed_for_a_backward_is_still_the_result_to_start_from():
    text = "import torch\nw = torch.ones(2, requires_grad=True)\ny = w * 2\n(y ** 2).sum().backward()\n"
    assert default_root(program := read_source(text)) == program.named("y")
    program = read_source(text + "z = y.exp() + 1\n")
    assert default_root(program) == program.named("z")
