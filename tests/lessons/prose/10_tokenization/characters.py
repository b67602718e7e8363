"""Characters, bytes and words, counted."""

import sys
import unicodedata

from tests.lessons.prose.claim import Claim
from tinytorch.core.characters import CharTokenizer, count_words, split_words, to_bytes, to_text


def of_abba() -> CharTokenizer:
    tokenizer = CharTokenizer()
    tokenizer.build_vocab("abba cab")
    return tokenizer


def characters_of_unicode() -> int:
    """Those with a name or a use; surrogates and places for private use are none."""
    kinds = (unicodedata.category(chr(i)) for i in range(sys.maxunicode + 1))
    return sum(kind not in ("Cn", "Cs", "Co") for kind in kinds)


CLAIMS = [
    Claim('encode("abc!") = {[2, 3, 4, 0]}', lambda: of_abba().encode("abc!")),
    Claim('decode(...) = "abc�"', lambda: of_abba().decode([2, 3, 4, 0]) == "abc�"),
    Claim("has about 150,000 characters", lambda: 140e3 < characters_of_unicode() < 160e3),
    Claim("and there are {256} bytes", lambda: len({bytes([i]) for i in range(256)})),
    Claim(
        '"a" -> {97} "é" -> {195 169} "日" -> {230 151 165} "👋" -> {240 159 145 139}',
        lambda: [list(to_bytes(text)) for text in "aé日👋"],
    ),
    Claim(
        "the space belongs to the word that follows",
        lambda: "".join(split_words("it's 42   dogs!")) == "it's 42   dogs!",
    ),
    Claim("such as `²`, `½` or `Ⅷ` are", lambda: split_words("a²½Ⅷ") == ["a²½Ⅷ"]),
    Claim("U+001C to U+001F among the spaces", lambda: all(map(str.isspace, "\x1c\x1d\x1e\x1f"))),
    Claim(
        "`dog` at the start of a text and `dog` after a space",
        lambda: len(count_words("dog dog")) == 2,
    ),
    Claim("1. {7} and {11}: the", lambda: (len("naïve 👋"), len(to_bytes("naïve 👋")))),
    Claim("the `ï` has {two} bytes, the hand {four}", lambda: [len(to_bytes(c)) for c in "ï👋"]),
    Claim("2. {461} MB against {0.8}", lambda: (150_000 * 768 * 4 / 1e6, 256 * 768 * 4 / 1e6)),
    Claim("3. {One} `�`; it", lambda: to_text(to_bytes("日")[:2]).count("�")),
]
