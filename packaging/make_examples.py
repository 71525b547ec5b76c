"""Writes the examples that ship, from the programs and notes below: ``python packaging/make_examples.py``.

The files are what ships; this says once what is in them, and lays them out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in ("core", "resources"):
    sys.path.insert(0, str(ROOT / folder))

from chalkgrad.layout import Group, Node, Task, tidied  # noqa: E402
from chalkgrad.layout.cards import card_nodes  # noqa: E402
from chalkgrad.program import edits  # noqa: E402
from chalkgrad.program.board import Note  # noqa: E402
from chalkgrad.program.files import write_file  # noqa: E402
from chalkgrad.program.program import Program  # noqa: E402
from chalkgrad.program.sheet import Draft, Sheet  # noqa: E402
from chalkgrad.source.read import read_source  # noqa: E402

FOLDER = ROOT / "resources" / "chalkgrad_resources" / "examples"

GAP = 40.0
BLOCK_MARGIN, BLOCK_TITLE = 16.0, 24.0
"""Room in the frame of a block."""
NOTE_WIDTH, NOTE_HEIGHT = 600.0, 96.0
"""The size of a note; where it is shown it is as high as its text in the language shown."""
BESIDE = 576.0, 0.0, 520.0
"""Left, top and width of a note in a drawing that grows downwards: right of its first row, above the backward graph."""


@dataclass(frozen=True)
class Recipe:
    """What goes into one example: its program, its note in English and Chinese, and the drawing it opens in."""

    name: str
    program: str
    english: str
    chinese: str
    drawing: str = "cards"


COURSE = """
w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
"""

FIGURE = """
a = torch.tensor(2.0)
b = torch.tensor(2.0)
c = a * b
c.requires_grad = True
d = torch.tensor(2.0)
e = c * d
f = torch.tensor(2.0)
g = e * f
"""

RECIPES = (
    Recipe(
        "course",
        COURSE,
        """
y = (w + x) * (w + 1) with w = 1 and x = 2. The square cards w and x are leaves; a, b and y are intermediate
nodes. No backward has run yet: every grad is None.

Ask the class for dy/dw. Then select y and press y.backward(). w.grad becomes [5.]: w reaches y by two ways,
through a it gets b = 2, through b it gets a = 3, and the two are added. x has only the way through a: [2.].
a, b and y keep None, because only leaves keep their gradient.

Press y.backward() once more: it fails, for mul's saved tensors have been freed. Ctrl+Z takes the line back.
""",
        """
y = (w + x) * (w + 1)，其中 w = 1，x = 2。方形卡片 w、x 是叶子节点，a、b、y 是中间节点。还没有做反向传播，所有
grad 都是 None。

先让大家算一算 dy/dw，再选中 y，按 y.backward()。w.grad 变成 [5.]：w 经两条路到达 y，经过 a 的一条得到 b = 2，经
过 b 的一条得到 a = 3，两者相加。x 只有经过 a 的一条路，得到 [2.]。a、b、y 的 grad 仍是 None，因为只有叶子节点保
留梯度。

再按一次 y.backward()，这次会失败：mul 为反向保存的张量已释放。按 Ctrl+Z 可撤销这一句。
""",
    ),
    Recipe(
        "retain_grad",
        COURSE + "a.retain_grad()\ny.backward()\nprint(w.grad, x.grad, a.grad)\n",
        """
The same graph, but line 6 calls a.retain_grad() before the backward. The pin on a marks it, and a.grad is
[2.]: dy/da = b. b was not asked to keep its gradient, so b.grad is None, although the backward did compute
it.

Select b and press retain_grad(). The new line comes last, after the backward of line 7: too late, b.grad
stays None. Undo it. Now click line 6 in the program, press retain_grad() again, and go back to now: this time the line
stands before the backward, and b.grad is [3.], because dy/db = a.
""",
        """
同一张图，但第 6 行在反向传播之前调用了 a.retain_grad()。a 上有图钉标记，a.grad 是 [2.]，因为 dy/da = b。没有要
求 b 保留梯度，所以 b.grad 是 None，尽管反向传播确实算过它。

选中 b，按 retain_grad()。新语句排在最后，在第 7 行的反向传播之后，已经晚了：b.grad 仍是 None。撤销它，在程序里
点第 6 行，再按一次 retain_grad()，然后回到现在：这次语句在反向传播之前，b.grad 是 [3.]，因为 dy/db = a。
""",
    ),
    Recipe(
        "freed_buffers",
        """
input = torch.tensor(2.3979, requires_grad=True)
x = 2 * input
y = 3 + x
z = torch.exp(y)
y.backward()
z.backward()
""",
        """
Line 6 fails, and that is the lesson. y.backward() went through add and mul. mul had saved its factor 2 for
the backward and freed it afterwards; add saves nothing. Then z.backward() goes through exp, add and mul:
exp still has its result, but mul's saved value is gone, so PyTorch raises. exp has run by then, so its own
is freed too. input.grad keeps the 2. of the first backward.

To mend it, give line 5 retain_graph=True: nothing is freed, both backwards run, and input.grad is the sum
of both.
""",
        """
