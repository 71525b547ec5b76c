"""Every operator record: its derivatives, what it saves, its shape rule, its errors, and PyTorch's own results."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from support.sampling import bad_outcome, members, outcome, spelled, tensor_of

import chalkgrad.ops  # noqa: F401
from chalkgrad import torch
from chalkgrad.engine.gradcheck import gradcheck, gradgradcheck
from chalkgrad.engine.record import GEOMETRY, OPS, Attribute, Record, formula_names, register
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES, TENSORS
from chalkgrad.ops.write_methods import methods_path, methods_text
from chalkgrad.program.arguments import caller
from chalkgrad.program.known import Known
from chalkgrad.program.shapes import BY_VALUE, tried

DATA = Path(__file__).parents[2] / "data" / "torch" / "ops.json"
RECORDED = json.loads(DATA.read_text())["operators"]

SAMPLES = [
    pytest.param(record, args, kwargs, id=f"{record.name}-{number}")
    for record in OPS.values()
    for number, (args, kwargs) in enumerate(record.samples)
]
BAD = [
    pytest.param(record, args, kwargs, kind, text, id=f"{record.name}-{number}")
    for record in OPS.values()
    for number, (args, kwargs, kind, text) in enumerate(record.bad_samples)
]
VISIBLE = [record for record in OPS.values() if not record.hidden]


def run(record, *values, **kwargs):
    """The operator on tensors; what it writes to is a copy."""
    if record.writes is not None:
        values = (values[0] * 1, *values[1:])
    return getattr(TENSORS, record.name)(*values, **kwargs)


@pytest.mark.parametrize(("record", "args", "kwargs"), SAMPLES)
def test_derivatives_agree_with_finite_differences(record, args, kwargs):
    values = [tensor_of(torch, value, grad=True) for value in args]
    flat = [member for value in values for member in (value if isinstance(value, list) else [value])]

    def f(*changed):
        called = (list(changed), *values[1:]) if record.variadic else changed
        return tuple(one for one in members(run(record, *called, **kwargs)) if one.requires_grad)

    checked = tuple(values[0]) if record.variadic else tuple(values)
    if not f(*checked):
        return
    assert any(getattr(value, "requires_grad", False) for value in flat)
    assert gradcheck(f, checked)
    try:
        gradgradcheck(f, checked)
    except RuntimeError as error:
        if "is not implemented" not in str(error):  # PyTorch has no second derivative either
            raise


@pytest.mark.parametrize(("record", "args", "kwargs"), SAMPLES)
def test_arrays_and_tensors_give_the_same(record, args, kwargs):
    if record.writes is not None:
        return
    on_tensors = run(record, *(tensor_of(torch, value, grad=False) for value in args), **kwargs)
    on_arrays = getattr(ARRAYS, record.name)(*args, **kwargs)
    for tensor, array in zip(members(on_tensors), members(on_arrays), strict=True):
        assert isinstance(array, np.ndarray)
        assert np.allclose(tensor.array, array, equal_nan=True)


@pytest.mark.parametrize(("record", "args", "kwargs"), SAMPLES)
def test_the_shape_rule_says_what_comes_out(record, args, kwargs):
    if record.shape is None:
        return
    count = len(record.inputs)
    positional = [attribute for attribute in record.attributes if attribute.positional]
    attributes = {attribute.name: attribute.default for attribute in record.attributes}
    attributes |= {attribute.name: value for attribute, value in zip(positional, args[count:], strict=False)}
    shapes = [[value.shape for value in args[0]]] if record.variadic else [np.shape(value) for value in args[:count]]
    result = run(record, *(tensor_of(torch, value, grad=False) for value in args), **kwargs)
    assert tuple(record.shape(*shapes, **{**attributes, **kwargs})) == tuple(members(result)[0].shape)


@pytest.mark.parametrize(("record", "args", "kwargs", "kind", "text"), BAD)
def test_bad_samples_raise_what_pytorch_raises(record, args, kwargs, kind, text):
    assert bad_outcome(torch, record, args, kwargs) == [kind, text]


@pytest.mark.parametrize("record", [record for record in OPS.values() if record.vjps], ids=lambda record: record.name)
def test_what_is_saved_is_what_the_formulas_read(record):
    read = {name for formula in record.vjps.values() for name in formula_names(formula)}
    cls = NODE_CLASSES[record.name]
    assert {*cls.saved_names, *cls.constant_names} == read
    assert cls.__name__ == record.grad_fn
    inputs = sorted(set(cls.saved_names) & set(record.inputs))
    assert list(cls.saved_names) == inputs + sorted(set(cls.saved_names) - set(inputs))


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_as_recorded_from_pytorch(name):
    record = OPS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for (args, kwargs), expected in zip(record.samples, RECORDED[name]["samples"], strict=True):
            found = outcome(torch, record, args, kwargs)
            assert found.keys() == expected.keys()
            for key in ("shape", "dtype", "grad_fn", "saved", "version", "gradient_fns"):
                assert found.get(key) == expected.get(key), (args, kwargs, key)
            for key in ("value", "gradients", "second"):
                assert alike(found.get(key), expected.get(key)), (args, kwargs, key, found.get(key), expected.get(key))
        for (args, kwargs, *_), expected in zip(record.bad_samples, RECORDED[name]["bad"], strict=True):
            assert bad_outcome(torch, record, args, kwargs) == expected


def known_by_trial(record):
    """True where shapes are worked out from zeros, or only the values tell."""
    if record.name in BY_VALUE:
        return True
    count = len(record.inputs)
    names = [attribute.name for attribute in record.attributes]
    defaults = {attribute.name: attribute.default for attribute in record.attributes}
    for args, kwargs in record.samples:
        inputs = tuple(known(value) for value in (*args[:count], *(None,) * (count - len(args))))
        attributes = defaults | dict(zip(names, args[count:], strict=False)) | kwargs
        hashable = {key: tuple(value) if isinstance(value, list) else value for key, value in attributes.items()}
        results = members(run(record, *(tensor_of(torch, value, grad=False) for value in args), **kwargs))
        expected = [Known(tuple(one.shape), str(one.dtype).removeprefix("torch.")) for one in results]
        assert list(tried(record.name, inputs, tuple(hashable.items()))) == expected
    return True


def known(value):
    """A sample's value as the shape rules see it."""
    if isinstance(value, list):
        return tuple(known(member) for member in value)
    return Known(value.shape, value.dtype.name) if isinstance(value, np.ndarray) else value


