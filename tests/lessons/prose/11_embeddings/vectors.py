"""Cosines by hand, and what tables take."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import ran
from tinytorch.core.vectors import make_world, share_right, unit

MB_OF_GPT2 = 50_257 * 768 / 1e6


def cosine(a, b) -> float:
    return unit(np.array(a)) @ unit(np.array(b))


def lengths(*vectors) -> list[float]:
    return [np.linalg.norm(vector) for vector in vectors]


def counted_world():
    return ran("11_embeddings/vectors", "is_in = ")


def analogies_of_counts() -> float:
    """The share of right answers in the relation with the fewest."""
    world = counted_world()
    return min(share_right(world.counted, related) for related in world.relations.values())


CLAIMS = [
    Claim("[3, 4] · [4, 3] = {24}", lambda: np.dot([3, 4], [4, 3])),
    Claim("lengths {5} and {5}", lambda: lengths([3, 4], [4, 3])),
    Claim("cosine 24 / 25 = {0.96}", lambda: cosine([3, 4], [4, 3])),
    Claim("It is {1} for the same direction", lambda: cosine([3, 4], [6, 8])),
    Claim(
        "{0} for a right angle, {-1} for",
        lambda: (cosine([3, 4], [-4, 3]), cosine([1, 2], [-1, -2])),
    ),
    Claim(
        "`his` stands near one and `her` near the other",
        lambda: all(
            ("his" in s) != ("her" in s) for s in make_world()[0] if "king" in s or "queen" in s
        ),
    ),
    Claim("and most of it is empty", lambda: (counted_world().counts == 0).mean() > 0.5),
    Claim("the analogies are in the company already", lambda: analogies_of_counts() > 0.9),
    Claim("1. {1} and {0}: the same", lambda: (cosine([1, 2], [2, 4]), cosine([1, 2], [-2, 1]))),
    Claim("2. {154.4} and {77.2}.", lambda: (4 * MB_OF_GPT2, 2 * MB_OF_GPT2)),
]
