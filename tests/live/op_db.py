"""Our operators on the samples of PyTorch's own table of operators, ``op_db``, compared with real PyTorch.

``python tests/live/op_db.py [NAME ...] [--dtype float64] [--limit N] [--errors-only] [--quiet] [--missing] [--json F]``
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import types
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
warnings.simplefilter("ignore")

import torch as theirs  # noqa: E402
from live.both import Call, NotComparableError, Side, differences, ours, ours_of, shown  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "bool")
WEAK = frozenset({"layout", "warnings", "gradient grad_fn"})
"""Facts of less weight, counted apart."""

NAMES = {"normal.in_place": "Tensor.normal_", "cauchy": "Tensor.cauchy_", "exponential": "Tensor.exponential_"}
NAMES |= {"geometric": "Tensor.geometric_", "log_normal": "Tensor.log_normal_", "uniform": "Tensor.uniform_"}
"""Where our counterpart can't be told from the name."""


@dataclass
class Report:
    """What was found of one operator: how many samples agree, and by kind of difference how many and the first."""

    name: str
    ok: int = 0
    skipped: int = 0
    cut: bool = False
    missing: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def add(self, kind: str, call: str, mine: str, other: str) -> None:
        """Note one difference."""
        self.counts[kind] += 1
        self.first.setdefault(kind, (call, mine, other))

    @property
    def strong(self) -> dict[str, int]:
        """The differences that matter."""
        return {kind: count for kind, count in self.counts.items() if kind.rpartition(": ")[2] not in WEAK}

    def text(self, quiet: bool = False) -> str:
        """The report as lines."""
        if self.missing == ["itself"]:
            return f"{self.name:45} not offered"
        line = f"{self.name:45} ok {self.ok:4}  differ {sum(self.counts.values()):4}  skipped {self.skipped}"
        line += "  (cut short)" if self.cut else ""
        line += f"  not offered: {', '.join(self.missing)}" if self.missing else ""
        lines = [line]
        if not quiet:
            for kind, (call, mine, other) in self.first.items():
                lines += [
                    f"    {kind} ({self.counts[kind]}x)  {call}",
                    f"        ours  {mine}",
                    f"        torch {other}",
                ]
        return "\n".join(lines)


def title(op: Any) -> str:
    """The operator's name with that of its variant."""
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def counterpart(op: Any) -> Any:
    """Our function for ``op``; AttributeError where we have none."""
    path = NAMES.get(title(op), op.name).removeprefix("torch.")
    found = named(path)
    if isinstance(op.op, types.FunctionType) and op.op.__name__ == "<lambda>":
        return ours_of(op.op)
    return found


def named(path: str) -> Any:
    """Our function or method of that name; AttributeError where there is none."""
    try:
        found = _followed(ours, path)
    except AttributeError:
        found = None
    return found if callable(found) else _followed(ours.Tensor, path.removeprefix("Tensor."))


def _followed(place: Any, path: str) -> Any:
    for part in path.split("."):
        place = getattr(place, part)
    return place


def offered(op: Any) -> bool:
    """True when our face has the operator."""
    try:
        counterpart(op)
    except AttributeError:
        return False
    return True


