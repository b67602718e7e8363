# %% [markdown]
# # Tokenization
#
# > A byte-level BPE tokenizer that is fast, safe on disk, and reads GPT-2's vocabulary.
#
# **The question of this notebook:** an algorithm is not a tool yet. What does it need so that others can rely on it: on disk, on other machines, on text it has never seen?
#
# Difficulty 3 of 5 · about 1 hour 30 minutes · 3 exercises and a test over the module, 100 points · prerequisites: the notebooks Characters, Merges and Pairs.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `count_words`, `train_merges`, `encode_word`, `encode_long` | `BPETokenizer`, files that survive a crash, GPT-2's numbers, `tokenize_dataset` | vectors for tokens (module 11) |
#
# This is the last of the four notebooks of module 10, and it ends up in `tinytorch/core/tokenization.py`, from where the names of all four can be imported. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.tokenization

# %% nbgrader={"grade_id": "setup", "locked": true}
import os
import tempfile
import timeit
from pydoc_data.topics import topics

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def attempt(call, *args, **options):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args, **options)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def seconds(call):
    """The shorter of two runs: the other was disturbed by something else."""
    return min(timeit.repeat(call, number=1, repeat=2))


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import json
import os
import warnings
from collections.abc import Iterable
from pathlib import Path

# Not all are used here: every name of the module can be imported from this one.
from tinytorch.core.characters import (  # noqa: F401
    UNKNOWN,
    CharTokenizer,
    Tokenizer,
    check_ids,
    check_texts,
    count_words,
    split_words,
    to_bytes,
    to_text,
)
from tinytorch.core.merges import (  # noqa: F401
    Pair,
    best_pair,
    byte_symbols,
    count_pairs,
    encode_word,
    join_tokens,
    merge,
    parse_merges,
    token_bytes,
    train_naive,
)
from tinytorch.core.pairs import (  # noqa: F401
    check_vocab_size,
    encode_long,
    index_pairs,
    train_merges,
)

# %% [markdown]
# ## Exercise 1: the tokenizer
# *Difficulty 3 of 5 · 45 points · 25 minutes*
#
# The parts become an object. `adopt` takes merges, from training or from a file, and derives what encoding needs: `merges` (a list), `ranks` (pair to new id), `tokens` (a dict, id to bytes) and an empty `cache`. Whoever trains again must find nothing of the old merges, and two tokenizers must share nothing.
#
# `encode` splits into words and looks each up in the **cache**; only a word that is new is merged. Every text repeats its words, so after a while nearly all are known, and encoding is as fast as a dictionary. The cache is emptied when it holds `CACHE_SIZE` words, or a stream of new words would fill the memory. `decode` refuses ids that are no token, joins the bytes and makes text once.
#
# When the corpus runs out of pairs, the vocabulary ends early: `train` warns, and `vocab_size` tells how many tokens there really are.
#
# **Predict first:** which of the four must be made new when a tokenizer is trained again? What happens if the cache is not?
#
# <details><summary>Hints</summary>
#
# 1. `enumerate(merges, 256)` counts from 256.
# 2. `self.encode_new(word)` gives the ids of a word that is not in the cache.
# 3. `check_ids(ids, self.tokens)`, then `join_tokens`.
#
# </details>


# %% nbgrader={"grade_id": "bpe-tokenizer", "solution": true}
#| export
CACHE_SIZE = 100_000  # words; about 30 MB


