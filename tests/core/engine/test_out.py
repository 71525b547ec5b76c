"""``out=``: which dtypes and which memory an operator may write, in PyTorch's words."""

from __future__ import annotations

import pytest

from chalkgrad import torch

OVERLAP = "more than one element of the written-to tensor refers to a single memory location"
PARTIAL = "some elements of the input tensor and the written-to tensor refer to a single memory location"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x, i, out: torch.add(x, x, out=out), "result type Float can't be cast to the desired output type Long"),
        (lambda x, i, out: torch.gather(x, 0, i, out=out), "Expected out tensor to have dtype float, but got long int"),
        (lambda x, i, out: torch.clamp(x, 0, out=out), "Found dtype Long but expected Float"),
        (lambda x, i, out: torch.take(x, i, out=out), "but got self.dtype = Float and out.dtype = Long"),
        (lambda x, i, out: torch.index_select(x, 0, i, out=out), "self and result must have the same scalar type"),
        (lambda x, i, out: torch.where(x > 0, x, x, out=out), "Expected out type to be Float but got Long"),
    ],
)
def test_a_wrong_dtype_is_refused_in_the_words_of_the_operator(call, text):
    with pytest.raises(RuntimeError, match=text.replace("(", r"\(")):
        call(torch.ones(3), torch.tensor([0, 1, 2]), torch.zeros(3, dtype=torch.int64))


def test_sums_are_computed_in_the_dtype_that_is_written():
    out = torch.zeros(3, dtype=torch.int64)
    assert torch.sum(torch.ones(2, 3), 0, out=out).tolist() == [2, 2, 2]


def test_joining_raises_another_error():
    with pytest.raises(TypeError, match=r"torch.cat\(\): input types can't be cast to the desired output type Long"):
        torch.cat([torch.ones(1), torch.ones(1)], out=torch.zeros(2, dtype=torch.int64))


def test_an_expanded_tensor_is_not_written():
    with pytest.raises(RuntimeError, match=OVERLAP):
        torch.exp(torch.ones(3), out=torch.empty(1).expand(3))


def test_what_is_still_to_be_read_is_not_written():
    whole = torch.ones(5)
    with pytest.raises(RuntimeError, match=PARTIAL):
        torch.exp(whole[:3], out=whole[1:4])
    assert torch.exp(whole, out=whole) is whole


def test_elements_picked_by_index_are_not_written_back():
    x = torch.ones(3)
    with pytest.raises(RuntimeError, match=PARTIAL):
        torch.gather(x, 0, torch.tensor([2, 1, 0]), out=x)


def test_logic_in_place_leaves_a_leaf_one():
    leaf = torch.tensor([1.0, 0.0], requires_grad=True)
    assert leaf.logical_not_() is leaf
    assert leaf.is_leaf
    assert leaf.tolist() == [0.0, 1.0]


def test_whole_numbers_have_64_bits():
    with pytest.raises(ValueError, match="Overflow when unpacking long long"):
        torch.ones(2).sum(2**70)
    with pytest.raises(OverflowError, match="int too big to convert"):
        torch.ones(2).multiply(2**70)


def test_strides_of_single_elements_are_kept():
    assert torch.ones(4, 4)[1:2, 0].stride() == (4,)
    assert torch.ones(1, 3).T.stride() == (1, 3)
