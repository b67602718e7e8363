"""What module 05 says of PyTorch."""

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.production.theirs import fails, gradient_of_table, slope, t, torch, warns

if torch:
    from torch.nn import functional as F


def names_behind(out) -> list[str]:
    """The names of the operation that made `out` and of those right behind it."""
    behind = [function for function, _ in out.grad_fn.next_functions if function]
    return [function.name().removesuffix("0") for function in (out.grad_fn, *behind)]


ARITHMETIC = [
    Claim(
        "`grad.sum_to_size(shape)` | none",
        lambda: t([[1, 2], [10, 20]]).sum_to_size(2).tolist() == [11, 22],
    ),
    Claim(
        "theirs has `next_functions` instead of inputs",
        lambda: len((t(1.0, requires_grad=True) * 2).grad_fn.next_functions) == 2,
    ),
]


def backward_twice(**options) -> None:
    out = t(2.0, requires_grad=True) ** 2
    out.backward(**options)
    out.backward()


AUTODIFF = [
    Claim(
        "a node `AccumulateGrad` behind each leaf",
        lambda: "AccumulateGrad" in names_behind(t(1.0, requires_grad=True) * 2)[1],
    ),
    Claim(
        "the same, unless `retain_graph=True`",
        lambda: fails(backward_twice) and not fails(backward_twice, retain_graph=True),
    ),
]


def checked_in_float32() -> bool:
    square = torch.autograd.gradcheck
    return warns(
        lambda x: square(torch.square, x, eps=1e-2, atol=1e-1), t([1.0], requires_grad=True)
    )


AUTOGRAD = [
    Claim(
        "theirs has to be asked for",
        lambda: gradient_of_table(True).is_sparse and not gradient_of_table(False).is_sparse,
    ),
    Claim(
        "`grad.coalesce()` | theirs has to be called",
        lambda: (
            gradient_of_table(True)._nnz() == 2 and gradient_of_table(True).coalesce()._nnz() == 1
        ),
    ),
    Claim("theirs wants float64 inputs, and warns of others", checked_in_float32),
]

DERIVATIVES = [
    Claim("where we say 0, as PyTorch does", lambda: slope(torch.abs, 0) == [0]),
    Claim("as in PyTorch's amax", lambda: slope(lambda x: x.amax(0), 1, 7, 7) == [0, 0.5, 0.5]),
    Claim(
        "gives that one entry all of the gradient",
        lambda: sorted(slope(lambda x: x.max(dim=0).values, 1, 7, 7)) == [0, 0, 1],
    ),
    Claim(
        "Its `var` divides by n - 1, the gradient too",
        lambda: slope(lambda x: x.var(), 1, 3, 8) == [-3, -1, 4],
    ),
]


def logits():
    return torch.zeros(1, 3, requires_grad=True)


FUSED = [
    Claim("where it has a corner, 0, as in PyTorch", lambda: slope(F.relu, 0) == [0]),
    Claim(
        "there the push is {-1e12}",
        lambda: slope(lambda p: F.binary_cross_entropy(p, t([1.0])), 0),
    ),
    Claim(
        "`F.cross_entropy` is `log_softmax` and `nll_loss`",
        lambda: (
            names_behind(F.cross_entropy(logits(), torch.tensor([0])))
            == ["NllLossBackward", "LogSoftmaxBackward"]
        ),
    ),
    Claim(
        "`binary_cross_entropy_with_logits` has one for the whole",
        lambda: (
            "CrossEntropyWithLogits"
            in names_behind(F.binary_cross_entropy_with_logits(logits(), torch.ones(1, 3)))[0]
        ),
    ),
]


CLAIMS = {
    "05_autograd/arithmetic": ARITHMETIC,
    "05_autograd/autodiff": AUTODIFF,
    "05_autograd/autograd": AUTOGRAD,
    "05_autograd/derivatives": DERIVATIVES,
    "05_autograd/fused": FUSED,
}
