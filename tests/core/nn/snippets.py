"""The snippets whose facts are compared with those recorded from PyTorch."""

# ruff: noqa: E501 - code in strings

from __future__ import annotations

RUN = """
torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
try:
    module = nn.{module}
    log.append(repr(module))
    log.append([(name, value, value._version) for name, value in module.state_dict().items()])
    inputs = [{inputs}]
    def run():
        found = module(*inputs)
        results = found if isinstance(found, tuple) else (found,)
        torch.autograd.backward(sum((result * result).sum() for result in results if result.is_floating_point()))
        return [results, [type(result.grad_fn).__name__ for result in results]]
    note(run)
    log.append([value.grad if value.is_leaf else None for value in inputs])
    log.append([parameter.grad for parameter in module.parameters()])
    note(lambda: module.eval()(*inputs))
    log.append(dict(module.named_buffers()))
finally:
    torch.set_default_dtype(torch.float32)
"""

MODULES = [
    ("Linear(4,3)", "randn(5,4)"),
    ("Linear(4,3,bias=False)", "randn(5,4)"),
    ("Linear(4,3,dtype=torch.float64)", "randn(5,4)"),
    ("Bilinear(2,3,4)", "randn(5,2),randn(5,3)"),
    ("Identity(1,a=2)", "randn(2, 2, 6, 6)"),
    ("Conv1d(2,4,3)", "randn(2,2,6)"),
    ("Conv1d(2,4,3,stride=2,padding=1,dilation=2,groups=2,bias=False)", "randn(2,2,6)"),
    ("Conv1d(2,4,3,padding='same')", "randn(2,2,6)"),
    ("Conv1d(2,4,3,padding=1,padding_mode='circular')", "randn(2,2,6)"),
    ("Conv2d(2,4,3)", "randn(2, 2, 6, 6)"),
    ("Conv2d(2,4,(3,2),stride=(2,1),padding=(1,0),dilation=2,groups=2)", "randn(2, 2, 6, 6)"),
    ("Conv2d(2,4,3,padding='same',padding_mode='reflect')", "randn(2, 2, 6, 6)"),
    ("ConvTranspose1d(2,4,3,stride=2,output_padding=1)", "randn(2,2,6)"),
    ("ConvTranspose2d(2,4,3)", "randn(2, 2, 6, 6)"),
    ("ConvTranspose2d(2,4,3,stride=2,padding=1,groups=2)", "randn(2, 2, 6, 6)"),
    ("MaxPool1d(2)", "randn(2,2,6)"),
    ("MaxPool2d(2)", "randn(2, 2, 6, 6)"),
    ("MaxPool2d(3,stride=1,padding=1,dilation=1,return_indices=True)", "randn(2, 2, 6, 6)"),
    ("AvgPool1d(2)", "randn(2,2,6)"),
    ("AvgPool2d(2)", "randn(2, 2, 6, 6)"),
    ("AvgPool2d((2,1),1,0)", "randn(2, 2, 6, 6)"),
    ("AdaptiveAvgPool1d(2)", "randn(2,2,6)"),
    ("AdaptiveAvgPool2d(1)", "randn(2, 2, 6, 6)"),
    ("AdaptiveAvgPool2d((2,None))", "randn(2, 2, 6, 6)"),
    ("AdaptiveMaxPool1d(2)", "randn(2,2,6)"),
    ("AdaptiveMaxPool2d(2)", "randn(2, 2, 6, 6)"),
    ("LPPool2d(2,2)", "randn(2, 2, 6, 6)"),
    ("BatchNorm1d(2)", "randn(5,2)"),
    ("BatchNorm1d(2,affine=False,momentum=None)", "randn(5,2)"),
    ("BatchNorm1d(2,track_running_stats=False)", "randn(5,2)"),
    ("BatchNorm2d(2)", "randn(2, 2, 6, 6)"),
    ("LayerNorm(6)", "randn(3,2,6)"),
    ("LayerNorm([2,6],elementwise_affine=False)", "randn(3,2,6)"),
    ("LayerNorm(6,bias=False)", "randn(3,2,6)"),
    ("GroupNorm(2,2)", "randn(2, 2, 6, 6)"),
    ("GroupNorm(1,2,affine=False)", "randn(2, 2, 6, 6)"),
    ("InstanceNorm1d(2)", "randn(3,2,6)"),
    ("InstanceNorm1d(2,affine=True,track_running_stats=True)", "randn(3,2,6)"),
    ("InstanceNorm2d(2)", "randn(2, 2, 6, 6)"),
    ("RMSNorm(6)", "randn(3,2,6)"),
    ("LocalResponseNorm(2)", "randn(2, 2, 6, 6)"),
    ("Embedding(10,3)", "torch.tensor([[1,2],[9,2]])"),
    ("Embedding(10,3,padding_idx=-1)", "torch.tensor([[1,2],[9,2]])"),
    ("Embedding(10,3,max_norm=1.)", "torch.tensor([[1,2],[9,2]])"),
    ("Dropout(.3)", "randn(2, 2, 6, 6)"),
    ("Dropout(.5,inplace=True)", "randn(2, 2, 6, 6)"),
    ("Dropout1d()", "randn(3,2,6)"),
    ("Dropout2d(.4)", "randn(2, 2, 6, 6)"),
    ("AlphaDropout(.2)", "randn(2, 2, 6, 6)"),
    ("FeatureAlphaDropout(.2)", "randn(2, 2, 6, 6)"),
    ("ZeroPad1d(1)", "randn(3,2,6)"),
    ("ZeroPad2d((1,2,0,1))", "randn(2, 2, 6, 6)"),
    ("ConstantPad1d(1,2.5)", "randn(3,2,6)"),
    ("ConstantPad2d(1,2)", "randn(2, 2, 6, 6)"),
    ("ReflectionPad1d(1)", "randn(3,2,6)"),
    ("ReflectionPad2d(1)", "randn(2, 2, 6, 6)"),
    ("ReplicationPad1d(2)", "randn(3,2,6)"),
    ("ReplicationPad2d(1)", "randn(2, 2, 6, 6)"),
    ("CircularPad1d(1)", "randn(3,2,6)"),
    ("CircularPad2d(1)", "randn(2, 2, 6, 6)"),
    ("BatchNorm3d(2)", "randn(2, 2, 2, 3, 2)"),
    ("InstanceNorm3d(2, affine=True)", "randn(2, 2, 2, 3, 2)"),
    ("ConstantPad3d(1, 2.5)", "randn(1, 2, 2, 3, 2)"),
    ("ZeroPad3d((1, 0, 0, 1, 1, 1))", "randn(1, 2, 2, 3, 2)"),
    ("ReflectionPad3d(1)", "randn(1, 2, 2, 3, 2)"),
    ("ReplicationPad3d(1)", "randn(1, 2, 2, 3, 2)"),
    ("CircularPad3d(1)", "randn(1, 2, 2, 3, 2)"),
    ("Dropout3d(0.5)", "randn(2, 4, 2, 3, 2)"),
    ("MultiLabelMarginLoss()", "randn(2,4),torch.tensor([[3,0,-1,1],[0,-1,1,2]])"),
    ("MultiLabelMarginLoss(reduction='none')", "randn(2,4),torch.tensor([[3,0,-1,1],[0,-1,1,2]])"),
    ("MultiLabelSoftMarginLoss()", "randn(2,4),torch.tensor([[1.,0,1,1],[0,0,1,0]])"),
    (
        "MultiLabelSoftMarginLoss(torch.tensor([1.,2,3,4]), reduction='sum')",
        "randn(2,4),torch.tensor([[1.,0,1,1],[0,0,1,0]])",
    ),
    ("ReLU6()", "randn(2, 2, 6, 6)"),
    ("SELU()", "randn(2, 2, 6, 6)"),
    ("GELU()", "randn(2, 2, 6, 6)"),
    ("GELU('tanh')", "randn(2, 2, 6, 6)"),
    ("SiLU()", "randn(2, 2, 6, 6)"),
    ("Mish()", "randn(2, 2, 6, 6)"),
    ("Hardsigmoid()", "randn(2, 2, 6, 6)"),
    ("Hardswish()", "randn(2, 2, 6, 6)"),
    ("LogSigmoid()", "randn(2, 2, 6, 6)"),
    ("Softsign()", "randn(2, 2, 6, 6)"),
    ("Tanhshrink()", "randn(2, 2, 6, 6)"),
    ("Sigmoid()", "randn(2, 2, 6, 6)"),
    ("Tanh()", "randn(2, 2, 6, 6)"),
    ("PReLU()", "randn(2, 2, 6, 6)"),
    ("PReLU(2,.1)", "randn(2, 2, 6, 6)"),
    ("ReLU()", "randn(2, 2, 6, 6)"),
    ("ReLU(inplace=True)", "randn(2, 2, 6, 6)"),
    ("LeakyReLU()", "randn(2, 2, 6, 6)"),
    ("LeakyReLU(.2,True)", "randn(2, 2, 6, 6)"),
    ("ELU()", "randn(2, 2, 6, 6)"),
    ("ELU(.5)", "randn(2, 2, 6, 6)"),
    ("CELU(2.)", "randn(2, 2, 6, 6)"),
    ("Softplus()", "randn(2, 2, 6, 6)"),
    ("Softplus(2,5)", "randn(2, 2, 6, 6)"),
    ("Softshrink()", "randn(2, 2, 6, 6)"),
    ("Hardshrink(.3)", "randn(2, 2, 6, 6)"),
    ("Hardtanh()", "randn(2, 2, 6, 6)"),
    ("Hardtanh(-2,.5)", "randn(2, 2, 6, 6)"),
    ("GLU()", "randn(2, 2, 6, 6)"),
    ("Threshold(.1,20)", "randn(2, 2, 6, 6)"),
    ("RReLU()", "randn(2, 2, 6, 6)"),
    ("Softmax(1)", "randn(3,4)"),
    ("Softmax()", "randn(3,4)"),
    ("Softmax(dim=-1)", "randn(3,4)"),
    ("LogSoftmax(1)", "randn(3,4)"),
    ("Softmin(1)", "randn(3,4)"),
    ("Softmax2d()", "randn(2, 2, 6, 6)"),
    ("Flatten()", "randn(2, 2, 6, 6)"),
    ("Flatten(0)", "randn(2, 2, 6, 6)"),
    ("Unflatten(1,(2,-1))", "randn(2,6)"),
    ("Unfold(2)", "randn(2, 2, 6, 6)"),
    ("Fold((3,3),2)", "randn(1,4,4)"),
    ("CosineSimilarity()", "randn(3,4),randn(3,4)"),
    ("PairwiseDistance()", "randn(3,4),randn(3,4)"),
    ("MSELoss()", "randn(3,2),randn(3,2)"),
    ("MSELoss(reduction='sum')", "randn(3,2),randn(3,2)"),
    ("MSELoss(reduction='none')", "randn(3,2),randn(3,2)"),
    ("MSELoss(size_average=False)", "randn(3,2),randn(3,2)"),
    ("L1Loss()", "randn(3,2),randn(3,2)"),
    ("L1Loss(reduction='sum')", "randn(3,2),randn(3,2)"),
    ("L1Loss(reduction='none')", "randn(3,2),randn(3,2)"),
    ("SmoothL1Loss()", "randn(3,2),randn(3,2)"),
    ("SmoothL1Loss(reduction='sum')", "randn(3,2),randn(3,2)"),
    ("SmoothL1Loss(reduction='none')", "randn(3,2),randn(3,2)"),
    ("HuberLoss()", "randn(3,2),randn(3,2)"),
    ("HuberLoss(reduction='sum')", "randn(3,2),randn(3,2)"),
    ("HuberLoss(reduction='none')", "randn(3,2),randn(3,2)"),
    ("NLLLoss()", "randn(3,4).log_softmax(1),torch.tensor([1,0,3])"),
    ("NLLLoss(reduction='sum')", "randn(3,4).log_softmax(1),torch.tensor([1,0,3])"),
    ("NLLLoss(reduction='none')", "randn(3,4).log_softmax(1),torch.tensor([1,0,3])"),
    ("CrossEntropyLoss()", "randn(3,4),torch.tensor([1,0,3])"),
    ("CrossEntropyLoss(reduction='sum')", "randn(3,4),torch.tensor([1,0,3])"),
    ("CrossEntropyLoss(reduction='none')", "randn(3,4),torch.tensor([1,0,3])"),
    (
        "CrossEntropyLoss(label_smoothing=.1,ignore_index=0,weight=torch.tensor([1.,2.,3.,4.]))",
        "randn(3,4),torch.tensor([1,0,3])",
    ),
    ("BCELoss()", "randn(3).sigmoid(),torch.tensor([1.,0,1])"),
    ("BCELoss(reduction='sum')", "randn(3).sigmoid(),torch.tensor([1.,0,1])"),
    ("BCELoss(reduction='none')", "randn(3).sigmoid(),torch.tensor([1.,0,1])"),
    ("BCEWithLogitsLoss()", "randn(3),torch.tensor([1.,0,1])"),
    ("BCEWithLogitsLoss(reduction='sum')", "randn(3),torch.tensor([1.,0,1])"),
    ("BCEWithLogitsLoss(reduction='none')", "randn(3),torch.tensor([1.,0,1])"),
    ("KLDivLoss()", "randn(3,4).log_softmax(1),randn(3,4).softmax(1)"),
    ("KLDivLoss(reduction='sum')", "randn(3,4).log_softmax(1),randn(3,4).softmax(1)"),
    ("KLDivLoss(reduction='none')", "randn(3,4).log_softmax(1),randn(3,4).softmax(1)"),
    ("HingeEmbeddingLoss()", "randn(3),torch.tensor([1.,-1,1])"),
    ("HingeEmbeddingLoss(reduction='sum')", "randn(3),torch.tensor([1.,-1,1])"),
    ("HingeEmbeddingLoss(reduction='none')", "randn(3),torch.tensor([1.,-1,1])"),
    ("MarginRankingLoss()", "randn(3),randn(3),torch.tensor([1.,-1,1])"),
    ("MarginRankingLoss(reduction='sum')", "randn(3),randn(3),torch.tensor([1.,-1,1])"),
    ("MarginRankingLoss(reduction='none')", "randn(3),randn(3),torch.tensor([1.,-1,1])"),
    ("CosineEmbeddingLoss()", "randn(3,4),randn(3,4),torch.tensor([1.,-1,1])"),
    ("CosineEmbeddingLoss(reduction='sum')", "randn(3,4),randn(3,4),torch.tensor([1.,-1,1])"),
    ("CosineEmbeddingLoss(reduction='none')", "randn(3,4),randn(3,4),torch.tensor([1.,-1,1])"),
    ("TripletMarginLoss()", "randn(3,4),randn(3,4),randn(3,4)"),
    ("TripletMarginLoss(reduction='sum')", "randn(3,4),randn(3,4),randn(3,4)"),
    ("TripletMarginLoss(reduction='none')", "randn(3,4),randn(3,4),randn(3,4)"),
    ("TripletMarginWithDistanceLoss()", "randn(3,4),randn(3,4),randn(3,4)"),
    ("TripletMarginWithDistanceLoss(reduction='sum')", "randn(3,4),randn(3,4),randn(3,4)"),
    ("TripletMarginWithDistanceLoss(reduction='none')", "randn(3,4),randn(3,4),randn(3,4)"),
    ("PoissonNLLLoss()", "randn(3),randn(3).exp()"),
    ("PoissonNLLLoss(reduction='sum')", "randn(3),randn(3).exp()"),
    ("PoissonNLLLoss(reduction='none')", "randn(3),randn(3).exp()"),
    ("GaussianNLLLoss()", "randn(3),randn(3),randn(3).exp()"),
    ("GaussianNLLLoss(reduction='sum')", "randn(3),randn(3),randn(3).exp()"),
    ("GaussianNLLLoss(reduction='none')", "randn(3),randn(3),randn(3).exp()"),
    ("SoftMarginLoss()", "randn(3),torch.tensor([1.,-1,1])"),
    ("SoftMarginLoss(reduction='sum')", "randn(3),torch.tensor([1.,-1,1])"),
    ("SoftMarginLoss(reduction='none')", "randn(3),torch.tensor([1.,-1,1])"),
    ("MultiMarginLoss()", "randn(3,4),torch.tensor([1,0,3])"),
    ("MultiMarginLoss(reduction='sum')", "randn(3,4),torch.tensor([1,0,3])"),
    ("MultiMarginLoss(reduction='none')", "randn(3,4),torch.tensor([1,0,3])"),
]
"""Modules and what they are called with."""

