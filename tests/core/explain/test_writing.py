"""Explanations are written as people write: names, numbers, rules, matrices."""

from __future__ import annotations

import numpy as np
import pytest
from tests.core.explain.accounts import account

from chalkgrad.explain.writing import in_words, name, number, row, tidied


def test_rules_have_the_names_of_the_program_and_their_parentheses():
    text = account("x = torch.tensor([1., 2.], requires_grad=True)\ny = ((x + 1) ** 2).sum()\ny.backward()", "x").text()
    assert "d((x + 1) ** 2)/d(x + 1) = 2 * (x + 1)" in text


@pytest.mark.parametrize(
    ("value", "plain"),
    [(110477.0, "110477"), (12345678.0, "1.235e+07"), (1234.5, "1234"), (-0.0, "0"), (0.123456, "0.1235"), (3, "3")],
)
def test_numbers_are_written_as_people_do(value, plain):
    assert number(value).plain == plain


def test_long_numbers_in_expressions_are_rounded():
    assert name("q @ k / 1.4142135623730951").plain == "q @ k / 1.414"
    assert name("x1.12345678").plain == "x1.12345678"


def test_the_derivative_along_all_paths_to_the_last_step_has_the_upright_sign():
    lines = "\n".join("y = y * x" for _ in range(20))
    share = account(f"x = torch.tensor(1.5, requires_grad=True)\ny = x * 1\n{lines}\ny.backward()", "x").shares[0]
    assert r"\mathrm{d}" in share.paths[1].factors[0].symbol.latex
    assert r"\mathrm{d}" in share.rows()[0][0].latex


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"\sigma((a @ b)) (1 - \sigma((a @ b)))", "sigma(a @ b) (1 - sigma(a @ b))"),
        ("(a * b)", "a * b"),
        ("(a) + (b)", "(a) + (b)"),
        ("3 \\cdot x^{3 - 1}", "3 * x^2"),
        ("2 \\cdot x^{2 - 1}", "2 * x"),
        ("x^{0.5 - 1}", "x^(-0.5)"),
        ("x^{({-}2) - 1}", "x^(-3)"),
        ("x^{p - 1}", "x^(p - 1)"),
    ],
)
def test_formulas_are_tidied(latex, plain):
    assert in_words(tidied(latex)) == plain


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("F.leaky_relu(x, 0.25)", "[x > 0] + 0.25 [x <= 0]"),
        ("torch.add(x, torch.ones(2), alpha=2)", "1"),
        ("torch.nn.functional.gelu(x, approximate='tanh')", ""),
        ("torch.nn.functional.huber_loss(x, torch.zeros(2), reduction='none')", "clamp(x - zeros(2), -1, 1)"),
        ("torch.clamp(x, max=3.)", "[-inf <= x <= 3]"),
        ("torch.matmul(x, torch.ones(2, 2))", ""),
        ("torch.softmax(x, 0)", "diag(y) - y y^T"),
        ("x / 4", "1/4"),
    ],
)
def test_a_rule_is_shown_where_it_says_all(line, rule):
    found = account(f"x = torch.ones(2, requires_grad=True)\ny = {line}\ny.backward(torch.ones(2))", "x")
    assert [factor.rule.plain for factor in found.shares[0].factors()] == [rule]


def test_in_place_writers_are_told_apart_by_their_line():
    text = account("x = torch.tensor(2., requires_grad=True)\ny = x * x\ny.mul_(3)\ny.sin_()\ny.backward()", "x").text()
    assert text.startswith("dy/dx = dy/dy@")


def test_a_direct_step_is_told_from_the_whole_derivative():
    share = account("x = torch.tensor(3., requires_grad=True)\ny = x * x * x\ny.backward()", "x").shares[0]
    assert share.rows()[0][0].plain == "dy/dx"
    assert [path.factors[0].symbol.plain for path in share.paths] == ["dy/d(x * x)", "dy/d(x * x)", "∂y/∂x"]
    assert share.rows()[0][0].latex != share.paths[2].factors[0].symbol.latex
    assert "∂" not in account("x = torch.tensor(3., requires_grad=True)\ny = x * x\ny.backward()", "x").text()


@pytest.mark.parametrize(
    ("values", "plain"),
    [
        ([[1.0, 2.0], [3.0, -4.0]], "[[1, 2], [3, -4]]"),
        ([[1.0], [2.0]], "[[1], [2]]"),
        ([[1.0, 2.0]], "[[1, 2]]"),
        ([1.0, 2.0], "[1, 2]"),
        ([[5.0]], "5"),
        ([[0.0] * 3] * 3, "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]"),
        (np.arange(24.0).reshape(8, 3), "[[0, 1, 2], [3, 4, 5], [6, 7, 8], ..., [18, 19, 20], [21, 22, 23]]"),
        (np.arange(12.0).reshape(2, 6), "[[0, 1, ..., 5], [6, 7, ..., 11]]"),
        (np.arange(8.0).reshape(2, 2, 2), "[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]"),
        (np.arange(5.0).reshape(5, 1, 1), "[[[0]], ..., [[4]]]"),
        (np.arange(4.0).reshape(2, 1, 2, 1), "[[[[0], [1]]], [[[2], [3]]]]"),
    ],
)
def test_a_matrix_is_written_in_rows_as_pytorch_prints_it(values, plain):
    assert row(np.array(values)).plain == plain
    assert ("bmatrix" in row(np.array(values)).latex) == plain.startswith("[[")
