# %% [markdown]
# # Merges
#
# > Byte-pair encoding in its plainest form: count, merge, repeat; encode by the same merges; decode.
#
# **The question of this notebook:** bytes make long sequences, whole words a vocabulary without end. Which pieces lie between, and who chooses them?
#
# Difficulty 2 of 5 · about 2 hours · 5 exercises and a test over the notebook, 100 points · prerequisites: the notebook Characters.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `to_bytes`, `to_text`, `split_words` | byte-pair encoding: count pairs, merge, train, encode and decode; GPT-2's merges | speed (notebook Pairs), files (notebook Tokenization) |
#
# This is the second of the four notebooks of module 10, and it ends up in `tinytorch/core/merges.py`. It imports the notebook Characters from your package: `tito module complete 10`, in a terminal, puts it there. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.merges

# %% nbgrader={"grade_id": "setup", "locked": true}
import timeit
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
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tinytorch.core.characters import UNKNOWN, split_words, to_bytes, to_text

Pair = tuple[int, int]

# %% [markdown]
# ## Exercise 1: count pairs
# *Difficulty 2 of 5 · 18 points · 20 minutes*
#
# **Byte-pair encoding** (BPE) grows a vocabulary from the 256 bytes: find the pair of neighbours that occurs most often, make it a new token, repeat. The corpus is now a list of words, and a word is a list of ids. By hand, in letters, for `low lower lowest`, the space written `_`:
#
# ```
#  l o w   _ l o w e r   _ l o w e s t        (l, o) 3   (o, w) 3   (_, l) 2   (w, e) 2   (e, r) 1 ...
# ```
#
# `count_pairs` counts within each word. The `w` of the first word and the `_` of the second are no pair: different words.
#
# `best_pair` picks the highest count, and the rule for **ties** must be certain, or two machines would train two tokenizers. Ours: of the pairs with the highest count, the one with the **smaller ids**, compared as Python compares tuples. Above, `(l, o)` is `(108, 111)` and `(o, w)` is `(111, 119)`, so `(l, o)` wins. A pair that occurs only once saves nothing: when no pair occurs twice there is no best pair, None.
#
# **Predict first:** how often does the pair `(a, a)` occur in `aaa`? (Count it as often as two neighbours are equal. How often can it be *merged*? That is exercise 4.)
#
# <details><summary>Hints</summary>
#
# 1. `pairwise(word)` goes through the neighbours of a word.
# 2. `min(counts, key=...)` with a key that is a tuple: the first entry is compared first. Turn the sign of what should be large.
#
# </details>


# %% nbgrader={"grade_id": "count-pairs", "solution": true}
#| export
def count_pairs(words: Iterable[Sequence[int]]) -> Counter[Pair]:
    """How often each pair of neighbours occurs within the words: [[7, 8, 7]] -> (7, 8): 1, (8, 7): 1."""
    ### BEGIN SOLUTION
    counts = Counter()
    for word in words:
        counts.update(pairwise(word))
    return counts
    ### END SOLUTION