REFUSED = [
    "Linear()",
    "Linear(2,3,4,5,6,7)",
    "Conv2d(3,4,3,groups=2)",
    "Conv2d(4,3,3,groups=2)",
    "Conv2d(2,2,3,groups=0)",
    "Conv2d(2,2,3,stride=2,padding='same')",
    "ConvTranspose2d(2,2,3,padding_mode='reflect')",
    "Dropout(2)",
    "Dropout(-1)",
    "GroupNorm(3,4)",
    "BatchNorm1d(2)(torch.ones(2,2,2,2))",
    "BatchNorm2d(2)(torch.ones(2,2))",
    "BatchNorm3d(2)(torch.ones(2,2,2,2))",
    "InstanceNorm3d(2)(torch.ones(2,2))",
    "CircularPad1d(1)(torch.ones(2))",
    "CircularPad3d(1)(torch.ones(2,2,2))",
    "Dropout3d(2)",
    "RNNCell(3,4)(torch.ones(5,3), torch.ones(1,4))",
    "GRUCell(3,4)(torch.ones(5,2))",
    "LSTMCell(3,4)(torch.ones(5,3), (torch.ones(5,4), torch.ones(5,1)))",
    "Embedding(3,2,padding_idx=3)",
    "Embedding(3,2,padding_idx=-4)",
    "Hardtanh(1,0)",
    "HuberLoss(delta='a')",
    "TripletMarginLoss(margin=0)",
    "Unflatten(1,3)",
    "Unflatten(1,(2,3.))",
    "Softmax2d()(torch.ones(2))",
    "ReLU(1,2)",
    "Tanh(3)",
    "InstanceNorm1d(2,affine=True)(torch.ones(1,3,4))",
    "Linear(2,3)(torch.ones(4,5))",
    "Bilinear(0,1,1)",
    "MultiMarginLoss(p=3)",
    "Embedding.from_pretrained(torch.ones(2))",
    "Embedding.from_pretrained(torch.ones(2,3))",
    "Sequential(1)",
    "ModuleList(3)",
    "ModuleDict(3)",
    "ModuleDict([1])",
    "ModuleDict([(1,2,3)])",
    "ParameterList(3)",
    "ParameterDict(3)",
    "ParameterDict({1:2})",
    "Sequential()+3",
    "Sequential()*0",
    "Sequential()*1.5",
    "Sequential()[0]",
    "ModuleList([])[1]",
    "ParameterList([])[0]",
    "ParameterList([torch.ones(2)])",
    "ParameterDict({'b':torch.ones(2),'a':Par(torch.ones(1))})",
    "ModuleList([ReLU(),ReLU(),Tanh()])",
    "Sequential(ReLU(),Linear(2,2))[1:]",
    "Sequential(ReLU()).insert(5,ReLU())",
    "ParameterList()()",
    "ModuleDict({'a':ReLU(),'b':Sequential(ReLU())})",
    "Sequential({'a':ReLU()})",
    "ModuleList()",
    "Sequential()",
    "ModuleDict()",
    "Sequential(ReLU(),Tanh()).pop(0)",
    "Linear(0,2)",
    "Linear(2,3,device='cuda')",
    "Sequential(ReLU())*2",
    "ParameterList([1,'a',torch.ones(2,3)])",
]
"""Modules that are refused, and containers as they show themselves."""

