"""Works out formulas written in LaTeX, as operator records have them, with numbers for the names."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

import numpy as np

Value = np.ndarray | float
TOKEN = re.compile(r"\\[a-zA-Z]+|\\[,;]|\d+(?:\.\d+)?|[A-Za-z]|[-+^_{}()\[\]<>=/',]")


class NotKnownError(ValueError):
    """A formula in words, or of whole vectors and not of their elements."""


def _each(function: Callable[[float], float]) -> Callable[[Value], Value]:
    return np.vectorize(function, otypes=[float])


def _digamma(x: float) -> float:
    h = 1e-5
    return (math.lgamma(x + h) - math.lgamma(x - h)) / (2 * h)


def _trigamma(x: float) -> float:
    h = 1e-3
    return (math.lgamma(x + h) - 2 * math.lgamma(x) + math.lgamma(x - h)) / h**2


def _bessel(order: int) -> Callable[[Value], Value]:
    return lambda x: sum(
        (x / 2) ** (2 * k + order) / (math.factorial(k) * math.factorial(k + order)) for k in range(40)
    )


def _inverse_erf(y: float) -> float:
    x = 0.0
    for _ in range(60):
        x -= (math.erf(x) - y) / (2 / math.sqrt(math.pi) * math.exp(-x * x))
    return x


def _softmax(scores: Value) -> Value:
    powers = np.exp(scores)
    return powers / powers.sum(-1, keepdims=True)


FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "softmax": _softmax,
    "clamp": np.clip,
    "sum": lambda values: np.sum(values, -1, keepdims=True),
    "ln": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "sgn": np.sign,
    "trunc": np.trunc,
    "erf": _each(math.erf),
    "sigma": lambda x: 1 / (1 + np.exp(-x)),
    "psi": _each(_digamma),
    "psi'": _each(_trigamma),
    "Phi": _each(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2),
    "varphi": lambda x: np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi),
    "I_1": _bessel(1),
    "erf^-1": _each(_inverse_erf),
}
COMPARISONS = {
    "<": np.less,
    ">": np.greater,
    r"\le": np.less_equal,
    r"\ge": np.greater_equal,
    "=": np.equal,
    r"\neq": np.not_equal,
}
CONSTANTS = {r"\pi": math.pi, r"\infty": math.inf, "e": math.e}


def value(latex: str, names: Mapping[str, Value], functions: Mapping[str, Callable[..., Value]] = FUNCTIONS) -> Value:
    """What ``latex`` comes to, with ``functions`` of its own; NotKnownError where it holds what no rule here reads."""
    reader = _Reader(latex, names, FUNCTIONS | functions)
    found = reader.sum()
    if reader.next() is not None:
        raise NotKnownError(latex)
    return found


class _Reader:
    def __init__(self, latex: str, names: Mapping[str, Value], functions: Mapping[str, Callable[..., Value]]) -> None:
        latex = latex.replace(r"\left", "").replace(r"\right", "")
        if TOKEN.sub("", latex).strip():
            raise NotKnownError(latex)
        self.latex = latex
        self.tokens = TOKEN.findall(latex)
        self.names = names
        self.functions = functions
        self.at = 0

    def next(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, token: str | None = None) -> str:
        found = self.next()
        if found is None or (token is not None and found != token):
            raise NotKnownError(self.latex)
        self.at += 1
        return found

    def sum(self) -> Value:
        negative = self.next() == "-"
        if negative:
            self.take()
        found = -self.product() if negative else self.product()
        while self.next() in ("+", "-"):
            found = found + self.product() if self.take() == "+" else found - self.product()
        return found

    def product(self) -> Value:
        found = self.power()
        while True:
            token = self.next()
            if token in (r"\cdot", r"\,"):
                self.take()
            elif token == "/":
                self.take()
                found = found / self.power()
            elif token is None or token in ("+", "-", "}", ")", "]", ",", r"\rvert", r"\rfloor", *COMPARISONS):
                return found
            else:
                found = found * self.power()

    def power(self) -> Value:
        base = self.atom()
        while self.next() == "^":
            self.take()
            base = np.power(base, self.group())
        return base

    def group(self) -> Value:
        if self.next() != "{":
            return self.atom()
        self.take()
        found = self.sum()
        self.take("}")
        return found

    def atom(self) -> Value:
        token = self.take()
        if token == "(":
            return self.closed(")")
        if token == "[":
            return self.condition()
        if token == r"\lvert":
            return np.abs(self.closed(r"\rvert"))
        if token == r"\lfloor":
            return np.floor(self.closed(r"\rfloor"))
        if token == r"\frac":
            above = self.group()
            return above / self.group()
        if token == r"\sqrt":
            return np.sqrt(self.group())
        if token in CONSTANTS:
            return CONSTANTS[token]
        if token[0].isdigit():
            return float(token)
        return self.named(token)

    def named(self, token: str) -> Value:
        name = token.lstrip("\\")
        if name == "operatorname":
            self.take("{")
            name = ""
            while self.next() != "}":
                name += self.take()
            self.take()
        elif name == "I" and self.next() == "_":
            self.take()
            name = "I_" + self.take()
        elif name in self.names:
            return self.names[name]
        if name == "psi" and self.next() == "'":
            self.take()
            name = "psi'"
        return self.function(name)

    def function(self, name: str) -> Value:
        exponent = 1.0
        if self.next() == "^":
            self.take()
            exponent = float(self.group())
            if exponent == -1:
                name, exponent = f"{name}^-1", 1.0
        if name not in self.functions:
            raise NotKnownError(self.latex)
        function = self.functions[name]
        return function(*self.list()) if name == "clamp" else function(self.argument()) ** exponent

    def list(self) -> list[Value]:
        """Several in parentheses."""
        self.take("(")
        found = [self.sum()]
        while self.next() == ",":
            self.take()
            found.append(self.sum())
        self.take(")")
        return found

    def argument(self) -> Value:
        """A group in parentheses, or what stands side by side up to a sign or another function."""
        found = self.power() if self.next() != "(" else self.atom()
        while self.tokens[self.at - 1] != ")" and (self.next() in self.names or self.next() in CONSTANTS):
            found = found * self.power()
        return found

    def closed(self, end: str) -> Value:
        found = self.sum()
        self.take(end)
        return found

    def condition(self) -> Value:
        """1 where all comparisons hold, else 0."""
        before, holds = self.sum(), np.array(True)
        while self.next() != "]":
            compare = COMPARISONS.get(self.take())
            if compare is None:
                raise NotKnownError(self.latex)
            after = self.sum()
            holds, before = holds & compare(before, after), after
        self.take()
        return holds.astype(float)
