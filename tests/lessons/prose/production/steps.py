"""What modules 06, 07 and 11 say of PyTorch."""

import io
import math
import pickle

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.production.theirs import fails, gradient_of_table, t, torch

if torch:
    from torch import nn


def step_by_rows(kind, **options) -> list[float]:
    """Row 1 of a table, used in the first of three steps, after each of them."""
    table = nn.Embedding(3, 2, sparse=True)  # of width 1, torch 2.13 may lose the gradient
    nn.init.zeros_(table.weight)
    optimizer, found = kind(table.parameters(), lr=0.1, **options), []
    for row in (1, 0, 0):
        optimizer.zero_grad()
        table(torch.tensor([row])).sum().backward()
        optimizer.step()
        found.append(round(table.weight[1, 0].item(), 4))
    return found


def takes(kind, option: str) -> bool:
    return option in kind([nn.Parameter(torch.zeros(1))], lr=0.1).defaults


CHANGES = [
    Claim(
        "sparse=True)` and are taken by SGD, Adagrad and SparseAdam",
        lambda: (
            not any(
                fails(step_by_rows, getattr(torch.optim, x))
                for x in ("SGD", "Adagrad", "SparseAdam")
            )
            and fails(step_by_rows, torch.optim.Adam)
        ),
    ),
    Claim("(`foreach`)", lambda: takes(torch.optim.Adam, "foreach")),
    Claim("(`fused=True`)", lambda: takes(torch.optim.Adam, "fused")),
    Claim(
        "PyTorch's SparseAdam is **lazy**",
        lambda: len(set(step_by_rows(torch.optim.SparseAdam))) == 1,
    ),
]


def after_a_nan() -> float:
    p = nn.Parameter(torch.zeros(1))
    p.grad = t([math.nan])
    nn.utils.clip_grad_norm_([p], 1.0)
    torch.optim.SGD([p], lr=0.1).step()
    return p.item()


def clip_a_nan(**options) -> None:
    p = nn.Parameter(torch.zeros(1))
    p.grad = t([math.nan])
    nn.utils.clip_grad_norm_([p], 1.0, **options)


def zeroed() -> bool:
    p = nn.Parameter(torch.zeros(1))
    p.grad = t([1.0])
    torch.optim.SGD([p], lr=0.1).zero_grad()
    return p.grad is None


DESCENT = [
    Claim(
        "theirs also has dampening, Nesterov",
        lambda: takes(torch.optim.SGD, "dampening") and takes(torch.optim.SGD, "nesterov"),
    ),
    Claim("`zero_grad(set_to_none=True)`, their default | none", zeroed),
    Claim("gradients with nan: refused | go through", lambda: math.isnan(after_a_nan())),
    Claim("error_if_nonfinite=True)`", lambda: fails(clip_a_nan, error_if_nonfinite=True)),
    Claim(
        "SGD decays the momentum of all rows",
        lambda: step_by_rows(torch.optim.SGD, momentum=0.9) == [-0.1, -0.19, -0.271],
    ),
]

OPTIMIZERS = [
    Claim("theirs also has AMSGrad", lambda: takes(torch.optim.Adam, "amsgrad")),
    Claim(
        "same default decay {0.01}",
        lambda: torch.optim.AdamW([nn.Parameter(torch.zeros(1))]).defaults["weight_decay"],
    ),
    Claim("theirs is another class; both are lazy", lambda: fails(step_by_rows, torch.optim.Adam)),
]


def rates_by_steps() -> list[float]:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
    found = []
    for _ in range(3):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return found


def loaded() -> list[int]:
    data = torch.utils.data.TensorDataset(torch.zeros(5, 2), torch.zeros(5))
    return [len(x) for x, _ in torch.utils.data.DataLoader(data, 2, shuffle=True)]


LOOP = [
    Claim("`DataLoader(TensorDataset(X, Y), 32, shuffle=True)`", lambda: loaded() == [2, 2, 1]),
    Claim(
        "theirs counts its own `step()` calls",
        lambda: np.allclose(rates_by_steps(), [0.1, 0.05, 0]),
    ),
    Claim("theirs lets nan through unless asked", lambda: math.isnan(after_a_nan())),
]


def saved(thing) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(thing, file)
    file.seek(0)
    return file


SAVING = [
    Claim(
        "since 2.6 theirs refuses pickled code unless asked",
        lambda: (
            fails(torch.load, saved({"f": fails}))
            and not fails(torch.load, saved({"f": fails}), weights_only=False)
        ),
    ),
    Claim(
        "path)` | theirs is a pickle",
        lambda: pickle.dumps({"a": 1}, protocol=2)[:2] in saved({"a": 1}).getvalue(),
    ),
]


def thawed() -> bool:
    model = nn.Sequential(nn.Dropout(0.5))
    model[0].eval()
    model.train()
    return model[0].training


TRAINING = [Claim("`train()` thaws all layers", thawed)]

EMBEDDINGS = [
    Claim("theirs is dense by default", lambda: not gradient_of_table(False).is_sparse),
    Claim(
        "starts standard normal",
        lambda: abs(nn.Embedding(1000, 100).weight.std().item() - 1) < 0.02,
    ),
    Claim("has `padding_idx`", lambda: nn.Embedding(3, 2, padding_idx=0).padding_idx == 0),
    Claim(
        "`register_buffer(..., persistent=False)`",
        lambda: not fails(nn.Module().register_buffer, "table", torch.zeros(2), persistent=False),
    ),
]

CLAIMS = {
    "06_optimizers/changes": CHANGES,
    "06_optimizers/descent": DESCENT,
    "06_optimizers/optimizers": OPTIMIZERS,
    "07_training/loop": LOOP,
    "07_training/saving": SAVING,
    "07_training/training": TRAINING,
    "11_embeddings/embeddings": EMBEDDINGS,
}
