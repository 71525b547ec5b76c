import torch

A = torch.arange(6.0).view(2, 3)
B = torch.arange(12.0).view(3, 4)
v = torch.tensor([1.0, 2.0, 3.0])
print(torch.einsum("ij,jk->ik", A, B), A @ B)
print(torch.einsum("ij->ji", A), torch.einsum("ij->", A), torch.einsum("ij->j", A))
print(torch.einsum("i,i->", v, v), torch.einsum("i,j->ij", v, v), torch.einsum("ij,j->i", A, v))
print(torch.einsum("ii->i", torch.eye(3)), torch.einsum("ii", torch.eye(3)))
print(torch.einsum("bij,bjk->bik", torch.ones(2, 2, 3), torch.ones(2, 3, 1)))
print(torch.einsum("...ij->...ji", torch.ones(2, 2, 3)).shape)
A.requires_grad_()
torch.einsum("ij,ij->", A, A).backward()
print(A.grad)
try:
    torch.einsum("ij,jk->ik", A, A)
except RuntimeError as error:
    print(error)
try:
    torch.einsum("ijk->i", A)
except RuntimeError as error:
    print(error)

# Broadcasting
print(torch.ones(2, 3) + torch.arange(3), (torch.ones(4, 1) * torch.arange(3)).shape)
print((torch.zeros(5, 1, 4, 1) + torch.zeros(3, 1, 1)).shape, torch.broadcast_shapes((2, 1), (1, 3)))
print(torch.broadcast_tensors(torch.arange(2).view(2, 1), torch.arange(3)))
for a, b in (((2, 3), (2,)), ((3, 2), (3,)), ((5, 2, 4), (3, 1))):
    try:
        print((torch.ones(a) + torch.ones(b)).shape)
    except RuntimeError as error:
        print(error)
x = torch.tensor([[1.0], [2.0]], requires_grad=True)
y = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(x * y).sum().backward()
print(x.grad, y.grad)
x.grad = None
(x + torch.zeros(2, 3)).sum().backward()
print(x.grad)
try:
    torch.ones(2).add_(torch.ones(3, 2))
except RuntimeError as error:
    print(error)
for a, b in (((2, 3), (2, 3)), ((3,), (2, 3)), ((2, 3), (4,)), ((), (2,)), ((2, 2, 3), (3, 3, 2))):
    try:
        print(torch.matmul(torch.ones(a), torch.ones(b)).shape)
    except RuntimeError as error:
        print(error)
for call in (lambda: torch.mm(A, v), lambda: torch.dot(A[0], v[:2]), lambda: A.mv(v[:2]), lambda: torch.bmm(A, A), lambda: torch.dot(A, A)):
    try:
        print(call())
    except RuntimeError as error:
        print(error)