class BPETokenizer(Tokenizer):
    """Byte-level byte-pair encoding: every text comes back as it was.

    Ids 0 to 255 are the bytes, id 256 + i is merge i. `vocab_size` is the number asked for and, after
    training, the number of tokens there are.
    """

    def __init__(self, vocab_size: int = 1000):
        self.vocab_size = self.wanted = check_vocab_size(vocab_size)
        self.merges: list[Pair] | None = None

    def adopt(self, merges: Iterable[Pair]) -> None:
        """Take these merges, in this order, and forget all that came of earlier ones."""
        ### BEGIN SOLUTION
        self.merges = list(merges)
        self.ranks = {pair: new_id for new_id, pair in enumerate(self.merges, 256)}
        self.tokens = dict(enumerate(token_bytes(self.merges)))
        self.cache = {}
        ### END SOLUTION
        self.vocab_size = len(self.tokens)

    def train(self, corpus: str | Iterable[str], vocab_size: int | None = None) -> None:
        """Learn merges from a corpus, one text or several; None: as many tokens as asked for before."""
        if vocab_size is not None:
            self.wanted = check_vocab_size(vocab_size)
        self.adopt(train_merges(count_words(corpus), self.wanted))
        if self.vocab_size < self.wanted:
            found = f"no pair occurs twice after {self.vocab_size} of {self.wanted} tokens"
            warnings.warn(f"The corpus is too small: {found}. Use more text.", stacklevel=2)

    def encode(self, text: str) -> list[int]:
        """The ids of a text: "" -> []. A ValueError names a lone surrogate."""
        self.check_trained()
        ids: list[int] = []
        ### BEGIN SOLUTION
        for word in split_words(text):
            if word not in self.cache:
                if len(self.cache) >= CACHE_SIZE:
                    self.cache.clear()
                self.cache[word] = self.encode_new(word)
            ids.extend(self.cache[word])
        ### END SOLUTION
        return ids

    def encode_new(self, word: str) -> list[int]:
        """The ids of a word that the cache does not know."""
        data = to_bytes(word)
        return (encode_word if len(data) < 100 else encode_long)(data, self.ranks)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids; bytes that are no UTF-8 become UNKNOWN. A ValueError names a wrong id."""
        self.check_trained()
        ### BEGIN SOLUTION
        return join_tokens(check_ids(ids, self.tokens), self.tokens)
        ### END SOLUTION

    def check_trained(self) -> None:
        if self.merges is None:
            raise ValueError("No merges yet: call train(corpus), or use BPETokenizer.load(path).")

    def save(self, path: str | os.PathLike) -> None:
        """Write the merges to a JSON file; if that fails, an older file stays as it was."""
        self.check_trained()
        write_safely(path, json.dumps({"kind": "BPETokenizer", "merges": self.merges}))

    @classmethod
    def load(cls, path: str | os.PathLike) -> "BPETokenizer":
        """The tokenizer that was saved there; a ValueError says what is wrong with the file."""
        try:
            merges = check_merges(json.loads(Path(path).read_text(encoding="utf-8"))["merges"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is no saved BPETokenizer ({error}): save it again.") from None
        tokenizer = cls(256 + len(merges))
        tokenizer.adopt(merges)
        return tokenizer


# %% nbgrader={"grade_id": "test-bpe-tokenizer", "grade": true, "points": 45}
def test_bpe_tokenizer():
    """Every text comes back; training again forgets; nothing is shared; refusals."""
    said = str(attempt(BPETokenizer().encode, "a"))
    assert "train" in said, f"Encoding before training is refused in words. Got: {said}"
    first, second = BPETokenizer(260), BPETokenizer(258)
    first.train("low lower lowest")
    assert (first.vocab_size, len(first.tokens)) == (260, 260), (
        f"260 tokens, not {first.vocab_size}."
    )
    assert first.tokens[258] == b" low", f"Token 258 is b' low', not {first.tokens[258]}."
    for text, want in [("low", [257]), (" low low", [258, 258]), ("slow", [115, 257]), ("", [])]:
        for time in ("first", "second"):
            got = first.encode(text)
            assert got == want, f"encode({text!r}), the {time} time, gave {got}, not {want}."
    for text in ["", " ", "naïve 日本 👋🏽", "e\u0301", "a\r\n\tb\x00", "low" * 50]:
        got = first.decode(first.encode(text))
        assert got == text, f"{text!r} came back as {got!r}: join all bytes, then make text once."
    assert first.decode([108, 255]) == f"l{UNKNOWN}", f"Broken UTF-8 is shown as {UNKNOWN}."
    for ids in ([260], [-1], [1.5]):
        said = str(attempt(first.decode, ids))
        assert "ValueError" in said, f"decode({ids}): refuse it, use check_ids. Got: {said}"
    second.train("xyxy xyxy")
    assert second.encode("low") == [108, 111, 119], (
        "A second tokenizer knows the first one's words."
    )
    assert first.encode("low lowest") == [257, 259, 115, 116], (
        "Training another tokenizer changed it."
    )
    first.train("xyxy xyxy", 258)
    got = (first.encode("low"), first.vocab_size, first.merges, len(first.ranks))
    want = ([108, 111, 119], 258, [(120, 121), (256, 256)], 2)
    assert got == want, (
        f"Trained again: {got}, not {want}: forget the old merges and the old cache."
    )
    first.adopt([(32, 32)])
    got = first.encode("  a")
    assert got == [32, 32, 97], f"'  a' is two words, and no token reaches over borders: {got}."
    given = [(97, 98)]
    first.adopt(given)
    given.append((98, 97))
    assert first.merges == [(97, 98)], "adopt keeps the caller's list: make one of your own."
    ### BEGIN HIDDEN TESTS
    rows = challenge.choice(list("abé "), size=(40, 6))
    tokenizer = BPETokenizer(262)
    for i, texts in enumerate((rows[:20], rows[20:])):
        tokenizer.train(["".join(row) for row in texts])
        ids = tokenizer.encode("".join(rows.ravel()))
        observe(f"ids {i}", np.array(ids))
        observe(f"text {i}", tokenizer.decode(ids[::-1]))
        observe(f"sizes {i}", np.array([tokenizer.vocab_size, len(tokenizer.merges)]))
    ### END HIDDEN TESTS


test_bpe_tokenizer()

# %%
corpus = "\n".join(topics.values())
tokenizer = BPETokenizer(4096)
tokenizer.train(corpus)
text = "A tokenizer cuts a sentence into pieces; naïve ones fail at 日本."
for token in tokenizer.encode(text):
    print(repr(tokenizer.tokens[token].decode(errors="replace"))[1:-1], end="|")

# %% [markdown]
# ## Exercise 2: files that survive
# *Difficulty 2 of 5 · 25 points · 20 minutes*
#
# A tokenizer without its merges makes the model trained with it worthless. So **saving** must never leave half a file: the machine may stop at any moment. Write the new text under another name *in the same folder*, here with `.part` at the end, and then `os.replace` it to the real name: the file system swaps the names in one step, and whoever looks finds the old file or the new one.
#
# **Loading** trusts nothing. In `check_merges` merge `i` must be two integers of which both tokens exist already, so from 0 to `255 + i`, and no merge may stand there twice. The ValueError names the first merge that is wrong.
#
# **Predict first:** why must the other name be in the same folder?
#
# <details><summary>Hints</summary>
#
# `path.with_name(path.name + ".part")`. JSON knows no tuples: pairs come as lists, and the function returns tuples. `type(x) is int` is False for `True`.
#
# </details>


# %% nbgrader={"grade_id": "files", "solution": true}
#| export
def write_safely(path: str | os.PathLike, text: str) -> None:
    """Write a text file (UTF-8) so that at any moment the old or the new one stands there, whole."""
    path = Path(path)
    ### BEGIN SOLUTION
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8", newline="\n")
    os.replace(part, path)
    ### END SOLUTION


def check_merges(merges: object) -> list[Pair]:
    """Merges as read from a file, as tuples; a ValueError names the first that cannot be one."""
    if not isinstance(merges, list):
        raise ValueError(f"merges are {type(merges).__name__}, not a list")
    checked: dict[Pair, int] = {}
    for i, pair in enumerate(merges):
        ### BEGIN SOLUTION
        is_pair = isinstance(pair, list | tuple) and len(pair) == 2
        if not is_pair or not all(type(x) is int and 0 <= x < 256 + i for x in pair):
            raise ValueError(f"merge {i} is {pair!r}, not two ids from 0 to {255 + i}")
        if tuple(pair) in checked:
            raise ValueError(f"merge {i}, {pair!r}, stands there twice")
        checked[tuple(pair)] = i
        ### END SOLUTION
    return list(checked)


# %% nbgrader={"grade_id": "test-files", "grade": true, "points": 25}
def test_files():
    """The old file is never touched; wrong merges are named; save and load give the same tokens."""
    with tempfile.TemporaryDirectory() as folder:
        path, twin = Path(folder, "a.json"), Path(folder, "twin")
        attempt(write_safely, path, "old é\n")
        found = path.read_bytes() if path.exists() else None
        assert found == b"old \xc3\xa9\n", f"Write UTF-8, and newlines as they are, not {found}."
        os.link(path, twin)  # a second name for the old file
        attempt(write_safely, path, "new")
        found = [name.read_text(encoding="utf-8") for name in (path, twin)]
        assert found[0] == "new", f"The new text must stand under the name, not {found[0]!r}."
        assert found[1] == "old é\n", "The old file was written into: write another, then replace."
        assert sorted(os.listdir(folder)) == ["a.json", "twin"], (
            "Something was left beside the file."
        )
        attempt(write_safely, path, "half \ud800")
        found = path.read_text(encoding="utf-8")
        assert found == "new", f"Writing failed half-way, and the file now holds {found!r}."
    good = [[97, 98], [256, 256], [98, 257]]
    got = attempt(check_merges, good)
    assert got == [(97, 98), (256, 256), (98, 257)], f"{good} are merges, as tuples; got {got}."
    for wrong, place in [
        ([[97, 98], [97, 257]], 1),
        ([[256, 97]], 0),
        ([[97, 98], [-1, 97]], 1),
        ([[97, 98, 99]], 0),
        ([[97, 98], [97, 99], "ab"], 2),
        ([[97, 98], [97.0, 99]], 1),
        ([[97, 98], [98, 97], [97, 98]], 2),
        ([None], 0),
    ]:
        said = str(attempt(check_merges, wrong))
        is_own = said.startswith("ValueError") and str(place) in said
        assert is_own, f"{wrong}: a ValueError that names merge {place}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    tokenizer = BPETokenizer(266)
    tokenizer.train("".join(challenge.choice(list("abc"), size=200)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.json")
        tokenizer.save(path)
        again = BPETokenizer.load(path)
        observe("merges", np.array(again.merges))
        observe("ids", np.array(again.encode("abcabcaabbcc" * 3)))
    bad = [[97, i] for i in range(98, 110)]
    bad[place := int(challenge.integers(2, 12))][1] = 256 + place
    observe("refused", str(attempt(check_merges, bad))[:10])
    ### END HIDDEN TESTS


test_files()

# %% [markdown]
# ## Given: GPT-2's numbers
#
# `parse_merges` reads GPT-2's merges as pairs of our ids. GPT-2 has others: in its `vocab.json` even the bytes are numbered in the order of their symbols, and there are tokens that no merge makes, such as `<|endoftext|>`. `GPT2Tokenizer` is your tokenizer with these numbers.


# %% nbgrader={"grade_id": "gpt2-tokenizer", "locked": true}
#| export
class GPT2Tokenizer(BPETokenizer):
    """A BPETokenizer whose ids are those of a vocab.json: symbols of a token -> id."""

    def __init__(self, vocab: dict[str, int], merges: Iterable[Pair]):
        super().__init__(256)
        self.adopt(merges)
        symbols = byte_symbols()
        names = ["".join(symbols[byte] for byte in token) for token in self.tokens.values()]
        if missing := [name for name in names if name not in vocab]:
            raise ValueError(f"vocab.json has no {missing[0]!r}: it is not of these merges.")
        self.numbers = [vocab[name] for name in names]
        made = dict(zip(self.numbers, self.tokens.values(), strict=True))
        others = {number: to_bytes(name) for name, number in vocab.items() if number not in made}
        self.tokens = made | others  # others: what no merge makes, such as <|endoftext|>
        self.vocab_size = len(self.tokens)

    def encode(self, text: str) -> list[int]:
        return [self.numbers[i] for i in super().encode(text)]

    def train(self, corpus, vocab_size=None):
        raise ValueError("GPT-2's merges are given: to learn others, train a BPETokenizer.")

    def save(self, path):
        raise ValueError("It came from vocab.json and merges.txt: copy these two files.")


def load_gpt2(vocab_path: str | os.PathLike, merges_path: str | os.PathLike) -> GPT2Tokenizer:
    """The tokenizer of a vocab.json and a merges.txt; a ValueError says what is wrong with them."""
    try:
        vocab = json.loads(Path(vocab_path).read_text(encoding="utf-8"))
        merges = parse_merges(Path(merges_path).read_text(encoding="utf-8").split("\n"))
    except ValueError as error:
        raise ValueError(f"{vocab_path}, {merges_path}: {error}") from None
    return GPT2Tokenizer(vocab, merges)


def save_gpt2(
    tokenizer: BPETokenizer, vocab_path: str | os.PathLike, merges_path: str | os.PathLike
):
    """Write a trained tokenizer as a vocab.json and a merges.txt, which other libraries read."""
    tokenizer.check_trained()
    symbols = byte_symbols()
    names = ["".join(symbols[b] for b in token) for token in token_bytes(tokenizer.merges)]
    lines = [
        "#version: 0.2",
        *(f"{names[left]} {names[right]}" for left, right in tokenizer.merges),
    ]
    vocab = {name: number for number, name in enumerate(names)}
    write_safely(vocab_path, json.dumps(vocab, ensure_ascii=False))
    write_safely(merges_path, "\n".join(lines) + "\n")


# %% [markdown]
# ## Exercise 3: a data set
# *Difficulty 1 of 5 · 20 points · 10 minutes*
#
# `create_tokenizer("char")` and `create_tokenizer("bpe", vocab_size=512)` make tokenizers by name, and train them when a corpus is given. `tokenize_dataset` encodes many texts, each cut to its **first** `max_length` ids, when there is a limit: a sequence is read from its beginning. A single `str` is refused, for Python would go through its characters as if each were a text.
#
# **Predict first:** is cutting the *text* to `max_length` characters the same?


# %% nbgrader={"grade_id": "datasets", "solution": true}
#| export
def create_tokenizer(kind: str, corpus: str | Iterable[str] | None = None, **options) -> Tokenizer:
    """A tokenizer of kind "char" or "bpe", made with `options`, trained if there is a corpus."""
    if kind not in ("char", "bpe"):
        raise ValueError(f"{kind!r} is no kind of tokenizer: use 'char' or 'bpe'.")
    ### BEGIN SOLUTION
    tokenizer = CharTokenizer(**options) if kind == "char" else BPETokenizer(**options)
    if corpus is not None:
        learn = tokenizer.build_vocab if kind == "char" else tokenizer.train
        learn(corpus)
    return tokenizer
    ### END SOLUTION


def tokenize_dataset(
    texts: Iterable[str], tokenizer: Tokenizer, max_length: int | None = None
) -> list[list[int]]:
    """The ids of each text, at most the first `max_length` of them."""
    if isinstance(texts, str):
        raise ValueError(f"texts is one str, {texts!r:.30}: pass a list of texts, [text].")
    if max_length is not None and max_length < 1:
        raise ValueError(f"max_length {max_length} leaves nothing: use 1 or more, or None.")
    ### BEGIN SOLUTION
    return [tokenizer.encode(text)[:max_length] for text in texts]
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-datasets", "grade": true, "points": 20}
def test_datasets():
    """By name, trained or not; the first ids of each text; refusals."""
    bpe = create_tokenizer("bpe", "low lower lowest", vocab_size=260)
    assert isinstance(bpe, BPETokenizer), f"'bpe' is a BPETokenizer, not {type(bpe).__name__}."
    assert bpe.vocab_size == 260, f"Options go to the tokenizer: 260 tokens, not {bpe.vocab_size}."
    char = create_tokenizer("char", ["ab", "c"])
    got = char.vocab
    assert got == [UNKNOWN, "a", "b", "c"], f"'char' on ['ab', 'c']: {got}. Is the corpus used?"
    got = create_tokenizer("char", vocab="ba").encode("ab")
    assert got == [2, 1], (
        f"Options go to the tokenizer: vocab='ba' encodes 'ab' as [2, 1], not {got}."
    )
    assert create_tokenizer("bpe", vocab_size=300).merges is None, "No corpus, no training."
    for limit, want in [
        (None, [[257, 258], [115, 257], []]),
        (1, [[257], [115], []]),
        (9, [[257, 258], [115, 257], []]),
    ]:
        got = attempt(tokenize_dataset, ["low low", "slow", ""], bpe, limit)
        assert got == want, (
            f"max_length={limit} gave {got}, not {want}: the first ids of each text."
        )
    for texts, limit in [("low", None), (["low"], 0), (["low"], -1)]:
        said = str(attempt(tokenize_dataset, texts, bpe, limit))
        assert "ValueError" in said, f"{texts!r}, max_length={limit}: keep the given check. {said}"
    ### BEGIN HIDDEN TESTS
    texts = ["".join(row) for row in challenge.choice(list("abc "), size=(6, 20))]
    for kind, options in [("bpe", {"vocab_size": 262}), ("char", {})]:
        rows = tokenize_dataset(iter(texts), create_tokenizer(kind, texts, **options), 7)
        observe(kind, np.array(rows))
    ### END HIDDEN TESTS


test_datasets()

# %% [markdown]
# ## All together
# *10 points.*


# %% nbgrader={"grade_id": "test-tokenization", "grade": true, "points": 10}
def test_tokenization():
    """Train, encode, save, load, GPT-2's files: the same tokens on every way."""
    texts = ["the sea and the shell", "the shells, the sea: naïve 日本", "she sells\n\n\tthem"]
    tokenizer = create_tokenizer("bpe", texts, vocab_size=264)
    want = tokenize_dataset(texts, tokenizer)
    assert sum(map(len, want)) < sum(len(to_bytes(text)) for text in texts), "Nothing got shorter."
    with tempfile.TemporaryDirectory() as folder:
        path, vocab, lines = (Path(folder, name) for name in ("t.json", "vocab", "lines"))
        tokenizer.save(path)
        got = tokenize_dataset(texts, BPETokenizer.load(path))
        assert got == want, f"Loaded, it encodes {got}, not {want}."
        save_gpt2(tokenizer, vocab, lines)
        got = tokenize_dataset(texts, load_gpt2(vocab, lines))
        assert got == want, f"Out of GPT-2's files it encodes {got}, not {want}."
        path.write_text(path.read_text(encoding="utf-8")[:40], encoding="utf-8")
        said = str(attempt(BPETokenizer.load, path))
        assert "t.json is no saved" in said, f"Half a file is refused and named. Got: {said}"
    other = GPT2Tokenizer(numbered(tokenizer) | {"<|endoftext|>": 999}, tokenizer.merges)
    got = [[number - 500 for number in row] for row in tokenize_dataset(texts, other)]
    assert got == want, "Ids of vocab.json that are 500 higher must come out 500 higher."
    assert other.decode([999]) == "<|endoftext|>", (
        "A token that no merge makes decodes to its name."
    )
    ### BEGIN HIDDEN TESTS
    drawn = ["".join(row) for row in challenge.choice(list("abé ,"), size=(30, 12))]
    tokenizer = create_tokenizer("bpe", drawn, vocab_size=266)
    ids = tokenizer.encode(",".join(drawn))
    observe("ids", np.array(ids))
    observe("text", tokenizer.decode(ids[5:40]))
    ### END HIDDEN TESTS


