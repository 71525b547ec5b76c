"""The operators as methods of a tensor, written by ``chalkgrad.ops.write_methods`` from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from chalkgrad.engine.arguments import OperandError
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, Number
from chalkgrad.engine.rules import TENSORS

if TYPE_CHECKING:
    from chalkgrad.engine.tensor import Tensor

    Operand: TypeAlias = Tensor | Number


class Methods(TensorBase):
    """All operators that have a spelling as a method or with a symbol."""

    __slots__ = ()

    def add(self, other: Operand, *, alpha: Number = 1) -> Tensor:
        """``add``, see the operator ``add``."""
        if alpha == 1:
            quick: Tensor = TENSORS.add(self, other)
            return quick
        result: Tensor = TENSORS.add(self, other, alpha=alpha)
        return result

    def sub(self, other: Operand, *, alpha: Number = 1) -> Tensor:
        """``sub``, see the operator ``sub``."""
        if alpha == 1:
            quick: Tensor = TENSORS.sub(self, other)
            return quick
        result: Tensor = TENSORS.sub(self, other, alpha=alpha)
        return result

    def mul(self, other: Operand) -> Tensor:
        """``mul``, see the operator ``mul``."""
        result: Tensor = TENSORS.mul(self, other)
        return result

    def div(self, other: Operand) -> Tensor:
        """``div``, see the operator ``div``."""
        result: Tensor = TENSORS.div(self, other)
        return result

    def neg(self) -> Tensor:
        """``neg``, see the operator ``neg``."""
        result: Tensor = TENSORS.neg(self)
        return result

    def reciprocal(self) -> Tensor:
        """``reciprocal``, see the operator ``reciprocal``."""
        result: Tensor = TENSORS.reciprocal(self)
        return result

    def pow(self, exponent: Operand) -> Tensor:
        """``pow``, see the operator ``pow``."""
        result: Tensor = TENSORS.pow(self, exponent)
        return result

    def exp(self) -> Tensor:
        """``exp``, see the operator ``exp``."""
        result: Tensor = TENSORS.exp(self)
        return result

    def log(self) -> Tensor:
        """``log``, see the operator ``log``."""
        result: Tensor = TENSORS.log(self)
        return result

    def sin(self) -> Tensor:
        """``sin``, see the operator ``sin``."""
        result: Tensor = TENSORS.sin(self)
        return result

    def cos(self) -> Tensor:
        """``cos``, see the operator ``cos``."""
        result: Tensor = TENSORS.cos(self)
        return result

    def eq(self, other: Operand) -> Tensor:
        """``eq``, see the operator ``eq``."""
        result: Tensor = TENSORS.eq(self, other)
        return result

    def ne(self, other: Operand) -> Tensor:
        """``ne``, see the operator ``ne``."""
        result: Tensor = TENSORS.ne(self, other)
        return result

    def lt(self, other: Operand) -> Tensor:
        """``lt``, see the operator ``lt``."""
        result: Tensor = TENSORS.lt(self, other)
        return result

    def le(self, other: Operand) -> Tensor:
        """``le``, see the operator ``le``."""
        result: Tensor = TENSORS.le(self, other)
        return result

    def gt(self, other: Operand) -> Tensor:
        """``gt``, see the operator ``gt``."""
        result: Tensor = TENSORS.gt(self, other)
        return result

    def ge(self, other: Operand) -> Tensor:
        """``ge``, see the operator ``ge``."""
        result: Tensor = TENSORS.ge(self, other)
        return result

    def tanh(self) -> Tensor:
        """``tanh``, see the operator ``tanh``."""
        result: Tensor = TENSORS.tanh(self)
        return result

    def sigmoid(self) -> Tensor:
        """``sigmoid``, see the operator ``sigmoid``."""
        result: Tensor = TENSORS.sigmoid(self)
        return result

    def relu(self) -> Tensor:
        """``relu``, see the operator ``relu``."""
        result: Tensor = TENSORS.relu(self)
        return result

    def softmax(self, dim: int | tuple[int, ...] | None, *, dtype: DType | None = None) -> Tensor:
        """``softmax``, see the operator ``softmax``."""
        result: Tensor = TENSORS.softmax(self, dim=dim, dtype=dtype)
        return result

    def sum(
        self, dim: int | tuple[int, ...] | None = None, keepdim: bool = False, *, dtype: DType | None = None
    ) -> Tensor:
        """``sum``, see the operator ``sum``."""
        result: Tensor = TENSORS.sum(self, dim=dim, keepdim=keepdim, dtype=dtype)
        return result

    def mean(
        self, dim: int | tuple[int, ...] | None = None, keepdim: bool = False, *, dtype: DType | None = None
    ) -> Tensor:
        """``mean``, see the operator ``mean``."""
        result: Tensor = TENSORS.mean(self, dim=dim, keepdim=keepdim, dtype=dtype)
        return result

    def reshape(self, *shape: Any) -> Tensor:
        """``reshape``, see the operator ``reshape``."""
        result: Tensor = TENSORS.reshape(self, *shape)
        return result

    def view(self, *shape: Any) -> Tensor:
        """``view``, see the operator ``view``."""
        result: Tensor = TENSORS.view(self, *shape)
        return result

    def t(self) -> Tensor:
        """``t``, see the operator ``t``."""
        result: Tensor = TENSORS.t(self)
        return result

    def transpose(self, dim0: int, dim1: int) -> Tensor:
        """``transpose``, see the operator ``transpose``."""
        result: Tensor = TENSORS.transpose(self, dim0=dim0, dim1=dim1)
        return result

    def permute(self, *dims: Any) -> Tensor:
        """``permute``, see the operator ``permute``."""
        result: Tensor = TENSORS.permute(self, *dims)
        return result

    def expand(self, *size: Any) -> Tensor:
        """``expand``, see the operator ``expand``."""
        result: Tensor = TENSORS.expand(self, *size)
        return result

    def unsqueeze(self, dim: int) -> Tensor:
        """``unsqueeze``, see the operator ``unsqueeze``."""
        result: Tensor = TENSORS.unsqueeze(self, dim=dim)
        return result

    def clone(self) -> Tensor:
        """``clone``, see the operator ``clone``."""
        result: Tensor = TENSORS.clone(self)
        return result

    def detach(self) -> Tensor:
        """``detach``, see the operator ``detach``."""
        result: Tensor = TENSORS.detach(self)
        return result

    def select(self, dim: int, index: int) -> Tensor:
        """``select``, see the operator ``select``."""
        result: Tensor = TENSORS.select(self, dim=dim, index=index)
        return result

    def matmul(self, other: Tensor) -> Tensor:
        """``matmul``, see the operator ``matmul``."""
        result: Tensor = TENSORS.matmul(self, other)
        return result

    def mm(self, mat2: Tensor) -> Tensor:
        """``mm``, see the operator ``mm``."""
        result: Tensor = TENSORS.mm(self, mat2)
        return result

    def mv(self, vec: Tensor) -> Tensor:
        """``mv``, see the operator ``mv``."""
        result: Tensor = TENSORS.mv(self, vec)
        return result

    def dot(self, tensor: Tensor) -> Tensor:
        """``dot``, see the operator ``dot``."""
        result: Tensor = TENSORS.dot(self, tensor)
        return result

    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``addmm``, see the operator ``addmm``."""
        result: Tensor = TENSORS.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
        return result

    def add_(self, other: Operand, *, alpha: Number = 1) -> Tensor:
        """``add_``, see the operator ``add_``."""
        if alpha == 1:
            quick: Tensor = TENSORS.add_(self, other)
            return quick
        result: Tensor = TENSORS.add_(self, other, alpha=alpha)
        return result

    def sub_(self, other: Operand, *, alpha: Number = 1) -> Tensor:
        """``sub_``, see the operator ``sub_``."""
        if alpha == 1:
            quick: Tensor = TENSORS.sub_(self, other)
            return quick
        result: Tensor = TENSORS.sub_(self, other, alpha=alpha)
        return result

    def mul_(self, other: Operand) -> Tensor:
        """``mul_``, see the operator ``mul_``."""
        result: Tensor = TENSORS.mul_(self, other)
        return result

    def div_(self, other: Operand) -> Tensor:
        """``div_``, see the operator ``div_``."""
        result: Tensor = TENSORS.div_(self, other)
        return result

    def neg_(self) -> Tensor:
        """``neg_``, see the operator ``neg_``."""
        result: Tensor = TENSORS.neg_(self)
        return result

    def exp_(self) -> Tensor:
        """``exp_``, see the operator ``exp_``."""
        result: Tensor = TENSORS.exp_(self)
        return result

    def relu_(self) -> Tensor:
        """``relu_``, see the operator ``relu_``."""
        result: Tensor = TENSORS.relu_(self)
        return result

    def tanh_(self) -> Tensor:
        """``tanh_``, see the operator ``tanh_``."""
        result: Tensor = TENSORS.tanh_(self)
        return result

    def sigmoid_(self) -> Tensor:
        """``sigmoid_``, see the operator ``sigmoid_``."""
        result: Tensor = TENSORS.sigmoid_(self)
        return result

    def sin_(self) -> Tensor:
        """``sin_``, see the operator ``sin_``."""
        result: Tensor = TENSORS.sin_(self)
        return result

    def cos_(self) -> Tensor:
        """``cos_``, see the operator ``cos_``."""
        result: Tensor = TENSORS.cos_(self)
        return result

    def log_(self) -> Tensor:
        """``log_``, see the operator ``log_``."""
        result: Tensor = TENSORS.log_(self)
        return result

    def pow_(self, exponent: Number) -> Tensor:
        """``pow_``, see the operator ``pow_``."""
        result: Tensor = TENSORS.pow_(self, exponent=exponent)
        return result

    def zero_(self) -> Tensor:
        """``zero_``, see the operator ``zero_``."""
        result: Tensor = TENSORS.zero_(self)
        return result

    def fill_(self, value: Operand) -> Tensor:
        """``fill_``, see the operator ``fill_``."""
        result: Tensor = TENSORS.fill_(self, value)
        return result

    def copy_(self, src: Tensor) -> Tensor:
        """``copy_``, see the operator ``copy_``."""
        result: Tensor = TENSORS.copy_(self, src)
        return result

    def __add__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.add(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __radd__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.add(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __sub__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.sub(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __mul__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.mul(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __rmul__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.mul(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __truediv__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.div(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __rtruediv__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.mul(TENSORS.reciprocal(self), other)
        except OperandError:
            return NotImplemented
        return result

    def __neg__(self) -> Tensor:
        result: Tensor = TENSORS.neg(self)
        return result

    def __rsub__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.rsub(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __pow__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.pow(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __rpow__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.pow(other, self)
        except OperandError:
            return NotImplemented
        return result

    def __eq__(self, other: object) -> Tensor:  # type: ignore[override]
        try:
            result: Tensor = TENSORS.eq(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __ne__(self, other: object) -> Tensor:  # type: ignore[override]
        try:
            result: Tensor = TENSORS.ne(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __lt__(self, other: object) -> Tensor:
        try:
            result: Tensor = TENSORS.lt(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __le__(self, other: object) -> Tensor:
        try:
            result: Tensor = TENSORS.le(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __gt__(self, other: object) -> Tensor:
        try:
            result: Tensor = TENSORS.gt(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __ge__(self, other: object) -> Tensor:
        try:
            result: Tensor = TENSORS.ge(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __matmul__(self, other: Tensor) -> Tensor:
        try:
            result: Tensor = TENSORS.matmul(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __rmatmul__(self, other: Tensor) -> Tensor:
        try:
            result: Tensor = TENSORS.matmul(other, self)
        except OperandError:
            return NotImplemented
        return result

    def __iadd__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.add_(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __isub__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.sub_(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __imul__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.mul_(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __itruediv__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.div_(self, other)
        except OperandError:
            return NotImplemented
        return result

    def __ipow__(self, other: Operand) -> Tensor:
        try:
            result: Tensor = TENSORS.pow_(self, other)
        except OperandError:
            return NotImplemented
        return result
