"""What quick-add offers beside operators and tensors: actions of the menus that put a frame, a block or lines there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalkgrad_app import steps
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.actions.conditions import NOTHING_TO_DO
from chalkgrad_app.catalogue import Entry
from chalkgrad_app.i18n import in_every_language, translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Act(NamedTuple):
    """An action, by its id: the word of code that it stands for, its icon, and what else it is looked for by."""

    id: str
    icon: str
    names: str


ACTS: dict[str, Act] = {
    "frame": Act("frame", "frame", "frame, group, box, 框, 分组"),
    "for": Act("wrapLoop", "run-again", "for, loop, repeat, range, while, round, 循环, 重复"),
    "no_grad": Act(
        "wrapNoGrad", "frame", "no_grad, nograd, with torch.no_grad(), with, block, grad mode, 不记录梯度, 块"
    ),
    "enable_grad": Act(
        "wrapEnableGrad", "frame", "enable_grad, with torch.enable_grad(), with, block, grad mode, 记录梯度, 块"
    ),
    "inference_mode": Act(
        "wrapInferenceMode",
        "frame",
        "inference_mode, inference, with torch.inference_mode(), with, block, grad mode, 推理, 块",
    ),
    "optimizer": Act(
        "trainingLoop",
        "loss",
        "optimizer, optimiser, optim, step, update, sgd, adam, adamw, rmsprop, train, training, loop, epoch, "
        "优化器, 训练, 更新, 循环",
    ),
    "backward": Act("backward", "backward", "backward, backprop, backpropagation, 反向传播"),
    "grad": Act("grad", "backward", "grad, autograd.grad, autograd, gradient, 求梯度"),
    "retain_grad": Act("retainGrad", "pin", "retain_grad, retain, keep, 保留梯度"),
    "zero_grad": Act("zeroGrad", "zero-grads", "zero_grad, grad=none, 清零, 梯度清零"),
    "grad.zero_": Act("zeroGradZeros", "zero-grads", "grad.zero_, zero_grad, 清零, 梯度清零"),
    "requires_grad_": Act("requiresGrad", "tensor-grad", "requires_grad_, requires_grad, 需要梯度"),
    "detach_": Act("detachInPlace", "detach", "detach_, 分离"),
    "register_hook": Act("registerHook", "print", "register_hook, hook, 钩子"),
    "print": Act("printGrad", "print", "print, 打印"),
}
"""By the names of their entries: no operator is called so."""


def entries() -> tuple[Entry, ...]:
    """All of them, in the language in use; found by their words in every language."""
    return tuple(_entry(name, act) for name, act in ACTS.items())


def do(canvas: GraphCanvas, name: str) -> None:
    """What the menu does, or words that say why that can't be done now."""
    action = BY_ID[ACTS[name].id]
    document = canvas.document
    if action.enabled is not None and not action.enabled(document):
        document.told.emit(action.why_not())
    elif action.target == "steps":
        lines = getattr(steps, action.method)(document)
        if not lines:
            document.told.emit(translate("Actions", NOTHING_TO_DO))
        steps.append(document, lines)
    elif action.target == "order":
        method = getattr(canvas.order, action.method)
        method(*([action.argument] if action.argument is not None else []))
    elif (offered := canvas.action(action.id)) is not None:
        offered.trigger()


def _entry(name: str, act: Act) -> Entry:
    action = BY_ID[act.id]
    titles, hints = in_every_language("Actions", action.text), in_every_language("Actions", action.hint)
    words = " ".join([*titles, *hints, act.names.replace(",", "")]).casefold()
    exact = frozenset({name, *act.names.split(", ")})
    phrases = frozenset(title.casefold() for title in titles if title.isascii())
    return Entry(name, "", action.title(), action.tip(), "", exact, words, phrases, name, act.icon)