def numbered(tokenizer):
    """The vocab.json of a tokenizer whose ids all are 500 higher."""
    symbols = byte_symbols()
    names = ["".join(symbols[b] for b in token) for token in tokenizer.tokens.values()]
    return {name: 500 + i for i, name in enumerate(names)}


test_tokenization()

# %% [markdown]
# ## Measure it: a megabyte, and how large a vocabulary should be
#
# **Predict first:** twice the vocabulary, half the tokens?

# %%
megabyte = (corpus * 4)[:1_000_000]
size = len(to_bytes(megabyte)) / 1e6
train_time = min(timeit.repeat(lambda: tokenizer.train(megabyte, 4096), number=1, repeat=1))
cold = min(timeit.repeat(lambda: tokenizer.encode(megabyte), number=1, repeat=1))
warm = seconds(lambda: tokenizer.encode(megabyte))
print(f"{size:.1f} MB to {tokenizer.vocab_size} tokens in {train_time:.1f} s")
print(f"encoding: {size / cold:.1f} MB/s with an empty cache, {size / warm:.1f} with a full one")

# %% [markdown]
# Merges are nested: the first n of them are the tokenizer of 256 + n tokens. So one training gives every size, and we measure on text that training did not see: the last fifth of the language reference.

# %%
cut = len(corpus) * 4 // 5
tokenizer.train(corpus[:cut], 4096)
merges, unseen, sizes, lengths = tokenizer.merges, corpus[cut:], [], []
for size in (256, 512, 1024, 2048, 4096):
    tokenizer.adopt(merges[: size - 256])
    sizes.append(tokenizer.vocab_size)
    lengths.append(len(tokenizer.encode(unseen)))
