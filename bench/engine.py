"""The engine's benches: graph overhead, a training step, a fused loss, an optimizer.

Each function returns a Bench whose contestants start from the same numbers. Those in NumPy are
written by hand, in place, with buffers made once: what a good programmer would write who needs
this computation and no other.
"""

import numpy as np

from bench.rivals import adam_loop, anp, autograd, torch
from bench.timing import OURS, Bench
from tinytorch.core.activations import ReLU
from tinytorch.core.layers import Linear, Sequential
from tinytorch.core.losses import CrossEntropyLoss
from tinytorch.core.optimizers import SGD, Adam
from tinytorch.core.tensor import Tensor


def drawn(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def tiny_adds(count: int = 1000) -> Bench:
    """`y = y + x` on 4 numbers, `count` times, and back: nothing but overhead."""
    start, step = drawn(4), drawn(4, seed=1)

    def add_all(y, x):
        for _ in range(count):
            y = y + x
        return y

    def ours():
        y, x = Tensor(start, requires_grad=True), Tensor(step, requires_grad=True)
        add_all(y, x).sum().backward()
        return [y.grad, x.grad]

    def by_hand():
        add_all(start, step).sum()
        grad, grad_x = np.ones(4, np.float32), np.zeros(4, np.float32)
        for _ in range(count):
            grad_x += grad
        return [grad, grad_x]

    def in_torch():
        y = torch.tensor(start, requires_grad=True)
        x = torch.tensor(step, requires_grad=True)
        add_all(y, x).sum().backward()
        return [y.grad.numpy(), x.grad.numpy()]

    def in_autograd():
        return autograd.grad(lambda both: anp.sum(add_all(*both)))((start, step))

    return Bench(
        f"{count:,} tiny adds, forward + backward",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch, "autograd": in_autograd},
        {"torch": 1.0},
    )


def mlp_step(batch: int = 64, sizes: tuple[int, int, int] = (784, 256, 10)) -> Bench:
    """One training step: linear, relu, linear, cross-entropy, backward, SGD."""
    lr = 1e-5  # larger ones converge within the run, and then denormal numbers are timed
    inputs, hidden, classes = sizes
    x, labels = drawn(batch, inputs), np.random.default_rng(1).integers(0, classes, batch)
    first = (
        drawn(inputs, hidden, seed=2) * np.float32(0.05),
        np.zeros(hidden, np.float32),
        drawn(hidden, classes, seed=3) * np.float32(0.1),
        np.zeros(classes, np.float32),
    )

    model = Sequential(Linear(inputs, hidden), ReLU(), Linear(hidden, classes))
    model.load_state_dict(dict(zip(model.state_dict(), first, strict=True)))
    parameters = list(model.parameters())  # to look them up is no part of a step
    optimizer, loss_of, batch_of = SGD(parameters, lr=lr), CrossEntropyLoss(), Tensor(x)

    def ours():
        optimizer.zero_grad()
        loss = loss_of(model(batch_of), labels)
        loss.backward()
        optimizer.step()
        return [loss.data, *(p.grad for p in parameters)]

    w1, b1, w2, b2 = (p.copy() for p in first)
    steps = [np.empty_like(p) for p in first]
    g1, g2, h, dh = (np.empty_like(a) for a in (w1, w2, x @ w1, x @ w1))
    z, positive, rows = x @ w1 @ w2, np.empty((batch, hidden), bool), np.arange(batch)

    def by_hand():
        np.matmul(x, w1, out=h)
        np.add(h, b1, out=h)
        np.maximum(h, 0, out=h)
        np.matmul(h, w2, out=z)
        np.add(z, b2, out=z)
        np.subtract(z, z.max(axis=1, keepdims=True), out=z)
        picked = z[rows, labels]
        np.exp(z, out=z)
        totals = z.sum(axis=1, keepdims=True)
        loss = (np.log(totals[:, 0]) - picked).mean()
        np.divide(z, totals * batch, out=z)
        z[rows, labels] -= np.float32(1 / batch)
        np.matmul(h.T, z, out=g2)
        np.matmul(z, w2.T, out=dh)
        np.greater(h, 0, out=positive)
        np.multiply(dh, positive, out=dh)
        np.matmul(x.T, dh, out=g1)
        grads = g1, dh.sum(axis=0), g2, z.sum(axis=0)
        for p, g, step in zip((w1, b1, w2, b2), grads, steps, strict=True):
            np.multiply(g, lr, out=step)
            np.subtract(p, step, out=p)
        return [loss, *grads]

    if torch:
        x_torch, labels_torch = torch.tensor(x), torch.tensor(labels)
        nn = torch.nn
        model_torch = nn.Sequential(
            nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, classes)
        )
        with torch.no_grad():
            for p, value in zip(model_torch.parameters(), first, strict=True):
                p.copy_(torch.tensor(value.T))
        parameters_torch = list(model_torch.parameters())
        optimizer_torch = torch.optim.SGD(parameters_torch, lr=lr)
        loss_torch = torch.nn.CrossEntropyLoss()

    def in_torch():
        optimizer_torch.zero_grad(set_to_none=True)
        loss = loss_torch(model_torch(x_torch), labels_torch)
        loss.backward()
        optimizer_torch.step()
        return [loss.detach().numpy(), *(p.grad.numpy().T for p in parameters_torch)]

    params = [p.copy() for p in first]

    def loss_autograd(params):
        w1, b1, w2, b2 = params
        logits = anp.dot(anp.maximum(anp.dot(x, w1) + b1, 0), w2) + b2
        totals = anp.log(anp.sum(anp.exp(logits), axis=1))  # these logits are small: no shift
        return anp.sum(totals - logits[rows, labels]) * np.float32(1 / batch)

    def in_autograd():
        loss, grads = autograd.value_and_grad(loss_autograd)(params)
        for p, g in zip(params, grads, strict=True):
            p -= lr * g
        return [loss, *grads]

    return Bench(
        f"MLP {'-'.join(map(str, sizes))}, batch {batch}, training step",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch, "autograd": in_autograd},
        {"NumPy": 1.5, "torch": 1.3},
    )


