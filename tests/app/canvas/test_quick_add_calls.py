"""Quick-add says how what it offers is called."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("gather", "torch.gather(input, dim, index, sparse_grad=False)"),
        ("layer_norm", "torch.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05"),
        ("group_norm", "torch.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05"),
        ("add", "torch.add(input, other, alpha=1)"),
    ],
)
def test_the_call_below_the_list_has_its_arguments_as_pytorch_has_them(hands, typed, call):
    hands.key(Qt.Key.Key_A)
    hands.type(typed)
    assert call in hands.canvas.quick.preview.text()
    hands.key(Qt.Key.Key_Return)
    assert [statement.call for statement in hands.document.program if statement.call == typed] == [typed]