fig, axes = plt.subplots(1, 2, figsize=(8, 2.8))
axes[0].plot(sizes, np.array(lengths) / 1000, "o-")
axes[0].set(xlabel="vocabulary size", ylabel="thousand tokens", ylim=(0, None))
axes[0].set_title(
    f"{sizes[-1] / sizes[1]:.0f} x the vocabulary, {1 - lengths[-1] / lengths[1]:.0%} fewer tokens"
)
axes[1].plot(
    sizes, np.array(lengths) ** 2 / lengths[0] ** 2, "o-", label="attention: length squared"
)
axes[1].plot(sizes, np.array(sizes) / sizes[-1], "s--", label="embedding table: size")
axes[1].set(xlabel="vocabulary size", ylabel="cost, of the largest")
axes[1].set_title("One cost falls, the other rises")
for ax in axes:
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, sizes)
axes[1].legend(fontsize=8)
plt.show()

# %% [markdown]
# The first tokens do most: they are the frequent ones. Each doubling saves less, and each costs as many new vectors as all before it together. GPT-2 stopped at 50,257 for the text of the web; for a text as small as this one, a few thousand are plenty.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. A tokenizer is trained again, and its cache is not emptied. Which texts does it encode wrongly?
# 2. A vocabulary of 50,257 tokens with vectors of 768 float32 numbers: how many MB?
# 3. Half the tokens: what does that save in an attention whose cost is the square of the length?
#
# <details><summary>Answers</summary>
#
# 1. Those with words it has met before: they get the ids of the old merges.
# 2. 154 MB.
# 3. Three quarters.
#
# </details>

