from collections import OrderedDict

import torch
from torch import nn

layers = [
    nn.Linear(3, 4), nn.Linear(3, 4, bias=False), nn.Bilinear(2, 3, 4), nn.Identity(), nn.Conv1d(1, 2, 3), nn.Conv2d(1, 2, (3, 5), stride=2, padding=(1, 2), dilation=2, bias=False),
    nn.Conv3d(1, 1, 1), nn.ConvTranspose2d(2, 4, 3, output_padding=1, stride=2), nn.MaxPool2d(2), nn.AvgPool2d(3, stride=1), nn.AdaptiveAvgPool2d((1, 1)), nn.AdaptiveMaxPool1d(3),
    nn.BatchNorm2d(4), nn.BatchNorm1d(3, affine=False, momentum=None), nn.LayerNorm([2, 3]), nn.GroupNorm(2, 4), nn.InstanceNorm2d(3), nn.Dropout(), nn.Dropout2d(0.1, inplace=True), nn.AlphaDropout(),
    nn.ReLU(), nn.ReLU(inplace=True), nn.LeakyReLU(0.2), nn.PReLU(), nn.ELU(), nn.SELU(), nn.GELU(), nn.GELU(approximate="tanh"), nn.Sigmoid(), nn.Tanh(), nn.Softmax(dim=1), nn.LogSoftmax(dim=-1), nn.Softplus(), nn.Hardtanh(-2, 2), nn.ReLU6(), nn.SiLU(), nn.Mish(), nn.Hardswish(), nn.Softsign(), nn.Tanhshrink(), nn.Threshold(0.1, 20), nn.CELU(), nn.GLU(), nn.LogSigmoid(),
    nn.Embedding(10, 3), nn.Embedding(10, 3, padding_idx=0), nn.RNN(2, 3), nn.LSTM(2, 3, num_layers=2, dropout=0.5, batch_first=True), nn.GRU(2, 3, bidirectional=True), nn.RNNCell(2, 3), nn.LSTMCell(2, 3, bias=False), nn.GRUCell(1, 1),
    nn.Flatten(), nn.Unflatten(1, (2, 2)), nn.Upsample(scale_factor=2), nn.PixelShuffle(2), nn.ZeroPad2d(1), nn.ReflectionPad1d(2), nn.MSELoss(), nn.L1Loss(), nn.CrossEntropyLoss(), nn.BCELoss(), nn.BCEWithLogitsLoss(), nn.NLLLoss(), nn.SmoothL1Loss(), nn.HuberLoss(), nn.KLDivLoss(), nn.CosineSimilarity(), nn.HingeEmbeddingLoss(), nn.MarginRankingLoss(), nn.TripletMarginLoss(), nn.PoissonNLLLoss(), nn.CosineEmbeddingLoss(),
]
for layer in layers:
    print(layer)
net = nn.Sequential(OrderedDict([("conv1", nn.Conv2d(1, 2, 3)), ("relu", nn.ReLU()), ("inner", nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1), nn.Linear(1, 1)))]))
print(net, net.conv1, net[0], len(net), net[:2], list(net.named_children())[0][0])
net.add_module("last", nn.ModuleList([nn.Linear(1, 1) for _ in range(4)]))
print(net, nn.ModuleDict({"a": nn.ReLU(), "b": nn.Linear(1, 2)}), nn.ParameterList([torch.ones(2), torch.ones(1, 3)]), nn.ParameterDict({"w": nn.Parameter(torch.ones(2))}))
print(nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.ReLU()]), nn.Sequential(), nn.Sequential(nn.ReLU(), nn.ReLU()))


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.scale = nn.Parameter(torch.ones(n))
        self.body = nn.Sequential(nn.Linear(n, n), nn.ReLU())
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count += 1
        return x + self.scale * self.body(x)

    def extra_repr(self):
        return f"n={self.n}"


block = Block(2)
print(block, block(torch.ones(2)).shape, block.count)
for walk in (block.named_modules(), block.named_parameters(), block.named_buffers(), block.named_children()):
    print([name for name, _ in walk])
print(block._get_name(), sum(p.numel() for p in block.parameters() if p.requires_grad), dict(block.state_dict()).keys())
