"""Numbers as text: spreadsheets, CSV, NumPy and PyTorch, both ways; cells as they are typed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from chalkgrad.engine.printing import tensor_text
from chalkgrad_app.editors import tables
from chalkgrad_app.editors.shapes import read_shape, resized
from chalkgrad_app.editors.tables import cell_text, read_cell

FLOATS = st.floats(width=32, allow_nan=True, allow_infinity=True)


@pytest.fixture(params=[1, 3, tables.SLICE], autouse=True, scope="module")
def slices(request):
    """What is read and written is the same in whatever slices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "SLICE", request.param)
        yield


def returned(steps):
    """What a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def read_array(text):
    return returned(tables.reading(text))


def write_table(array):
    return returned(tables.writing(array))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1\t2\n3\t4", [[1, 2], [3, 4]]),
        ("1\t2\r\n3\t4\r\n", [[1, 2], [3, 4]]),
        ("1,5\t2\n3\t4", [[1.5, 2.0], [3.0, 4.0]]),
        ("1.5,2\n3,4", [[1.5, 2.0], [3.0, 4.0]]),
        ('"1","2"\n"3","4"', [[1, 2], [3, 4]]),
        ("1;2,5\n3;4", [[1.0, 2.5], [3.0, 4.0]]),
        ("[[1. 2.]\n [3. 4.]]", [[1.0, 2.0], [3.0, 4.0]]),
        ("array([[1, 2],\n       [3, 4]])", [[1, 2], [3, 4]]),
        ("tensor([[1., 2.],\n        [3., 4.]], dtype=torch.float64, requires_grad=True)", [[1.0, 2.0], [3.0, 4.0]]),
        ("tensor([1, 2], device='cuda:0')", [1, 2]),
        ("１，２\n３，４", [[1, 2], [3, 4]]),
        ("［［１．５，２］］", [[1.5, 2.0]]),
        ("[[[1,2],[3,4]],[[5,6],[7,8]]]", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
        ("TRUE\tFALSE", [[True, False]]),
    ],
)
def test_tables_are_read(text, numbers):
    read = read_array(text)
    assert read.tolist() == numbers
    assert read.dtype == np.array(numbers).dtype


def test_numbers_that_are_not_finite_are_read():
    assert np.array_equal(read_array("nan inf\n-inf ∞"), [[np.nan, np.inf], [-np.inf, np.inf]], equal_nan=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2\n3", "Row 2 has length 1, the first has length 2"),
        ("[[1, 2], [3]]", "The rows are not equally long"),
        ("a\tb", "a is no number"),
        ("tensor([0., ..., 3.])", "Numbers are left out of this text"),
        ("", "There are no numbers in it"),
    ],
)
def test_what_is_no_table_says_why(text, words):
    with pytest.raises(ValueError) as caught:
        read_array(text)
    assert str(caught.value) == words


@given(arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=FLOATS))
def test_what_is_copied_can_be_pasted(array):
    assert np.array_equal(read_array(write_table(array)).astype(np.float32), array, equal_nan=True)


@given(arrays(np.float32, array_shapes(max_dims=4, max_side=4), elements=st.integers(-999, 999).map(float)))
def test_what_pytorch_prints_can_be_pasted(array):
    assert np.array_equal(read_array(tensor_text(array)), array)


@pytest.mark.parametrize(
    ("typed", "dtype", "shown"),
    [
        ("7", "float32", "7."),
        ("０．５", "float32", "0.5"),
        ("-1e-3", "float32", "-0.001"),
        ("nan", "float64", "nan"),
        ("-inf", "float32", "-inf"),
        ("9007199254740993", "int64", "9007199254740993"),
        ("3.0", "int32", "3"),
        ("true", "bool", "True"),
    ],
)
def test_cells_are_read(typed, dtype, shown):
    value = read_cell(typed, np.dtype(dtype))
    assert value.dtype == dtype
    assert cell_text(value) == shown


@pytest.mark.parametrize(
    ("typed", "dtype", "words"),
    [
        ("x", "float32", "x is no number"),
        ("", "float32", '"" is no number'),
        ("1.5", "int64", "int64 holds whole numbers"),
        ("nan", "int64", "int64 holds whole numbers"),
        ("300", "uint8", "uint8 holds 0 to 255"),
    ],
)
def test_cells_refuse_what_they_can_not_hold(typed, dtype, words):
    with pytest.raises(ValueError) as caught:
        read_cell(typed, np.dtype(dtype))
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("typed", "shape"),
    [
        ("2, 3", (2, 3)),
        ("(2, 3)", (2, 3)),
        ("2 x 3", (2, 3)),
        ("2×3", (2, 3)),
        ("（２，）", (2,)),
        ("()", ()),
        ("-1", (-1,)),
        ("torch.Size([2, 3])", (2, 3)),
        ("torch.Size([])", ()),
    ],
)
def test_shapes_are_read(typed, shape):
    assert read_shape(typed) == shape


@pytest.mark.parametrize("typed", ["2, y", "0, 3", "-1, -1", "2.5", "x", "", " , "])
def test_shapes_that_no_numbers_have_are_refused(typed):
    with pytest.raises(ValueError):
        read_shape(typed)


def test_numbers_stay_in_another_shape():
    array = np.arange(6.0)
    assert resized(array, (2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert resized(array, (3, -1)).shape == (3, 2)
    assert resized(array.reshape(2, 3), (3, 2)).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert resized(array.reshape(2, 3), (3, 4)).tolist() == [[0, 1, 2, 0], [3, 4, 5, 0], [0, 0, 0, 0]]
    assert resized(array, (2,)).tolist() == [0, 1]