# %%
print("2.", round(50_257 * 768 * 4 / 1e6), "MB")
print("3.", 1 - 0.5**2)

# %% [markdown]
# ## In production
#
# | here | elsewhere | the difference |
# |---|---|---|
# | `BPETokenizer.train` | `tokenizers.trainers.BpeTrainer` | theirs is in Rust; same rule for ties, but bytes have GPT-2's ids, so that a tie can fall the other way |
# | `load_gpt2(vocab, merges)` | `tokenizers.models.BPE.from_file` with `ByteLevel` | numbers such as `²`: see the notebook Characters |
# | `tokenizer.encode(text)` | `tiktoken.get_encoding("gpt2").encode(text)` | theirs refuses special tokens in a text unless they are allowed |
#
# ## Recap
#
# 1. A cache of words makes encoding a dictionary's work; training again must empty it.
# 2. Write beside, then replace: a file is old or new, never half.
# 3. What comes from a file is checked before it is believed.
# 4. GPT-2's tokenizer is this one with other numbers.
# 5. A larger vocabulary buys shorter sequences, less and less with each doubling.
#
# ## Further reading
#
# - R. Sennrich, B. Haddow, A. Birch, "Neural machine translation of rare words with subword units", *ACL* (2016): <https://arxiv.org/abs/1508.07909>
# - A. Radford and others, "Language models are unsupervised multitask learners" (2019): GPT-2, whose files you read.
# - T. Kudo, "Subword regularization", *ACL* (2018): another vocabulary, by likelihood: <https://arxiv.org/abs/1804.10959>
# - C. Tao and others, "Scaling laws with vocabulary", *NeurIPS* (2024): larger models want larger vocabularies: <https://arxiv.org/abs/2407.13623>
#
# **Next:** run `tito module complete 10` once more. A token is a number now; module 11 gives it a vector.