def variants(op: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    """The ways in which ``op`` is called: what to say, PyTorch's, ours (None: missing), and whether it writes."""
    yield "", op.op, counterpart(op), False
    for kind, variant in (("method", op.method_variant), ("in-place", op.inplace_variant)):
        name = getattr(variant, "__name__", None)
        if variant is not None and name and getattr(theirs.Tensor, name, None) is variant:
            yield f"{kind} {name}", variant, getattr(ours.Tensor, name, None), kind == "in-place"
    for alias in op.aliases:
        if alias.op is not None:
            try:
                mine = _followed(ours, alias.name)
            except AttributeError:
                mine = None
            yield f"alias {alias.name}", alias.op, mine, False


def compared(
    op: Any, dtypes: tuple[str, ...], limit: int = 10**9, seconds: float = 20, errors_only: bool = False
) -> Report:
    """All samples of ``op``."""
    report = Report(title(op))
    if not offered(op):
        report.missing.append("itself")
        return report
    start = time.monotonic()
    ways = []
    for way in variants(op):
        if way[2] is None:
            report.missing.append(way[0])
        else:
            ways.append(way)
    try:
        compare_samples(op, report, ways, dtypes if not errors_only else (), limit, start + seconds)
    except Exception as error:  # whatever the comparison itself stumbles over must not hide the other operators
        report.add("comparison", title(op), f"{type(error).__name__}: {error}", "")
    return report


def compare_samples(
    op: Any, report: Report, ways: list[tuple[str, Any, Any, bool]], dtypes: tuple[str, ...], limit: int, end: float
) -> None:
    """Refused calls and samples, until the time ``end``."""
    compare_errors(op, report, ways[0])
    for dtype in dtypes:
        if getattr(theirs, dtype) not in op.dtypes:
            continue
        for number, sample in enumerate(samples(op, dtype)):
            if number >= limit:
                break
            for way in ways if number < 6 or len(ways) == 1 else ways[:1]:
                compare(op, report, way, sample)
            if time.monotonic() > end:
                report.cut = True
                return


def samples(op: Any, dtype: str) -> Iterator[Any]:
    """PyTorch's samples of one dtype, always the same ones."""
    theirs.default_generator.manual_seed(zlib.crc32(title(op).encode()))
    kind = getattr(theirs, dtype)
    grad = op.supports_autograd and kind.is_floating_point
    yield from op.sample_inputs("cpu", kind, requires_grad=grad)


def compare(op: Any, report: Report, way: tuple[str, Any, Any, bool], sample: Any) -> None:
    """One sample in one spelling."""
    what, other, mine, writes = way
    expected, found = Call(Side(theirs)), Call(Side(ours))
    try:
        for call, function in ((expected, other), (found, mine)):
            args = call.side.of((sample.input, *sample.args))
            kwargs = call.side.of(sample.kwargs)
            if writes:
                args = (args[0].clone(), *args[1:])
            process = sample.output_process_fn_grad if call is expected else _ours_or_same(sample)
            call.run(function, args, kwargs, op.supports_gradgrad, process)
    except NotComparableError:
        report.skipped += 1
        return
    except AttributeError as error:
        report.add("arguments", written(op, what, sample), str(error), "")
        return
    different = differences(found.facts, expected.facts)
    if op.name.removeprefix("new_").startswith(("empty", "resize_")):  # memory as it happens to be
        different = [entry for entry in different if entry[0] != "value"]
    if not different:
        report.ok += 1
    for fact, a, b in different:
        report.add(f"{what}: {fact}" if what else fact, written(op, what, sample), a, b)


def _ours_or_same(sample: Any) -> Any:
    process = sample.output_process_fn_grad
    try:
        return ours_of(process)
    except AttributeError:
        return process


def written(op: Any, what: str, sample: Any) -> str:
    """The call as one line."""
    args = [shown(value) for value in (sample.input, *sample.args)]
    args += [f"{key}={shown(value)}" for key, value in sample.kwargs.items()]
    return f"{what or op.name}({', '.join(args)})"


def compare_errors(op: Any, report: Report, way: tuple[str, Any, Any, bool]) -> None:
    """The calls that PyTorch refuses."""
    if op.error_inputs_func is None:
        return
    theirs.manual_seed(1)
    try:
        refused = list(op.error_inputs_func(op, "cpu"))
    except Exception:
        return
    for entry in refused:
        sample = entry.sample_input
        expected, found = Call(Side(theirs)), Call(Side(ours))
        try:
            for call, function in ((expected, way[1]), (found, way[2])):
                args, kwargs = call.side.of((sample.input, *sample.args)), call.side.of(sample.kwargs)
                call.run(function, args, kwargs, False, lambda result: ())
        except (NotComparableError, AttributeError):
            report.skipped += 1
            continue
        a, b = found.facts.get("error"), expected.facts.get("error")
        if a == b:
            report.ok += 1
        else:
            report.add("refusal", written(op, "", sample), str(a), str(b))


def chosen(names: list[str]) -> list[Any]:
    """The entries of ``op_db`` with these names (without the variant, too); all where none is given."""
    return [op for op in op_db if not names or {op.name, title(op), op.name.rpartition(".")[2]} & set(names)]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--dtype", action="append", choices=DTYPES)
    parser.add_argument("--limit", type=int, default=10**9, help="samples of each dtype")
    parser.add_argument("--seconds", type=float, default=20, help="time for each operator")
    parser.add_argument("--errors-only", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="no examples")
    parser.add_argument("--missing", action="store_true", help="only list what we do not offer")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    theirs.set_num_threads(1)
    ops = chosen(options.names)
    if options.missing:
        print("\n".join(title(op) for op in ops if not offered(op)))
        return 0
    reports = []
    for op in ops:
        report = compared(op, tuple(options.dtype or DTYPES), options.limit, options.seconds, options.errors_only)
        reports.append(report)
        if options.names or report.missing != ["itself"]:
            print(report.text(options.quiet), flush=True)
    summary(reports)
    if options.json:
        options.json.write_text(json.dumps([vars(report) for report in reports], indent=1))
    return int(any(report.counts for report in reports))


def summary(reports: list[Report]) -> None:
    """The totals."""
    have = [report for report in reports if report.missing != ["itself"]]
    clean = [report for report in have if not report.counts]
    good = [report for report in have if not report.strong]
    ok, differ = sum(report.ok for report in have), sum(sum(report.counts.values()) for report in have)
    strong = sum(sum(report.strong.values()) for report in have)
    print(f"{len(have)} operators offered of {len(reports)}; {len(clean)} agree in all, {len(good)} but for layout")
    print(f"samples ok {ok}, differences {differ} (of weight {strong})")


if __name__ == "__main__":
    sys.exit(main())
