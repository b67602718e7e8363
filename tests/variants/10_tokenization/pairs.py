"""Wrong answers to the notebook Pairs, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 index_pairs
_index = _wrong("index-pairs")
_ADD = "counts[pair] += weight"
_NOTE = "places[pair].add(number)"
INDEX = [
    _index("forgets-the-weights", _ADD, "counts[pair] += 1", "as often as it occurs"),
    _index("overwrites", _ADD, "counts[pair] = weight", "as often as it occurs"),
    _index("multiplies", _ADD, "counts[pair] = max(1, counts[pair]) * weight",
        "as often as it occurs"),
    _index("once-a-word", "in pairwise(word):", "in set(pairwise(word)):", "aaa holds two pairs"),
    _index("in-any-order", "in pairwise(word):", "in map(tuple, map(sorted, pairwise(word))):",
        "the shape of `counts` differs"),
    _index("notes-nothing", _NOTE, "pass", "note their numbers"),
    _index("keeps-the-last-place", _NOTE, "places[pair] = {number}", "note their numbers"),
    _index("notes-the-weight", _NOTE, "places[pair].add(weight)", "note their numbers"),
    _index("counts-places-from-one", _NOTE, "places[pair].add(number + 1)", "note their numbers"),
    _index("over-borders", _ADD,
        "counts[pair] += weight\n            counts[word[-1], words[0][0]] += weight",
        "no pair reaches over the border"),
]

# --- 2 train_merges
_train = _wrong("train-merges")
_STALE = """if counts[pair] != -negative:
            continue  # stale: a newer entry has the true count
        """
_PUSH = """if change:
                counts[changed] += change
                heappush(heap, (-counts[changed], changed))"""
_COME = "changes[come] += weights[number]\n                places[come].add(number)"
TRAIN = [
    _train("takes-stale-entries", _STALE, "", "gave"),
    _train("pushes-no-falls", _PUSH, """if change:
                counts[changed] += change
                if change > 0:
                    heappush(heap, (-counts[changed], changed))""", "train_naive at merge"),
    _train("pushes-nothing", _PUSH, "counts[changed] += change", "gave"),
    _train("takes-off-one", "changes[gone] -= weights[number]", "changes[gone] -= 1", "gave"),
    _train("adds-without-weight", "changes[come] += weights[number]", "changes[come] += 1", "gave"),
    _train("subtracts-nothing", "changes[gone] -= weights[number]", "pass", "gave"),
    _train("off-by-one-id", "256 + len(merges)", "257 + len(merges)", "not [(108"),
    _train("notes-no-new-places", _COME, "changes[come] += weights[number]", "gave"),
    _train("merges-what-occurs-once", "if counts[pair] < 2:", "if counts[pair] < 1:", "gave"),
    _train("wants-three", "if counts[pair] < 2:", "if counts[pair] < 3:", "gave"),
    _train("ties-go-to-the-larger", "heap = [(-count, pair) for pair, count in counts.items()]",
        "heap = [(-count, pair) for pair, count in counts.items()]\n"
        "    heap.sort(key=lambda entry: (entry[0], [-i for i in entry[1]]))\n"
        "    heap = [(n, (r, l)) for n, (l, r) in heap]", "gave"),
    _train("the-largest-last", "heap = [(-count, pair)", "heap = [(count, pair)", "gave"),
    _train("one-word-only", "for number in places.pop(pair):",
        "for number in [places.pop(pair).pop()]:", "gave"),
    _train("looks-at-every-word", "for number in places.pop(pair):",
        "for number in range(len(words)):", "touch only"),
    _train("counts-all-again", "merges.append(pair)\n        for changed", """merges.append(pair)
        counts, places = index_pairs(words, weights)
        heap = [(-count, pair) for pair, count in counts.items()]
        heapify(heap)
        changes = {}
        for changed""", "touch only"),
]

# --- 3 encode_long
_long = _wrong("encode-long")
_CHECK = "if j == end or ranks.get((ids[i], ids[j])) != new_id:"
_WRITE = "ids[i], ids[j] = new_id, None"
_LINK = "after[i] = after[j]\n        if after[i] < end:\n            before[after[i]] = i"
_SIDES = "((before[i], i), (i, after[i]))"
LONG = [
    _long("merges-stale-entries", _CHECK, "if j == end or None in (ids[i], ids[j]):", "gave"),
    _long("forgets-the-end", _CHECK, "if ranks.get((ids[i], ids[j])) != new_id:", "IndexError"),
    _long("keeps-both", _WRITE, "ids[i] = new_id", "gave"),
    _long("writes-to-the-right", _WRITE, "ids[i], ids[j] = None, new_id", "gave"),
    _long("links-nothing", _LINK, "pass", "gave"),
    _long("links-one-way", _LINK, "after[i] = after[j]", "gave"),
    _long("no-left-pairs", _SIDES, "((i, after[i]),)", "and a left one"),
    _long("no-right-pairs", _SIDES, "((before[i], i),)", "a right neighbour"),
    _long("neighbours-by-place", _SIDES, "((i - 1, i), (i, i + 1))", "gave"),
    _long("place-of-the-right-token", "ids[right]], left))", "ids[right]], right))", "gave"),
    _long("newest-first", "new_id, i = heappop(heap)",
        "heap.sort()\n        new_id, i = heap.pop()", "gave"),
    _long("merges-once", "for left, right in " + _SIDES + ":", "for left, right in ():", "gave"),
    _long("the-slow-way", "heapify(heap)", "return encode_word(ids, ranks)", "go by the heap"),
]

MUTANTS = [*INDEX, *TRAIN, *LONG]

# Right answers, three or more to an exercise.
_WORDS = "for number, (word, weight) in enumerate(zip(words, weights, strict=True)):"

ALTERNATIVES = [
    Alternative("by-index", "index-pairs", _WORDS, """for number in range(len(words)):
        word, weight = words[number], weights[number]"""),
    Alternative("counts-then-places", "index-pairs", _WORDS,
        """for number, word in enumerate(words):
        here = Counter(pairwise(word))
        for pair, times in here.items():
            counts[pair] += times * weights[number]
            places[pair] |= {number}
    for number, (word, weight) in []:"""),
    Alternative("zip-of-slices", "index-pairs", "in pairwise(word):",
        "in zip(word, word[1:], strict=False):"),
    Alternative("push-at-once", "train-merges", _PUSH, """counts[changed] += change
            heappush(heap, (-counts[changed], changed))"""),
    Alternative("no-empty-entries", "train-merges", _PUSH, """counts[changed] += change
            if counts[changed] > 1 and change:
                heappush(heap, (-counts[changed], changed))"""),
    Alternative("copy-of-places", "train-merges", "for number in places.pop(pair):",
        "for number in sorted(places[pair]):"),
    Alternative("subtract-counters", "train-merges",
        "for gone in pairwise(old):\n                changes[gone] -= weights[number]",
        "changes.subtract({p: n * weights[number] for p, n in Counter(pairwise(old)).items()})"),
    Alternative("two-checks", "encode-long", _CHECK,
        """if j >= end or ids[i] is None or ids[j] is None:
            continue
        if (ids[i], ids[j]) not in ranks or ranks[ids[i], ids[j]] != new_id:"""),
    Alternative("link-first", "encode-long", _LINK, """nxt = after[j]
        if nxt != end:
            before[nxt] = i
        after[i] = nxt"""),
    Alternative("two-pushes", "encode-long", "for left, right in " + _SIDES + ":",
        """h, k = before[i], after[i]
        if h != -1 and (new := ranks.get((ids[h], ids[i]))):
            heappush(heap, (new, h))
        if k != end and (new := ranks.get((ids[i], ids[k]))):
            heappush(heap, (new, i))
        for left, right in ():"""),
]
