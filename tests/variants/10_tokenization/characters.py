"""Wrong answers to the notebook Characters, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 characters
_char = _wrong("characters")
_BUILD = 'self.adopt(sorted(set("".join(texts))))'
_ENCODE = "return [self.ids.get(character, 0) for character in text]"
_DECODE = 'return "".join(self.vocab[i] for i in check_ids(ids, range(self.vocab_size)))'
CHARACTERS = [
    _char("sorts-by-first-sight", _BUILD, 'self.adopt(dict.fromkeys("".join(texts)))',
        "sort, each once"),
    _char("sorts-backwards", _BUILD, 'self.adopt(sorted(set("".join(texts)), reverse=True))',
        "sort, each once"),
    _char("keeps-repeats", _BUILD, "self.vocab = [UNKNOWN, *sorted(''.join(texts))]",
        "sort, each once"),
    _char("drops-the-space", _BUILD, 'self.adopt(sorted(set("".join(texts).replace(" ", ""))))',
        "sort, each once"),
    _char("adds-to-the-old-vocabulary", _BUILD,
        'self.adopt(sorted(set("".join(texts)) | set(self.vocab)))',
        "no old characters"),
    _char("reads-the-first-text", _BUILD, "self.adopt(sorted(set(texts[0])))", "all texts"),
    _char("has-no-unknown", _BUILD, "self.vocab = sorted(set(''.join(texts)))\n"
        "        self.ids = {c: i for i, c in enumerate(self.vocab)}", "sort, each once"),
    _char("shares-the-table", _BUILD,
        'CharTokenizer.vocab = [UNKNOWN, *sorted(set("".join(texts)))]\n'
        "        del self.vocab", "its place in the vocabulary"),
    _char("drops-unknown", _ENCODE, "return [self.ids[c] for c in text if c in self.ids]",
        "is not dropped"),
    _char("fails-on-unknown", _ENCODE, "return [self.ids[character] for character in text]",
        "KeyError"),
    _char("takes-code-points", _ENCODE, "return [ord(character) for character in text]",
        "its place in the vocabulary"),
    _char("starts-at-zero", _ENCODE, "return [self.ids.get(c, 1) - 1 for c in text]",
        "its place in the vocabulary"),
    _char("encodes-each-once", _ENCODE, "return [self.ids.get(c, 0) for c in sorted(set(text))]",
        "its place in the vocabulary"),
    _char("checks-no-ids", _DECODE, 'return "".join(self.vocab[i] for i in ids)', "use check_ids"),
    _char("hides-unknown", _DECODE,
        'return "".join(self.vocab[i] for i in check_ids(ids, range(self.vocab_size)) if i)',
        "0 is shown as"),
    _char("joins-with-spaces", _DECODE,
        'return " ".join(self.vocab[i] for i in check_ids(ids, range(self.vocab_size)))', "gave"),
    _char("returns-a-list", _DECODE,
        "return [self.vocab[i] for i in check_ids(ids, range(self.vocab_size))]", "gave"),
]

# --- 2 bytes
_byte = _wrong("bytes")
_TO = 'return text.encode("utf-8")'
_FROM = 'return data.decode("utf-8", errors="replace")'
BYTES = [
    _byte("utf-16", _TO, 'return text.encode("utf-16")', "The UTF-8 bytes of 'a'"),
    _byte("latin-1", _TO, 'return text.encode("latin-1", errors="replace")',
        "The UTF-8 bytes of 'é'"),
    _byte("ascii-only", _TO, 'return text.encode("ascii", errors="ignore")',
        "The UTF-8 bytes of 'é'"),
    _byte("code-points", _TO, "return bytes(ord(c) % 256 for c in text)", "The UTF-8 bytes of 'é'"),
    _byte("composes-accents", _TO,
        'import unicodedata\n        return unicodedata.normalize("NFC", text).encode()',
        "[101, 204, 129]"),
    _byte("normalises-newlines", _TO, 'return text.replace("\\r\\n", "\\n").encode()', "13, 10"),
    _byte("drops-surrogates", _TO, 'return text.encode("utf-8", errors="ignore")',
        "names position 0"),
    _byte("passes-surrogates", _TO, 'return text.encode("utf-8", errors="surrogatepass")',
        "names position 0"),
    _byte("names-no-position", "Position {error.start} holds", "It holds", "names position 3"),
    _byte("counts-from-one", "Position {error.start} holds", "Position {error.start + 1} holds",
        "names position"),
    _byte("fails-on-broken", _FROM, 'return data.decode("utf-8")', "replace what is broken"),
    _byte("drops-broken", _FROM, 'return data.decode("utf-8", errors="ignore")',
        "replace what is broken"),
    _byte("escapes-broken", _FROM, 'return data.decode("utf-8", errors="backslashreplace")',
        "replace what is broken"),
    _byte("reads-latin-1", _FROM, 'return data.decode("latin-1")', "must come back as"),
    _byte("one-by-one", _FROM, 'return "".join(bytes([b]).decode(errors="replace") for b in data)',
        "must come back as"),
]

# --- 3 count_words
_count = _wrong("count-words")
_LOOP = "for text in texts:\n        counts.update(split_words(text))"
_RESULT = "return Counter({to_bytes(word): count for word, count in counts.items()})"
COUNTS = [
    _count("splits-at-spaces", "split_words(text)", "text.split()",
        "the space belongs to the word"),
    _count("strips-the-space", "split_words(text)", "[w.strip() for w in split_words(text)]",
        "the space belongs to the word"),
    _count("joins-the-texts", _LOOP, 'counts.update(split_words("".join(texts)))',
        "all texts count"),
    _count("joins-with-newlines", _LOOP, 'counts.update(split_words("\\n".join(texts)))',
        "all texts count"),
    _count("first-text-only", _LOOP, "counts.update(split_words(texts[0]))", "all texts count"),
    _count("last-text-only", "counts.update(split_words(text))",
        "counts = Counter(split_words(text))",
        "all texts count"),
    _count("counts-each-once", "split_words(text))", "set(split_words(text)))",
        "as often as it occurs"),
    _count("counts-characters", "split_words(text))", "text)", "the space belongs to the word"),
    _count("keeps-strings", _RESULT, "return counts", "gave"),
    _count("lowers", "split_words(text)", "split_words(text.lower())", "capitals and signs"),
    _count("words-as-lists", _RESULT,
        "return Counter({tuple(w.encode()): n for w, n in counts.items()})", "gave"),
    _count("drops-blank-words", "split_words(text)", "[w for w in split_words(text) if w.strip()]",
        "spaces that belong to no word"),
]

MUTANTS = [*CHARACTERS, *BYTES, *COUNTS]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("set-by-set", "characters", _BUILD, """seen = set()
        for text in texts:
            seen |= set(text)
        self.adopt(sorted(seen))"""),
    Alternative("no-adopt", "characters", _BUILD,
        """seen = sorted({c for text in texts for c in text} - {UNKNOWN})
        self.vocab = [UNKNOWN] + seen
        self.ids = dict(zip(self.vocab, range(len(self.vocab)), strict=True))"""),
    Alternative("loop-to-encode", "characters", _ENCODE, """ids = []
        for character in text:
            if character in self.ids:
                ids.append(self.ids[character])
            else:
                ids.append(0)
        return ids"""),
    Alternative("own-checks", "characters", _DECODE, """text = ""
        for i in ids:
            if int(i) != i or not 0 <= i < len(self.vocab):
                raise ValueError(f"{i} is no id")
            text += self.vocab[i]
        return text"""),
    Alternative("look-first", "bytes", _TO, """for place, character in enumerate(text):
            if 0xD800 <= ord(character) <= 0xDFFF:
                raise ValueError(f"half a character at position {place}")
        return text.encode()"""),
    Alternative("str-of-bytes", "bytes", _FROM, 'return str(data, "utf-8", "replace")'),
    Alternative("bytes-of-str", "bytes", _TO, 'return bytes(text, "utf-8")'),
    Alternative("one-at-a-time", "count-words", _LOOP, """for text in texts:
        for word in split_words(text):
            counts[word] += 1"""),
    Alternative("bytes-at-once", "count-words", _LOOP,
        """return Counter(to_bytes(w) for text in texts for w in split_words(text))
    for text in texts:
        pass"""),
    Alternative("sum-of-counters", "count-words", _LOOP,
        "counts = sum((Counter(split_words(text)) for text in texts), Counter())"),
]
