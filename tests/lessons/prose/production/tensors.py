"""What modules 01 to 04 say of PyTorch."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.production.theirs import fails, t, torch, warns

if torch:
    from torch import nn
    from torch.nn import functional as F


def shares(made, source) -> bool:
    """Does the first entry of `made` follow that of `source`?"""
    source[0] = 7
    return made[0].item() == 7


ARRAYS = [
    Claim(
        "`torch.broadcast_shapes(a, b)` | none |",
        lambda: torch.broadcast_shapes((2, 1, 4), (3, 1)) == (2, 3, 4),
    ),
    Claim(
        "`t.stride()` | theirs counts entries, NumPy's bytes",
        lambda: (torch.zeros(2, 3).stride(), np.zeros((2, 3), "f").strides) == ((3, 1), (12, 4)),
    ),
    Claim(
        "`view` refuses where `reshape` has to copy",
        lambda: fails(torch.zeros(2, 3).T.view, 6) and torch.zeros(2, 3).T.reshape(6).shape == (6,),
    ),
    Claim(
        "`row.expand(shape)` | none: stride 0 in both",
        lambda: torch.zeros(3).expand(4, 3).stride()[0] == 0,
    ),
    Claim(
        "theirs copies: no negative strides",
        lambda: not shares((x := torch.zeros(3)).flip(0)[2:], x) and fails(lambda: x[::-1]),
    ),
]


def copies_or_shares() -> bool:
    one, two = np.zeros(2), np.zeros(2)
    return not shares(torch.tensor(one), one) and shares(torch.from_numpy(two), two)


TENSOR = [
    Claim("theirs always copies; `torch.from_numpy` shares", copies_or_shares),
    Claim(
        "`x.sum(dim=1, keepdim=True)` | the names",
        lambda: torch.ones(2, 3).sum(dim=1, keepdim=True).shape == (2, 1),
    ),
    Claim(
        "`x.var(correction=0)` | their default divides by n - 1",
        lambda: (t([1, 3]).var(correction=0).item(), t([1, 3]).var().item()) == (1, 2),
    ),
    Claim(
        "theirs also returns the positions", lambda: t([[1, 3]]).max(dim=1).indices.tolist() == [1]
    ),
    Claim("theirs wants both axes", lambda: fails(torch.ones(2, 3).transpose)),
]

ACTIVATIONS = [
    Claim("theirs can work in place, `inplace=True`", lambda: nn.ReLU(inplace=True).inplace),
    Claim(
        "their default is the exact form",
        lambda: abs(nn.GELU()(t(1.0)).item() - 0.5 * (1 + math.erf(math.sqrt(0.5)))) < 1e-7,
    ),
    Claim(
        "`torch.nn.Softmax(dim=0)` takes dim when it is built",
        lambda: torch.equal(nn.Softmax(dim=0)(t([1, 2])), torch.softmax(t([1, 2]), dim=0)),
    ),
    Claim(
        "it is **nan, as in PyTorch**",
        lambda: bool(torch.softmax(t([-math.inf, -math.inf]), 0).isnan().all()),
    ),
]


def without_super_init() -> None:
    class Net(nn.Module):
        def __init__(self):
            self.layer = nn.Linear(1, 1)

    Net()


def names_of(members: dict) -> list[str]:
    net = nn.Module()
    for name, member in members.items():
        setattr(net, name, member)
    return list(net.state_dict())


LAYERS = [
    Claim("after `super().__init__()`", lambda: fails(without_super_init)),
    Claim(
        "theirs does not look into plain lists",
        lambda: (
            not names_of({"blocks": [nn.Linear(1, 1)]})
            and names_of({"blocks": nn.ModuleList([nn.Linear(1, 1)])})[0] == "blocks.0.weight"
        ),
    ),
    Claim("weight `(out, in)`", lambda: nn.Linear(784, 256).weight.shape == (256, 784)),
    Claim(
        "| 1 / sqrt(in) | an older habit",
        lambda: abs(nn.Linear(100, 1000).weight.abs().max().item() * math.sqrt(100) - 1) < 1e-2,
    ),
    Claim(
        "`nn.init.xavier_uniform_` is ours",
        lambda: abs(nn.init.xavier_uniform_(torch.empty(300, 300)).abs().max().item() - 0.1) < 1e-3,
    ),
    Claim(
        "theirs lists a shared weight under each of its names",
        lambda: len(names_of({"a": (shared := nn.Linear(1, 1, bias=False)), "b": shared})) == 2,
    ),
]

LOSSES = [
    Claim(
        "theirs warns and broadcasts, ours refuses",
        lambda: warns(nn.MSELoss(), torch.ones(3, 1), torch.ones(3)),
    ),
    Claim(
        "theirs wants the classes in dimension 1, `(N, C, ...)`",
        lambda: (
            fails(nn.CrossEntropyLoss(), torch.zeros(2, 7, 5), torch.zeros(2, 7).long())
            and not fails(nn.CrossEntropyLoss(), torch.zeros(2, 5, 7), torch.zeros(2, 7).long())
        ),
    ),
    Claim(
        "theirs clamps the logarithm at {-100}", lambda: -nn.BCELoss()(t([0.0]), t([1.0])).item()
    ),
    Claim("`ignore_index`, {-100} as in PyTorch", lambda: nn.CrossEntropyLoss().ignore_index),
    Claim(
        "When all are ignored PyTorch answers {nan}",
        lambda: nn.CrossEntropyLoss()(torch.zeros(1, 3), torch.tensor([-100])).item(),
    ),
    Claim(
        "it gives {nan}, as in PyTorch",
        lambda: F.log_softmax(t([-math.inf, -math.inf]), 0)[0].item(),
    ),
]


CLAIMS = {
    "01_tensor/arrays": ARRAYS,
    "01_tensor/tensor": TENSOR,
    "02_activations/activations": ACTIVATIONS,
    "03_layers/layers": LAYERS,
    "04_losses/losses": LOSSES,
}