def best_pair(counts: Counter[Pair]) -> Pair | None:
    """The most frequent pair, of several the smallest; None when no pair occurs twice."""
    ### BEGIN SOLUTION
    best = min(counts, key=lambda pair: (-counts[pair], pair), default=None)
    return best if best is not None and counts[best] > 1 else None
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-count-pairs", "grade": true, "points": 18}
def test_count_pairs():
    """By hand, within words only, overlapping runs; ties go to the smaller pair."""
    for words, want, because in [
        ([[7, 8, 7]], {(7, 8): 1, (8, 7): 1}, "a pair has an order"),
        ([[7, 8], [8, 7]], {(7, 8): 1, (8, 7): 1}, "no pair reaches over the border of two words"),
        ([[7, 8], [7, 8, 9]], {(7, 8): 2, (8, 9): 1}, "all words count together"),
        ([[5, 5, 5]], {(5, 5): 2}, "in a run of three, two neighbours are equal"),
        ([[5], []], {}, "a word of one token has no pair"),
    ]:
        got = attempt(count_pairs, words)
        assert got == want, f"count_pairs({words}) gave {got}, not {want}: {because}."
    words = [list(to_bytes(word)) for word in split_words("low lower lowest")]
    got = count_pairs(words)[108, 111]
    assert got == 3, f"(l, o) occurs 3 times in 'low lower lowest', not {got}."
    for counts, want, because in [
        ({(9, 9): 3, (1, 1): 2}, (9, 9), "the highest count wins"),
        (
            {(3, 1): 2, (2, 9): 2, (2, 4): 2},
            (2, 4),
            "ties go to the smaller ids, first then second",
        ),
        ({(2, 4): 2, (3, 1): 2}, (2, 4), "ties go to the smaller ids"),
        ({(1, 2): 1, (3, 4): 1}, None, "a pair that occurs once is not merged"),
        ({}, None, "no pairs, no best pair"),
    ]:
        got = attempt(best_pair, Counter(counts))
        assert got == want, f"best_pair of {counts} gave {got}, not {want}: {because}."
    ### BEGIN HIDDEN TESTS
    words = [row[: challenge.integers(1, 9)] for row in challenge.integers(0, 4, (9, 8)).tolist()]
    counts = count_pairs(words)
    observe("pairs", np.array(sorted((*pair, count) for pair, count in counts.items())))
    for rows in (9, 7, 5):
        observe(f"best of {rows}", str(best_pair(count_pairs(words[:rows]))))
    ### END HIDDEN TESTS


test_count_pairs()

# %% [markdown]
# ## Exercise 2: merge
# *Difficulty 2 of 5 · 16 points · 15 minutes*
#
# Replace each occurrence of the pair by the new id, **from left to right**, and never use a token twice: `aaa` with the pair `(a, a)` becomes `[new, a]`, and `aaaa` becomes `[new, new]`. The given list stays as it was; a new one is returned.
#
# **Predict first:** `aaaaa`?
#
# <details><summary>Hints</summary>
#
# A `for` cannot skip a token: use `while i < len(ids)`, and go on by 2 after a match, by 1 otherwise. Take care at the last token, which has no neighbour.
#
# </details>