def alike(found, expected):
    """Nearly equal, None only where None is."""
    if found is None or expected is None:
        return found is expected
    if isinstance(found, list):
        return len(found) == len(expected) and all(alike(a, b) for a, b in zip(found, expected, strict=True))
    return bool(np.isclose(found, expected, rtol=1e-6, atol=1e-9, equal_nan=True))


@pytest.mark.parametrize("record", VISIBLE, ids=lambda record: record.name)
def test_what_people_see_is_complete(record):
    assert record.samples
    assert record.latex
    assert record.section in {
        "arithmetic",
        "pointwise",
        "compare",
        "reduce",
        "shape",
        "index",
        "matrix",
        "activation",
        "layer",
        "loss",
        "in-place",
        "grad mode",
    }
    public = caller(record.name)
    assert public.function or public.method or public.symbol
    assert record.style in ("function", "method", "operator")
    assert record.shape is not None or known_by_trial(record)
    if record.grad_fn and record.varying is None:
        assert set(record.derivatives) == (set(record.vjps) or set(record.inputs))
    assert spelled(record, torch) is not None or record.name == "rsub"


def test_every_piece_belongs_to_an_operator_people_know():
    for record in OPS.values():
        if record.hidden and record.part_of is not None:
            assert record.part_of in OPS
            assert record.text_key == f"op.{record.part_of}"


def test_names_are_put_into_formulas():
    record = OPS["div"]
    assert record.formula({"self": "a", "other": "b"}) == r"\frac{a}{b}"
    assert record.formula({"self": "a", "other": "b"}, of="other") == r"-\frac{a}{b^{2}}"
    assert OPS["sin"].formula({"self": "x"}) == r"\sin x"


def test_methods_are_written_from_the_table():
    assert methods_path().read_text(encoding="utf-8") == methods_text()


def some_record(**changes):
    values = {"name": "a_new_one", "inputs": ("self",), "forward": np.negative}
    return Record(**{**values, **changes})


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "add"}, "registered twice"),
        ({"vjps": {"other": lambda o, g: g}}, "a formula for 'other'"),
        ({"vjps": {"self": lambda o, g, nonsense: g}}, r"reads \['nonsense'\]"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(changes, text):
    with pytest.raises(ValueError, match=text):
        register(some_record(**changes))
    assert "a_new_one" not in OPS


def test_geometry_and_attributes_may_be_read():
    record = some_record(
        attributes=(Attribute("dim", "int"),),
        vjps={"self": lambda o, g, dim, self_sym_sizes: g},
    )
    assert record.saved(frozenset({"self"})) == ("dim", "self_sym_sizes")
    assert "sym_sizes" in GEOMETRY
