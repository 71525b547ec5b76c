"""What PyTorch's errors mean in a learner's words.

A message is recognised by its wording and explained by one sentence, shown beneath it. The sentence may repeat what
the message names, a shape or a version, so a rule's groups are the fields of its sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chalkgrad.text import Text

_SHAPE = r"\[[\d, ]*\]"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of error: the sentence ``error.<name>`` explains messages of ``type`` that ``pattern`` begins."""

    name: str
    type: str
    pattern: re.Pattern[str]


def _rule(name: str, kind: str, pattern: str) -> Rule:
    """A rule for messages that begin as ``pattern`` says."""
    return Rule(name, kind, re.compile(pattern, re.DOTALL))


# The first rule that fits is taken, so a special case stands before the general one.
RULES: tuple[Rule, ...] = (
    # Starting a backward
    _rule("no_requires_grad", "RuntimeError", r"element \d+ of tensors does not require grad"),
    _rule("not_scalar", "RuntimeError", r"grad can be implicitly created only for scalar outputs"),
    _rule(
        "gradient_shape",
        "RuntimeError",
        rf"Mismatch in shape: grad_output\[\d+\] has a shape of torch\.Size\((?P<given>{_SHAPE})\) "
        rf"and output\[\d+\] has a shape of torch\.Size\((?P<expected>{_SHAPE})\)",
    ),
    _rule("gradient_type", "TypeError", r"gradients can be either Tensors or None, but got (?P<given>\w+)"),
    _rule("not_iterable", "TypeError", r"'(?P<given>int|float)' object is not iterable"),
    _rule("gradient_count", "RuntimeError", r"got (?P<roots>\d+) tensors and (?P<given>\d+) gradients"),
    _rule("input_no_requires_grad", "RuntimeError", r"One of the differentiated Tensors does not require grad"),
    _rule(
        "unused_input", "RuntimeError", r"The differentiated Tensor at index (?P<index>\d+) appears to not have been"
    ),
    _rule("unused_materialize", "ValueError", r"Expected allow_unused to be True or not passed when materialize_grads"),
    _rule("no_inputs", "RuntimeError", r"`inputs` argument to `(?P<function>\w+)\(\)` cannot be empty"),
    # Running it
    _rule("second_backward", "RuntimeError", r"Trying to backward through the graph a second time"),
    _rule("detach_inplace_saved", "RuntimeError", r"Trying to use a saved tensor that has been detached in-place"),
    _rule(
        "inplace_saved",
        "RuntimeError",
        rf"one of the variables needed for gradient computation has been modified by an inplace operation: "
        rf"\[[\w.]+ (?P<shape>{_SHAPE})\](?:, which is output \d+ of [\w:]+,)? is at version (?P<version>\d+); "
        rf"expected version (?P<expected>\d+) instead",
    ),
    # Writing in place
    _rule(
        "view_of_leaf_inplace", "RuntimeError", r"a view of a leaf Variable that requires grad is being used in an in"
    ),
    _rule(
        "inplace_leaf", "RuntimeError", r"a leaf Variable that requires grad (is being|has been) used in an in-place"
    ),
    _rule("no_grad_view_inplace", "RuntimeError", r"A view was created in no_grad mode and is being modified inplace"),
    _rule("multi_view_inplace", "RuntimeError", r"Output \d+ of \w+ is a view and is being modified inplace"),
    _rule("overlap_inplace", "RuntimeError", r"unsupported operation: more than one element of the written-to tensor"),
    _rule(
        "inplace_broadcast",
        "RuntimeError",
        rf"output with shape (?P<shape>{_SHAPE}) doesn't match the broadcast shape (?P<result>{_SHAPE})",
    ),
    _rule(
        "inplace_cast",
        "RuntimeError",
        r"result type (?P<result>\w+) can't be cast to the desired output type (?P<dtype>\w+)",
    ),
    _rule("out_requires_grad", "RuntimeError", r"\w+\(\): functions with out=\.\.\. arguments don't support automatic"),
    _rule("detach_view", "RuntimeError", r"Can't detach views in-place"),
    # Flags and .grad
    _rule("retain_grad_no_grad", "RuntimeError", r"can't retain_grad on Tensor that has requires_grad=False"),
    _rule("nonleaf_requires_grad_false", "RuntimeError", r"you can only change requires_grad flags of leaf variables"),
    _rule("int_requires_grad", "RuntimeError", r"[Oo]nly Tensors of floating point (and complex )?dtype can require"),
    _rule("requires_grad_not_bool", "RuntimeError", r"requires_grad must be a bool"),
    _rule("read_only", "AttributeError", r"attribute '(?P<name>\w+)' of '[\w.]+' objects is not writable"),
    _rule(
        "grad_size",
        "RuntimeError",
        rf"attempting to assign a gradient of size '(?P<given>{_SHAPE})' to a tensor of size '(?P<expected>{_SHAPE})'",
    ),
    _rule(
        "grad_dtype",
        "RuntimeError",
        r"attempting to assign a gradient with dtype '(?P<given>\w+)' to a tensor with grad_dtype '(?P<expected>\w+)'",
    ),
    _rule(
        "grad_type", "TypeError", r"assigned grad expected to be a Tensor or None but got grad of type (?P<given>\w+)"
    ),
    _rule("grad_self", "RuntimeError", r"can't assign Variable as its own grad"),
    _rule("grad_none_zero", "AttributeError", r"'NoneType' object has no attribute '(zero_|fill_)'"),
    _rule("none_attribute", "AttributeError", r"'NoneType' object has no attribute '(?P<name>\w+)'"),
    _rule("optimizer_nonleaf", "ValueError", r"can't optimize a non-leaf Tensor"),
    _rule(
        "nonleaf_grad", "UserWarning", r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed"
    ),
    _rule("create_graph_cycle", "UserWarning", r"Using backward\(\) with create_graph=True will create a reference"),
    _rule("to_scalar", "UserWarning", r"Converting a tensor with requires_grad=True to a scalar may lead to"),
    _rule("copy_construct", "UserWarning", r"To copy construct from a tensor, it is recommended to use"),
    # Shapes
    _rule(
        "broadcast",
        "RuntimeError",
        r"The size of tensor a \((?P<left>\d+)\) must match the size of tensor b \((?P<right>\d+)\) "
        r"at non-singleton dimension (?P<dim>\d+)",
    ),
    _rule(
        "matmul_shape",
        "RuntimeError",
        r"mat1 and mat2 shapes cannot be multiplied \((?P<left>\w+) and (?P<right>\w+)\)",
    ),
    _rule(
        "matmul_shape",
        "RuntimeError",
        r"size mismatch, got input \(\d+\), mat \((?P<left>\w+)\), vec \((?P<right>\d+)\)",
    ),
    _rule(
        "dot_shape",
        "RuntimeError",
        rf"inconsistent tensor size, expected tensor (?P<left>{_SHAPE}) and src (?P<right>{_SHAPE}) to have the same",
    ),
    _rule("matmul_scalar", "RuntimeError", r"both arguments to matmul need to be at least 1D"),
    _rule("matrix_needed", "RuntimeError", r"\w+ must be a matrix"),
    _rule("vector_needed", "RuntimeError", r"1D tensors expected, but got|vector \+ matrix @ vector expected"),
    _rule(
        "batch_shape",
        "RuntimeError",
        rf"Expected size for first two dimensions of batch2 tensor to be: (?P<expected>{_SHAPE}) "
        rf"but got: (?P<given>{_SHAPE})",
    ),
    _rule(
        "reshape_size",
        "RuntimeError",
        r"shape '(?P<shape>\[[\d, -]*\])' is invalid for input of size (?P<size>\d+)",
    ),
    _rule("reshape_infer", "RuntimeError", r"only one dimension can be inferred"),
    _rule("view_stride", "RuntimeError", r"view size is not compatible with input tensor's size and stride"),
    _rule("cat_shape", "RuntimeError", r"Sizes of tensors must match except in dimension (?P<dim>\d+)"),
    _rule(
        "cat_dims",
        "RuntimeError",
        r"Tensors must have same number of dimensions: got (?P<left>\d+) and (?P<right>\d+)",
    ),
    _rule("expand_shape", "RuntimeError", r"The expanded size of the tensor \(\d+\) must match the existing size"),
    _rule(
        "dim_range",
        "IndexError",
        r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], "
        r"but got (?P<dim>-?\d+)\)",
    ),
    _rule("t_dims", "RuntimeError", r"t\(\) expects a tensor with <= 2 dimensions, but self is (?P<dims>\d+)D"),
    # Dtypes and values
    _rule(
        "dtype_mismatch",
        "RuntimeError",
        r"expected m1 and m2 to have the same dtype, but got: (?P<left>\w+(?: \w+)?) != (?P<right>\w+(?: \w+)?)",
    ),
    _rule(
        "dtype_mismatch",
        "RuntimeError",
        r"dot : expected both vectors to have same dtype, but found (?P<left>\w+) and (?P<right>\w+)",
    ),
    _rule(
        "dtype_mismatch",
        "RuntimeError",
        r"addmv input tensors must have the same dtype, but got \w+, (?P<left>\w+), and (?P<right>\w+)",
    ),
    _rule("bool_arithmetic", "RuntimeError", r"(Negation|Subtraction), the `-` operator, (on a|with two) bool tensor"),
    _rule("mean_int", "RuntimeError", r"mean\(\): could not infer output dtype"),
    _rule("pow_int_negative", "RuntimeError", r"Integers to negative integer powers are not allowed"),
    _rule("item_many", "RuntimeError", r"a Tensor with (?P<size>\d+) elements cannot be converted to Scalar"),
    _rule("bool_many", "RuntimeError", r"Boolean value of Tensor with more than one value is ambiguous"),
    _rule("numpy_requires_grad", "RuntimeError", r"Can't call numpy\(\) on Tensor that requires grad"),
    # What Python says itself
    _rule("scalar_index", "TypeError", r"(len\(\) of|iteration over) a 0-d tensor"),
    _rule("scalar_index", "IndexError", r"invalid index of a 0-dim tensor"),
    _rule(
        "index_range",
        "IndexError",
        r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)",
    ),
    _rule(
        "ragged_list", "ValueError", r"expected sequence of length (?P<length>\d+) at dim \d+ \(got (?P<given>\d+)\)"
    ),
    _rule("not_a_number", "TypeError", r"new\(\): invalid data type '(?P<given>\w+)'"),
    _rule("not_a_number", "RuntimeError", r"Could not infer dtype of (?P<given>\w+)"),
    _rule("arguments", "TypeError", r"(?P<function>[\w.]+)\(\) received an invalid combination of arguments"),
    _rule("arguments", "TypeError", r"(?P<function>[\w.]+)\(\) (takes|missing) (\d+|no|from|exactly)"),
    _rule("operand_type", "TypeError", r"unsupported operand type\(s\) for (?P<operator>\S+):"),
    _rule(
        "argument_type",
        "TypeError",
        r"(?P<function>\w+)\(\): argument '(?P<name>\w+)' .*?must be (?P<expected>[\w ]+), not (?P<given>\w+)",
    ),
    _rule("argument_name", "TypeError", r"(?P<function>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'"),
    _rule("no_attribute", "AttributeError", r"'Tensor' object has no attribute '(?P<name>\w+)'"),
    _rule("no_attribute", "AttributeError", r"module '[\w.]+' has no attribute '(?P<name>\w+)'"),
    _rule("name_not_defined", "NameError", r"name '(?P<name>\w+)' is not defined"),
)


def explain_error(exception_type: str, message: str) -> Text | None:
    """The sentence that explains an exception or warning of that type and text; None for one it doesn't know."""
    for rule in RULES:
        if rule.type == exception_type and (found := rule.pattern.match(message)):
            return Text(f"error.{rule.name}", **found.groupdict())
    return None