# %% nbgrader={"grade_id": "merge", "solution": true}
#| export
def merge(ids: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    """`ids` with each occurrence of `pair`, from the left, replaced: [1, 2, 1, 2, 3] -> [9, 9, 3]."""
    ### BEGIN SOLUTION
    merged, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and ids[i] == pair[0] and ids[i + 1] == pair[1]:
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-merge", "grade": true, "points": 16}
def test_merge():
    """Everywhere, from the left, no token twice, and the given list unchanged."""
    for ids, pair, want, because in [
        ([1, 2, 1, 2, 3], (1, 2), [9, 9, 3], "replace each occurrence"),
        ([3, 1, 2], (1, 2), [3, 9], "the last two tokens are a pair too"),
        ([2, 1], (1, 2), [2, 1], "a pair has an order"),
        ([1, 1, 2], (1, 2), [1, 9], "a first token without its second one stays"),
        ([5, 5, 5], (5, 5), [9, 5], "from left to right, no token twice"),
        ([5, 5, 5, 5], (5, 5), [9, 9], "no token twice"),
        ([1], (1, 1), [1], "a single token has no neighbour"),
        ([], (1, 2), [], "nothing stays nothing"),
    ]:
        given = list(ids)
        got = attempt(merge, given, pair, 9)
        assert got == want, f"merge({ids}, {pair}, 9) gave {got}, not {want}: {because}."
        assert given == ids, f"merge changed the list that it was given to {given}: make a new one."
    ### BEGIN HIDDEN TESTS
    ids, pair = challenge.integers(0, 3, size=60).tolist(), tuple(challenge.integers(0, 3, 2))
    observe("merged", np.array(merge(ids, pair, 9)))
    observe("run", np.array(merge([4] * int(challenge.integers(5, 40)), (4, 4), 5)))
    ### END HIDDEN TESTS


test_merge()

# %% [markdown]
# ## Exercise 3: train
# *Difficulty 2 of 5 · 16 points · 15 minutes*
#
# Count, pick the best pair, merge it everywhere, count again. The first new token gets id 256, the next 257: merge `i` makes token `256 + i`. Training returns the **list of merges in order**, and that list *is* the tokenizer: vocabulary and encoding follow from it.
#
# ```
#  l o w  _ l o w e r  _ l o w e s t      (l, o) 3 times   -> 256 = "lo"
#  256 w  _ 256 w e r  _ 256 w e s t      (256, w) 3 times -> 257 = "low"
#  257    _ 257 e r    _ 257 e s t        (_, 257) and (257, e) 2 times each; _ has the smaller id
# ```
#
# Stop when the vocabulary has `vocab_size` tokens, bytes included, or when there is no best pair any more.
#
# **Predict first:** what does token 258 stand for, and what is merge number four?
#
# <details><summary>Hints</summary>
#
# `for new_id in range(256, vocab_size):` runs as often as needed. Merge in *every* word, and do not change the caller's list.
#
# </details>


# %% nbgrader={"grade_id": "train-naive", "solution": true}
#| export
def train_naive(words: Iterable[Sequence[int]], vocab_size: int) -> list[Pair]:
    """The merges that BPE learns from words of bytes, in order; at most vocab_size - 256."""
    if vocab_size < 256:
        raise ValueError(
            f"vocab_size {vocab_size}: the 256 bytes are always in; ask for 256 or more."
        )
    ### BEGIN SOLUTION
    merges = []
    for new_id in range(256, vocab_size):
        pair = best_pair(count_pairs(words))
        if pair is None:
            break
        words = [merge(word, pair, new_id) for word in words]
        merges.append(pair)
    return merges
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-train-naive", "grade": true, "points": 16}
def test_train_naive():
    """The worked example, the size asked for, a corpus that ends too early, runs of one letter."""
    low = [list(to_bytes(word)) for word in split_words("low lower lowest")]
    before, want = [list(word) for word in low], [(108, 111), (256, 119), (32, 257), (258, 101)]
    got = attempt(train_naive, low, 260)
    assert got == want, f"'low lower lowest' to 260 tokens: {got}, not {want}."
    assert low == before, "train_naive changed the words it was given: work on a copy."
    assert train_naive(low, 256) == [], "256 tokens are the bytes alone: no merge."
    got = train_naive(low, 258)
    assert got == want[:2], f"258 tokens are 2 merges, not {len(got)}: the bytes count too."
    got = train_naive(low, 999)
    assert got == want, f"After 4 merges no pair occurs twice: stop there. Got {got}."
    got = train_naive([[97] * 8, [97] * 8], 300)
    assert got == [(97, 97), (256, 256), (257, 257)], f"aaaaaaaa twice gave {got}: 2, 4, then 8 a."
    got = train_naive([[97, 98]] * 3 + [[99]], 300)
    assert got == [(97, 98)], f"ab ab ab c gave {got}: (b, a) lies over the border of two words."
    said = str(attempt(train_naive, low, 255))
    assert "255" in said, f"255 tokens cannot hold the bytes: keep the given check. Got: {said}"
    ### BEGIN HIDDEN TESTS
    words = [
        row[: challenge.integers(1, 9)] for row in challenge.integers(97, 101, (30, 8)).tolist()
    ]
    observe("merges", np.array(train_naive(words, 256 + int(challenge.integers(8, 12)))))
    observe("until the end", len(train_naive(words[:9], 999)))
    ### END HIDDEN TESTS


test_train_naive()

# %% [markdown]
# ## Exercise 4: encode and decode
# *Difficulty 3 of 5 · 24 points · 30 minutes*
#
# A new word is encoded by **doing again what training did, in the same order**. Of all pairs in the word take the one that was learned *first*, which is the one whose token has the lowest id, merge it, look again, until no pair of the word was ever learned. Merging from left to right whatever is known would give other tokens than the network was trained on.
#
# ```
#  merges   256 = (b, c)   257 = (a, b)        a b c   both pairs are known, 256 is older   ->   a 256
# ```
#
# Back is simpler. `token_bytes` writes down the bytes of every token: a merged token is its left part and its right part. To decode, join the bytes of all tokens **first** and make text of them once: half of an `é` is no text, and two halves in two tokens are.
#
# **Predict first:** the tokens of `lowland`, by the merges of `low lower lowest`?
#
# <details><summary>Hints</summary>
#
# 1. `min(pairs, key=lambda pair: ranks.get(pair, float("inf")))` is the oldest pair; it may be unknown all the same.
# 2. `tokens[left] + tokens[right]`: both are older than the token they make.
# 3. `b"".join(...)`, then `to_text` once.
#
# </details>


# %% nbgrader={"grade_id": "encode-word", "solution": true}
#| export
def encode_word(ids: Sequence[int], ranks: dict[Pair, int]) -> list[int]:
    """The tokens of one word of bytes; `ranks` gives the id that each known pair merges into."""
    ### BEGIN SOLUTION
    ids = list(ids)
    while len(ids) > 1:
        pairs = pairwise(ids)
        oldest = min(pairs, key=lambda pair: ranks.get(pair, float("inf")))
        if oldest not in ranks:
            break
        ids = merge(ids, oldest, ranks[oldest])
    return ids
    ### END SOLUTION


def token_bytes(merges: Iterable[Pair]) -> list[bytes]:
    """The bytes of every token by its id: 256 single bytes, then one entry a merge."""
    ### BEGIN SOLUTION
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens
    ### END SOLUTION


def join_tokens(ids: Iterable[int], tokens: Sequence[bytes] | dict[int, bytes]) -> str:
    """The text of these ids; `tokens` gives the bytes of each."""
    ### BEGIN SOLUTION
    return to_text(b"".join(tokens[i] for i in ids))
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-encode-word", "grade": true, "points": 24}
def test_encode_word():
    """The oldest pair first, bytes of tokens, and text made of all bytes at once."""
    low = {(108, 111): 256, (256, 119): 257, (32, 257): 258, (258, 101): 259}
    older = {(98, 99): 256, (97, 98): 257}
    for text, ranks, want, because in [
        ("low", low, [257], "merges build on merges"),
        (" lowest", low, [259, 115, 116], "merges build on merges"),
        ("lol", low, [256, 108], "what no merge knows stays a byte"),
        ("abc", older, [97, 256], "the pair that was learned first goes first, not the leftmost"),
        ("bcbc", older, [256, 256], "every occurrence is merged"),
        ("aaa", {(97, 97): 256}, [256, 97], "from left to right, no token twice"),
        ("xyz", low, [120, 121, 122], "an unknown word is its bytes"),
        ("", low, [], "an empty word has no tokens"),
    ]:
        got = attempt(encode_word, list(to_bytes(text)), ranks)
        assert got == want, f"{text!r} gave {got}, not {want}: {because}."
    tokens = token_bytes(low)
    assert len(tokens) == 260, f"256 bytes and 4 merges are 260 tokens, not {len(tokens)}."
    assert tokens[200] == b"\xc8", f"Token 200 is the single byte 200, not {tokens[200]}."
    assert tokens[258] == b" low", (
        f"Token 258 is b' low': left part, then right. Not {tokens[258]}."
    )
    split = token_bytes([(195, 169)])
    for ids, want in [
        ([104, 195, 169], "hé"),
        ([104, 256], "hé"),
        ([195, 104], UNKNOWN + "h"),
        ([], ""),
    ]:
        got = attempt(join_tokens, ids, split)
        assert got == want, f"{ids} is {want!r}, not {got!r}: join all bytes, then make text once."
    ### BEGIN HIDDEN TESTS
    words = [
        row[: challenge.integers(2, 9)] for row in challenge.integers(97, 100, (40, 8)).tolist()
    ]
    merges = train_naive(words, 272)
    ranks = {pair: 256 + i for i, pair in enumerate(merges)}
    tokens = token_bytes(merges)
    for i, word in enumerate(challenge.integers(97, 100, (6, 12)).tolist()):
        ids = encode_word(word, ranks)
        observe(f"ids {i}", np.array(ids))
        observe(f"text {i}", join_tokens(ids, tokens))
    observe("lengths", np.array([len(token) for token in tokens]))
    ### END HIDDEN TESTS


test_encode_word()

# %%
merges = train_naive([list(to_bytes(word)) for word in split_words("low lower lowest")], 260)
tokens, ranks = token_bytes(merges), {pair: 256 + i for i, pair in enumerate(merges)}
for text in ["lowest", " lowest", "lowland", " slow", "Löw"]:
    ids = encode_word(list(to_bytes(text)), ranks)
    print(f"{text!r:10} {len(ids)} tokens  ", [tokens[i] for i in ids])

# %% [markdown]
# `lowest` and ` lowest` share no long token: the space is part of the word. A model meets most words with the space before them, and pays for the others.

# %% [markdown]
# ## Exercise 5: GPT-2's merges
# *Difficulty 3 of 5 · 16 points · 30 minutes*
#
# GPT-2's tokenizer is this one, and its merges are public: `merges.txt`, one merge a line, as text. But a byte such as 10, the newline, cannot be shown in a line. So each byte gets a **symbol**: the 188 bytes that print (33 to 126, 161 to 172, 174 to 255) stand for themselves, as `chr(byte)`, and the other 68, in order, get `chr(256)`, `chr(257)`, ... The space, the 33rd of them, becomes `chr(288)`, `Ġ`, which is why GPT-2's tokens look like `Ġthe`.
#
# ```
#  #version: 0.2          first line: no merge
#  Ġ t                    merge 0: bytes 32 and 116
#  h e                    merge 1
#  Ġt he                  merge 2: tokens 256 and 257
#  # #                    a merge like any other
# ```
#
# `parse_merges` turns the lines into pairs of *our* ids: a byte is its own id, merge `i` is `256 + i`. (GPT-2 numbers its tokens in another file; the notebook Tokenization reads it.)
#
# **Predict first:** which symbol has byte 0? And byte 10?
#
# <details><summary>Hints</summary>
#
# Keep a dict from symbols to ids, at first of the 256 bytes; each line `left right` adds `left + right`. Skip the first line if it starts with `#version`, and empty ones; no others.
#
# </details>


# %% nbgrader={"grade_id": "gpt2-files", "solution": true}
#| export
def byte_symbols() -> dict[int, str]:
    """One printable character for each byte, as in GPT-2: 97 -> "a", 32 -> "Ġ"."""
    ### BEGIN SOLUTION
    printing = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printing]
    return {b: chr(b) for b in printing} | {b: chr(256 + i) for i, b in enumerate(others)}
    ### END SOLUTION


