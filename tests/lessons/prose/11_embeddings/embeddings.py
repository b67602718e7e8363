"""Tables and their gradients by hand, sizes of real models, clocks, and a language of 12 words."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import ran, refusal
from tinytorch.core.embeddings import Embedding, PositionalEncoding, create_sinusoidal_embeddings

TABLE = np.arange(18).reshape(6, 3) / 10
CLOCKS = create_sinusoidal_embeddings(2000, 512).data
DRAW = np.random.default_rng(0).integers
LIMIT = math.sqrt(6 / (50_000 + 512))


def gradient_by_hand() -> np.ndarray:
    layer = Embedding(6, 3)
    (layer([1, 4, 1]) * [[1.0], [2.0], [3.0]]).sum().backward()
    return layer.weight.grad.to_dense()[[1, 4]]


def written_by_index(ids, values) -> np.ndarray:
    total = np.zeros(8)
    total[ids] += values
    return total


def added_at(ids, values) -> np.ndarray:
    total = np.zeros(8)
    np.add.at(total, ids, values)
    return total


def largest(layer) -> float:
    (weight,) = layer.parameters()
    return abs(weight.data).max()


def rms(x: np.ndarray) -> float:
    return math.sqrt((x * x).mean())


def share_of_table(vocab_size: int, embed_dim: int, parameters: float) -> float:
    return vocab_size * embed_dim / parameters


def trained():
    """The experiment "Train it", on texts drawn anew."""
    return ran("11_embeddings/embeddings", "Ann", draw=DRAW)


def cosines_within_a_kind() -> np.ndarray:
    rows = trained().end
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return (unit @ unit.T)[trained().same]


CLAIMS = [
    Claim("id 2 -> {0.6 0.7 0.8}", lambda: TABLE[2]),
    Claim("id 3 -> {0.9 1.0 1.1}", lambda: TABLE[3]),
    Claim("id 5 -> {1.5 1.6 1.7} id 1 -> {0.3 0.4 0.5}", lambda: TABLE[[5, 1]]),
    Claim(
        "row 1 gets 1 + 3 = `{[4, 4, 4]}`, row 4 `{[2, 2, 2]}`",
        gradient_by_hand,
    ),
    Claim(
        "the last one wins: {3} instead of {4}",
        lambda: (written_by_index([1, 4, 1], [1, 2, 3])[1], added_at([1, 4, 1], [1, 2, 3])[1]),
    ),
    Claim(
        "`Index out of range. Expected 0 <= indices < 50000, got min=3, max=50001`",
        lambda: (
            "Index out of range. Expected 0 <= indices < 50000, got min=3, max=50001"
            in refusal(Embedding(50_000, 1), [3, 50_001])
        ),
    ),
    Claim("a mebibyte (MiB) {1,048,576}", lambda: 2**20),
    Claim("a fifth of BERT", lambda: round(1 / share_of_table(30_522, 768, 109_482_240)) == 5),
    Claim(
        "a third of the small GPT-2",
        lambda: round(1 / share_of_table(50_257, 768, 124_439_808)) == 3,
    ),
    Claim("and nothing of a large one", lambda: share_of_table(50_257, 12_288, 175e9) < 0.01),
    Claim("means to read {48} KiB", lambda: 12_288 * 4 / 2**10),
    Claim("Position 0 is `[{0, 1, 0, 1}, ...]`", lambda: create_sinusoidal_embeddings(2, 8)[0, :4]),
    Claim(
        "position 1 is `{0.8415 0.5403 0.0998 0.9950 0.0100 1.0000 0.0010 1.0000}`",
        lambda: [(math.sin(angle), math.cos(angle)) for angle in (1, 0.1, 0.01, 0.001)],
    ),
    Claim(
        "It starts uniform with `limit = sqrt(2 / embed_dim)`",
        lambda: abs(largest(PositionalEncoding(100, 512)) / math.sqrt(2 / 512) - 1) < 1e-3,
    ),
    Claim(
        "Xavier's `limit = sqrt(6 / (vocab_size + embed_dim))`",
        lambda: abs(largest(Embedding(1000, 512)) / math.sqrt(6 / 1512) - 1) < 1e-3,
    ),
    Claim("they start {six} times *larger*", lambda: round(math.sqrt(2 / 512) / LIMIT)),
    Claim("(root mean square {0.707})", lambda: rms(CLOCKS)),
    Claim(
        "{five} times larger than a token vector",
        lambda: round(rms(CLOCKS) / (LIMIT / math.sqrt(3) * math.sqrt(512))),
    ),
    Claim("below `log(4)` = {1.386}", lambda: math.log(4)),
    Claim(
        "All one can learn is the kind", lambda: abs(trained().losses[-1] / math.log(4) - 1) < 0.03
    ),
    Claim("Interchangeable words have met", lambda: cosines_within_a_kind().mean() > 0.8),
    Claim("{97.66} MiB, and {292.97} in all", lambda: np.array([1, 3]) * 50_000 * 512 * 4 / 2**20),
    Claim(
        "in all. {7}, and {4}, the last",
        lambda: (added_at([7, 7, 7], [1, 2, 4])[7], written_by_index([7, 7, 7], [1, 2, 4])[7]),
    ),
]
