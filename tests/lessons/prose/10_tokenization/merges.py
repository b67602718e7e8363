"""Pairs, merges and GPT-2's symbols by hand."""

from functools import cache
from itertools import pairwise
from pydoc_data.topics import topics

from tests.lessons.prose.claim import Claim
from tinytorch.core.characters import count_words, split_words, to_bytes, to_text
from tinytorch.core.merges import (
    best_pair,
    byte_symbols,
    count_pairs,
    encode_word,
    merge,
    parse_merges,
    token_bytes,
    train_naive,
)
from tinytorch.core.pairs import train_merges

LOW = [list(to_bytes(word)) for word in split_words("low lower lowest")]
MERGES = train_naive(LOW, 260)
COUNTS = {f"{chr(a)}{chr(b)}".replace(" ", "_"): n for (a, b), n in count_pairs(LOW).items()}
A = ord("a")
SEVEN = {(A, A): 256, (256, 256): 257}
SYMBOLS = byte_symbols()
SHOWN = [byte for byte, symbol in SYMBOLS.items() if symbol == chr(byte)]
HIDDEN = [byte for byte, symbol in SYMBOLS.items() if symbol != chr(byte)]


def ends_of_runs(numbers: list[int]) -> list[int]:
    """First and last of each run of neighbours, in order."""
    numbers = sorted(numbers)
    return [n for n in numbers if n - 1 not in numbers or n + 1 not in numbers]


def two_after_low() -> int:
    """How often each of the two pairs occurs once `low` is a token."""
    words = [merge(merge(word, MERGES[0], 256), MERGES[1], 257) for word in LOW]
    counts = count_pairs(words)
    assert counts[(ord(" "), 257)] == counts[(257, ord("e"))]
    return counts[(257, ord("e"))]


@cache
def saved_by_each_merge() -> list[int]:
    """By how many tokens each of 120 merges shortens 20,000 characters of the reference."""
    words = count_words("\n".join(topics.values())[:20_000])
    held = {tuple(word): n for word, n in words.items()}
    lengths = [sum(len(word) * n for word, n in held.items())]
    for new_id, pair in enumerate(train_merges(words, 256 + 120), 256):
        held = {tuple(merge(word, pair, new_id)): n for word, n in held.items()}
        lengths.append(sum(len(word) * n for word, n in held.items()))
    return [before - after for before, after in pairwise(lengths)]


CLAIMS = [
    Claim(
        "(l, o) {3} (o, w) {3} (_, l) {2} (w, e) {2} (e, r) {1} ...",
        lambda: [COUNTS[pair] for pair in ("lo", "ow", "_l", "we", "er")],
    ),
    Claim(
        "`(l, o)` is `{(108, 111)}` and `(o, w)` is `{(111, 119)}`",
        lambda: list(to_bytes("lo")) + list(to_bytes("ow")),
    ),
    Claim("so `(l, o)` wins", lambda: best_pair(count_pairs(LOW)) == tuple(to_bytes("lo"))),
    Claim("becomes `[new, a]`", lambda: merge([A] * 3, (A, A), 256) == [256, A]),
    Claim("becomes `[new, new]`", lambda: merge([A] * 4, (A, A), 256) == [256, 256]),
    Claim('-> 256 = "lo"', lambda: token_bytes(MERGES)[256] == b"lo"),
    Claim('-> 257 = "low"', lambda: token_bytes(MERGES)[257] == b"low"),
    Claim("(_, 257) and (257, e) {2} times each", two_after_low),
    Claim("_ has the smaller id", lambda: MERGES[2] == (ord(" "), 257)),
    Claim(
        "256 is older -> a {256}",
        lambda: encode_word(to_bytes("abc"), {(98, 99): 256, (97, 98): 257})[1],
    ),
    Claim(
        "the {188} bytes that print ({33} to {126}, {161} to {172}, {174} to {255})",
        lambda: (len(SHOWN), *ends_of_runs(SHOWN)),
    ),
    Claim("the other {68}, in order", lambda: len(HIDDEN)),
    Claim("The space, the {33}rd of them", lambda: sorted(HIDDEN).index(32) + 1),
    Claim("becomes `chr({288})`, `Ġ`", lambda: ord(SYMBOLS[32])),
    Claim("`Ġ`, which is why", lambda: SYMBOLS[32] == "Ġ"),
    Claim("merge 0: bytes {32} and {116}", lambda: parse_merges(["Ġ t"])[0]),
    Claim("merge 2: tokens {256} and {257}", lambda: parse_merges(["Ġ t", "h e", "Ġt he"])[2]),
    Claim("The first merges save hundreds of tokens", lambda: min(saved_by_each_merge()[:3]) > 200),
    Claim("the last ones a few", lambda: max(saved_by_each_merge()[-3:]) < 50),
    Claim(
        "that makes {50} times the text and {32} times the merges",
        lambda: (1_000_000 / 20_000, (4096 - 256) / 120),
    ),
    Claim("50,257 - 256 - 1 = {50,000}", lambda: 50_257 - 256 - 1),
    Claim("2. {Three}: 256 256 256 a", lambda: len(encode_word([A] * 7, SEVEN))),
    Claim("then {257 256} a", lambda: encode_word([A] * 7, SEVEN)[:2]),
    Claim("3. {Two} replacement", lambda: (to_text(b"\xc3") + to_text(b"\xa9")).count("�")),
    Claim("in place of one `é`", lambda: to_text(b"\xc3\xa9") == "é"),
]
