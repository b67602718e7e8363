# %% [markdown]
# # Pairs
#
# > The same merges and the same tokens, many times as fast: look only where something changes.
#
# **The question of this notebook:** what must change so that training takes a second for a megabyte, without changing one token?
#
# Difficulty 4 of 5 · about 2 hours · 3 exercises and a test over the notebook, 100 points · prerequisites: the notebook Merges, `heapq`.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `count_words`, `merge`, the naive training and encoding | an index of pairs, training with a heap, encoding with a heap and a linked list | the tokenizer as an object, files (notebook Tokenization) |
#
# This is the third of the four notebooks of module 10, and it ends up in `tinytorch/core/pairs.py`. It imports the two before it from your package: `tito module complete 10`, in a terminal, puts them there. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.pairs

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
from collections import Counter, defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from tinytorch.core.characters import count_words, split_words, to_bytes
from tinytorch.core.merges import Pair, count_pairs, encode_word, merge, train_naive

# %% [markdown]
# ## Exercise 1: who holds which pair
# *Difficulty 2 of 5 · 25 points · 15 minutes*
#
# The naive training goes through the whole corpus at each merge. Two facts save nearly all of that:
#
# 1. **Words repeat.** Work on each distinct word once, and let it count as often as it occurs.
# 2. **A merge changes few words.** Remember for each pair which words hold it, and look at no others.
#
# `index_pairs` prepares both, once: the count of each pair, weighted, and the *places*, the set of the numbers of the words that hold it.
#
# ```
#  words   0: l o w  (x 5)      1: l o t  (x 2)
#  counts  (l, o) 7   (o, w) 5   (o, t) 2         places  (l, o) {0, 1}   (o, w) {0}   (o, t) {1}
# ```
#
# **Predict first:** the word `aaa` occurs 4 times. What is the count of `(a, a)`?


# %% nbgrader={"grade_id": "index-pairs", "solution": true}
#| export
def index_pairs(
    words: Sequence[Sequence[int]], weights: Sequence[int]
) -> tuple[Counter[Pair], defaultdict[Pair, set[int]]]:
    """Count of each pair, words weighted, and the set of the numbers of the words that hold it."""
    counts, places = Counter(), defaultdict(set)
    ### BEGIN SOLUTION
    for number, (word, weight) in enumerate(zip(words, weights, strict=True)):
        for pair in pairwise(word):
            counts[pair] += weight
            places[pair].add(number)
    ### END SOLUTION
    return counts, places


# %% nbgrader={"grade_id": "test-index-pairs", "grade": true, "points": 25}
def test_index_pairs():
    """Weighted counts, also of runs, equal to counting each occurrence; sets of places."""
    words = [[1, 2, 3], [1, 2, 4], [5, 5, 5], [7], []]
    counts, places = index_pairs(words, [5, 2, 4, 9, 1])
    for pair, want, because in [
        ((1, 2), 7, "each word counts as often as it occurs"),
        ((2, 4), 2, "each word counts as often as it occurs"),
        ((5, 5), 8, "aaa holds two pairs, and 4 of it 8"),
        ((3, 1), 0, "no pair reaches over the border of two words"),
    ]:
        assert counts[pair] == want, f"{pair} counts {want}, not {counts[pair]}: {because}."
    for pair, want in [((1, 2), {0, 1}), ((2, 4), {1}), ((5, 5), {2})]:
        got = set(places[pair])
        assert got == want, f"{pair} stands in the words {want}, not {got}: note their numbers."
    slow = count_pairs([word for word in words for _ in range(3)])
    assert +index_pairs(words, [3] * 5)[0] == slow, f"Three of each word: count_pairs says {slow}."
    ### BEGIN HIDDEN TESTS
    words = [row[: challenge.integers(1, 8)] for row in challenge.integers(0, 4, (9, 8)).tolist()]
    counts, places = index_pairs(words, challenge.integers(1, 9, 9).tolist())
    observe("counts", np.array(sorted((*pair, count) for pair, count in counts.items() if count)))
    observe("places", str(sorted((pair, sorted(held)) for pair, held in places.items() if held)))
    ### END HIDDEN TESTS


test_index_pairs()

