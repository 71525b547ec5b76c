import torch
from torch import nn

torch.manual_seed(0)
# A cell by hand
Wx, Wh, b = torch.randn(3, 4) * 0.5, torch.randn(4, 4) * 0.5, torch.zeros(4)
for p in (Wx, Wh, b):
    p.requires_grad_()
h = torch.zeros(1, 4)
sequence = torch.randn(5, 1, 3)
for x in sequence:
    h = torch.tanh(x @ Wx + h @ Wh + b)
print(h)
h.sum().backward()
print(Wh.grad, b.grad)

cell = nn.RNNCell(3, 4)
h = cell(sequence[0])
print(cell, h)
lstm_cell = nn.LSTMCell(3, 4)
h, c = lstm_cell(sequence[0])
print(lstm_cell, h, c)
rnn = nn.RNN(3, 4)
out, hn = rnn(sequence)
print(rnn, out.shape, hn.shape, torch.allclose(out[-1], hn[0]))
lstm = nn.LSTM(3, 4, num_layers=2, batch_first=True)
out, (hn, cn) = lstm(sequence.transpose(0, 1))
print(lstm, out.shape, hn.shape, cn.shape)
print([n for n, _ in lstm.named_parameters()])
out.pow(2).sum().backward()
print(lstm.weight_ih_l0.grad.norm(), lstm.bias_hh_l1.grad)
gru = nn.GRU(3, 2, bidirectional=True)
out, hn = gru(sequence)
print(gru, out[0], hn.shape)
try:
    rnn(torch.ones(5, 1, 7))
except (RuntimeError, ValueError) as error:
    print(type(error).__name__, error)
# Truncated backpropagation through time
h = torch.zeros(1, 4)
for t, x in enumerate(sequence):
    h = cell(x, h.detach() if t % 2 == 0 else h)
h.sum().backward()
print(cell.weight_hh.grad.norm())
