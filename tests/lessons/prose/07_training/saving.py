"""What a checkpoint takes."""

import json

from tests.lessons.prose.claim import Claim
from tinytorch.core.layers import Linear
from tinytorch.core.losses import MSELoss
from tinytorch.core.optimizers import SGD, Adam
from tinytorch.core.saving import checkpoint_of, to_bytes
from tinytorch.core.training import Trainer


def checkpoint(kind, *options):
    model = Linear(100, 100, bias=False)
    return checkpoint_of(Trainer(model, kind(model.parameters(), 0.1, *options), MSELoss()))


def bytes_a_weight(kind, *options) -> float:
    arrays, _ = checkpoint(kind, *options)
    return sum(x.nbytes for x in arrays.values()) / 10_000


def starts_with_the_length_of_a_json_header(content: bytes) -> bool:
    return "__metadata__" in json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])


GB = 124e6 * bytes_a_weight(Adam) / 1e9

CLAIMS = [
    Claim(
        "8 bytes that say how long the header is, a JSON header",
        lambda: starts_with_the_length_of_a_json_header(to_bytes(*checkpoint(Adam))),
    ),
    Claim(
        "1. {4}, {8}, {12}: the weights",
        lambda: (bytes_a_weight(SGD), bytes_a_weight(SGD, 0.9), bytes_a_weight(Adam)),
    ),
    Claim("2. {1.5} GB, {7.4} seconds", lambda: (GB, GB * 1e3 / 200)),
    Claim("every {12} minutes", lambda: GB * 1e3 / 200 * 100 / 60),
]
