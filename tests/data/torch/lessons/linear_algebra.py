import torch

A = torch.tensor([[4.0, 1.0], [2.0, 3.0]], requires_grad=True)
b = torch.tensor([1.0, 2.0])
print(torch.det(A), torch.inverse(A), torch.linalg.inv(A), torch.linalg.solve(A, b), A.trace(), torch.linalg.matrix_rank(A.detach()))
torch.logdet(A).backward()
print(A.grad, torch.inverse(A).t())
A.grad = None
torch.linalg.solve(A, b).sum().backward()
print(A.grad)
A.grad = None
A.norm().backward()
print(A.grad, A.norm(p=1), A.norm(dim=0), torch.linalg.norm(A), torch.linalg.vector_norm(b, 1), A.norm("fro"), torch.norm(A, float("inf")))
S = torch.tensor([[2.0, 0.5], [0.5, 1.0]], dtype=torch.double, requires_grad=True)
L = torch.linalg.cholesky(S)
print(L, L @ L.t())
L.sum().backward()
print(S.grad)
x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
q = x @ S.detach() @ x
q.backward()
print(q, x.grad, (S + S.t()).detach() @ x.detach())
print(torch.outer(b, b), torch.cross(torch.tensor([1.0, 0, 0]), torch.tensor([0.0, 1, 0]), dim=0), torch.kron(torch.eye(2), torch.ones(1, 2)), A.mv(b), A.matrix_power(2), torch.linalg.multi_dot([A, A, b]))
print(torch.tril(A), torch.triu(A), torch.diag_embed(b), torch.trace(A), torch.ger(b, b), torch.addmm(torch.ones(2, 2), A, A, beta=0.5), torch.baddbmm(torch.ones(1, 2, 2), A[None], A[None]))
print(torch.linalg.eigvalsh(S).round(decimals=4), torch.linalg.svdvals(S).round(decimals=4), torch.linalg.pinv(A.detach()))
for wrong in (lambda: torch.inverse(torch.zeros(2, 2)), lambda: torch.det(torch.ones(2, 3)), lambda: torch.linalg.cholesky(-torch.eye(2)), lambda: torch.linalg.solve(A, torch.ones(3)), lambda: torch.inverse(torch.ones(2, dtype=torch.long).diag())):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
X = torch.cat([torch.ones(5, 1), torch.arange(5.0).view(-1, 1)], 1)
y = 3 + 2 * torch.arange(5.0)
print(torch.linalg.lstsq(X, y.view(-1, 1)).solution, torch.inverse(X.t() @ X) @ X.t() @ y)
u, s, v = torch.svd(A.detach())
print(s, torch.allclose(u @ torch.diag(s) @ v.t(), A, atol=1e-5))
Q, R = torch.linalg.qr(A.detach())
print(torch.allclose(Q @ R, A, atol=1e-5), torch.allclose(Q.t() @ Q, torch.eye(2), atol=1e-5))
w, V = torch.linalg.eigh(S.detach())
print(w, torch.allclose(V @ torch.diag(w) @ V.t(), S))
