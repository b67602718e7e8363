"""Wrong answers to the notebook Tokenization, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 BPETokenizer
_bpe = _wrong("bpe-tokenizer")
_RANKS = "self.ranks = {pair: new_id for new_id, pair in enumerate(self.merges, 256)}"
_ADOPT = "self.merges = list(merges)\n"
_TOKENS = "self.tokens = dict(enumerate(token_bytes(self.merges)))"
_CACHE = "self.cache = {}"
_LOOKUP = "ids.extend(self.cache[word])"
_SPLIT = "for word in split_words(text):"
_DECODE = "return join_tokens(check_ids(ids, self.tokens), self.tokens)"
BPE = [
    _bpe("keeps-the-old-cache", _CACHE, 'self.cache = getattr(self, "cache", {})', "the old cache"),
    _bpe("shares-the-cache", _CACHE, "self.cache = BPETokenizer.__dict__.get('shared') or {}\n"
        "        BPETokenizer.shared = self.cache", "knows the first one's words"),
    _bpe("keeps-the-old-merges", _ADOPT, "self.merges = [*(self.merges or []), *merges]\n",
        "Trained again"),
    _bpe("keeps-the-old-ranks", _RANKS, 'self.ranks = {**getattr(self, "ranks", {}), '
        "**{pair: i for i, pair in enumerate(self.merges, 256)}}", "Trained again"),
    _bpe("keeps-the-callers-list", _ADOPT, "self.merges = merges\n", "make one of your own"),
    _bpe("off-by-one-id", "enumerate(self.merges, 256)", "enumerate(self.merges, 257)", "gave"),
    _bpe("ranks-from-zero", "enumerate(self.merges, 256)", "enumerate(self.merges)", "gave"),
    _bpe("tokens-of-merges-only", _TOKENS,
        "self.tokens = dict(enumerate(token_bytes(self.merges)[256:]))", "tokens"),
    _bpe("never-splits", _SPLIT, "for word in [text]:", "over borders"),
    _bpe("strips-the-spaces", _SPLIT, "for word in text.split():", "gave"),
    _bpe("encodes-known-words-only", "self.cache[word] = self.encode_new(word)", "continue",
        "gave"),
    _bpe("appends-lists", _LOOKUP, "ids.append(self.cache[word])", "gave"),
    _bpe("each-word-once", _LOOKUP,
        "ids.extend(self.cache[word])\n            self.cache[word] = []", "the second time"),
    _bpe("keeps-the-last-word", _LOOKUP, "ids = list(self.cache[word])", "time, gave"),
    _bpe("checks-no-ids", _DECODE, "return join_tokens(ids, self.tokens)", "use check_ids"),
    _bpe("drops-wrong-ids", _DECODE,
        "return join_tokens([i for i in ids if i in self.tokens], self.tokens)",
        "use check_ids"),
    _bpe("text-token-by-token", _DECODE,
        'return "".join(to_text(self.tokens[i]) for i in check_ids(ids, self.tokens))',
        "join all bytes"),
    _bpe("strict-utf-8", _DECODE,
        'return b"".join(self.tokens[i] for i in check_ids(ids, self.tokens)).decode()',
        "UnicodeDecodeError"),
]

# --- 2 write_safely, check_merges
_file = _wrong("files")
_WRITE = 'part.write_text(text, encoding="utf-8", newline="\\n")\n    os.replace(part, path)'
_RANGE = "type(x) is int and 0 <= x < 256 + i for x in pair"
FILES = [
    _file("writes-in-place", _WRITE, 'path.write_text(text, encoding="utf-8", newline="\\n")',
        "written into"),
    _file("leaves-the-part", "os.replace(part, path)",
        "path.unlink(missing_ok=True)\n    path.write_bytes(part.read_bytes())",
        "left beside"),
    _file("never-replaces", "    os.replace(part, path)\n", "", "Write UTF-8"),
    _file("appends", _WRITE,
        'with path.open("a", encoding="utf-8", newline="\\n") as file:\n        file.write(text)',
        "must stand under the name"),
    _file("keeps-the-older", "os.replace(part, path)",
        "part.unlink() if path.exists() else os.replace(part, path)", "must stand under the name"),
    _file("latin-1", 'encoding="utf-8", newline', 'encoding="latin-1", newline', "Write UTF-8"),
    _file("windows-newlines", 'newline="\\n"', 'newline="\\r\\n"', "Write UTF-8"),
    _file("removes-first", _WRITE,
        'path.unlink(missing_ok=True)\n    path.write_text(text, encoding="utf-8", newline="\\n")',
        "failed half-way"),
    _file("allows-later-tokens", "0 <= x < 256 + i for", "0 <= x for", "names merge"),
    _file("allows-itself", "< 256 + i for", "<= 256 + i for", "names merge"),
    _file("bytes-only", "< 256 + i for", "< 256 for", "are merges"),
    _file("allows-negative", "0 <= x < 256", "x < 256", "names merge"),
    _file("allows-floats", "type(x) is int and ", "", "names merge"),
    _file("allows-triples", " and len(pair) == 2", "", "names merge"),
    _file("allows-repeats", "if tuple(pair) in checked:", "if False:", "names merge"),
    _file("skips-wrong-ones",
        "raise ValueError(f\"merge {i} is {pair!r}, not two ids from 0 to {255 + i}\")", "continue",
        "names merge"),
    _file("names-no-merge", "merge {i} is {pair!r}, not two ids from 0 to {255 + i}",
        "a merge is wrong", "names merge"),
]

# --- 3 create_tokenizer, tokenize_dataset
_data = _wrong("datasets")
_MAKE = 'tokenizer = CharTokenizer(**options) if kind == "char" else BPETokenizer(**options)'
_CUT = "return [tokenizer.encode(text)[:max_length] for text in texts]"
DATA = [
    _data("drops-the-options", _MAKE,
        'tokenizer = CharTokenizer() if kind == "char" else BPETokenizer()', "No vocabulary yet"),
    _data("drops-the-options-of-char", "CharTokenizer(**options)", "CharTokenizer()",
        "No vocabulary yet"),
    _data("always-bpe", _MAKE, "tokenizer = BPETokenizer(**options)", "AttributeError"),
    _data("kinds-swapped", 'CharTokenizer(**options) if kind == "char"',
        'CharTokenizer(**options) if kind != "char"',
        "TypeError"),
    _data("never-trains", "learn(corpus)", "pass", "Is the corpus used?"),
    _data("trains-without-a-corpus", "if corpus is not None:", "if True:", "TypeError"),
    _data("joins-the-corpus", "learn(corpus)", 'learn("+".join(corpus))', "Options go"),
    _data("cuts-the-end", _CUT,
        "return [tokenizer.encode(text)[-(max_length or 0) :] for text in texts]",
        "max_length=1 gave"),
    _data("cuts-the-text", _CUT, "return [tokenizer.encode(text[:max_length]) for text in texts]",
        "max_length=1 gave"),
    _data("never-cuts", _CUT, "return [tokenizer.encode(text) for text in texts]",
        "max_length=1 gave"),
    _data("cuts-the-data-set", _CUT,
        "return [tokenizer.encode(text) for text in texts][:max_length]",
        "max_length=1 gave"),
    _data("one-too-few", _CUT,
        "return [tokenizer.encode(t)[: max_length and max_length - 1] for t in texts]",
        "max_length=1 gave"),
    _data("drops-empty-texts", _CUT,
        "return [tokenizer.encode(t)[:max_length] for t in texts if t]", "max_length=None"),
    _data("drops-long-texts", _CUT,
        "rows = map(tokenizer.encode, texts)\n"
        "    return [r for r in rows if max_length is None or len(r) <= max_length]",
        "max_length=1 gave"),
    _data("one-long-list", _CUT,
        "return [i for text in texts for i in tokenizer.encode(text)[:max_length]]",
        "max_length=None"),
]

MUTANTS = [*BPE, *FILES, *DATA]

# Right answers, three or more to an exercise.
_KNOWN = """for word in split_words(text):
            if word not in self.cache:
                if len(self.cache) >= CACHE_SIZE:
                    self.cache.clear()
                self.cache[word] = self.encode_new(word)
            ids.extend(self.cache[word])
