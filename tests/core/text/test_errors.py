"""Every error a learner can meet is explained by the right sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chalkgrad import text, torch
from chalkgrad.text import LANGUAGES, Text, catalogue, fields, render
from chalkgrad.text.errors import RULES, explain_error

RECORDED = json.loads((Path(__file__).parents[2] / "data" / "torch" / "errors.json").read_text(encoding="utf-8"))

EXPLAINED = {
    "no_requires_grad": [
        "backward_no_requires_grad",
        "backward_result_no_requires_grad",
        "backward_detached",
        "backward_no_grad_result",
        "backward_second_root_no_grad",
        "backward_int_output",
        "backward_argmax",
        "second_order_without_create_graph",
        "second_order_of_constant",
    ],
    "not_scalar": [
        "backward_nonscalar",
        "backward_nonscalar_empty",
        "grad_nonscalar",
        "grad_tensors_none_for_nonscalar",
    ],
    "second_backward": ["backward_twice", "backward_after_partial", "grad_twice", "saved_access_after_free"],
    "gradient_shape": ["gradient_shape_mismatch", "gradient_shape_mismatch_scalar"],
    "bool_many": ["grad_outputs_shape_mismatch_second", "bool_many"],
    "not_iterable": ["gradient_not_tensor_float", "grad_of_output_not_tensor"],
    "gradient_type": ["gradient_list_of_floats"],
    "gradient_count": ["grad_tensors_count"],
    "argument_name": ["grad_keyword_grad_tensors", "grad_keyword_gradient", "backward_keyword_grad_tensors"],
    "unused_input": ["grad_unused_input"],
    "input_no_requires_grad": ["grad_input_no_requires_grad"],
    "no_inputs": ["grad_no_inputs", "backward_inputs_empty"],
    "unused_materialize": ["grad_unused_false_materialize"],
    "retain_grad_no_grad": ["backward_inputs_not_requires_grad", "retain_grad_no_requires_grad"],
    "create_graph_cycle": ["create_graph_leak_warning"],
    "int_requires_grad": [
        "requires_grad_int_factory",
        "requires_grad_int_ones",
        "requires_grad_int_method",
        "requires_grad_int_setattr",
        "requires_grad_bool",
    ],
    "nonleaf_requires_grad_false": ["requires_grad_nonleaf_false", "requires_grad_nonleaf_method_false"],
    "requires_grad_not_bool": ["requires_grad_not_bool"],
    "read_only": ["set_is_leaf", "set_grad_fn", "set_retains_grad", "set_version"],
    "no_attribute": ["misspelled_retains_gard", "misspelled_requires_gd", "function_unknown"],
    "nonleaf_grad": ["nonleaf_grad_warning"],
    "grad_size": ["assign_grad_size"],
    "grad_dtype": ["assign_grad_dtype"],
    "grad_type": ["assign_grad_float"],
    "grad_self": ["assign_grad_self"],
    "grad_none_zero": ["grad_none_zero"],
    "optimizer_nonleaf": ["optimizer_nonleaf"],
    "inplace_leaf": [
        "inplace_leaf_add_",
        "inplace_leaf_iadd",
        "inplace_leaf_isub_grad",
        "inplace_leaf_zero_",
        "inplace_leaf_copy_",
        "inplace_leaf_transpose_",
    ],
    "view_of_leaf_inplace": [
        "inplace_leaf_view",
        "inplace_leaf_setitem",
        "inplace_leaf_select",
        "requires_grad_on_nograd_view_inplace",
    ],
    "out_requires_grad": ["inplace_out_kwarg", "inplace_out_requires_grad"],
    "inplace_saved": [
        "inplace_saved_input",
        "inplace_saved_input_sin",
        "inplace_saved_output_exp",
        "inplace_saved_output_sigmoid_detach",
        "inplace_saved_relu_then_inplace",
        "inplace_saved_leaf_no_grad",
        "inplace_saved_leaf_double_64",
        "inplace_saved_constant",
        "inplace_saved_mm_view",
        "inplace_saved_scalar",
    ],
    "no_grad_view_inplace": ["inplace_no_grad_view"],
    "inplace_broadcast": ["inplace_broadcast_shape"],
    "inplace_cast": ["inplace_int_result_cast"],
    "detach_view": ["detach_inplace_view"],
    "detach_inplace_saved": ["detach_inplace_saved"],
    "numpy_requires_grad": ["numpy_requires_grad"],
    "item_many": ["item_many"],
    "to_scalar": ["float_requires_grad_warning"],
    "copy_construct": ["tensor_of_tensor_warning"],
    "scalar_index": ["len_scalar", "iter_scalar", "index_scalar"],
    "index_range": ["gather_range", "index_range"],
    "broadcast": ["broadcast_mismatch"],
    "matmul_shape": ["matmul_mismatch", "mv_mismatch"],
    "dot_shape": ["dot_mismatch"],
    "matrix_needed": ["mm_needs_2d"],
    "matmul_scalar": ["matmul_scalar"],
    "dtype_mismatch": ["matmul_dtype", "mv_dtype", "dot_dtype"],
    "mean_int": ["mean_int"],
    "reshape_size": ["view_size", "reshape_size"],
    "view_stride": ["view_noncontiguous"],
    "cat_shape": ["cat_mismatch"],
    "dim_range": ["dim_range", "transpose_dim"],
    "expand_shape": ["expand_mismatch"],
    "operand_type": ["type_error_str"],
    "argument_type": ["add_wrong_type"],
    "t_dims": ["t_3d"],
    "ragged_list": ["ragged_list"],
    "not_a_number": ["tensor_string", "tensor_none"],
    "pow_int_negative": ["pow_int_negative"],
    "bool_arithmetic": ["bool_negation"],
    "vector_needed": ["dot_matrix", "mv_vectors"],
    "batch_shape": ["batch_mismatch"],
    "cat_dims": ["cat_dims"],
    "reshape_infer": ["reshape_infer"],
    "arguments": ["add_one_operand", "relu_two_operands", "t_argument"],
    "name_not_defined": ["name_unknown"],
    "none_attribute": ["grad_fn_of_leaf"],
    "hook_no_grad": ["hook_no_requires_grad"],
    "inference_saved": ["inference_saved"],
    "inference_inplace": ["inference_inplace"],
    "inference_requires_grad": ["inference_requires_grad"],
    "no_derivative": ["floor_div_not_differentiable"],
    "stack_shape": ["stack_mismatch"],
    "empty_reduction": ["empty_max"],
    "multi_view_inplace": ["inplace_multiview_chunk", "inplace_multiview_unbind"],
    "overlap_inplace": ["inplace_expand_overlap"],
    "operand_none": ["grad_none_times"],
    "target_dtype": ["target_float"],
    "target_count": ["target_batch"],
    "target_class": ["target_class"],
    "probability_needed": ["bce_no_probability"],
    "target_size": ["bce_target_shape", "mse_target_shape"],
    "kl_div_mean": ["kl_div_mean"],
    "conv_channels": ["conv_channels"],
    "kernel_too_large": ["conv_kernel"],
    "output_too_small": ["pool_too_small"],
    "index_dtype": ["index_float", "gather_float", "one_hot_float"],
    "mask_dtype": ["where_float", "masked_select_float"],
    "mask_shape": ["mask_shape"],
    "float_needed": ["softmax_int", "std_int", "norm_int"],
    "layer_norm_shape": ["layer_norm_shape"],
    "einsum_size": ["einsum_size"],
    "singular": ["singular"],
    "not_square": ["not_square"],
    "batch_needed": ["bmm_matrix"],
}
KEYS = {name: key for key, names in EXPLAINED.items() for name in names}


@pytest.fixture(autouse=True)
def strict(monkeypatch):
    monkeypatch.setattr(text, "strict", True)


def raised(script):
    """Type and text of what the script was recorded to raise, or else of its first warning."""
    if script["exception"]:
        return script["exception"]["type"], script["exception"]["message"]
    return script["warnings"][0]["category"], script["warnings"][0]["text"]


@pytest.mark.parametrize("script", RECORDED["scripts"], ids=lambda script: script["id"])
def test_the_right_sentence_is_found(script):
    found = explain_error(*raised(script))
    assert found is not None
    assert found.key == f"error.{KEYS[script['id']]}"
    for language in LANGUAGES:
        sentence = render(found, language)
        assert "{" not in sentence
        assert all(str(value) in sentence for value in found.values.values())


def test_every_rule_explains_something_recorded():
    met = set(KEYS.values())
    assert {rule.name for rule in RULES} == met | {"left_out"}


def test_what_is_left_out_is_explained_otherwise_than_a_wrong_spelling():
    with pytest.raises(AttributeError) as raised:
        _ = torch.compile
    assert explain_error("AttributeError", str(raised.value)) == Text("error.left_out", module="torch", name="compile")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_sentence_uses_exactly_what_its_rule_reads(rule):
    for language in LANGUAGES:
        assert fields(catalogue(language)[f"error.{rule.name}"]) == set(re.compile(rule.pattern).groupindex)


def test_values_are_read_off_the_message():
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.DoubleTensor [2, 3]], which is output 0 of Exp, is at version 2; expected version 0 instead. Hint: ..."
    )
    assert explain_error("RuntimeError", message) == Text(
        "error.inplace_saved", shape="[2, 3]", version="2", expected="0"
    )


def test_what_is_not_known_is_not_explained():
    assert explain_error("RuntimeError", "something else") is None
    assert explain_error("ValueError", "grad can be implicitly created only for scalar outputs") is None
