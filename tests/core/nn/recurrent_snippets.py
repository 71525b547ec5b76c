"""Recurrent layers and cells: results, states and gradients."""

from __future__ import annotations

RECURRENT = """
torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
try:
    for code, shape in {rows!r}:
        module, x = eval("nn." + code, {{"nn": nn}}), randn(*shape)
        log.append([repr(module), list(module.state_dict())])
        def flat(found):
            return [part for result in found for part in flat(result)] if isinstance(found, tuple) else [found]
        def run():
            found = flat(module(x))
            sum((part * part).sum() for part in found).backward()
            return [found, x.grad, [parameter.grad for parameter in module.parameters()]]
        note(run)
finally:
    torch.set_default_dtype(torch.float32)
"""

LAYERS = [
    ("RNNCell(3, 4)", (5, 3)),
    ("RNNCell(3, 4, nonlinearity='relu', bias=False)", (5, 3)),
    ("LSTMCell(3, 4)", (5, 3)),
    ("GRUCell(3, 4)", (3,)),
    ("RNN(3, 4, 2, nonlinearity='relu')", (6, 5, 3)),
    ("LSTM(3, 4)", (6, 3)),
    ("LSTM(3, 4)", (6, 2)),
    ("LSTM(3, 4, 2, batch_first=True, bidirectional=True)", (6, 5, 3)),
    ("GRU(3, 4, 2, bidirectional=True)", (6, 5, 3)),
]

SNIPPETS = [RECURRENT.format(rows=LAYERS)]