CALL = """
names = {{name: getattr(nn, name) for name in dir(nn) if name[0].isupper()}}
torch.manual_seed(0)
note(lambda: eval({code!r}, {{**names, "torch": torch, "Par": nn.Parameter}}))
"""

MODULE = r"""
import copy
def S(v):
    if v is None: return None
    if isinstance(v,(tuple,list)): return [S(q) for q in v]
    if hasattr(v,'tolist'): return v.tolist()
    return str(v)
def t(f):
    try: log.append(S(f()))
    except Exception as e: log.append((type(e).__name__,str(e)))
torch.manual_seed(1)
m=nn.Sequential(nn.Linear(2,3),nn.Tanh(),nn.Linear(3,1)).double()
x=torch.tensor([[1.,2.]],dtype=torch.float64,requires_grad=True)
hs=[m[0].register_forward_pre_hook(lambda mod,a: log.append(('pre',S(a)))), m[0].register_forward_hook(lambda mod,a,o: log.append(('fwd',S(a),S(o)))), m[1].register_full_backward_hook(lambda mod,gi,go: log.append(('bw',S(gi),S(go)))), m[2].register_full_backward_pre_hook(lambda mod,go: log.append(('bpre',S(go)))), m.register_full_backward_hook(lambda mod,gi,go: (gi[0]*2,))]
y=m(x); log.append(type(y.grad_fn).__name__); y.sum().backward(); log.append(S(x.grad)); log.append([S(p.grad) for p in m.parameters()])
for h in hs: h.remove()
y=m(x); log.append(type(y.grad_fn).__name__)
h=m[0].register_forward_hook(lambda mod,a,kw,o: o*2, with_kwargs=True); log.append(S(m(x))); h.remove()
h=m[0].register_forward_pre_hook(lambda mod,a,kw: ((a[0]*3,),kw), with_kwargs=True); log.append(S(m(x))); h.remove()
h=m[0].register_forward_pre_hook(lambda mod,a,kw: 3, with_kwargs=True); t(lambda: m(x)); h.remove()
h=m[0].register_forward_pre_hook(lambda mod,a: a[0]*5); log.append(S(m(x))); h.remove()
h=m[0].register_full_backward_hook(lambda mod,gi,go:None); t(lambda: m[0].register_backward_hook(print)); t(lambda: m(x.detach()).sum().backward()); h.remove()
order=[]
a=m[1].register_forward_hook(lambda *q: order.append(1)); b=m[1].register_forward_hook(lambda *q: order.append(0),prepend=True); m(x); log.append(order); a.remove(); b.remove()
class Bad(nn.Module):
    def forward(self,x): raise ValueError('boo')
bad=Bad(); bad.register_forward_hook(lambda mod,a,o: log.append(('always',S(a),S(o))),always_call=True); t(lambda: bad(x))
h=m.register_full_backward_hook(lambda mod,gi,go:(1,2)); t(lambda: m(x).sum().backward()); h.remove()
h=m.register_full_backward_pre_hook(lambda mod,go:(1,2)); t(lambda: m(x).sum().backward()); h.remove()
class N(nn.Module):
    def __init__(self):
        super().__init__(); self.w=nn.Parameter(torch.ones(2)); self.register_buffer('b',torch.zeros(1)); self.register_buffer('np',torch.zeros(1),persistent=False); self.l=nn.Linear(2,1); self.n=None
n=N()
def setx(k,v):
    def f(): setattr(n,k,v)
    return f
for k,v in [('w',3),('w',torch.ones(2)),('w',None),('l',3),('l',None),('b',3),('b',None),('q',nn.Parameter(torch.ones(1))),('b',torch.ones(3)),('w',nn.Parameter(torch.ones(2))),('l',nn.Linear(2,2)),('n',nn.Linear(1,1)),('l',nn.Parameter(torch.ones(1)))]:
    t(setx(k,v)); log.append([list(n._parameters),list(n._buffers),list(n._modules)])
for c in ["n.register_parameter('w',3)","n.register_parameter('z',3)","n.register_parameter('a.b',None)","n.register_parameter('',None)","n.register_parameter(3,None)","n.register_parameter('forward',None)","n.register_parameter('yy',nn.Parameter(torch.ones(1))*2)","n.register_parameter('yy',torch.ones(1,requires_grad=True)*2)","n.register_buffer('w',None)","n.register_buffer('a.b',None)","n.add_module('a.b',nn.ReLU())","n.add_module('',None)","n.add_module(1,None)","n.add_module('w',None)","n.get_submodule('')is n","n.get_submodule('n.x')","n.get_submodule('w')","n.get_parameter('n.weight')","n.get_parameter('n')","n.get_parameter('zz')","n.get_buffer('b')","n.get_buffer('w')","n.get_buffer('n.b')","n.set_submodule('n',nn.ReLU())","n.set_submodule('',nn.ReLU())","n.set_submodule('zz.a',nn.ReLU())","n.set_submodule('w',nn.ReLU())","n.state_dict().keys()","dict(n.named_buffers()).keys()","n.load_state_dict({})","n.load_state_dict({'w':torch.ones(3),'zz':1,'n.weight':torch.ones(1)})","n.load_state_dict({'w':torch.ones(3),'zz':1},strict=False)","n.load_state_dict({'w':torch.ones(2),'zz':1},strict=False)","n.load_state_dict(n.state_dict())","n.load_state_dict(n.state_dict(),assign=True)","n.load_state_dict({'w':3},strict=False)","n.zzz","n.train(1)","[k for k in dir(n) if k in('w','b','np','n','l','forward')]","n.zero_grad(3,4)","n.to(torch.int32)","n.to(torch.float64).w.dtype","n.float().w","n.type(torch.float64).b.dtype","n.half","list(n.named_modules())","[k for k,_ in n.named_parameters()]","[k for k,_ in n.named_parameters(prefix='p',recurse=False)]","n","n.extra_repr()","n()","n(1)","nn.Module()","n.requires_grad_(False).w.requires_grad","n.apply(lambda q: log.append(type(q).__name__))","copy.deepcopy(n)","copy.deepcopy(n).state_dict()","nn.Module.__call__","n._get_name()","[q for q in n.children()]","n.eval().training","n.forward.__name__","n._version","n.state_dict(prefix='a.').keys()","n.state_dict(keep_vars=True)['w'].requires_grad", "n.state_dict()._metadata","n.__class__.__name__"]:
    t(lambda: eval(c)) if 'nn.Module.__call__' not in c else None
class U(nn.Module):
    def __init__(self): self.w=nn.Parameter(torch.ones(1))
class U2(nn.Module):
    def __init__(self): self.w=nn.ReLU()
class U3(nn.Module):
    def __init__(self): self.x=3
t(U); t(U2); t(lambda: U3()(1)); t(lambda: U3().parameters().__next__()); t(lambda: repr(U3()))
sh=nn.Linear(2,2); d=nn.Sequential(sh,sh); log.append([len(list(d.parameters())),len(list(d.modules())),[k for k,_ in d.named_modules(remove_duplicate=False)],repr(d),list(d.state_dict())])
p=n.w; g=p.sum().backward() if p.requires_grad else None
mm=nn.Linear(2,2); mm(torch.ones(1,2)).sum().backward(); mm.double(); log.append([str(mm.weight.dtype),str(mm.weight.grad.dtype)]); mm.zero_grad(False); log.append(S(mm.weight.grad))
"""
"""Everything that a module does besides computing: registration, hooks, state, conversions, errors."""