# %% [markdown]
# ## Exercise 2: train on what changes
# *Difficulty 4 of 5 · 35 points · 40 minutes*
#
# One merge now: take the words in `places[pair]`, and for each subtract its old pairs from the counts, merge, and add its new pairs. In `l o w e r` with `(l, o)` merged, `(l, o)` and `(o, w)` lose the word's weight, `(256, w)` gains it, `(w, e)` loses and gains.
#
# Which pair is the best now? Going through all counts is slow again. A **heap** gives the smallest of its entries in log n steps. Entries are `(-count, pair)`: the highest count comes first, and of equal counts the smaller pair, which is our rule for ties. Counts change, and an entry deep in a heap cannot be found. So leave it: push a new entry whenever a count changes, and when an entry comes out whose count is **no longer true**, drop it.
#
# **Predict first:** the count of a pair *falls* from 9 to 7. What goes wrong if nothing is pushed then?
#
# <details><summary>Hints</summary>
#
# 1. The entry `(-n, pair)` is stale when `counts[pair] != n`. Stop when a true entry has `n < 2`, as `best_pair` does.
# 2. Collect what changes over all words of a merge in a `Counter`, and push once for each pair that changed.
# 3. `places.pop(pair)` gives the words and lets you add to `places` while you go through them. A word that no longer holds a pair may stay in its places: merging there changes nothing.
#
# </details>


# %% nbgrader={"grade_id": "train-merges", "solution": true}
#| export
def check_vocab_size(vocab_size: int) -> int:
    """`vocab_size`, unless it cannot hold the 256 bytes."""
    if isinstance(vocab_size, bool) or not isinstance(vocab_size, int) or vocab_size < 256:
        raise ValueError(f"vocab_size {vocab_size!r}: the 256 bytes are in; ask for 256 or more.")
    return vocab_size


def train_merges(word_counts: Counter[bytes], vocab_size: int) -> list[Pair]:
    """The merges that train_naive learns, touching only the words that change."""
    words, weights = [list(word) for word in word_counts], list(word_counts.values())
    counts, places = index_pairs(words, weights)
    heap = [(-count, pair) for pair, count in counts.items()]
    heapify(heap)
    limit, merges = check_vocab_size(vocab_size) - 256, []
    while heap and len(merges) < limit:
        ### BEGIN SOLUTION
        negative, pair = heappop(heap)
        if counts[pair] != -negative:
            continue  # stale: a newer entry has the true count
        if counts[pair] < 2:
            break
        changes = Counter()
        for number in places.pop(pair):
            old = words[number]
            words[number] = new = merge(old, pair, 256 + len(merges))
            for gone in pairwise(old):
                changes[gone] -= weights[number]
            for come in pairwise(new):
                changes[come] += weights[number]
                places[come].add(number)
        merges.append(pair)
        for changed, change in changes.items():
            if change:
                counts[changed] += change
                heappush(heap, (-counts[changed], changed))
        ### END SOLUTION
    return merges


# %% nbgrader={"grade_id": "test-train-merges", "grade": true, "points": 35}
def naive_of(word_counts, vocab_size):
    """train_naive on a corpus in which each word stands as often as it occurs."""
    words = [list(word) for word, count in word_counts.items() for _ in range(count)]
    return train_naive(words, vocab_size)


