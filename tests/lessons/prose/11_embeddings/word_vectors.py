"""Pairs and negatives by hand, and how much text there is."""

import math
import re
from collections import Counter
from pydoc_data.topics import topics

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.layers import manual_seed
from tinytorch.core.word_vectors import (
    SkipGramEmbeddingModel,
    make_skipgram_pairs,
    negative_sampling_loss,
    noise_distribution,
)

CENTRES, CONTEXTS = make_skipgram_pairs([7, 8, 9, 7], 1)


def pairs_of(words: int, window: int) -> int:
    return len(make_skipgram_pairs(np.arange(words), window)[0])


def first_loss() -> float:
    manual_seed(0)
    model = SkipGramEmbeddingModel(50, 8)
    ids = np.arange(50)
    negatives = np.stack([(ids + k) % 50 for k in range(1, 6)], axis=1)
    return negative_sampling_loss(model, ids, ids, negatives).item()


def words_kept() -> float:
    """How many words of the reference are expected to pass the experiment's two filters."""
    words = re.findall(r"[a-z_]+", "\n".join(topics.values()).lower())
    counts = np.array([count for count in Counter(words).values() if count >= 10])
    return (counts * np.minimum(1, np.sqrt(1e-3 * counts.sum() / counts))).sum()


def times_as_often(power: float) -> float:
    return 10_000**power


CLAIMS = [
    Claim("centres {7 8 8 9 9 7}", lambda: CENTRES),
    Claim("contexts {8 7 9 8 7 9}", lambda: CONTEXTS),
    Claim("counts 16, 1 and 0: 16^0.75 = {8}", lambda: 16**0.75),
    Claim("the probabilities are {8/9, 1/9} and {0}", lambda: noise_distribution([16, 1, 0])),
    Claim("the first would be {16/17}", lambda: 16 / (16 + 1)),
    Claim("6 log 2: knows nothing", lambda: abs(first_loss() / (6 * math.log(2)) - 1) < 0.01),
    Claim("from fewer than 40,000 words", lambda: 20_000 < words_kept() < 40_000),
    Claim("1. {394}: each", lambda: pairs_of(100, 2)),
    Claim(
        "2wn - w(w + 1)",
        lambda: all(pairs_of(n, w) == 2 * w * n - w * (w + 1) for n in (7, 20) for w in (1, 3, 5)),
    ),
    Claim("2. {10,000} times; {1,000} times", lambda: (times_as_often(1), times_as_often(0.75))),
]
