# %% [markdown]
# # Characters
#
# > From text to numbers and back: characters, the bytes below them, the words above them.
#
# **The question of this notebook:** a network reads integers. Which integers should a text become, so that nothing is lost and no text is refused?
#
# Difficulty 1 of 5 · about 1 hour · 3 exercises and a test over the notebook, 100 points · prerequisites: Python dictionaries.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | Python | a tokenizer of characters; text to UTF-8 bytes and back; the words of a corpus, counted | tokens between bytes and words (notebook Merges), speed (notebook Pairs), files (notebook Tokenization), vectors for tokens (module 11) |
#
# This is the first of the four notebooks of module 10, and it ends up in `tinytorch/core/characters.py`. It needs none of the modules before it. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.characters

# %% nbgrader={"grade_id": "setup", "locked": true}
from pydoc_data.topics import topics

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

import numpy as np

# %% [markdown]
# ## What every tokenizer does
#
# A **tokenizer** cuts a text into tokens and gives each its number, its *id*: `encode`. It also goes back: `decode`. The set of tokens is the **vocabulary**. A network will keep one vector for each (module 11), so ids run from 0 without a gap.
#
# Given below: the two methods every tokenizer has, and two checks. `check_texts` refuses what is no text, such as `bytes` or `None`. `check_ids` refuses ids that are no token, and it names the place.


# %% nbgrader={"grade_id": "tokenizer", "locked": true}
#| export
UNKNOWN = "\ufffd"  # Unicode's own sign for a character that could not be represented


