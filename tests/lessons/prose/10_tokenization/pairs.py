"""The index of pairs by hand, and steps counted."""

import math
from collections import Counter

from tests.lessons.prose.claim import Claim
from tinytorch.core.merges import count_pairs, merge
from tinytorch.core.pairs import encode_long, index_pairs

COUNTS, PLACES = index_pairs([list(b"low"), list(b"lot")], [5, 2])
LOWER = list(b"lower")
BEFORE = count_pairs([LOWER])
AFTER = count_pairs([merge(LOWER, (108, 111), 256)])


def of(table: dict, pair: str):
    return table[(ord(pair[0]), ord(pair[1]))]


def changed() -> dict[str, int]:
    """By how much the counts of pairs change when `lo` is merged in `lower`."""
    both = Counter(AFTER)
    both.subtract(BEFORE)
    names = {256: "256"}
    return {" ".join(names.get(i, chr(i)) for i in p): n for p, n in both.items() if n}


CLAIMS = [
    Claim(
        "counts (l, o) {7} (o, w) {5} (o, t) {2}",
        lambda: [of(COUNTS, p) for p in ("lo", "ow", "ot")],
    ),
    Claim(
        "places (l, o)", lambda: [of(PLACES, p) for p in ("lo", "ow", "ot")] == [{0, 1}, {0}, {1}]
    ),
    Claim("`(w, e)` loses and gains", lambda: changed() == {"l o": -1, "o w": -1, "256 w": 1}),
    Claim("ids x a b c x {256} None c", lambda: encode_long(b"xabc", {(97, 98): 256})[1]),
    Claim("2. {2} thousand million", lambda: 1_000_000 * 2000 / 1e9),
    Claim(
        "about {20} million (a million entries, {20} levels of the heap)",
        lambda: 2 * [math.ceil(math.log2(1_000_000))],
    ),
]
