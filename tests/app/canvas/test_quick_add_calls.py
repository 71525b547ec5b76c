"""Quick-add says how what it offers is called."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from chalkgrad_app import catalogue


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("gather", "torch.gather(input, dim, index, sparse_grad=False)"),
        ("layer_norm", "torch.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05"),
        ("group_norm", "torch.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05"),
        ("F.batch_norm", "torch.nn.functional.batch_norm(input, running_mean=None, running_var=None, weight=None,"),
        ("add", "torch.add(input, other, alpha=1)"),
    ],
)
def test_the_call_below_the_list_has_its_arguments_as_pytorch_has_them(hands, typed, call):
    hands.key(Qt.Key.Key_A)
    hands.type(typed)
    assert call in hands.canvas.quick.preview.text()
    hands.key(Qt.Key.Key_Return)
    placed = [catalogue.label(statement.call) for statement in hands.document.program]
    assert placed[-1] == typed.removeprefix("F.")


def test_the_row_has_the_name_that_pytorch_has(hands):
    hands.key(Qt.Key.Key_A)
    hands.type("batch_norm")
    rows = hands.canvas.quick.rows.model()
    assert rows.index(0, 0).data().startswith("batch_norm   batch normalization   Subtracts")