def parse_merges(lines: Iterable[str]) -> list[Pair]:
    """The merges in the lines of a merges.txt, as pairs of our ids."""
    ids = {symbol: byte for byte, symbol in byte_symbols().items()}
    merges: list[Pair] = []
    for number, line in enumerate(lines, 1):
        ### BEGIN SOLUTION
        if not line or (number == 1 and line.startswith("#version")):
            continue
        parts = line.split(" ")
        if len(parts) != 2 or any(part not in ids for part in parts):
            raise ValueError(f"Line {number} of the merges, {line!r}, is not two known tokens.")
        ids["".join(parts)] = 256 + len(merges)
        merges.append((ids[parts[0]], ids[parts[1]]))
        ### END SOLUTION
    return merges


# %% nbgrader={"grade_id": "test-gpt2-files", "grade": true, "points": 16}
def test_gpt2_files():
    """256 different symbols that print, the lines of merges.txt, and refusals by line."""
    symbols = byte_symbols()
    assert sorted(symbols) == list(range(256)), "Every byte from 0 to 255 needs a symbol."
    for byte, want in [(97, "a"), (33, "!"), (126, "~"), (172, "¬"), (255, "ÿ"), (0, "Ā"),
                       (10, "Ċ"), (32, "Ġ"), (127, "ġ"), (160, "ł"), (173, "Ń")]:  # fmt: skip
        got = symbols[byte]
        assert got == want, (
            f"Byte {byte} is shown as {want!r}, not {got!r}: do the others in order."
        )
    assert len(set(symbols.values())) == 256, "Two bytes share a symbol."
    head = ["#version: 0.2", "Ġ t", "h e", "Ġt he", "# #", "## ##", ""]
    want = [(32, 116), (104, 101), (256, 257), (35, 35), (259, 259)]
    got = attempt(parse_merges, head)
    assert got == want, f"{head} are the merges {want}, not {got}."
    got = attempt(parse_merges, head[1:3])
    assert got == want[:2], f"Without a version line the first line is a merge; got {got}."
    for lines, place in [(["a b", "ab cd"], 2), (["#version: 0.2", "a b c"], 2), (["a b", "c"], 2)]:
        said = str(attempt(parse_merges, lines))
        is_own = said.startswith("ValueError") and str(place) in said
        assert is_own, f"{lines}: a ValueError that names line {place}. Got: {said}"
    ### BEGIN HIDDEN TESTS
    some = challenge.permutation(256)
    observe("symbols", "".join(symbols[int(byte)] for byte in some))
    lines, last = [], symbols[int(some[0])]
    for byte in some[1:9].tolist():
        lines.append(f"{last} {symbols[byte]}")
        last += symbols[byte]
    observe("merges", np.array(parse_merges(["#version: 0.2", *lines])))
    ### END HIDDEN TESTS


