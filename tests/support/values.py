"""What is compared of tensors' values: when they are the same, and where rounding or chance decides what they are."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from support.accidents import memory_at

SHARP = {"float64": (1e-10, 1e-10), "float32": (1e-4, 1e-5)}
"""How near floats have to be, relatively and absolutely. Rounding grows along a program, so these are wider than what a
single operator is held to."""


def fit(tensor: Any, shape: tuple[int, ...]) -> Any:
    """The elements of a tensor in another shape: as many as that has, repeated where they are too few."""
    count, flat = math.prod(shape), tensor.reshape(-1)
    if count > flat.numel():
        flat = flat.repeat(-(-count // max(flat.numel(), 1)))
    return flat[:count].reshape(shape)


def asked(function: Any) -> Any:
    """What a question to a tensor gives; the error's first line where it refuses."""
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


def numbers(tensor: Any) -> Any:
    """The elements with their dtype, of a copy: what was given to NumPy can't be resized any more."""
    plain = tensor.detach().clone()
    try:
        return np.array(plain.numpy())
    except RuntimeError:  # PyTorch's zeros without memory
        return np.array(plain.numpy(force=True))


def same(ours: Any, theirs: Any, single: bool = False) -> bool:
    """Equality that forgives the last digits of floats; ``single`` where single precision has come into all numbers."""
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return False
        if ours.tobytes() == theirs.tobytes():
            return True
        if theirs.dtype.kind != "f":
            return False
        relative, absolute = SHARP["float32" if single else theirs.dtype.name]
        finite = np.abs(theirs[np.isfinite(theirs)])
        scale = max(1.0, float(finite.max())) if finite.size else 1.0
        return bool(np.allclose(ours, theirs, relative, absolute * scale, equal_nan=True))
    if isinstance(ours, (tuple, list)) and isinstance(theirs, (tuple, list)):
        return len(ours) == len(theirs) and all(same(a, b, single) for a, b in zip(ours, theirs, strict=True))
    return type(ours) is type(theirs) and bool(ours == theirs or (ours != ours and theirs != theirs))


def nans_apart(ours: np.ndarray, theirs: np.ndarray, single: bool) -> bool:
    """True where both have nans, not in the same places, and agree in what is a number in both."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype or ours.dtype.kind != "f":
        return False
    here, there = np.isnan(ours), np.isnan(theirs)
    numbers = ~(here | there)
    return bool(here.any() and there.any()) and same(ours[numbers], theirs[numbers], single)


def spanned(values: np.ndarray) -> Any:
    """The projection on what orthonormal columns span, of each matrix; None for other columns."""
    if values.ndim < 2 or values.dtype.kind != "f" or not np.isfinite(values).all():
        return None
    products = values.mT @ values
    return values @ values.mT if np.allclose(products, np.eye(products.shape[-1]), atol=1e-4) else None


def has_twice(tensor: Any) -> bool:
    """True for a tensor two of whose elements are the same piece of memory, without being an expanded one."""
    if min(tensor.shape, default=0) < 0:  # PyTorch's as_strided_ leaves such sizes behind
        return False
    places = np.zeros(tuple(tensor.shape), np.int64)
    for axis, step in enumerate(tensor.stride()):
        places += step * np.arange(tensor.shape[axis]).reshape(-1, *[1] * (places.ndim - axis - 1))
    return np.unique(places).size < places.size and 0 not in tensor.stride()


def is_single(tensor: Any) -> bool:
    """True for a tensor of single precision, which gradients may come through or be computed of."""
    return getattr(tensor, "itemsize", 0) == 4 and tensor.is_floating_point()


def jumps_when_rounded(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line, not yet run, that writes over a tensor whose last digits differ: whole quotients or rests, or
    digammas of what is so near to a pole that these digits decide."""
    if re.search(r"\b(digamma|psi|polygamma)_\(", line) is not None:
        return any_rounded(line, "", ours, theirs) and any(map(near_a_pole, named_values(line, theirs)))
    if re.search(r"\b(floor_divide|remainder|fmod|floor|ceil|round|trunc|frac)_\(", line) is None:
        return False
    return any_rounded(line, "", ours, theirs)