CLIPPED = """
for order in (2.0, 1, "inf", 3):
    for limit in (0.5, 200.0):
        parameters = [nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(2, 2))]
        for number, parameter in enumerate(parameters):
            parameter.grad = torch.arange(parameter.numel()).reshape(parameter.shape) - 1.5 * number
        note(lambda: nn.utils.clip_grad_norm_(parameters, limit, order))
        log.append([(parameter.grad, parameter.grad._version) for parameter in parameters])
        note(lambda: nn.utils.clip_grad_value_(parameters, 0.2))
        log.append([(parameter.grad, parameter.grad._version) for parameter in parameters])
note(lambda: nn.utils.get_total_norm([torch.tensor([float("inf")])], error_if_nonfinite=True))
note(lambda: nn.utils.clip_grad_norm_((p for p in []), 1.0))
vector = nn.utils.parameters_to_vector(parameters)
log.append([vector, type(vector.grad_fn).__name__])
nn.utils.vector_to_parameters(vector.detach() * 2, parameters)
log.append([parameters[1], parameters[1]._version])
note(lambda: nn.utils.vector_to_parameters([1], parameters))
"""

SNIPPETS = [
    MODULE,
    CLIPPED,
    *(RUN.format(module=module, inputs=inputs) for module, inputs in MODULES),
    *(CALL.format(code=code) for code in REFUSED),
]