test_gpt2_files()

# %% [markdown]
# ## All together
# *10 points.*


# %% nbgrader={"grade_id": "test-merges", "grade": true, "points": 10}
def test_merges():
    """Train on text, encode other text, and get every byte back."""
    text = "she sells sea shells by the sea shore; the shells she sells are sea shells"
    merges = train_naive([list(to_bytes(word)) for word in split_words(text)], 280)
    ranks, tokens = {pair: 256 + i for i, pair in enumerate(merges)}, token_bytes(merges)

    def encode(text):
        return [i for word in split_words(text) for i in encode_word(list(to_bytes(word)), ranks)]

    assert tokens[256] == b" s", (
        f"The first merge is b' s', 10 times, not {tokens[256]}: count again."
    )
    short, long = len(encode(text)), len(to_bytes(text))
    assert 3 * short < 2 * long, (
        f"{long} bytes became {short} tokens: training should save a third."
    )
    for other in (text, "sheep shed", "naïve 日本 👋\n\t", ""):
        got = join_tokens(encode(other), tokens)
        assert got == other, f"{other!r} came back as {got!r}."
    pairs = [set(pairwise(word)) for word in map(encode, split_words(text))]
    left = set().union(*pairs) & set(merges)
    assert not left, f"These pairs were learned and are still there after encoding: {left}."
    ### BEGIN HIDDEN TESTS
    drawn = " ".join("".join(map(chr, row)) for row in challenge.integers(0xE0, 0xE4, (40, 4)))
    merges = train_naive([list(to_bytes(word)) for word in split_words(drawn)], 275)
    ranks, tokens = {pair: 256 + i for i, pair in enumerate(merges)}, token_bytes(merges)
    ids = encode(drawn[3:90])
    observe("merges", np.array(merges))
    observe("ids", np.array(ids))
    observe("text", join_tokens(ids, tokens))
    ### END HIDDEN TESTS