第 6 行失败，这正是要看的地方。y.backward() 经过了 add 和 mul。mul 为反向保存了因子 2，用完就释放；add 什么也不
保存。接着 z.backward() 要经过 exp、add、mul：exp 保存的结果还在，mul 保存的值却没有了，于是 PyTorch 报错。这时
exp 已经运行过，它保存的也释放了。input.grad 仍是第一次反向传播得到的 2.。

补救办法：给第 5 行加上 retain_graph=True，保留缓存，什么都不释放，两次反向传播都能运行，input.grad 是两次之和。
""",
    ),
    Recipe(
        "figure",
        FIGURE,
        """
The figure of the notes, as PyTorch has it now. c is a leaf although an operator made it: nothing required grad, so no
grad_fn was recorded, and c.requires_grad = True came later. e and g have a grad_fn each: click the row, and the blue
Function is selected. Its next_functions lead back to AccumulateGrad, which will write c.grad; None stands where nobody
wants a gradient. ctx has what the backward needs: for c * d that is d alone, as d wants no gradient.

Select g and press g.backward(): c.grad becomes 4. = d * f, each ctx is freed and goes hollow. Step back with
Alt+Left to watch it happen.
""",
        """
讲义里的那张图，按 PyTorch 现在的样子画出。c 虽由算子得到，却是叶子节点：当时没有谁需要梯度，所以没有记录
grad_fn，c.requires_grad = True 是后来才设的。e 和 g 各有一个 grad_fn：单击这一行，就会选中蓝色的反向函数。
它的 next_functions 一路通向 AccumulateGrad，由它写入 c.grad；不需要梯度的地方是 None。ctx 里是反向时要用的
值：对 c * d 来说只有 d，因为 d 不需要梯度。

选中 g，按 g.backward()：c.grad 变成 4. = d * f，每个 ctx 都被释放，变成空心。用 Alt+Left 一步步退回去看。
""",
        "autograd",
    ),
    Recipe(
        "gradient",
        """
A = torch.tensor([[1., 2.], [3., 4.]])
x = torch.tensor([1., 1.], requires_grad=True)
y = torch.matmul(A, x)
v = torch.tensor([1., 10.])
y.backward(gradient=v)
""",
        """
y has two elements, so there is no single number to differentiate. Its Jacobian with respect to x is A, and
backward never builds it: it computes the vector-Jacobian product of the weights v that are passed as
gradient=. With v = [1., 10.], x.grad is 1 * [1, 2] + 10 * [3, 4] = [31., 42.].

Change v to [1., 0.]: x.grad becomes the first row of A. [0., 1.] gives the second.

Select y, leave gradient empty and press y.backward(): PyTorch refuses, "grad can be implicitly created only
for scalar outputs", because only a scalar has the weight 1 by itself.
""",
        """
y 有两个元素，不是可以直接求导的单个数。它对 x 的雅可比矩阵就是 A，但反向传播并不构造这个矩阵，而是计算向量-雅可
比积，其中的权重 v 由 gradient= 传入。v = [1., 10.] 时，x.grad = 1 * [1, 2] + 10 * [3, 4] = [31., 42.]。

把 v 改成 [1., 0.]，x.grad 就是 A 的第一行；改成 [0., 1.]，就是第二行。

选中 y，gradient 留空，按 y.backward()：PyTorch 会拒绝，报 "grad can be implicitly created only for scalar
outputs"，因为只有标量才自带权重 1。
""",
    ),
    Recipe(
        "second_derivative",
        """
x = torch.tensor(3., requires_grad=True)
y = x ** 3
g, = torch.autograd.grad(y, x, create_graph=True)
h, = torch.autograd.grad(g, x, create_graph=True)
k, = torch.autograd.grad(h, x)
""",
        """
y = x ** 3 at x = 3. Line 3 asks for dy/dx with create_graph=True: the computation of the gradient is recorded
itself. It stands below, as nodes that point the way the gradient goes, and ends in g = 3 * x ** 2 = 27, which has a
grad_fn and can be differentiated. Line 4 does so: h = 6 * x = 18, recorded as well, with double lines. Line 5 once
more: k = 6.

Point at a node to see its card; step through line 3 with Alt+Right. Take create_graph=True out of line 3: g is
still 27, but without a grad_fn, and line 4 fails, since nothing leads back to x.
""",
        """
y = x ** 3，x = 3。第 3 行求 dy/dx，并带上 create_graph=True，即为梯度建图：求梯度的计算本身也被记录，画成下方的节点，
箭头朝着梯度走的方向，终点是 g = 3 * x ** 2 = 27。g 有 grad_fn，可以像普通张量一样继续求导。第 4 行正是如此：
h = 6 * x = 18，它也被记录，画成双线；第 5 行再求一次：k = 6。

把鼠标指向节点，就能看到它的卡片；用 Alt+Right 在第 3 行里逐步前进，看节点一个个出现。去掉第 3 行的 create_graph=True：g
还是 27，但没有 grad_fn，第 4 行失败，因为从 g 已经回不到 x。
""",
    ),
    Recipe(
        "in_place",
        """