"""
_GOOD = "is_pair = isinstance(pair, list | tuple) and len(pair) == 2\n"

ALTERNATIVES = [
    Alternative("no-cache", "bpe-tokenizer", _KNOWN, """for word in split_words(text):
            ids += self.encode_new(word)
"""),
    Alternative("ask-forgiveness", "bpe-tokenizer", _KNOWN, """for word in split_words(text):
            try:
                ids += self.cache[word]
            except KeyError:
                new = self.cache[word] = self.encode_new(word)
                ids += new
"""),
    Alternative("ranks-by-zip", "bpe-tokenizer", _RANKS,
        "self.ranks = dict(zip(self.merges, range(256, 256 + len(self.merges)), strict=True))"),
    Alternative("bytes-then-text", "bpe-tokenizer", _DECODE,
        'return to_text(b"".join(map(self.tokens.get, check_ids(ids, self.tokens))))'),
    Alternative("path-replace", "files", "os.replace(part, path)", "part.replace(path)"),
    Alternative("open-and-sync", "files", _WRITE, """with open(f"{path}.new", "wb") as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)"""),
    Alternative("bytes-first", "files", _WRITE, """part.write_bytes(text.encode())
    os.replace(part, path)"""),
    Alternative("unpack-and-catch", "files", _GOOD, """try:
            left, right = pair
        except (TypeError, ValueError):
            raise ValueError(f"merge {i}: {pair!r} is no pair") from None
        is_pair = not isinstance(pair, str)
"""),
    Alternative("by-hand", "datasets", _CUT, """rows = []
    for text in texts:
        ids = tokenizer.encode(text)
        if max_length is not None and len(ids) > max_length:
            ids = ids[:max_length]
        rows.append(ids)
    return rows"""),
    Alternative("two-branches", "datasets", _MAKE, """if kind == "char":
        tokenizer = CharTokenizer(**options)
        if corpus is not None:
            tokenizer.build_vocab(corpus)
        return tokenizer
    tokenizer = BPETokenizer(**options)"""),
    Alternative("map", "datasets", _CUT,
        "return list(map(lambda row: row[:max_length], map(tokenizer.encode, texts)))"),
]