def writes_over_cancelled(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line, not yet run, that writes over a tensor and reads an element of which hardly a digit is the same,
    which it may no longer when it has been run."""
    return re.search(r"\w_\(|[-+*/]= ", line) is not None and any_cancelled(line, "", ours, theirs)


def near_a_pole(values: np.ndarray) -> bool:
    """True for numbers of which one is nearly whole and not above 0, where the gamma function has its poles."""
    finite = values[np.isfinite(values)]
    return bool(((finite < 0.01) & (np.abs(finite - np.round(finite)) < 0.01)).any())


def rounded_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True where a tensor of single precision is not the same to the last digit on the two sides."""
    pairs = [(ours.get(name), tensor) for name, tensor in theirs.items() if getattr(tensor, "itemsize", 0) == 4]
    return any(digits(mine) != digits(other) for mine, other in pairs)


def digits(tensor: Any) -> Any:
    """All digits of the elements; what asking raises where they can't be read."""
    values = asked(lambda: numbers(tensor))
    return values.tobytes() if isinstance(values, np.ndarray) else values


def named_values(line: str, variables: dict[str, Any]) -> list[np.ndarray]:
    """The elements of the floating-point tensors that a line names."""
    names = set(re.findall(r"\bv\d+\b", line))
    found = [asked(lambda n=name: numbers(variables[n])) for name in names]
    fitted = re.findall(r"\bfit\((v\d+), (\([\d, ]*\))\)", line)
    found += [asked(lambda n=name, s=shape: numbers(fit(variables[n].detach(), eval(s)))) for name, shape in fitted]
    return [values for values in found if isinstance(values, np.ndarray) and values.dtype.kind == "f"]


def any_singular(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that factorises a matrix whose columns depend on one another, as far as they could be a basis."""
    asks = (
        r"\b(qr|svd\w*|cond|pinverse|pinv|lstsq|lu\w*|det|logdet|slogdet|matrix_rank|inv\w*|matrix_power(?=\(.*-\d))\b"
    )
    if re.search(asks, line) is None and not takes_root(line):
        return False
    matrices = [values for values in named_values(line, variables) if values.ndim > 1 and np.isfinite(values).all()]
    counts = [(values, min(values.shape[-2:])) for values in matrices if values.size]
    return any((np.linalg.matrix_rank(values[..., :count]) < count).any() for values, count in counts)


def nearly_singular(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that names a square matrix that has no inverse, or factorises one that begins with such, as far
    as rounding tells."""
    asks = r"\b(inv\w*|lu\w*|solve\w*|matrix_power|cond|det|slogdet|logdet)\b"
    if re.search(asks, line) is None and not takes_root(line):
        return False
    matrices = [values for values in named_values(line, variables) if values.ndim > 1 and np.isfinite(values).all()]
    any_sizes = re.search(r"\blu(_factor(_ex)?)?\(", line) is not None
    asked_of = [values for values in matrices if any_sizes or values.shape[-1] == values.shape[-2]]
    first = [values[..., : values.shape[-2]] for values in asked_of if values.size]
    return any((np.linalg.cond(values.astype(float)) > 0.01 / np.finfo(values.dtype).eps).any() for values in first)


def takes_root(line: str) -> bool:
    """True for a line with the Cholesky factor of a tensor as it is, not made positive definite first."""
    return re.search(r"\bcholesky(_ex)?\(", line) is not None and ".mT" not in line


def solved_singular(line: str, ours: Any, theirs: Any) -> bool:
    """True for a solution without a finite element on either side, which a matrix has that has no inverse."""
    if re.search(r"\bsolve_ex\(", line) is None or isinstance(ours, str) or isinstance(theirs, str):
        return False
    return not (np.isfinite(ours).any() or np.isfinite(theirs).any())


def solved_as_badly(line: str, ours: Any, theirs: Any, variables: dict[str, Any]) -> bool:
    """True for what ``cholesky_solve`` finds where both are as near to the solution as such a matrix allows."""
    if re.search(r"\bcholesky_solve\(", line) is None or np.shape(ours) != np.shape(theirs) or isinstance(ours, str):
        return False
    matrices = [values for values in named_values(line, variables) if values.ndim == 2 and np.isfinite(values).all()]
    factors = [half(m.astype(float)) for m in matrices if m.shape[0] == m.shape[1] for half in (np.tril, np.triu)]
    worst = max((float(np.linalg.cond(factor)) ** 2 for factor in factors), default=0.0)
    return bool(np.abs(ours - theirs).max() <= worst * np.finfo(theirs.dtype).eps * np.abs(theirs).max())


def sum_of_a_series(line: str, ours: Any, theirs: Any) -> bool:
    """True for parts of the gamma function's integral of which the first nine digits are the same."""
    if re.search(r"\b(igammac?_?|gammaincc?)\(", line) is None or np.shape(ours) != np.shape(theirs):
        return False
    return not isinstance(ours, str) and np.allclose(ours, theirs, 3e-9, 1e-9, equal_nan=True)


def zeros_signed_apart(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line with ``softshrink`` or a sum of products, of whose zeros the two sides give one another sign."""
    if re.search(r"\b(softshrink|addmm_?|addmv_?|addbmm_?|baddbmm_?|linear)\(", line) is None:
        return False
    pairs = [(a, b) for a, b in read_on_both(line, "", ours, theirs) if a.shape == b.shape and a.dtype.kind == "f"]
    return any(bool(((a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))).any()) for a, b in pairs)


def logarithm_of_nearly_0(line: str, ours: Any, theirs: Any) -> bool:
    """True for logarithms written over their numbers that differ only where these are 0 or all but 0 on both sides."""
    if re.search(r"\blog(2|10)?_\(", line) is None or np.shape(ours) != np.shape(theirs) or isinstance(ours, str):
        return False
    apart = ~np.isclose(ours, theirs, 1e-5, 1e-5, equal_nan=True)
    return all(bool((np.isnan(values) | (values < -10))[apart].all()) for values in (ours, theirs))


def root_of_nearly_0(line: str, ours: Any, theirs: Any) -> bool:
    """True for roots written over their numbers that differ only where these are 0 or all but 0 on both sides."""
    if re.search(r"\bsqrt_\(", line) is None or np.shape(ours) != np.shape(theirs) or isinstance(ours, str):
        return False
    apart = ~np.isclose(ours, theirs, 1e-5, 1e-12, equal_nan=True)
    return all(bool((np.isnan(values) | (np.abs(values) < 1e-3))[apart].all()) for values in (ours, theirs))


def inverse_of_nearly_1(line: str, ours: Any, theirs: Any) -> bool:
    """True for inverses written over their numbers that differ only where these are 1 or all but 1 on both sides."""
    if re.search(r"\b(erfinv|atanh|arctanh)_\(", line) is None or np.shape(ours) != np.shape(theirs):
        return False
    if isinstance(ours, str):
        return False
    apart = ~np.isclose(ours, theirs, 1e-5, 1e-5, equal_nan=True)
    large = all(bool((np.abs(values) > 3)[apart].all()) for values in (ours, theirs))
    return large and bool((np.sign(ours) == np.sign(theirs))[apart].all())


def left_to_rounding(line: str, variables: dict[str, Any]) -> bool:
    """True for a line after which rounding, mostly LAPACK's, decides what comes, in values and in gradients.

    ``corrcoef`` clips what it makes of 1 and -1, so that the last digit says whether a gradient comes through.
    """
    if nearly_singular(line, variables) or any_singular(line, variables) or varies_by_rounding(line, variables):
        return True
    if re.search(r"\bcorrcoef\b", line) is not None:
        return True
    factorises = re.search(r"\b(qr|svd\w*|eigh|eigvalsh|cond|pinverse|pinv|lstsq|cholesky\w*)\b", line) is not None
    return factorises and any(values.dtype == np.float32 for values in named_values(line, variables))


def varies_by_rounding(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that asks how far equal numbers deviate, which is 0 or what rounding their mean leaves, or
    divides by it."""
    if re.search(r"\b(std\w*|(batch|layer|group|instance)_norm)\b", line) is None:
        return False
    found = named_values(line, variables)
    if re.search(r"\bbatch_norm\b", line) is not None:
        found += [channel for values in found if values.ndim > 1 for channel in np.moveaxis(values, 1, 0)]
    return any(values.size > 1 and np.ptp(values) < 1e-6 * abs(values.flat[0]) for values in found)


def factorises_nan(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that asks for what is made of the factors of a matrix, of one with a nan or an infinity."""
    words = r"\b(det|slogdet|logdet|cholesky_inverse|cholesky_ex|qr|inv\w*|pinv\w*|solve\w*|lu\w*|lstsq|svd\w*)\b"
    return re.search(words, line) is not None and any_nan(line, variables, infinite=True)


def normalised_nearly(line: str, ours: Any, theirs: Any) -> bool:
    """True for what a normalisation made of numbers that are hardly different."""
    if re.search(r"\b(batch|layer|group)_norm\b", line) is None or not isinstance(ours, np.ndarray):
        return False
    return ours.shape == theirs.shape and np.allclose(ours, theirs, 1e-3, 1e-3, equal_nan=True)


def of_one_observation(line: str, variables: dict[str, Any]) -> bool:
    """True for covariances that are asked of a single observation."""
    return re.search(r"\bcov\(", line) is not None and any(
        values.shape[-1:] in ((1,), ()) for values in named_values(line, variables)
    )


def any_nan(line: str, variables: dict[str, Any], infinite: bool = False) -> bool:
    """True for a line that names a tensor with a nan, or with anything ``infinite``."""
    found = named_values(line, variables)
    return any(bool(np.isnan(values).any() or (infinite and np.isinf(values).any())) for values in found)


def read_on_both(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[Any]:
    """The elements on both sides of the tensors that a line reads."""
    names = set(re.findall(r"\bv\d+\b", line)) - {result}
    pairs = [(asked(lambda n=name: numbers(ours[n])), asked(lambda n=name: numbers(theirs[n]))) for name in names]
    return [(a, b) for a, b in pairs if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)]


def any_rounded(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line that reads a tensor whose last digits differ on the two sides."""
    return any(a.tobytes() != b.tobytes() for a, b in read_on_both(line, result, ours, theirs))


def asks_for_sign(line: str) -> bool:
    """True for a line that asks for signs, which the last digit decides where terms cancel."""
    return re.search(r"\.(sgn|sign)_?\(", line) is not None


def masks_apart(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line, not yet run, with a mask of what is above 0, where the last digit decides that differently."""
    names = re.findall(r"\b(v\d+)\[\1 > 0\]", line)
    masks = [[_above_0(side.get(name)) for name in names] for side in (ours, theirs)]
    return any(not np.array_equal(mine, other) for mine, other in zip(*masks, strict=True))


def _above_0(tensor: Any) -> Any:
    values = asked(lambda: numbers(tensor))
    return values > 0 if isinstance(values, np.ndarray) else ()


def any_cancelled(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line that reads an element of which hardly a digit is the same on both sides, or of single precision
    that is so small that it may differ more than others."""
    pairs = [pair for pair in read_on_both(line, result, ours, theirs) if pair[0].dtype.kind == "f"]
    return any(bool((np.abs(a - b) > _digits_left(b) * np.abs(b)).any()) for a, b in pairs if a.shape == b.shape)


def left_of_terms(ours: Any, theirs: Any) -> bool:
    """True for gradients of single precision that are next to nothing on both sides: the rounding of larger terms."""
    if not isinstance(ours, np.ndarray) or not isinstance(theirs, np.ndarray) or theirs.dtype != np.float32:
        return False
    return ours.shape == theirs.shape and all(bool((np.abs(values) < 1e-4).all()) for values in (ours, theirs))


def _digits_left(values: np.ndarray) -> float:
    return SHARP["float32"][0] if values.dtype == np.float32 else 1e-3


def lies_in_more(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line that names a number that lies in the memory of many in PyTorch, and in its own here."""
    for name in re.findall(r"\bv\d+\b", line):
        pair = ours.get(name), theirs.get(name)
        if all(hasattr(tensor, "untyped_storage") and tensor.numel() == 1 for tensor in pair):
            mine, other = (tensor.untyped_storage().nbytes() for tensor in pair)
            if mine == pair[0].itemsize < other:
                return True
    return False


def went_through_sgn(lines: list[str]) -> bool:
    """True for a program that calls sgn, or differentiates a gradient that is made with it."""
    text = "\n".join(lines)
    if re.search(r"\.sgn_?\(", text):
        return True
    made_with_it = r"\b(abs_?|absolute_?|\w*norm|normalize|softsign|dist|pairwise_distance|l1_loss)\("
    return "create_graph=True" in text and re.search(made_with_it, text) is not None


def hopeless(variables: dict[str, Any]) -> bool:
    """True once numbers are so large that rounding decides what comes next."""
    for tensor in variables.values():
        if hasattr(tensor, "dtype") and tensor.is_floating_point():
            values = asked(lambda t=tensor: numbers(t))
            if isinstance(values, str):  # a view that can't be read any more
                continue
            grad = asked(lambda t=tensor: t.grad) if asked(lambda t=tensor: t.is_leaf) is True else None
            if np.any(np.abs(values[np.isfinite(values)]) > 1e6) or (
                grad is not None and not isinstance(grad, str) and np.any(np.abs(numbers(grad)) > 1e6)
            ):
                return True
    return False


def shares_with_out(line: str, name: str, variables: dict[str, Any]) -> bool:
    """True for a tensor that shares memory with the one that a line is to write its result into."""
    out = re.search(r"\bout=(v\d+)", line)
    if out is None or out[1] == name or not hasattr(variables.get(out[1]), "untyped_storage"):
        return False
    one, two = (memory_at(variables[which]) for which in (name, out[1]))
    return bool(one == two)


def parted_by_growth(line: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line with a tensor for its result that another tensor has shared memory with, and here no longer
    does, because that memory had to grow."""
    out = re.search(r"\bout=(v\d+)", line)
    if out is None:
        return False
    tensors = [
        name
        for name, tensor in theirs.items()
        if hasattr(tensor, "untyped_storage") and hasattr(ours.get(name), "untyped_storage")
    ]
    return any(shares_with_out(line, name, theirs) and not shares_with_out(line, name, ours) for name in tensors)


def reads_out_otherwise(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that reads the memory of the tensor for its result under another name."""
    names = [name for name in re.findall(r"\bv\d+\b", line) if hasattr(variables.get(name), "untyped_storage")]
    return any(shares_with_out(line, name, variables) for name in names)


def reads_what_it_writes(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that writes its first tensor, which has elements twice or is read through another view of it."""
    names = re.findall(r"\bv\d+\b", line)
    found = [variables[name] for name in names if hasattr(variables.get(name), "untyped_storage")]
    if not found or re.search(r"\w_\(|\s[-+*/]=\s|\]\s=\s", line) is None:
        return False
    memory = [(memory_at(tensor), tensor.stride(), tensor.storage_offset(), tensor.shape) for tensor in found]
    return has_twice(found[0]) or any(other[0] == memory[0][0] and other != memory[0] for other in memory[1:])


def adds_what_it_writes(line: str, variables: dict[str, Any]) -> bool:
    """True for an ``addmm_`` that reads, even by the same view, the memory that it writes."""
    before, _, after = line.partition("addmm_(")
    target, read = re.findall(r"\bv\d+\b", before)[-1:], re.findall(r"\bv\d+\b", after)
    found = [variables[name] for name in (*target, *read) if hasattr(variables.get(name), "untyped_storage")]
    memory = [memory_at(tensor) for tensor in found]
    return bool(after) and memory[:1] != [] and memory[0] in memory[1:]
