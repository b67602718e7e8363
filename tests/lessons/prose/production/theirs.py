"""PyTorch, where it is installed, and short words for what several claims ask of it."""

import warnings

try:
    import torch
except ImportError:
    torch = None  # then the test of the claims about it skips


def t(data, **options):
    """A float32 tensor of torch's."""
    return torch.tensor(data, dtype=torch.float32, **options)


def fails(call, *args, **options) -> bool:
    """Does torch refuse this? A name that is not there is a slip of ours."""
    try:
        call(*args, **options)
    except NameError:
        raise
    except Exception:
        return True
    return False


def warns(call, *args) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*args)
    return bool(caught)


def slope(call, *at):
    """The gradient of call(x).sum() at these numbers."""
    x = t(at, requires_grad=True)
    call(x).sum().backward()
    return x.grad.tolist()


def gradient_of_table(sparse: bool):
    """The gradient of a table of 5 rows after row 1 was looked up twice."""
    table = torch.nn.Embedding(5, 2, sparse=sparse)
    table(torch.tensor([1, 1])).sum().backward()
    return table.weight.grad