class Tokenizer:
    """Text to ids and back."""

    vocab_size: int

    def encode(self, text: str) -> list[int]:
        """The ids of the tokens of `text`, in order."""
        raise NotImplementedError(f"{type(self).__name__} has no encode yet.")

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids."""
        raise NotImplementedError(f"{type(self).__name__} has no decode yet.")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(vocab_size={self.vocab_size})"


def check_texts(corpus: str | Iterable[str]) -> list[str]:
    """The texts of a corpus, which is one text or several; a TypeError names what is no text."""
    is_one = isinstance(corpus, str | bytes) or not isinstance(corpus, Iterable)
    texts = [corpus] if is_one else list(corpus)
    for text in texts:
        if not isinstance(text, str):
            what = f"{type(text).__name__} ({text!r:.40})"
            raise TypeError(f"A text is a str, not {what}: decode bytes, and leave out None.")
    return texts


def check_ids(ids: Iterable[int], known: Container[int]) -> list[int]:
    """`ids` as a list of Python ints; a ValueError names the first that is not among `known`."""
    array = np.asarray(ids if isinstance(ids, Sequence | np.ndarray) else list(ids))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"Ids are one flat list of integers, not {ids!r:.60}: decode row by row.")
    found = array.astype(np.int64).tolist()
    for position, token in enumerate(found):
        if token not in known:
            raise ValueError(
                f"Id {token} at position {position} is no token: the vocabulary has {len(known)}. "
                "Was it encoded by another tokenizer?"
            )
    return found


# %% [markdown]
# ## Exercise 1: characters
# *Difficulty 1 of 5 · 30 points · 20 minutes*
#
# The obvious token is the character. The vocabulary is every character seen in a corpus, **sorted**, so that the same corpus gives the same ids on every machine (a Python `set` of strings has another order in each run). Characters that were not seen still need an id: id 0 is kept for the **unknown token**, written `�`.
#
# ```
#  corpus "abba cab"     vocab  � ' ' a b c        encode("abc!") = [2, 3, 4, 0]
#                        id     0  1  2 3 4        decode(...)    = "abc�"
# ```
#
# The unknown token is not dropped: the reader should see that something stood there, and where. What it was is lost.
#
# **Predict first:** the vocabulary is built from `"banana"`. What is `decode(encode("bandana"))`?
#
# <details><summary>Hints</summary>
#
# 1. `"".join(texts)` is one long text; `set` of it has each character once; `sorted` makes the order certain. `adopt` takes the characters in order and puts the unknown token first.
# 2. `self.ids.get(character, 0)`.
# 3. `check_ids(ids, range(self.vocab_size))` returns ids that can be looked up in `self.vocab`.
#
# </details>


# %% nbgrader={"grade_id": "characters", "solution": true}
#| export
class CharTokenizer(Tokenizer):
    """One token a character; id 0 stands for every character that is not in the vocabulary.

    `vocab` lists the characters in the order of their ids (from 1); None: call build_vocab first.
    """

    def __init__(self, vocab: Iterable[str] | None = None):
        self.vocab: list[str] = []
        self.ids: dict[str, int] = {}
        if vocab is not None:
            self.adopt(vocab)

    @property
    def vocab_size(self) -> int:
        return len(self.vocab)

    def adopt(self, characters: Iterable[str]) -> None:
        """Take these characters, in this order, as the vocabulary; the unknown token comes first."""
        vocab = [UNKNOWN, *(c for c in characters if c != UNKNOWN)]
        for character, count in Counter(vocab).items():
            if count > 1 or len(character) != 1:
                raise ValueError(f"{character!r} in vocab: list single characters, each once.")
        self.vocab, self.ids = vocab, {c: i for i, c in enumerate(vocab)}

    def build_vocab(self, corpus: str | Iterable[str]) -> None:
        """Make the vocabulary of all characters of the corpus, sorted; an earlier one is forgotten."""
        texts = check_texts(corpus)
        ### BEGIN SOLUTION
        self.adopt(sorted(set("".join(texts))))
        ### END SOLUTION

    def encode(self, text: str) -> list[int]:
        """One id a character: "" -> []."""
        [text] = check_texts([text])
        if not self.vocab:
            raise ValueError("No vocabulary yet: call build_vocab(corpus), or pass vocab=.")
        ### BEGIN SOLUTION
        return [self.ids.get(character, 0) for character in text]
        ### END SOLUTION

    def decode(self, ids: Iterable[int]) -> str:
        """The characters of these ids; a ValueError names an id that is none."""
        ### BEGIN SOLUTION
        return "".join(self.vocab[i] for i in check_ids(ids, range(self.vocab_size)))
        ### END SOLUTION


# %% nbgrader={"grade_id": "test-characters", "grade": true, "points": 30}
def test_characters():
    """Sorted vocabulary, unknown characters, both ways, refusals, and nothing shared."""
    tokenizer = CharTokenizer()
    said = str(attempt(tokenizer.encode, "a"))
    assert "build_vocab" in said, f"No vocabulary, no encoding: keep the given check. Got: {said}"
    tokenizer.build_vocab("abba cab")
    want = [UNKNOWN, " ", "a", "b", "c"]
    assert tokenizer.vocab == want, f"The vocabulary is {tokenizer.vocab}: sort, each once; {want}."
    for text, want, because in [
        ("cab", [4, 2, 3], "each character has its place in the vocabulary as id"),
        ("abc!", [2, 3, 4, 0], "an unknown character becomes 0 and is not dropped"),
        ("", [], "no characters, no ids"),
    ]:
        got = tokenizer.encode(text)
        assert got == want, f"encode({text!r}) gave {got}, not {want}: {because}."
    got = tokenizer.decode([2, 0, 4])
    assert got == f"a{UNKNOWN}c", f"decode([2, 0, 4]) gave {got!r}: 0 is shown as {UNKNOWN}."
    got = tokenizer.decode(np.array([4, 2, 3]))
    assert got == "cab", f"An array of ids decodes too, to 'cab', not {got!r}."
    for ids in ([2, 5], [2, -1], [1.5]):
        said = str(attempt(tokenizer.decode, ids))
        assert "ValueError" in said, f"decode({ids}): refuse it, use check_ids. Got: {said}"
    other = CharTokenizer("ba")
    assert other.encode("ab") == [2, 1], "A vocabulary that was passed keeps its order."
    assert tokenizer.encode("ab") == [2, 3], "A second tokenizer changed the first: share nothing."
    tokenizer.build_vocab(["xy", "yz"])
    got = tokenizer.vocab
    assert got == [UNKNOWN, "x", "y", "z"], (
        f"['xy', 'yz'] gave {got}: all texts, no old characters."
    )
    ### BEGIN HIDDEN TESTS
    drawn = ["".join(map(chr, challenge.integers(0x3B1, 0x3C9, size=20))) for _ in range(2)]
    tokenizer.build_vocab(drawn)
    observe("vocabulary", "".join(tokenizer.vocab))
    ids = tokenizer.encode(drawn[1] + "?" + drawn[0])
    observe("ids", np.array(ids))
    observe("text", tokenizer.decode(ids[::-1]))
    ### END HIDDEN TESTS


test_characters()

# %% [markdown]
# What characters cost: the language reference of Python, a text that comes with Python itself.

# %%
corpus = "\n".join(topics.values())
characters = CharTokenizer()
characters.build_vocab(corpus)
ids = characters.encode("naïve 日本 👋")
print(f"{len(corpus):,} characters, a vocabulary of {characters.vocab_size}")
print(ids, "->", characters.decode(ids))

# %% [markdown]
# ## Exercise 2: bytes
# *Difficulty 2 of 5 · 30 points · 15 minutes*
#
# Unicode has about 150,000 characters. A vocabulary of all of them is mostly dead weight, and any smaller one loses text. The way out is one level down: in a file every character is one to four **bytes**, by a code named UTF-8, and there are 256 bytes. Take these as tokens, and no text is ever unknown.
#
# ```
#  "a"  -> 97          "é" -> 195 169          "日" -> 230 151 165         "👋" -> 240 159 145 139
# ```
#
# Two things need care. **Going:** Python strings can hold *lone surrogates*, half characters such as `"\ud800"`, which broken programs leave behind; they have no UTF-8. Refuse them in words that name the position. **Coming back:** most sequences of bytes are no text. A network that writes one byte after the other will write such sequences, so decoding must not fail: broken parts become `�` (`errors="replace"`).
#
# **Predict first:** `"é"` may also be written as two characters, `e` and a combining accent. How many bytes is that?
#
# <details><summary>Hints</summary>
#
# 1. `text.encode("utf-8")` raises a UnicodeEncodeError; it has the attributes `.object` and `.start`.
# 2. `data.decode("utf-8", errors="replace")`.
#
# </details>


# %% nbgrader={"grade_id": "bytes", "solution": true}
#| export
def to_bytes(text: str) -> bytes:
    """The UTF-8 bytes of a text: "é" -> b"\\xc3\\xa9".

    Raises a ValueError, naming the position, for a lone surrogate; a TypeError for what is no str.
    """
    [text] = check_texts([text])
    ### BEGIN SOLUTION
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"Position {error.start} holds {text[error.start]!r}, a lone surrogate, which is half "
            "a character: remove it, or read the text with the right encoding."
        ) from None
    ### END SOLUTION


def to_text(data: bytes) -> str:
    """The text of UTF-8 bytes; parts that are no UTF-8 become UNKNOWN."""
    ### BEGIN SOLUTION
    return data.decode("utf-8", errors="replace")
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-bytes", "grade": true, "points": 30}
def test_bytes():
    """One to four bytes a character, both ways; half characters refused, broken bytes shown."""
    for text, want in [
        ("a", [97]),
        ("é", [195, 169]),
        ("e\u0301", [101, 204, 129]),
        ("日", [230, 151, 165]),
        ("👋", [240, 159, 145, 139]),
        ("", []),
        ("a\r\nb", [97, 13, 10, 98]),
    ]:
        data = to_bytes(text)
        assert list(data) == want, f"The UTF-8 bytes of {text!r} are {want}, not {list(data)}."
        assert to_text(data) == text, f"{want} must come back as {text!r}, not {to_text(data)!r}."
    for text, position in [("\ud800", 0), ("ab日\udc80c", 3)]:
        said = str(attempt(to_bytes, text))
        is_own = said.startswith("ValueError") and str(position) in said
        assert is_own, f"{text!r}: a ValueError that names position {position}. Got: {said}"
    for data, want in [(b"a\xffb", f"a{UNKNOWN}b"), (b"\xe6\x97", UNKNOWN), (b"\x97", UNKNOWN)]:
        got = attempt(to_text, data)
        assert got == want, f"{data} is no UTF-8: replace what is broken, {want!r}. Got: {got!r}"
    ### BEGIN HIDDEN TESTS
    codes = challenge.permutation([65, 0xE5, 0x3B1, 0x4E00, 0x1F600]) + challenge.integers(0, 9)
    data = to_bytes("".join(map(chr, codes)))
    observe("bytes", np.array(list(data)))
    observe("text", to_text(data))
    observe("broken", to_text(data[: challenge.integers(1, len(data))]))
    observe("refused", str(attempt(to_bytes, "x" * challenge.integers(12, 99) + "\udc00"))[:10])
    ### END HIDDEN TESTS


test_bytes()

# %%
greetings = {
    "English": "Good morning, how are you?",
    "German": "Guten Morgen, wie geht es dir?",
    "Greek": "Καλημέρα, τι κάνεις;",
    "Hindi": "सुप्रभात, आप कैसे हैं?",
    "Japanese": "おはよう、元気ですか?",
}
per_character = {name: len(to_bytes(text)) / len(text) for name, text in greetings.items()}
bars = plt.barh(list(per_character), list(per_character.values()), color="C0")
plt.bar_label(bars, [f"{value:.2f}" for value in per_character.values()], padding=3)
plt.gca().invert_yaxis()
plt.xlabel("UTF-8 bytes per character")
plt.title(f"Bytes lose nothing, but Hindi pays {per_character['Hindi']:.1f} of them a character")
plt.show()

# %% [markdown]
# ## Words
#
# Bytes lose nothing and refuse nothing, but they make sequences long, and a transformer's attention costs the *square* of the length. So the next notebook makes tokens of frequent sequences of bytes. First, though, the text is cut into **words**, and no token will reach over their borders. Otherwise `dog.`, `dog,` and `dog!` would each cost a place in the vocabulary.
#
# The pattern below follows GPT-2's: contractions, letters, digits and signs, each with the space *before* it; the space belongs to the word that follows, so the words joined are the text. Python's `re` knows no `\p{L}` (letters) and `\p{N}` (numbers), in which GPT-2's is written. `[^\W\d_]` and `\d` come close: signs such as `²`, `½` or `Ⅷ` are numbers to GPT-2 and letters here, and `re` counts the four control characters U+001C to U+001F among the spaces.


# %% nbgrader={"grade_id": "words", "locked": true}
#| export
WORD = re.compile(
    r"'(?:[sdmt]|ll|ve|re)"  # the ends of it's, I'd, I'm, don't, we'll, we've, we're
    r"| ?[^\W\d_]+"  # letters
    r"| ?\d+"  # digits
    r"| ?(?:[^\s\w]|_)+"  # signs
    r"|\s+(?!\S)|\s+"  # spaces: all but the last one, which goes with the word after it
)


def split_words(text: str) -> list[str]:
    """The words of a text; joined they are the text again. It refuses what to_bytes refuses."""
    to_bytes(text)
    return WORD.findall(text)


# %%
print(split_words("low lower lowest: it's 42   dogs!"))

# %% [markdown]
# ## Exercise 3: count words
# *Difficulty 2 of 5 · 30 points · 15 minutes*
#
# A text says `the` thousands of times, and nothing that happens inside a word depends on where it stands. So training need not see the text at all: it needs each **distinct** word once, as bytes, and how often it occurs.
#
# `count_words` takes a corpus, one text or several. Texts are split one by one: the last word of one and the first of the next have nothing to do with each other.
#
# **Predict first:** are `dog` at the start of a text and `dog` after a space one entry, or two?
#
# <details><summary>Hints</summary>
#
# `counts.update(list)` of a Counter adds one for each element of the list. Count words as strings, and turn each distinct one into bytes at the end: `to_bytes` then runs once a word, not once an occurrence.
#
# </details>


# %% nbgrader={"grade_id": "count-words", "solution": true}
#| export
def count_words(corpus: str | Iterable[str]) -> Counter[bytes]:
    """How often each word occurs in a corpus: "so so" -> {b"so": 1, b" so": 1}."""
    texts = check_texts(corpus)
    ### BEGIN SOLUTION
    counts = Counter()
    for text in texts:
        counts.update(split_words(text))
    return Counter({to_bytes(word): count for word, count in counts.items()})
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-count-words", "grade": true, "points": 30}
def test_count_words():
    """Spaces belong to words, texts stay apart, bytes come out, and what is no text is refused."""
    for corpus, want, because in [
        ("so so", {b"so": 1, b" so": 1}, "the space belongs to the word after it"),
        ("so so so", {b"so": 1, b" so": 2}, "a word counts as often as it occurs"),
        (["so", "so"], {b"so": 2}, "all texts count together"),
        (["wh", "at"], {b"wh": 1, b"at": 1}, "a word does not reach from one text into the next"),
        ("So so.", {b"So": 1, b" so": 1, b".": 1}, "capitals and signs make other words"),
        ("é", {b"\xc3\xa9": 1}, "words are bytes"),
        ("a\n\nb", {b"a": 1, b"\n": 2, b"b": 1}, "spaces that belong to no word are words"),
        ("", {}, "no text, no words"),
        ([], {}, "no texts, no words"),
    ]:
        got = attempt(count_words, corpus)
        assert got == want, f"count_words({corpus!r}) gave {got}, not {want}: {because}."
    for corpus in (b"so", None, ["so", None], ["so", b"so"]):
        said = str(attempt(count_words, corpus))
        assert "TypeError" in said, f"count_words({corpus!r}): keep the given check. Got: {said}"
    said = str(attempt(count_words, "so \ud800"))
    assert "osition 3" in said, (
        f"Position 3 holds half a character: split_words refuses it. Got: {said}"
    )
    ### BEGIN HIDDEN TESTS
    drawn = ["".join(row) for row in challenge.choice(list("ab é7.,\n"), size=(3, 40))]
    counts = count_words(drawn)
    observe("counts", str(sorted(counts.items())))
    observe("one text", str(sorted(count_words(drawn[0]).items())))
    ### END HIDDEN TESTS


test_count_words()

# %% [markdown]
# ## All together
# *10 points.*


# %% nbgrader={"grade_id": "test-all-characters", "grade": true, "points": 10}
def test_all_characters():
    """Text through characters, bytes and words, and back."""
    text = "Ein Mädchen sagte: 'it's 5 o'clock'\n\n  naïve 日本 👋👋"
    tokenizer = CharTokenizer()
    tokenizer.build_vocab([text])
    got = tokenizer.decode(tokenizer.encode(text))
    assert got == text, f"A text of known characters must come back as it was, not as {got!r}."
    got = to_text(to_bytes(text))
    assert got == text, f"Bytes lose nothing, but {got!r} came back."
    counts = count_words(text)
    size, want = sum(len(word) * count for word, count in counts.items()), len(to_bytes(text))
    assert size == want, f"The words have {size} bytes, the text {want}: each byte is in one word."
    one = tokenizer.decode(tokenizer.encode("Zebra"))
    assert len(one) == 5, f"5 characters in, 5 out, known or not; 'Zebra' became {one!r}."
    ### BEGIN HIDDEN TESTS
    drawn = "".join(map(chr, challenge.integers(0x3B1, 0x3C9, size=60))) + " " + text
    drawn = "".join(challenge.permutation(list(drawn)))
    tokenizer.build_vocab(drawn[:40])
    observe("ids", np.array(tokenizer.encode(drawn)))
    observe("back", tokenizer.decode(tokenizer.encode(drawn)))
    observe("words", str(count_words(drawn).most_common(1)[0][1]))
    ### END HIDDEN TESTS


test_all_characters()

# %% [markdown]
# ## Measure it: how few words make a text
#
# The distinct words of the language reference, from the most frequent on. **Predict first:** how much of the text do the hundred most frequent words cover?

# %%
counts = count_words(corpus)
frequencies = np.array(sorted(counts.values(), reverse=True))
covered = np.cumsum(frequencies) / frequencies.sum()
fig, axes = plt.subplots(1, 2, figsize=(8, 2.8))
axes[0].loglog(np.arange(1, len(frequencies) + 1), frequencies)
axes[0].set(xlabel="rank of the word", ylabel="occurrences", title="A straight line: Zipf's law")
axes[1].semilogx(np.arange(1, len(frequencies) + 1), covered)
axes[1].axvline(100, ls=":", color="gray")
axes[1].set(xlabel="most frequent words", ylabel="share of the text", ylim=(0, 1))
axes[1].set_title(f"100 words of {len(counts):,} cover {covered[99]:.0%}")
plt.show()
once = int((frequencies == 1).sum())
print(f"{sum(counts.values()):,} words, {len(counts):,} distinct, {once:,} of them seen once.")
print([word.decode() for word, _ in counts.most_common(12)])

# %% [markdown]
# Two conclusions. Work that is done once a *distinct* word is many times cheaper than work done once a word; the notebook Pairs lives on this. And whole words as tokens would be wasteful: a large part of the vocabulary would stand for words seen once, and the next text brings new ones.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. How many ids has `"naïve 👋"` as characters, how many as bytes?
# 2. A table of one vector of 768 float32 numbers for each of 150,000 characters: how many MB? And for 256 bytes?
# 3. A broken file ends in the middle of a `日`. What does `to_text` make of the rest, and does it raise?
#
# <details><summary>Answers</summary>
#
# 1. 7 and 11: the `ï` has two bytes, the hand four.
# 2. 461 MB against 0.8.
# 3. One `�`; it does not raise.
#
# </details>

# %%
print("1.", len("naïve 👋"), len(to_bytes("naïve 👋")))
print("2.", 150_000 * 768 * 4 / 1e6, 256 * 768 * 4 / 1e6)
print("3.", to_text(to_bytes("日")[:2]))

# %% [markdown]
# ## Recap
#
# 1. A tokenizer is a vocabulary and two directions, encode and decode.
# 2. A vocabulary is sorted, so that it is the same everywhere; what it does not know has id 0.
# 3. Bytes know every text, at the price of length; lone surrogates have none.
# 4. Not every sequence of bytes is a text: decoding replaces what is broken.
# 5. Words keep the space before them, so that joined they are the text.
#
# ## Further reading
#
# - The Unicode Standard, section 3.9: UTF-8, surrogates, and what to do with broken bytes: <https://www.unicode.org/versions/latest/>
# - J. Spolsky, "The absolute minimum every software developer must know about Unicode and character sets" (2003): <https://www.joelonsoftware.com/articles/Unicode.html>
# - A. Radford and others, "Language models are unsupervised multitask learners" (2019), section 2.2: bytes and word borders in GPT-2.
# - L. Xue and others, "ByT5: Towards a token-free future with pre-trained byte-to-byte models", *TACL* 10 (2022): a network that reads bytes, and what it costs.
#
# **Next:** run `tito module complete 10` in a terminal, then the notebook Merges: tokens between bytes and words.