def test_train_merges():
    """By hand, then merge by merge as the naive training, and many times as fast."""
    low = count_words("low lower lowest")
    got, want = attempt(train_merges, low, 999), [(108, 111), (256, 119), (32, 257), (258, 101)]
    assert got == want, f"'low lower lowest' gave {got}, not {want}."
    assert train_merges(low, 257) == want[:1], "257 tokens are one merge."
    got = attempt(train_merges, Counter({b"a" * 8: 2}), 300)
    assert got == [(97, 97), (256, 256), (257, 257)], f"aaaaaaaa twice gave {got}: 2, 4, then 8 a."
    assert train_merges(Counter({b"ab": 1}), 300) == [], "A pair that occurs once is not merged."
    assert train_merges(Counter({b"ab": 2}), 300) == [(97, 98)], "A word that occurs twice counts."
    assert train_merges(Counter(), 300) == [], "No words, no merges."
    generator = np.random.default_rng(3)
    for letters in (1, 2, 3, 5):
        rows = generator.integers(97, 97 + letters, (40, 9)).tolist()
        words = Counter(bytes(row[: generator.integers(1, 10)]) for row in rows)
        before, got, want = Counter(words), attempt(train_merges, words, 330), naive_of(words, 330)
        same = [i for i, (a, b) in enumerate(zip(got, want, strict=False)) if a != b]
        assert got == want, (
            f"{letters} letters: unlike train_naive at merge {(same or ['the last'])[0]}."
        )
        assert words == before, "train_merges changed the counts that it was given: copy them."
    words = Counter(bytes(row) for row in generator.integers(97, 123, (1000, 8)).tolist())
    fast, slow = seconds(lambda: train_merges(words, 306)), seconds(lambda: naive_of(words, 306))
    assert 2 * fast < slow, (
        f"{fast:.2f} s, the naive training {slow:.2f} s: touch only what changes."
    )
    ### BEGIN HIDDEN TESTS
    drawn = challenge.integers(97, 97 + challenge.integers(2, 6), (60, 9)).tolist()
    words = Counter(bytes(row[: challenge.integers(2, 10)]) for row in drawn)
    observe("merges", np.array(train_merges(words, 256 + int(challenge.integers(12, 16)))))
    observe("until the end", len(train_merges(words, 999)))
    ### END HIDDEN TESTS


test_train_merges()

# %%
corpus = "\n".join(topics.values())
sizes = [5000, 10_000, 20_000, 40_000]
times = {"naive": [], "incremental": []}
for size in sizes:
    words = count_words(corpus[:size])
    times["naive"].append(min(timeit.repeat(lambda w=words: naive_of(w, 286), number=1, repeat=1)))
    times["incremental"].append(seconds(lambda w=words: train_merges(w, 286)))
for (name, series), style in zip(times.items(), ["s--", "o-"], strict=True):
    plt.loglog(sizes, series, style, label=name)
plt.gca().set(xlabel="characters of text", ylabel="seconds for 30 merges")
plt.title(f"The same 30 merges, {times['naive'][-1] / times['incremental'][-1]:.0f} times as fast")
plt.legend()
plt.show()

# %% [markdown]
# ## Exercise 3: a word as long as a book
# *Difficulty 4 of 5 · 30 points · 40 minutes*
#
# `encode_word` goes through the word once for each merge it makes. Words are short, so that costs nothing. But a text without spaces, such as a genome, is *one* word of a million bytes. The cure is the same: a heap that says which merge is next, and stale entries that are dropped.
#
# The entries are `(new_id, place)`: the oldest merge comes first, and of equal ones the leftmost. Removing a token from the middle of a Python list moves all tokens behind it, so nothing is removed: the tokens form a **linked list**. `after[i]` is the place of the token after the one at `i`, `before[i]` of the one before it, and a token that was swallowed is None.
#
# ```
#  merge (a, b) at place 1        ids     x  a  b  c        x 256  None  c
#                                 after   1  2  3  4        1   3    .   4        (4 is the end)
#                                 before -1  0  1  2       -1   0    .   1
# ```
#
# Only two pairs are new then: the one on the left of the new token and the one on its right.
#
# **Predict first:** an entry `(256, 1)` comes out of the heap. By what do you see that it is stale?
#
# <details><summary>Hints</summary>
#
# 1. True is an entry only if `ids[i]` and its right neighbour's id still merge into `new_id`; a swallowed place holds None, and no pair has a None.
# 2. Write the new id at the left place, None at the right one, and let the links jump over it. The last token has `end` after it.
# 3. Push the pairs `(before[i], i)` and `(i, after[i])`, when both places exist and `ranks` knows the pair. An entry carries the place of its *left* token.
#
# </details>