test_merges()

# %% [markdown]
# ## Measure it: what a merge saves, and what training costs
#
# 20,000 characters of the language reference, 120 merges, and the length of the whole text after each. **Predict first:** is the hundredth merge worth as much as the first?

# %%
corpus = "\n".join(topics.values())
words = [list(to_bytes(word)) for word in split_words(corpus[:20_000])]
started = timeit.default_timer()
merges = train_naive(words, 256 + 120)
seconds = timeit.default_timer() - started
lengths = [sum(map(len, words))]
for new_id, pair in enumerate(merges, 256):
    words = [merge(word, pair, new_id) for word in words]
    lengths.append(sum(map(len, words)))
tokens = token_bytes(merges)
fig, ax = plt.subplots()
ax.plot(lengths)
for i in (0, 8, 20, 60):
    ax.annotate(
        repr(tokens[256 + i])[1:],
        (i + 1, lengths[i + 1]),
        xytext=(12, 4),
        textcoords="offset points",
        fontsize=8,
    )
ax.set(xlabel="merges", ylabel="tokens of the text", ylim=(0, None))
ax.set_title(
    f"{len(merges)} merges make the text {1 - lengths[-1] / lengths[0]:.0%} shorter, and the first ones the most"
)
plt.show()
print(
    f"{seconds:.1f} s, and each of the {len(merges)} merges went through all {len(words):,} words."
)

