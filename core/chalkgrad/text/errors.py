"""What PyTorch's errors mean in a learner's words.

A message is recognised by its wording and explained by one sentence, shown beneath it. The sentence may repeat what
the message names, a shape or a version, so a rule's groups are the fields of its sentence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from chalkgrad.text import Text

_SHAPE = r"\[[\d, ]*\]"
_TARGET_SIZE = (
    rf"Using a target size \(torch\.Size\((?P<target>{_SHAPE})\)\) that is different to the input size "
    rf"\(torch\.Size\((?P<given>{_SHAPE})\)\)"
)


class Rule(NamedTuple):
    """One kind of error: the sentence ``error.<name>`` explains messages of ``type`` that ``pattern`` begins."""

    name: str
    type: str
    pattern: str

    def match(self, message: str) -> re.Match[str] | None:
        """How ``message`` fits; a pattern is compiled when it is looked for the first time."""
        return re.match(self.pattern, message, re.DOTALL)


# The first rule that fits is taken, so a special case stands before the general one.
RULES: tuple[Rule, ...] = (
    # Starting a backward
    Rule("no_requires_grad", "RuntimeError", r"element \d+ of tensors does not require grad"),
    Rule("not_scalar", "RuntimeError", r"grad can be implicitly created only for scalar outputs"),
    Rule(
        "gradient_shape",
        "RuntimeError",
        rf"Mismatch in shape: grad_output\[\d+\] has a shape of torch\.Size\((?P<given>{_SHAPE})\) "
        rf"and output\[\d+\] has a shape of torch\.Size\((?P<expected>{_SHAPE})\)",
    ),
    Rule("gradient_type", "TypeError", r"gradients can be either Tensors or None, but got (?P<given>\w+)"),
    Rule("not_iterable", "TypeError", r"'(?P<given>int|float)' object is not iterable"),
    Rule("gradient_count", "RuntimeError", r"got (?P<roots>\d+) tensors and (?P<given>\d+) gradients"),
    Rule("input_no_requires_grad", "RuntimeError", r"One of the differentiated Tensors does not require grad"),
    Rule("unused_input", "RuntimeError", r"The differentiated Tensor at index (?P<index>\d+) appears to not have been"),
    Rule("unused_materialize", "ValueError", r"Expected allow_unused to be True or not passed when materialize_grads"),
    Rule("no_inputs", "RuntimeError", r"`inputs` argument to `(?P<function>\w+)\(\)` cannot be empty"),
    # Running it
    Rule("no_derivative", "RuntimeError", r"derivative for aten::(?P<call>\w+) is not implemented"),
    Rule("second_backward", "RuntimeError", r"Trying to backward through the graph a second time"),
    Rule("detach_inplace_saved", "RuntimeError", r"Trying to use a saved tensor that has been detached in-place"),
    Rule(
        "inplace_saved",
        "RuntimeError",
        rf"one of the variables needed for gradient computation has been modified by an inplace operation: "
        rf"\[[\w.]+ (?P<shape>{_SHAPE})\](?:, which is output \d+ of [\w:]+,)? is at version (?P<version>\d+); "
        rf"expected version (?P<expected>\d+) instead",
    ),
    # Writing in place
    Rule(
        "view_of_leaf_inplace", "RuntimeError", r"a view of a leaf Variable that requires grad is being used in an in"
    ),
    Rule("inplace_leaf", "RuntimeError", r"a leaf Variable that requires grad (is being|has been) used in an in-place"),
    Rule("no_grad_view_inplace", "RuntimeError", r"A view was created in no_grad mode and is being modified inplace"),
    Rule("multi_view_inplace", "RuntimeError", r"Output \d+ of \w+ is a view and is being modified inplace"),
    Rule("overlap_inplace", "RuntimeError", r"unsupported operation: more than one element of the written-to tensor"),
    Rule(
        "inplace_broadcast",
        "RuntimeError",
        rf"output with shape (?P<shape>{_SHAPE}) doesn't match the broadcast shape (?P<result>{_SHAPE})",
    ),
    Rule(
        "inplace_cast",
        "RuntimeError",
        r"result type (?P<result>\w+) can't be cast to the desired output type (?P<dtype>\w+)",
    ),
    Rule("out_requires_grad", "RuntimeError", r"\w+\(\): functions with out=\.\.\. arguments don't support automatic"),
    Rule("detach_view", "RuntimeError", r"Can't detach views in-place"),
    Rule("inference_saved", "RuntimeError", r"Inference tensors cannot be saved for backward"),
    Rule("inference_inplace", "RuntimeError", r"Inplace update to inference tensor outside InferenceMode"),
    Rule("inference_requires_grad", "RuntimeError", r"Setting requires_grad=True on inference tensor outside"),
    # Flags and .grad
    Rule("retain_grad_no_grad", "RuntimeError", r"can't retain_grad on Tensor that has requires_grad=False"),
    Rule("nonleaf_requires_grad_false", "RuntimeError", r"you can only change requires_grad flags of leaf variables"),
    Rule("int_requires_grad", "RuntimeError", r"[Oo]nly Tensors of floating point (and complex )?dtype can require"),
    Rule("hook_no_grad", "RuntimeError", r"cannot register a hook on a tensor that doesn't require gradient"),
    Rule("requires_grad_not_bool", "RuntimeError", r"requires_grad must be a bool"),
    Rule("read_only", "AttributeError", r"attribute '(?P<name>\w+)' of '[\w.]+' objects is not writable"),
    Rule(
        "grad_size",
        "RuntimeError",
        rf"attempting to assign a gradient of size '(?P<given>{_SHAPE})' to a tensor of size '(?P<expected>{_SHAPE})'",
    ),
    Rule(
        "grad_dtype",
        "RuntimeError",
        r"attempting to assign a gradient with dtype '(?P<given>\w+)' to a tensor with grad_dtype '(?P<expected>\w+)'",
    ),
    Rule(
        "grad_type", "TypeError", r"assigned grad expected to be a Tensor or None but got grad of type (?P<given>\w+)"
    ),
    Rule("grad_self", "RuntimeError", r"can't assign Variable as its own grad"),
    Rule("grad_none_zero", "AttributeError", r"'NoneType' object has no attribute '(zero_|fill_)'"),
    Rule("none_attribute", "AttributeError", r"'NoneType' object has no attribute '(?P<name>\w+)'"),
    Rule("optimizer_nonleaf", "ValueError", r"can't optimize a non-leaf Tensor"),
    Rule(
        "nonleaf_grad", "UserWarning", r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed"
    ),
    Rule("create_graph_cycle", "UserWarning", r"Using backward\(\) with create_graph=True will create a reference"),
    Rule("to_scalar", "UserWarning", r"Converting a tensor with requires_grad=True to a scalar may lead to"),
    Rule("copy_construct", "UserWarning", r"To copy construct from a tensor, it is recommended to use"),
    # Shapes
    Rule(
        "broadcast",
        "RuntimeError",
        r"The size of tensor a \((?P<left>\d+)\) must match the size of tensor b \((?P<right>\d+)\) "
        r"at non-singleton dimension (?P<dim>\d+)",
    ),
    Rule(
        "matmul_shape",
        "RuntimeError",
        r"mat1 and mat2 shapes cannot be multiplied \((?P<left>\w+) and (?P<right>\w+)\)",
    ),
    Rule(
        "matmul_shape",
        "RuntimeError",
        r"size mismatch, got input \(\d+\), mat \((?P<left>\w+)\), vec \((?P<right>\d+)\)",
    ),
    Rule(
        "dot_shape",
        "RuntimeError",
        rf"inconsistent tensor size, expected tensor (?P<left>{_SHAPE}) and src (?P<right>{_SHAPE}) to have the same",
    ),
    Rule("matmul_scalar", "RuntimeError", r"both arguments to matmul need to be at least 1D"),
    Rule("matrix_needed", "RuntimeError", r"\w+ must be a matrix"),
    Rule("vector_needed", "RuntimeError", r"1D tensors expected, but got|vector \+ matrix @ vector expected"),
    Rule(
        "batch_shape",
        "RuntimeError",
        rf"Expected size for first two dimensions of batch2 tensor to be: (?P<expected>{_SHAPE}) "
        rf"but got: (?P<given>{_SHAPE})",
    ),
    Rule(
        "reshape_size",
        "RuntimeError",
        r"shape '(?P<shape>\[[\d, -]*\])' is invalid for input of size (?P<size>\d+)",
    ),
    Rule("reshape_infer", "RuntimeError", r"only one dimension can be inferred"),
    Rule("view_stride", "RuntimeError", r"view size is not compatible with input tensor's size and stride"),
    Rule("cat_shape", "RuntimeError", r"Sizes of tensors must match except in dimension (?P<dim>\d+)"),
    Rule(
        "cat_dims",
        "RuntimeError",
        r"Tensors must have same number of dimensions: got (?P<left>\d+) and (?P<right>\d+)",
    ),
    Rule(
        "stack_shape",
        "RuntimeError",
        rf"stack expects each tensor to be equal size, but got (?P<left>{_SHAPE}) at entry \d+ and (?P<right>{_SHAPE})",
    ),
    Rule("empty_reduction", "RuntimeError", r"(?P<call>\w+)\(\): Expected reduction dim to be specified"),
    Rule("expand_shape", "RuntimeError", r"The expanded size of the tensor \(\d+\) must match the existing size"),
    Rule(
        "dim_range",
        "IndexError",
        r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], "
        r"but got (?P<dim>-?\d+)\)",
    ),
    Rule("t_dims", "RuntimeError", r"t\(\) expects a tensor with <= 2 dimensions, but self is (?P<dims>\d+)D"),
    Rule(
        "layer_norm_shape",
        "RuntimeError",
        r"Given normalized_shape=(?P<expected>\[[\d, ]*\]), expected input with shape \[.*\], "
        r"but got input of size(?P<given>\[[\d, ]*\])",
    ),
    Rule(
        "einsum_size",
        "RuntimeError",
        r"einsum\(\): subscript (?P<subscript>\w) has size (?P<given>\d+) for operand \d+ "
        r"which does not broadcast with previously seen size (?P<expected>\d+)",
    ),
    Rule("batch_needed", "RuntimeError", r"batch[12] must be a 3D tensor"),
    Rule(
        "not_square",
        "RuntimeError",
        r".*must be batches of square matrices, but they are (?P<rows>\d+) by (?P<columns>\d+)",
    ),
    Rule(
        "mask_shape",
        "IndexError",
        rf"The shape of the mask (?P<mask>{_SHAPE}) at index \d+ does not match the shape of the indexed tensor "
        rf"(?P<shape>{_SHAPE})",
    ),
    Rule(
        "conv_channels",
        "RuntimeError",
        r"Given groups=.*, expected input.* to have (?P<expected>\d+) channels, but got (?P<given>\d+)",
    ),
    Rule(
        "kernel_too_large",
        "RuntimeError",
        r"Calculated padded input size per channel: \((?P<size>[\d x]+)\)\. Kernel size: \((?P<kernel>[\d x]+)\)",
    ),
    Rule("output_too_small", "RuntimeError", r"Given input size: \((?P<size>\w+)\)\. Calculated output size: "),
    # Losses
    Rule("target_dtype", "RuntimeError", r"expected target dtype to be Long or Byte, but got (?P<given>\w+)"),
    Rule(
        "target_count",
        "ValueError",
        r"Expected input batch_size \((?P<rows>\d+)\) to match target batch_size \((?P<given>\d+)\)",
    ),
    Rule("target_class", "IndexError", r"Target (?P<index>-?\d+) is out of bounds"),
    Rule("probability_needed", "RuntimeError", r"all elements of input should be between 0 and 1"),
    Rule("target_size", "ValueError", _TARGET_SIZE),
    Rule("target_size", "UserWarning", _TARGET_SIZE),
    Rule(
        "kl_div_mean", "UserWarning", r"reduction: 'mean' divides the total loss by both the batch size and the support"
    ),
    # Dtypes and values
    Rule(
        "dtype_mismatch",
        "RuntimeError",
        r"expected m1 and m2 to have the same dtype, but got: (?P<left>\w+(?: \w+)?) != (?P<right>\w+(?: \w+)?)",
    ),
    Rule(
        "dtype_mismatch",
        "RuntimeError",
        r"dot : expected both vectors to have same dtype, but found (?P<left>\w+) and (?P<right>\w+)",
    ),
    Rule(
        "dtype_mismatch",
        "RuntimeError",
        r"addmv input tensors must have the same dtype, but got \w+, (?P<left>\w+), and (?P<right>\w+)",
    ),
    Rule("bool_arithmetic", "RuntimeError", r"(Negation|Subtraction), the `-` operator, (on a|with two) bool tensor"),
    Rule("float_needed", "NotImplementedError", r"\"\w+\" not implemented for '(Long|Int|Short|Char|Byte|Bool)'"),
    Rule("float_needed", "RuntimeError", r"std and var only support floating point"),
    Rule("float_needed", "RuntimeError", r"[\w.]+: Expected a floating point or complex tensor as input"),
    Rule("index_dtype", "IndexError", r"tensors used as indices must be long, int, byte or bool"),
    Rule("index_dtype", "RuntimeError", r"\w+\(\): Expected dtype int32/int64 for index"),
    Rule("index_dtype", "RuntimeError", r"one_hot is only applicable to index tensor"),
    Rule(
        "mask_dtype",
        "RuntimeError",
        r"where expected condition to be a boolean tensor|\w+: expected BoolTensor for mask",
    ),
    Rule("singular", "_LinAlgError", r".*the input matrix is singular"),
    Rule("mean_int", "RuntimeError", r"mean\(\): could not infer output dtype"),
    Rule("pow_int_negative", "RuntimeError", r"Integers to negative integer powers are not allowed"),
    Rule("item_many", "RuntimeError", r"a Tensor with (?P<size>\d+) elements cannot be converted to Scalar"),
    Rule("bool_many", "RuntimeError", r"Boolean value of Tensor with more than one value is ambiguous"),
    Rule("numpy_requires_grad", "RuntimeError", r"Can't call numpy\(\) on Tensor that requires grad"),
    # What Python says itself
    Rule("scalar_index", "TypeError", r"(len\(\) of|iteration over) a 0-d tensor"),
    Rule("scalar_index", "IndexError", r"invalid index of a 0-dim tensor"),
    Rule(
        "index_range",
        "IndexError",
        r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)",
    ),
    Rule(
        "index_range",
        "RuntimeError",
        r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)",
    ),
    Rule("ragged_list", "ValueError", r"expected sequence of length (?P<length>\d+) at dim \d+ \(got (?P<given>\d+)\)"),
    Rule("not_a_number", "TypeError", r"new\(\): invalid data type '(?P<given>\w+)'"),
    Rule("not_a_number", "RuntimeError", r"Could not infer dtype of (?P<given>\w+)"),
    Rule("arguments", "TypeError", r"(?P<function>[\w.]+)\(\) received an invalid combination of arguments"),
    Rule("arguments", "TypeError", r"(?P<function>[\w.]+)\(\) (takes|missing) (\d+|no|from|exactly)"),
    Rule("operand_none", "TypeError", r"unsupported operand type\(s\) for (?P<operator>\S+): .*'NoneType'"),
    Rule("operand_type", "TypeError", r"unsupported operand type\(s\) for (?P<operator>\S+):"),
    Rule(
        "argument_type",
        "TypeError",
        r"(?P<function>\w+)\(\): argument '(?P<name>\w+)' .*?must be (?P<expected>[\w ]+), not (?P<given>\w+)",
    ),
    Rule("argument_name", "TypeError", r"(?P<function>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'"),
    Rule("no_attribute", "AttributeError", r"'Tensor' object has no attribute '(?P<name>\w+)'"),
    Rule(
        "left_out",
        "AttributeError",
        r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)': Chalkgrad leaves out",
    ),
    Rule("no_attribute", "AttributeError", r"module '[\w.]+' has no attribute '(?P<name>\w+)'"),
    Rule("name_not_defined", "NameError", r"name '(?P<name>\w+)' is not defined"),
)


def explain_error(exception_type: str, message: str) -> Text | None:
    """The sentence that explains an exception or warning of that type and text; None for one it doesn't know."""
    for rule in RULES:
        if rule.type == exception_type and (found := rule.match(message)):
            return Text(f"error.{rule.name}", **found.groupdict())
    return None