w = torch.tensor([2.], requires_grad=True)
a = torch.add(w, 1)
y = torch.mul(a, a)
a.add_(1)
y.backward()
""",
        """
mul needs its inputs for the backward, so in line 3 it saved a, which was 3 at version 0. Line 4 overwrites
a in place: now it is 4 at version 1, the v1 on its card. With that value line 5 would give a wrong gradient
without a word, so PyTorch compares versions and raises instead; w.grad stays None.

Delete line 4, and the backward runs: w.grad = 2 * a = [6.]. Undo, and write c = a + 1 instead of the
in-place line: an out-of-place operator makes a new tensor, and what was saved stays as it was.
""",
        """
mul 反向时需要自己的输入，所以第 3 行保存了 a，当时值是 3，版本号是 0。第 4 行的原地操作改写了 a：值变成 4，版本
号变成 1，就是卡片上的 v1。拿这个值求梯度，会悄悄得到错误的结果，所以 PyTorch 比较版本号并报错；w.grad 仍是 None。

删除第 4 行，反向传播就能运行：w.grad = 2 * a = [6.]。撤销后，把原地操作那一行换成 c = a + 1：非原地操作会得到新
的张量，已保存的张量保持不变。
""",
    ),
    Recipe(
        "training",
        """
x = torch.tensor([3.])
y = torch.tensor([6.])
w = torch.tensor([0.], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
for step in range(20):
    p = w * x
    loss = ((p - y) ** 2).sum()
    loss.backward()
    optimizer.step()
""",
        """
A loop of 20 rounds: forward, backward, update. y is 2 * x, so w should come to 2, but it swings to and fro around
it, and the loss with it. The card of w says why: Σ20. backward adds to w.grad, nothing zeroes it, and each
update goes along the sum of all gradients so far.

Open Train > Training to see the loss round by round. Click on the curve, press the arrows in the corner of the frame or
Ctrl+PgUp to look at a round. Then press optimizer.zero_grad() there: the line goes before the backward, Σ is gone,
and w comes to 1.96.
""",
        """
一个 20 轮的循环：前向计算、反向传播、参数更新。y 等于 2 * x，所以 w 应当接近 2；可是它在 2 附近来回摆动，损失也跟着起
伏。w 的卡片说明了原因：Σ20。反向传播把梯度累加到 w.grad，没有语句把它清零，于是每次更新用的都是到目前为止所有梯度之和。

打开“训练 > 训练”，逐轮查看损失。点曲线上的点，或按循环框右上角的箭头，或按 Ctrl+PgUp，可以看其中一轮。再按那里的
optimizer.zero_grad()：这一行会插到反向传播之前，Σ 消失，w 变成 1.96。
""",
    ),
)


def main() -> None:
    """Write every example."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for recipe in RECIPES:
        write_file(FOLDER / f"{recipe.name}.chalk", sheet(recipe))
        print(recipe.name)


def sheet(recipe: Recipe) -> Sheet:
    """The example laid out, with its note below the graph."""
    draft = Draft(Sheet(read_source("import torch\n" + recipe.program)))
    nodes, edges = card_nodes(draft.program)
    places = tidied(Task(tuple(nodes), tuple(edges), tuple(_groups(draft.program, nodes)))).places
    draft.apply(edits.place(draft.board, places))
    left = min(x for x, _ in places.values())
    bottom = max(places[node.id][1] + node.height for node in nodes)
    texts = (("en", _unwrapped(recipe.english)), ("zh_CN", _unwrapped(recipe.chinese)))
    note = Note(draft.new_id(), texts, left, bottom + GAP, NOTE_WIDTH, NOTE_HEIGHT)
    draft.apply(edits.put_note(draft.board, note))
    if recipe.drawing == "cards":
        return draft.sheet
    board = draft.board.drawn_as(recipe.drawing)
    x, y, width = BESIDE
    return replace(draft.sheet, board=board.apply(edits.put_note(board, replace(note, x=x, y=y, width=width))))


def _groups(program: Program, nodes: Iterable[Node]) -> Iterator[Group]:
    """The cards in each block, with room for its frame around them."""
    for block in program.blocks:
        inside = frozenset(node.id for node in nodes if block in program.chain(program[node.id].block))
        yield Group(block, inside, BLOCK_MARGIN, BLOCK_TITLE)


def _unwrapped(text: str) -> str:
    """Paragraphs as one line each."""
    return "\n\n".join(_joined(paragraph.split("\n")) for paragraph in text.strip().split("\n\n"))


def _joined(lines: list[str]) -> str:
    """Lines in one; between two Chinese characters, or beside Chinese punctuation, a line end is nothing."""
    text = lines[0]
    for line in lines[1:]:
        ends = text[-1] + line[0]
        text += ("" if _is_mark(ends) or not _has_ascii(ends) else " ") + line
    return text


def _is_mark(characters: str) -> bool:
    return any(character in "，。：；、（）“”" for character in characters)


def _has_ascii(characters: str) -> bool:
    return any(character.isascii() for character in characters)


if __name__ == "__main__":
    main()