# %% [markdown]
# The first merges save hundreds of tokens each, the last ones a few. And training is slow: each merge looks at the whole corpus twice, to count and to replace, although a pair occurs in few of its words. For 1 MB and 4,096 tokens that makes 50 times the text and 32 times the merges. The next notebook asks each merge to look only where something changes.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. A BPE vocabulary has 50,257 tokens, one of them a special sign. How many merges were learned?
# 2. In how many tokens does `aaaaaaa` (seven) end when `(a, a)` and then `(256, 256)` were learned?
# 3. Two tokens, `[195]` and `[169]`, are decoded one by one and joined. What comes out, and what should?
#
# <details><summary>Answers</summary>
#
# 1. 50,257 - 256 - 1 = 50,000.
# 2. Three: 256 256 256 a, then 257 256 a.
# 3. Two replacement characters in place of one `é`.
#
# </details>

# %%
print("1.", 50_257 - 256 - 1)
print("2.", encode_word([97] * 7, {(97, 97): 256, (256, 256): 257}))
print("3.", to_text(b"\xc3") + to_text(b"\xa9"), "and", to_text(b"\xc3\xa9"))

# %% [markdown]
# ## Recap
#
# 1. BPE: count the pairs within words, merge the most frequent, repeat; ties by a rule.
# 2. The list of merges is the tokenizer; merge i makes token 256 + i.
# 3. Merging goes from left to right and uses no token twice.
# 4. Encoding does the merges again, oldest first.
# 5. Decoding joins bytes, then makes text once.
#
# ## Further reading
#
# - P. Gage, "A new algorithm for data compression", *The C Users Journal* 12 (1994): the idea, as compression.
# - R. Sennrich, B. Haddow, A. Birch, "Neural machine translation of rare words with subword units", *ACL* (2016): the idea, for words: <https://arxiv.org/abs/1508.07909>
# - A. Radford and others, "Language models are unsupervised multitask learners" (2019), section 2.2: bytes and word borders in GPT-2.
# - V. Zouhar and others, "A formal perspective on byte-pair encoding", *Findings of ACL* (2023): what the greedy choice gives up, and a faster training: <https://arxiv.org/abs/2306.16837>
#
# **Next:** run `tito module complete 10` in a terminal, then the notebook Pairs: the same merges, many times as fast.