# %% nbgrader={"grade_id": "encode-long", "solution": true}
#| export
def encode_long(ids: Sequence[int], ranks: dict[Pair, int]) -> list[int]:
    """What encode_word returns, in n log n steps: for words of any length."""
    ids, end = list(ids), len(ids)
    before, after = list(range(-1, end - 1)), list(range(1, end + 1))
    heap = [(ranks[p], i) for i, p in enumerate(pairwise(ids)) if p in ranks]
    heapify(heap)
    while heap:
        new_id, i = heappop(heap)
        j = after[i]
        ### BEGIN SOLUTION
        if j == end or ranks.get((ids[i], ids[j])) != new_id:
            continue  # stale: a token here has been merged since
        ids[i], ids[j] = new_id, None
        after[i] = after[j]
        if after[i] < end:
            before[after[i]] = i
        for left, right in ((before[i], i), (i, after[i])):
            if left >= 0 and right < end and (ids[left], ids[right]) in ranks:
                heappush(heap, (ranks[ids[left], ids[right]], left))
        ### END SOLUTION
    return [token for token in ids if token is not None]


# %% nbgrader={"grade_id": "test-encode-long", "grade": true, "points": 30}
def test_encode_long():
    """By hand, then token by token as encode_word, and fast where that one is slow."""
    older = {(98, 99): 256, (97, 98): 257}
    for text, ranks, want, because in [
        ("xabc", {(97, 98): 256}, [120, 256, 99], "one merge in the middle"),
        ("ab", {(97, 98): 256}, [256], "the last token has no right neighbour"),
        ("abc", older, [97, 256], "the oldest merge goes first"),
        ("abcd", {(97, 98): 256, (256, 99): 257}, [257, 100], "a new token has a right neighbour"),
        ("xyab", {(97, 98): 256, (121, 256): 257, (120, 257): 258}, [258], "and a left one"),
        ("aaaaa", {(97, 97): 256}, [256, 256, 97], "from left to right, no token twice"),
        ("aaaaa", {(97, 97): 256, (256, 256): 257}, [257, 97], "links jump over swallowed tokens"),
        ("xyz", older, [120, 121, 122], "what no merge knows stays a byte"),
        ("", older, [], "an empty word has no tokens"),
    ]:
        got = attempt(encode_long, list(to_bytes(text)), ranks)
        assert got == want, f"{text!r} with {ranks} gave {got}, not {want}: {because}."
    generator = np.random.default_rng(5)
    for letters in (1, 2, 3, 5):
        words = generator.integers(97, 97 + letters, (20, 30)).tolist()
        ranks = {pair: i for i, pair in enumerate(train_naive(words, 300), 256)}
        for word in words:
            got, want = attempt(encode_long, word[2:], ranks), encode_word(word[2:], ranks)
            assert got == want, f"{bytes(word[2:])} gave {got}, encode_word says {want}."
    genome = generator.integers(97, 101, 8000).tolist()
    pieces = Counter(bytes(genome[i : i + 40]) for i in range(0, 8000, 40))
    ranks = {pair: i for i, pair in enumerate(train_merges(pieces, 556), 256)}
    fast, slow = (seconds(lambda f=f: f(genome, ranks)) for f in (encode_long, encode_word))
    assert 2 * fast < slow, f"{fast:.2f} s, encode_word {slow:.2f} s: go by the heap, once."
    ### BEGIN HIDDEN TESTS
    words = challenge.integers(97, 97 + challenge.integers(2, 5), (20, 30)).tolist()
    ranks = {pair: i for i, pair in enumerate(train_naive(words, 290), 256)}
    for i, word in enumerate(words[:4]):
        observe(f"ids {i}", np.array(encode_long(word[int(challenge.integers(0, 6)) :], ranks)))
    ### END HIDDEN TESTS


test_encode_long()

# %%
genome = "".join(np.random.default_rng(1).choice(list("acgt"), size=16_000))
pieces = [genome[i : i + 40] for i in range(0, len(genome), 40)]
ranks = {pair: i for i, pair in enumerate(train_merges(count_words(pieces), 756), 256)}
lengths = [2000, 4000, 8000, 16_000]
spent = []
for name, encode, style in [
    ("encode_word", encode_word, "s--"),
    ("encode_long", encode_long, "o-"),
]:
    times = [seconds(lambda n=n, f=encode: f(to_bytes(genome[:n]), ranks)) for n in lengths]
    plt.loglog(lengths, times, style, label=name)
    spent.append(times[-1])
plt.gca().set(xlabel="bytes of the one word", ylabel="seconds")
plt.title(
    f"{lengths[-1]:,} bytes without a space: the heap is {spent[0] / spent[1]:.0f} times as fast"
)
plt.legend()
plt.show()

# %% [markdown]
# ## All together
# *10 points.*


