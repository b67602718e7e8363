"""What a vocabulary costs."""

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import refusal
from tinytorch.core.tokenization import BPETokenizer, check_merges


def of_prefix() -> bool:
    """Is a tokenizer of the first merges one that was trained for that size?"""
    corpus = "low lower lowest slow slower"
    large, small = BPETokenizer(260), BPETokenizer(258)
    large.train(corpus)
    small.train(corpus)
    return large.merges[:2] == small.merges


CLAIMS = [
    Claim("the first n of them are the tokenizer of 256 + n tokens", of_prefix),
    Claim("so from 0 to `255 + i`", lambda: "0 to 255" in refusal(check_merges, [[256, 0]])),
    Claim("2. {154} MB.", lambda: 50_257 * 768 * 4 / 1e6),
    Claim("3. Three quarters", lambda: 1 - 0.5**2 == 3 / 4),
]