def cross_entropy(count: int = 4096, classes: int = 1000) -> Bench:
    """Softmax-cross-entropy of a batch, and the gradient of its logits."""
    values = drawn(count, classes)
    labels, rows = np.random.default_rng(1).integers(0, classes, count), np.arange(count)
    logits, loss_of = Tensor(values, requires_grad=True), CrossEntropyLoss()

    def ours():
        logits.zero_grad()
        loss = loss_of(logits, labels)
        loss.backward()
        return [loss.data, logits.grad]

    work, top = np.empty_like(values), np.empty((count, 1), np.float32)

    def by_hand():
        np.max(values, axis=1, keepdims=True, out=top)
        np.subtract(values, top, out=work)
        picked = work[rows, labels]
        np.exp(work, out=work)
        totals = work.sum(axis=1, keepdims=True)
        loss = (np.log(totals[:, 0]) - picked).mean()
        np.multiply(work, 1 / (totals * count), out=work)
        work[rows, labels] -= np.float32(1 / count)
        return [loss, work]

    if torch:
        logits_torch, labels_torch = torch.tensor(values, requires_grad=True), torch.tensor(labels)

    def in_torch():
        logits_torch.grad = None
        loss = torch.nn.functional.cross_entropy(logits_torch, labels_torch)
        loss.backward()
        return [loss.detach().numpy(), logits_torch.grad.numpy()]

    def loss_autograd(logits, top):
        shifted = logits - top
        totals = anp.log(anp.sum(anp.exp(shifted), axis=1))
        return anp.sum(totals - shifted[rows, labels]) * np.float32(1 / count)

    def in_autograd():  # its own logsumexp takes four times as long
        return autograd.value_and_grad(loss_autograd)(values, values.max(axis=1, keepdims=True))

    return Bench(
        f"softmax-cross-entropy {count} x {classes}, forward + backward",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch, "autograd": in_autograd},
        {"torch": 1.0},
        atol=1e-8,
    )


def adam_steps(size: int = 1_000_000, steps: int = 10) -> Bench:
    """Adam on one vector of parameters, with a gradient that is already there."""
    lr, beta1, beta2, eps = 1e-3, 0.9, 0.999, 1e-8
    first, g = drawn(size), drawn(size, seed=1)

    weights = Tensor(first.copy(), requires_grad=True)
    weights.grad = g.copy()
    optimizer = Adam([weights], lr=lr)

    def ours():
        for _ in range(steps):
            optimizer.step()
        return [weights.data]

    p, m, v, work, taken = first.copy(), np.zeros_like(g), np.zeros_like(g), np.empty_like(g), 0

    def by_hand():
        nonlocal taken
        for _ in range(steps):
            taken += 1
            np.multiply(m, beta1, out=m)
            np.multiply(g, 1 - beta1, out=work)
            np.add(m, work, out=m)
            np.multiply(v, beta2, out=v)
            np.multiply(g, g, out=work)
            np.multiply(work, 1 - beta2, out=work)
            np.add(v, work, out=v)
            root = (1 - beta2**taken) ** 0.5  # both corrections as numbers: two passes less
            np.sqrt(v, out=work)
            np.add(work, eps * root, out=work)
            np.divide(m, work, out=work)
            np.multiply(work, lr * root / (1 - beta1**taken), out=work)
            np.subtract(p, work, out=p)
        return [p]

    if torch:
        weights_torch = torch.tensor(first, requires_grad=True)
        weights_torch.grad = torch.tensor(g)
        optimizer_torch = torch.optim.Adam([weights_torch], lr=lr)

    def in_torch():
        for _ in range(steps):
            optimizer_torch.step()
        return [weights_torch.detach().numpy()]

    def in_autograd():  # it has no step, only the whole loop, which begins anew each time
        return [adam_loop(lambda x, i: g, first, num_iters=steps, step_size=lr, eps=eps)]

    return Bench(
        f"Adam on {size:,} parameters, one step",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch, "autograd": in_autograd},
        {"NumPy": 1.2},
        repeats=steps,
    )


BENCHES = (tiny_adds, mlp_step, cross_entropy, adam_steps)
