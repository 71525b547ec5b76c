"""What random programs may do otherwise than in PyTorch, as patterns with their reasons."""

from __future__ import annotations

import re

KNOWN: dict[str, str] = {
    r"^error \| (?s:.*)\"Overflow when unpacking long long \| (?s:.*)\"Overflow when unpacking long long": (
        "PyTorch's text goes on with where in C++ it was raised"
    ),
    r"^error \| (?s:.*)unflatten got an unexpected error:\n": "the same, from another place",
    r"^signs of # \| .*\b(svd|qr|eigh)\b": "which signs the columns of a factorisation have is up to LAPACK",
    r"^signs of # \| ([\w#]+ )*cond$": "nor which a singular value of 0 has, by which is divided",
    r"^storage_offset beyond the memory of # \| ": (
        "a tensor without elements that begins beyond its memory begins at the end of that here"
    ),
    r"^(version|grad's version|is view) of nothing of # \| ": (
        "NumPy keeps no strides of what has no elements, by which PyTorch decides whether a gradient has to be copied"
    ),
    r"^storage_offset of nothing of # \| ": "nor those by which it counts where a part of that begins",
    r"^(value( of rounded)?|graph|version|repeated value) of one observation of # \| ([\w#]+ )*cov\b": (
        "of one observation with weights PyTorch takes the mean off its input itself"
    ),
    r"^error of one observation \| ([\w#]+ )*cov [^|]*\| None "
    r"\| RuntimeError: a (view of a )?leaf Variable that requires grad is being used in an in-place operation": (
        "the same, which it may not"
    ),
    r"^graph of nothing of # \| ": (
        "NumPy keeps no strides of what has no elements, by which PyTorch decides whether to turn a product"
    ),
    r"^error \| [^|]*\| None \| RuntimeError: reshape is not implemented for sparse tensors$": (
        "gradients are dense here also where gather asks for sparse ones, which PyTorch can't reshape"
    ),
    r"^stride of one of # \| ": (
        "the stride of a size of 1, by which no element is found, may be that of what was made on the way"
    ),
    r"^(value|signs) of # \| ([\w#]+ )*\| IndexError: index # is out of bounds for dimension # with size #$": (
        "PyTorch has written what comes before the index for which there is nothing"
    ),
    r"^value of memory that grew of # \| (?s:.*)out=": (
        "memory that has to grow for a result is made anew here; what shared it keeps the old"
    ),
    r"^value of normalised of # \| ([\w#]+ )*(batch|layer|group)_norm\b": (
        "of equal numbers only rounding is left, divided by a deviation of nearly 0"
    ),
    r"^basis of # \| .*\b(svd|qr|eigh)\b": "the same, of vectors for equal values, or beside those of a matrix",
    r"^(basis|value) of rounded of # \| ([\w#]+ )*lu\w*( |$)": (
        "which of rows that are all but equal comes first is left to rounding"
    ),
    r"^basis of rounded of # \| .*\b(svd|qr|eigh)\b": "the same as of factors that rounding has not changed",
    r"^repeated value of # \| ([\w#]+ )*([\w#]+_( |$)|[-+*/]= ?)": (
        "an element that two others share, as in overlapping windows, is computed and written twice"
    ),
    r"^is view( of nothing)? of # beside inference tensors \| ": (
        "of an inference tensor PyTorch takes its working view of the result for the result"
    ),
    r"^(value|signs) of # \| .*\b(remainder|fmod|floor_divide)_\b.* \| RuntimeError: ZeroDivisionError$": (
        "PyTorch has written some integers before it comes to the one that can't be divided"
    ),
    r"^value (of rounded )?of # \| [^|]*\b(scatter\w*|put)_\b[^|]* "
    r"\| (RuntimeError: index # is out of bounds for dimension # with size #|IndexError: out of range: tried .*)$": (
        "PyTorch has written what comes before the index for which there is nothing"
    ),
    r"^value of # \| ([\w#]+ )*scatter_reduce_ [^|]*\| NotImplementedError: "
    r"\"scatter_gather_tensor_cpu_reduce_mean\" ": (
        "PyTorch has written what places begin with before it refuses the dtype"
    ),
    r"^value of # \| ([\w#]+ )*as_strided_\b.* \| RuntimeError: (Storage size|numel: integer) \w+ overflow": (
        "PyTorch has given it sizes below 0 before it refuses them"
    ),
    r"^value of # \| ([\w#]+ )*masked_scatter_\b.* \| RuntimeError: "
    r"Number of elements of source < number of ones in ": (
        "PyTorch has written what there was before it sees that it is too little"
    ),
    r"^error \| .*\b(addmv_|baddbmm_)( .*)? \| RuntimeError: unsupported operation: (more than one|some elements) "
    r"(?s:.*) \| None$": ("PyTorch forgets to look, and BLAS adds to what it has just written"),
    r"^error \| ([\w#]+ )*addbmm_ (?s:.*)\| RuntimeError: Bad in-place call: (?s:.*) \| "
    r"(None|RuntimeError: (self|mat#) and mat# must have .*|"
    r"RuntimeError: Inplace update to inference tensor (?s:.*))$": (
        "PyTorch forgets to look, and gives the tensor another size"
    ),
    r"^error \| (?s:.*)torch.meshgrid: Expected #D or #D tensor in the tensor list but got: "
    r"(?s:.*)torch.meshgrid: Expected #D or #D tensor": "PyTorch's text holds the tensor as C++ prints it",
    r"^error \| (?s:.*)\| IndexError: index # is out of bounds for dimension # with size # "
    r"\| IndexError: select\(\) cannot": ("of a tensor without dimensions PyTorch reads a size where there is none"),
    r"^value (of rounded )?of # \| ([\w#]+ )*signbit$": "which sign a nan has is up to the processor",
    r"^error \| ([\w#]+ )*(histc|histogram\w*) \| .*range (of )?\[-?nan, -?nan\] is not finite "
    r"\| .*range (of )?\[-?nan, -?nan\] is not finite$": ("the same, in a text"),
    r"^error \| (?s:.*) \| None \| RuntimeError: ZeroTensors are immutable": (
        "PyTorch makes zeros without memory of them for sgn, and then can't add to these"
    ),
    r"^grad's version beside zeros of # \| ([^|]* )?backward( |$)": (
        "the same, so that it makes a new sum of two such gradients where it would add others in place"
    ),
    r"^error in more memory \| ([\w#]+ )*as_strided( \w+)* \| RuntimeError: setStorage: (?s:.*) are out of bounds for "
    r"storage of size # \| ": (
        "PyTorch's mean of losses lies in the memory of the losses, which reaches further than that of one number"
    ),
    r"^error \| ([\w#]+ )*take_along_dim( tensor int#)? \| RuntimeError: index # is out of bounds (?s:.*)\| None$": (
        "PyTorch reads beyond what there is, where the tensor was expanded"
    ),
    r"^error of singular \| ([\w#]+ )*(inv\w*|lu_factor\w*|solve\w*|cond|matrix_power|cholesky\w*)\b": (
        "whether a pivot is 0 or nearly so is up to LAPACK's rounding"
    ),
    r"^error \| (?s:.*)\| RuntimeError: [^|]* INTERNAL ASSERT FAILED at ": (
        "PyTorch's text is that of a bug of its own, with the place in C++"
    ),
    r"^\w+ where PyTorch asserts of # \| ": "the same, when the tensor is looked at",
    r"^error \| (?s:.*)\| RuntimeError: Autograd not support dtype: ": (
        "an integer tensor that a comparison written into it made require grad is refused, but later"
    ),
    r"^signs by nan of # \| ([\w#]+ )*copysign_?( |$)": "which sign a nan has is up to the processor",
    r"^value of singular of # \| ([\w#]+ )*"
    r"(qr|svd|cond|pinverse|pinv|lstsq|lu\w*|det|logdet|slogdet|matrix_rank|inv\w*|solve_ex|cholesky\w*|"
    r"matrix_power)\b": (
        "what goes with columns that depend on others, and what is divided by nearly 0, is up to LAPACK's rounding"
    ),
    r"^value of nearly nothing of # \| ([\w#]+ )*(log(2|10)?|sqrt)_$": (
        "whether rounding leaves 0, or a number below it, decides between -inf, or 0, and nan"
    ),
    r"^value of a series of # \| ": "PyTorch's series for the incomplete gamma function of numbers above 20 ends early",
    r"^value of nearly one of # \| ([\w#]+ )*(erfinv|a(rc)?tanh)_$": (
        "whether rounding leaves 1, or a number next to it, decides between infinity and a number"
    ),
    r"^(requires_grad|grad's grad_fn) of nothing of # \| ([\w#]+ )*(autograd grad|backward)\b": (
        "as the gradient of running extremes of nothing PyTorch gives their input itself"
    ),
    r"^repeated warnings \| ([\w#]+ )*bitwise_(and|or|xor) ([\w#]+ )*out=": (
        "of bools PyTorch warns twice that the tensor for the result gets another size"
    ),
    r"^warnings of nothing \| ": (
        "NumPy keeps no strides of what has no elements, which PyTorch compares with those of a leaf"
    ),
    r"^(value|shape|stride|warnings)( of \w+)*( of #)? \| [^|]*\bout=(?s:.*) \| "
    r"(Runtime|Type|Index|NotImplemented|_LinAlg)Error: ": (
        "PyTorch has given the tensor for the result another size before it refuses the call"
    ),
    r"^error \| [^|]*\bconv(_transpose)?#d\b[^|]*\| RuntimeError: Input type [^|]* should be the same or "
    r"input should be a MKLDNN tensor [^|]*\| RuntimeError: expected scalar type ": (
        "which library PyTorch calls, where windows have one element, depends on how many threads there are"
    ),
    r"^error \| [^|]*\bindex_(fill|copy|reduce)_? [^|]*\| IndexError: (\w+\(\): )?index # is out of bounds for "
    r"dimension # with size # \| RuntimeError: setStorage: ": (
        "of nothing PyTorch makes a view that can't be, before it looks at an index"
    ),
    r"^error \| [^|]*\bbatch_norm\b[^|]*\| IndexError: Dimension specified as # but tensor has no dimensions "
    r"\| RuntimeError: SmallVector unable to grow": (
        "of a tensor without dimensions PyTorch asks for the room of -1 of them"
    ),
    r"^value by nan of # \| ([\w#]+ )*"
    r"(det|slogdet|logdet|cholesky_inverse|cholesky_ex|qr|inv\w*|pinv\w*|solve\w*|lu\w*|lstsq|svd\w*)\b": (
        "how far a nan, or what infinity makes one of, spreads through the steps of a factorisation is up to LAPACK"
    ),
    r"^nans of # \| ([\w#]+ )*gelu$": (
        "of infinity PyTorch makes nan where it computes several elements at once, and infinity where it computes one"
    ),
    r"^error \| ([\w#]+ )*(bitwise_\w+|floor_divide|gcd|lcm|heaviside) [\w# ]*out= "
    r"\| RuntimeError: aten::\w+\(\): functions with out=(?s:.*) \| None$": (
        "of a tensor with a history given as out= PyTorch replaces that by a node that refuses"
    ),
    r"^nans of # \| ([\w#]+ )*(qr|inverse|inv|pinverse|solve|det|lu\w*|lstsq|svd)\b": (
        "how far a nan spreads through the steps of a factorisation is up to LAPACK"
    ),
    r"^error (of singular )?\| (?s:.*)out=( read)? \| \w+Error: (?s:.*) \| \w+Error: ": (
        "of several mistakes in a call with out=, which is found first is each kernel's own affair"
    ),
    r"^(value (of rounded )?of #|error|warnings) \| (?s:.*)out= read( \||$)": (
        "what PyTorch writes, or gives another size, while it still reads it comes out by accident"
    ),
    r"^value read and written of # \| ": (
        "what PyTorch writes while it still reads it, by a view or as an element of two, comes out by accident"
    ),
    r"^value of rounded of # \| ([\w#]+ )*(hardshrink|softshrink|threshold|floor|ceil|round|trunc|frac|sign|sgn|eq|ne|"
    r"lt|le|gt|ge|heaviside|remainder|fmod|floor_divide|histc|histogram\w*|bucketize|searchsorted|unique\w*|topk|argsort|sort|msort|"
    r"argmax|argmin|cummax|cummin|kthvalue|median|nanmedian|"
    r"mode|cond|to|type|type_as|long|int|bool|\*\*)_?( \||$)": (
        "what jumps, or asks whether a number is whole, is decided by the last digits of what goes in"
    ),
    r"^value of rounded of # \| ([\w#]+ )*(polygamma|digamma|psi)_?( \||$)": (
        "so near a whole number that is not above 0 the last digits decide what comes"
    ),
    r"^grad beside zeros of # \| ([^|]* )?backward( |$)": (
        "PyTorch multiplies its zeros without memory by nothing, not even by nan"
    ),
    r"^value of far turns of # \| ([\w#]+ )*(sin|cos|tan)_?( \||$)": (
        "of large numbers the last digits are a part of a turn, or several"
    ),
    r"^value of equals of # \| ([\w#]+ )*corrcoef$": (
        "of equal numbers rounding their mean leaves 0 or not, which is divided by itself"
    ),
    r"^(value|grad) of cancelled of # \| ": (
        "where terms cancel only their rounding is left, and an operator may make that large"
    ),
    r"^(value|grad) that moves of # \| ": (
        "PyTorch's own answer is as far from itself when the last digits of its numbers are changed"
    ),
    r"^value (of singular |of rounded )?of # \| ([\w#]+ )*linalg lstsq rcond=$": (
        "with a large rcond PyTorch's own answer varies: it lets LAPACK order columns by memory that nobody set"
    ),
}
"""Differences that stay, as patterns of their signatures, with the reason."""


def explained(signature: str) -> bool:
    """True for the signature of a difference in the table of known ones."""
    return any(re.search(pattern, signature) for pattern in KNOWN)