# %% nbgrader={"grade_id": "test-pairs", "grade": true, "points": 10}
def test_pairs():
    """Trained and encoded the fast way and the naive way: the same merges, the same tokens."""
    text = "she sells sea shells by the sea shore; the shells she sells are sea shells 日本日本"
    merges, want = train_merges(count_words(text), 300), naive_of(count_words(text), 300)
    assert merges == want, f"The naive training learns {want}, yours {merges}."
    ranks = {pair: new_id for new_id, pair in enumerate(merges, 256)}
    for word in split_words(text + " shellshore's 日日"):
        data = to_bytes(word)
        got, want = encode_long(data, ranks), encode_word(data, ranks)
        assert got == want, f"{word!r}: the naive way gives {want}, yours {got}."
    ### BEGIN HIDDEN TESTS
    drawn = " ".join("".join(map(chr, row)) for row in challenge.integers(0xE0, 0xE4, (40, 5)))
    merges = train_merges(count_words(drawn), 280)
    ranks = {pair: new_id for new_id, pair in enumerate(merges, 256)}
    observe("merges", np.array(merges))
    observe("ids", np.array(encode_long(to_bytes(drawn), ranks)))
    ### END HIDDEN TESTS


test_pairs()

# %% [markdown]
# ## Measure it: how few words a merge touches
#
# The language reference, 2,000 merges: in how many of its distinct words does each stand? **Predict first:** the first merge? The last?

# %%
words = count_words(corpus)
started = timeit.default_timer()
merges = train_merges(words, 2256)
spent = timeit.default_timer() - started
held = [list(word) for word in words]
counts, places = index_pairs(held, list(words.values()))
touched = []
for new_id, pair in enumerate(merges, 256):
    numbers = [n for n in places[pair] if pair in pairwise(held[n])]
    touched.append(len(numbers))
    for n in numbers:
        held[n] = merge(held[n], pair, new_id)
        for new_pair in pairwise(held[n]):
            places[new_pair].add(n)
plt.loglog(range(1, len(touched) + 1), touched, ".", ms=3)
plt.axhline(len(words), ls=":", color="gray", label="all distinct words")
plt.gca().set(xlabel="merge", ylabel="words that hold the pair")
plt.title(f"A merge touches {np.mean(touched):.0f} of {len(words):,} words on average")
plt.legend()
plt.show()
print(f"{len(merges):,} merges of {len(corpus):,} characters in {spent:.1f} s")

# %% [markdown]
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. A pair's count falls from 9 to 7 and then rises to 8. How many entries of it were pushed, and how many are true?
# 2. A word of a million bytes, 2,000 different merges in it: how many steps has `encode_word` at worst, and a heap about?
# 3. `places` keeps words that hold a pair no longer. Why does that change no merge?
#
# <details><summary>Answers</summary>
#
# 1. Three, of which one is true, `(-8, pair)`.
# 2. 2 thousand million; about 20 million (a million entries, 20 levels of the heap).
# 3. `merge` finds nothing there: the pairs that are subtracted are added again.
#
# </details>

# %%
print("1.", [(-9, "stale"), (-7, "stale"), (-8, "true")])
print("2.", f"{1_000_000 * 2000:,} against {1_000_000 * int(np.log2(1_000_000) + 1):,}")

# %% [markdown]
# ## Recap
#
# 1. Distinct words, weighted, are all that training needs.
# 2. An index says where a pair stands; a merge looks at no other word.
# 3. A heap finds the best pair; push on every change, down as well as up, and drop what is stale.
# 4. A linked list joins two tokens without moving the others.
# 5. The slow version stays: it is what the fast one is tested against.
#
# ## Further reading
#
# - V. Zouhar and others, "A formal perspective on byte-pair encoding", *Findings of ACL* (2023): training in n log m: <https://arxiv.org/abs/2306.16837>
# - N. J. Larsson, A. Moffat, "Off-line dictionary-based compression", *Proceedings of the IEEE* 88 (2000): Re-Pair, where these tricks come from.
# - Python documentation, "heapq", section on priority queues: stale entries: <https://docs.python.org/3/library/heapq.html>
#
# **Next:** `tito module complete 10` once more, then the notebook Tokenization makes an object of all this.
