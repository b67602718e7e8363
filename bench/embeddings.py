"""The benches of embeddings: looking rows up, the gradient of a table, a step of lazy Adam.

A batch of 32 x 128 token ids, drawn by Zipf's law (id n as often as 1 / (n + 1)), and a table of
50,000 x 512: 102 MB, of which the batch touches about one row in thirty.
"""

import numpy as np

from bench.rivals import torch
from bench.timing import OURS, Bench
from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.embeddings import Embedding
from tinytorch.core.optimizers import Adam
from tinytorch.core.tensor import Tensor

VOCAB, DIM, BATCH = 50_000, 512, (32, 128)


def zipf_ids(vocab: int, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    share = 1 / np.arange(1, vocab + 1)
    return np.random.default_rng(seed).choice(vocab, size=shape, p=share / share.sum())


def table_and_batch() -> tuple[Embedding, np.ndarray, np.ndarray]:
    """An Embedding, ids, and the gradient that comes back for the vectors looked up."""
    grad = np.random.default_rng(1).standard_normal((*BATCH, DIM), dtype=np.float32)
    return Embedding(VOCAB, DIM), zipf_ids(VOCAB, BATCH), grad


def backward_of(embedding: Embedding, ids: np.ndarray, grad: np.ndarray) -> RowSparseGrad:
    """Forward and backward; the gradient of the table, its repeats not added up yet."""
    embedding.weight.zero_grad()
    embedding(ids).backward(grad)
    return embedding.weight.grad


def torch_backward(embedding: Embedding, ids: np.ndarray, grad: np.ndarray, sparse: bool):
    """The same in torch, as a function that returns the gradient of the table."""
    if not torch:
        return None
    weight = torch.tensor(embedding.weight.data, requires_grad=True)
    ids, grad = torch.tensor(ids), torch.tensor(grad)

    def run():
        weight.grad = None
        torch.nn.functional.embedding(ids, weight, sparse=sparse).backward(grad)
        return weight.grad

    return run


def lookup() -> Bench:
    """Rows of the table, checked and ready for a backward."""
    embedding, ids, _ = table_and_batch()
    if torch:
        weight = torch.tensor(embedding.weight.data, requires_grad=True)
        ids_torch = torch.tensor(ids)
    return Bench(
        f"embedding {VOCAB:,} x {DIM}, lookup of {ids.size} ids",
        {
            OURS: lambda: [embedding(ids).data],
            "NumPy": lambda: [np.take(embedding.weight.data, ids, axis=0)],
            "torch": lambda: [torch.nn.functional.embedding(ids_torch, weight).detach().numpy()],
        },
        {"NumPy": 1.3},
    )


def lazy_gradient() -> Bench:
    """Forward and backward beside torch's sparse=True; neither adds up repeated ids yet."""
    embedding, ids, grad = table_and_batch()
    run_torch = torch_backward(embedding, ids, grad, sparse=True)

    def ours():
        found = backward_of(embedding, ids, grad)
        return [found._ids, found._values]  # `.rows` and `.values` would add the repeats up

    def by_hand():
        np.take(embedding.weight.data, ids, axis=0)
        return [ids.reshape(-1), grad.reshape(-1, DIM)]

    def in_torch():
        found = run_torch()
        return [found._indices()[0].numpy(), found._values().numpy()]

    return Bench(
        "embedding, forward + backward, repeats not summed (torch: sparse=True)",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch},
        {"torch": 1.5},
    )


def summed_gradient() -> Bench:
    """Forward and backward with repeated ids added up: each row once, ascending."""
    embedding, ids, grad = table_and_batch()
    run_torch = torch_backward(embedding, ids, grad, sparse=True)

    def ours():
        found = backward_of(embedding, ids, grad)
        return [found.rows, found.values]

    def by_hand():
        np.take(embedding.weight.data, ids, axis=0)
        rows, inverse = np.unique(ids, return_inverse=True)
        values = np.zeros(len(rows) * DIM, np.float32)
        # on flat arrays, np.add.at has a fast path
        at = inverse.reshape(-1, 1) * DIM + np.arange(DIM)
        np.add.at(values, at.reshape(-1), grad.reshape(-1))
        return [rows, values.reshape(-1, DIM)]

    def in_torch():
        found = run_torch().coalesce()
        return [found.indices()[0].numpy(), found.values().numpy()]

    return Bench(
        "embedding, forward + backward, repeats summed (torch: sparse=True, coalesced)",
        {OURS: ours, "NumPy": by_hand, "torch": in_torch},
        {"torch": 2.0},
        atol=1e-4,
    )


def beside_dense() -> Bench:
    """Our row-sparse gradient beside gradients as large as the table."""
    embedding, ids, grad = table_and_batch()
    run_torch = torch_backward(embedding, ids, grad, sparse=False)

    def by_hand():
        np.take(embedding.weight.data, ids, axis=0)
        dense = np.zeros((VOCAB, DIM), np.float32)
        np.add.at(dense, ids, grad)
        return [dense]

    return Bench(
        "embedding, forward + backward, ours row-sparse, the others dense",
        {
            # adds repeats up and becomes dense only where it is looked at: in the check
            OURS: lambda: [backward_of(embedding, ids, grad)],
            "NumPy": by_hand,
            "torch": lambda: [run_torch().numpy()],
        },
        {"torch": 0.1},
        atol=1e-4,
    )


def lazy_adam(small: int = 10_000, large: int = 1_000_000, dim: int = 64) -> Bench:
    """A step of Adam on the rows of one batch: a table of a million rows beside ten thousand."""
    ids = zipf_ids(small, BATCH)
    grad = np.random.default_rng(1).standard_normal((ids.size, dim), dtype=np.float32)

    def stepping(vocab):
        weight = Tensor(np.zeros((vocab, dim), np.float32), requires_grad=True)
        optimizer, spread = Adam([weight]), ids * (vocab // small)  # over the whole table
        rows = np.unique(spread)

        def run():
            weight.grad = RowSparseGrad(spread, grad, weight.shape)
            optimizer.step()
            return [weight.data[rows]]

        return run

    rival = f"V = {small:,}"
    return Bench(
        f"lazy Adam, one step on {ids.size} ids, {large:,} x {dim}",
        {OURS: stepping(large), rival: stepping(small)},
        {rival: 1.3},
    )


BENCHES = (lookup, lazy_gradient, summed_gradient, beside_dense, lazy_adam)
