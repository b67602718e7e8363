"""Wrong answers to the notebook Merges, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 count_pairs, best_pair
_count = _wrong("count-pairs")
_UPDATE = "counts.update(pairwise(word))"
_LOOP = f"for word in words:\n        {_UPDATE}"
_KEY = "lambda pair: (-counts[pair], pair)"
_TWICE = "return best if best is not None and counts[best] > 1 else None"
COUNT = [
    _count("over-borders", _LOOP, "counts.update(pairwise([i for word in words for i in word]))",
        "reaches over the border"),
    _count("sorted-pairs", _UPDATE, "counts.update((min(p), max(p)) for p in pairwise(word))",
        "a pair has an order"),
    _count("no-overlap", _UPDATE, "counts.update(zip(word[::2], word[1::2], strict=False))",
        "a pair has an order"),
    _count("once-a-word", _UPDATE, "counts.update(set(pairwise(word)))",
        "two neighbours are equal"),
    _count("forgets-earlier-words", _UPDATE, "counts = Counter(pairwise(word))",
        "reaches over the border"),
    _count("counts-single-ids", _UPDATE, "counts.update(word)", "a pair has an order"),
    _count("first-and-last", _UPDATE, "counts.update(zip(word, word[2:], strict=False))",
        "a pair has an order"),
    _count("rarest", _KEY, "lambda pair: (counts[pair], pair)", "the highest count wins"),
    _count("ties-as-they-come", _KEY, "lambda pair: -counts[pair]", "ties go to the smaller ids"),
    _count("ties-go-to-the-larger",
        "min(counts, key=lambda pair: (-counts[pair], pair), default=None)",
        "max(counts, key=lambda pair: (counts[pair], pair), default=None)",
        "ties go to the smaller ids"),
    _count("ties-by-the-second", _KEY, "lambda pair: (-counts[pair], pair[1], pair[0])",
        "ties go to the smaller ids"),
    _count("smallest-pair", _KEY, "lambda pair: pair", "the highest count wins"),
    _count("merges-what-occurs-once", _TWICE, "return best", "occurs once is not merged"),
    _count("wants-three", "counts[best] > 1", "counts[best] > 2", "ties go to the smaller ids"),
    _count("fails-on-nothing", ", default=None)", ")", "no pairs, no best pair"),
]

# --- 2 merge
_merge = _wrong("merge")
_MATCH = "if i + 1 < len(ids) and ids[i] == pair[0] and ids[i + 1] == pair[1]:"
MERGE = [
    _merge("uses-tokens-twice", "i += 2", "i += 1", "replace each occurrence"),
    _merge("first-only", "i += 2", "return [*merged, *ids[i + 2 :]]",
        "replace each occurrence"),
    _merge("drops-the-last", "while i < len(ids):", "while i + 1 < len(ids):",
        "replace each occurrence"),
    _merge("runs-over-the-end", "if i + 1 < len(ids) and ", "if ", "IndexError"),
    _merge("any-order", _MATCH, "if i + 1 < len(ids) and {*ids[i : i + 2]} == {*pair}:",
        "a pair has an order"),
    _merge("first-token-decides", " and ids[i + 1] == pair[1]", "", "without its second one stays"),
    _merge("drops-the-rest", "merged.append(ids[i])", "pass", "replace each occurrence"),
    _merge("keeps-the-second", "merged.append(new_id)", "merged += [new_id, pair[1]]",
        "replace each occurrence"),
    _merge("in-place", "merged, i = [], 0", """i = 0
    while i + 1 < len(ids):
        if (ids[i], ids[i + 1]) == tuple(pair):
            ids[i : i + 2] = [new_id]
        i += 1
    return ids
    merged = []""", "make a new one"),
    _merge("from-the-right", "merged, i = [], 0", """out, i = [], len(ids) - 1
    while i >= 0:
        if i and (ids[i - 1], ids[i]) == tuple(pair):
            out.append(new_id)
            i -= 2
        else:
            out.append(ids[i])
            i -= 1
    return out[::-1]
    merged = []""", "from left to right"),
]

# --- 3 train_naive
_train = _wrong("train-naive")
_BEST = "pair = best_pair(count_pairs(words))"
_WORDS = "words = [merge(word, pair, new_id) for word in words]"
TRAIN = [
    _train("off-by-one-id", "merge(word, pair, new_id)", "merge(word, pair, new_id + 1)", "not [("),
    _train("ids-from-the-pair", "merge(word, pair, new_id)", "merge(word, pair, pair[0])",
        "to 260 tokens"),
    _train("one-too-many", "range(256, vocab_size)", "range(256, vocab_size + 1)",
        "the bytes alone"),
    _train("size-without-bytes", "range(256, vocab_size)", "range(256, 256 + vocab_size)",
        "the bytes alone"),
    _train("never-stops", "        if pair is None:\n            break\n", "", "TypeError"),
    _train("counts-once", "for new_id in range(256, vocab_size):\n        " + _BEST,
        "counts = count_pairs(words)\n    for new_id in range(256, vocab_size):\n"
        "        pair = best_pair(counts)\n        counts.pop(pair, None)", "to 260 tokens"),
    _train("merges-nothing", _WORDS, "pass", "to 260 tokens"),
    _train("merges-the-first-word", _WORDS, "words = [merge(words[0], pair, new_id), *words[1:]]",
        "to 260 tokens"),
    _train("changes-the-words", _WORDS,
        "for i, word in enumerate(words):\n            words[i] = merge(word, pair, new_id)",
        "work on a copy"),
    _train("returns-a-dict", "return merges", "return dict.fromkeys(merges)", "to 260 tokens"),
    _train("returns-new-ids", "merges.append(pair)", "merges.append((*pair, new_id))",
        "to 260 tokens"),
    _train("joins-the-words", "merges = []",
        "merges, words = [], [[i for word in words for i in word]]",
        "border of two words"),
]

# --- 4 encode_word, token_bytes, join_tokens
_encode = _wrong("encode-word")
_OLDEST = 'oldest = min(pairs, key=lambda pair: ranks.get(pair, float("inf")))'
_TOKENS = "tokens.append(tokens[left] + tokens[right])"
_JOIN = 'return to_text(b"".join(tokens[i] for i in ids))'
ENCODE = [
    _encode("leftmost-first", _OLDEST, "oldest = next((p for p in pairs if p in ranks), None)",
        "not the leftmost"),
    _encode("newest-first", _OLDEST, "oldest = max(pairs, key=lambda pair: ranks.get(pair, -1))",
        "not the leftmost"),
    _encode("smallest-pair-first", _OLDEST, "oldest = min(set(pairs) & set(ranks), default=None)",
        "not the leftmost"),
    _encode("merges-once", "ids = merge(ids, oldest, ranks[oldest])",
        "return merge(ids, oldest, ranks[oldest])", "merges build on merges"),
    _encode("fails-on-unknown-pairs", "        if oldest not in ranks:\n            break\n", "",
        "KeyError"),
    _encode("encodes-without-merging", "while len(ids) > 1:", "while False:",
        "merges build on merges"),
    _encode("counts-from-zero", "ids = merge(ids, oldest, ranks[oldest])",
        "ids = merge(ids, oldest, ranks[oldest] - 256)", "merges build on merges"),
    _encode("fails-on-empty-words", "while len(ids) > 1:", "while True:", "ValueError"),
    _encode("right-then-left", _TOKENS, "tokens.append(tokens[right] + tokens[left])",
        "left part, then right"),
    _encode("bytes-of-text", "[bytes([byte]) for byte in range(256)]",
        "[chr(byte).encode() for byte in range(256)]", "is the single byte 200"),
    _encode("empty-bytes", "[bytes([byte]) for byte in range(256)]",
        "[bytes(byte) for byte in range(256)]", "is the single byte 200"),
    _encode("no-bytes-in-the-table", "tokens = [bytes([byte]) for byte in range(256)]",
        "tokens = []",
        "IndexError"),
    _encode("text-token-by-token", _JOIN, 'return "".join(to_text(tokens[i]) for i in ids)',
        "join all bytes"),
    _encode("joins-with-spaces", _JOIN, 'return to_text(b" ".join(tokens[i] for i in ids))',
        "join all bytes"),
    _encode("strict-utf-8", _JOIN, 'return b"".join(tokens[i] for i in ids).decode()',
        "join all bytes"),
    _encode("drops-broken-bytes", _JOIN,
        'return b"".join(tokens[i] for i in ids).decode(errors="ignore")', "join all bytes"),
]

# --- 5 byte_symbols, parse_merges
_gpt2 = _wrong("gpt2-files")
_RANGES = "[*range(33, 127), *range(161, 173), *range(174, 256)]"
_SKIP = 'if not line or (number == 1 and line.startswith("#version")):'
_BAD = "if len(parts) != 2 or any(part not in ids for part in parts):"
GPT2 = [
    _gpt2("space-prints", _RANGES, "[*range(32, 127), *range(161, 173), *range(174, 256)]",
        "is shown as"),
    _gpt2("soft-hyphen-prints", _RANGES, "[*range(33, 127), *range(161, 256)]", "is shown as"),
    _gpt2("ascii-only-prints", _RANGES, "[*range(33, 127)]", "is shown as"),
    _gpt2("shifts-by-the-byte", "chr(256 + i)", "chr(256 + b)", "do the others in order"),
    _gpt2("starts-at-257", "chr(256 + i)", "chr(257 + i)", "do the others in order"),
    _gpt2("every-byte-itself", "chr(256 + i)", "chr(b)", "do the others in order"),
    _gpt2("turned-around", "{b: chr(b) for b in printing}", "{chr(b): b for b in printing}",
        "TypeError"),
    _gpt2("forgets-the-others", " | {b: chr(256 + i) for i, b in enumerate(others)}", "",
        "needs a symbol"),
    _gpt2("skips-every-hash", _SKIP, 'if not line or line.startswith("#"):', "are the merges"),
    _gpt2("skips-the-first-line", _SKIP, "if not line or number == 1:",
        "the first line is a merge"),
    _gpt2("keeps-the-version", _SKIP, "if not line:", "are the merges"),
    _gpt2("keeps-empty-lines", _SKIP, 'if number == 1 and line.startswith("#version"):',
        "are the merges"),
    _gpt2("numbers-by-line", "256 + len(merges)", "256 + number", "are the merges"),
    _gpt2("checks-no-token", _BAD, "if len(parts) != 2:", "names line 2"),
    _gpt2("checks-no-count", _BAD, "if any(part not in ids for part in parts):", "names line 2"),
    _gpt2("skips-bad-lines", _SKIP,
        _SKIP[:-1] + ' or line.count(" ") != 1 or not {*line.split(" ")} <= {*ids}:',
        "names line 2"),
    _gpt2("keeps-symbols", "merges.append((ids[parts[0]], ids[parts[1]]))",
        "merges.append(tuple(parts))",
        "are the merges"),
]

MUTANTS = [*COUNT, *MERGE, *TRAIN, *ENCODE, *GPT2]

# Right answers, three or more to an exercise.
_WHILE = "while len(ids) > 1:"

ALTERNATIVES = [
    Alternative("by-index", "count-pairs", _UPDATE,
        "for i in range(len(word) - 1):\n            counts[word[i], word[i + 1]] += 1"),
    Alternative("zip-of-slices", "count-pairs", _UPDATE,
        "counts.update(zip(word[:-1], word[1:], strict=True))"),
    Alternative("sort-the-counts", "count-pairs", "best = min(",
        """ordered = sorted((-n, pair) for pair, n in counts.items())
    return ordered[0][1] if ordered and ordered[0][0] < -1 else None
    best = min("""),
    Alternative("two-steps", "count-pairs", "best = min(", """most = max(counts.values(), default=0)
    return min(pair for pair, n in counts.items() if n == most) if most > 1 else None
    best = min("""),
    Alternative("slices", "merge", _MATCH, "if tuple(ids[i : i + 2]) == tuple(pair):"),
    Alternative("look-back", "merge", "merged, i = [], 0", """out, is_open = [], False
    for token in ids:
        if is_open and out[-1] == pair[0] and token == pair[1]:
            out[-1], is_open = new_id, False
        else:
            out.append(token)
            is_open = True
    return out
    merged, i = [], 0"""),
    Alternative("for-with-a-flag", "merge", "merged, i = [], 0", """out, skip = [], False
    for i, token in enumerate(ids):
        if skip:
            skip = False
        elif i + 1 < len(ids) and (token, ids[i + 1]) == tuple(pair):
            out.append(new_id)
            skip = True
        else:
            out.append(token)
    return out
    merged, i = [], 0"""),
    Alternative("while-there-is-a-pair", "train-naive", "merges = []", """merges = []
    while len(merges) < vocab_size - 256 and (pair := best_pair(count_pairs(words))):
        words = [merge(word, pair, 256 + len(merges)) for word in words]
        merges.append(pair)
    return merges"""),
    Alternative("copy-then-change", "train-naive", "merges = []",
        """merges, words = [], [list(word) for word in words]
    while len(merges) + 256 < vocab_size:
        best = best_pair(count_pairs(words))
        if not best:
            return merges
        for word in words:
            word[:] = merge(word, best, 256 + len(merges))
        merges += [best]
    return merges"""),
    Alternative("recursive", "train-naive", "merges = []", """def grow(words, merges):
        pair = best_pair(count_pairs(words)) if 256 + len(merges) < vocab_size else None
        if pair is None:
            return merges
        return grow([merge(w, pair, 256 + len(merges)) for w in words], [*merges, pair])

    return grow(words, [])
    merges = []"""),
    Alternative("merge-by-merge", "encode-word", _WHILE,
        """for pair in sorted(ranks, key=ranks.get):
        ids = merge(ids, pair, ranks[pair])
    return ids
    while len(ids) > 1:"""),
    Alternative("known-pairs-only", "encode-word", _WHILE,
        """while known := [p for p in pairwise(ids) if p in ranks]:
        best = min(known, key=lambda pair: ranks[pair])
        ids = merge(ids, best, ranks[best])
    return ids
    while len(ids) > 1:"""),
    Alternative("table-by-comprehension", "encode-word", "[bytes([byte]) for byte in range(256)]",
        'list(map(lambda n: n.to_bytes(1, "big"), range(256)))'),
    Alternative("bytearray", "encode-word", _JOIN, """data = bytearray()
    for i in ids:
        data += tokens[i]
    return to_text(bytes(data))"""),
    Alternative("count-the-others", "gpt2-files", "printing = [", """symbols, count = {}, 0
    for byte in range(256):
        if 33 <= byte <= 126 or 161 <= byte <= 255 and byte != 173:
            symbols[byte] = chr(byte)
        else:
            symbols[byte] = chr(256 + count)
            count += 1
    return symbols
    printing = ["""),
    Alternative("ask-isprintable", "gpt2-files", _RANGES,
        "[b for b in range(256) if chr(b).isprintable() and b != 32]"),
    Alternative("try-and-say", "gpt2-files", _BAD, """try:
            left, right = line.split(" ")
            ids[left + right], pair = 256 + len(merges), (ids[left], ids[right])
        except (ValueError, KeyError):
            raise ValueError(f"line {number}: {line}") from None
        merges.append(pair)
        continue
        if parts:"""),
]
