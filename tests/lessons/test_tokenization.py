"""The tokenizers of module 10 as a package: round trips, speed, files, and other libraries."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from pydoc_data.topics import topics

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import REPOSITORY
from tinytorch.core.tokenization import (
    UNKNOWN,
    BPETokenizer,
    CharTokenizer,
    byte_symbols,
    create_tokenizer,
    encode_long,
    encode_word,
    load_gpt2,
    save_gpt2,
    split_words,
    token_bytes,
    tokenize_dataset,
    train_merges,
    train_naive,
)

REFERENCE = "\n".join(topics.values())  # Python's language reference, real English
MEGABYTE = (REFERENCE * 4)[:1_000_000]
STRANGE = ["", "naïve 日本", "👋🏽 👩‍👩‍👧", "e\u0301", "\x00\x1c\x85\u2028", "²½Ⅷ", "a\r\n\t  b  "]

texts = st.text(st.characters(exclude_categories=["Cs"]))
words = st.lists(st.text("abc", max_size=12).map(str.encode), max_size=12)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def trained() -> BPETokenizer:
    tokenizer = BPETokenizer(1000)
    tokenizer.train(REFERENCE[:100_000])
    return tokenizer


@patient
@given(texts)
def test_every_text_comes_back(trained, text):
    assert trained.decode(trained.encode(text)) == text
    assert "".join(split_words(text)) == text


@pytest.mark.parametrize("text", STRANGE)
def test_strange_texts_come_back(trained, text):
    assert trained.decode(trained.encode(text)) == text


@patient
@given(texts, texts)
def test_characters_keep_their_places(corpus, text):
    tokenizer = CharTokenizer()
    tokenizer.build_vocab(corpus)
    shown = "".join(c if c in corpus else UNKNOWN for c in text)
    assert tokenizer.decode(tokenizer.encode(text)) == shown


@patient
@given(words)
def test_fast_and_naive_learn_the_same_merges(words):
    merges = train_naive([list(word) for word in words], 300)
    assert train_merges(Counter(words), 300) == merges
    tokens = token_bytes(merges)
    assert len(set(tokens)) == len(tokens), "two tokens with the same bytes"


@patient
@given(words, st.text("abcd", max_size=40).map(str.encode))
def test_long_and_short_words_are_encoded_alike(words, word):
    merges = train_merges(Counter(words), 300)
    ranks = {pair: new_id for new_id, pair in enumerate(merges, 256)}
    assert encode_long(word, ranks) == encode_word(word, ranks)


def test_training_is_the_same_in_any_order_and_process():
    code = (
        "from tinytorch.core.tokenization import *; t = BPETokenizer(300); "
        "t.train('the cat sat on the mat; a rat at a hat ' * 3); print(t.merges)"
    )
    run = [sys.executable, "-W", "ignore", "-c", code]
    outputs = {
        subprocess.run(
            run, env={**os.environ, "PYTHONHASHSEED": seed}, cwd=REPOSITORY, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs != {b""}


@pytest.mark.parametrize("wrong", [None, b"bytes", 7])
def test_what_is_no_text_is_refused(trained, wrong):
    for call in (trained.encode, BPETokenizer().train, CharTokenizer().build_vocab):
        with pytest.raises(TypeError, match="str"):
            call(wrong)


@pytest.mark.parametrize("size", [255, 0, -1, True, 300.0, None])
def test_a_vocabulary_holds_the_bytes(size):
    with pytest.raises(ValueError, match="256 or more"):
        BPETokenizer(size)


@pytest.mark.parametrize("ids", [[1000], [-1], [1.0], [[1]], ["a"], [2**70]])
def test_wrong_ids_are_refused(trained, ids):
    with pytest.raises(ValueError, match=r"[Ii]d"):
        trained.decode(ids)


def test_half_characters_are_refused_with_their_position(trained):
    with pytest.raises(ValueError, match="Position 4"):
        trained.encode("abcd\udfff")


def test_a_corpus_that_is_too_small_warns_and_says_how_far_it_came():
    tokenizer = BPETokenizer(5000)
    with pytest.warns(UserWarning, match="260 of 5000"):
        tokenizer.train("low lower lowest")
    assert tokenizer.vocab_size == 260
    tokenizer.train(REFERENCE)
    assert tokenizer.vocab_size == 5000


def test_unknown_kinds_and_single_texts_are_refused(trained):
    with pytest.raises(ValueError, match="'word'"):
        create_tokenizer("word")
    with pytest.raises(ValueError, match="list of texts"):
        tokenize_dataset("one text", trained)


# Files


def test_a_saved_tokenizer_comes_back(trained, tmp_path):
    trained.save(tmp_path / "t.json")
    again = BPETokenizer.load(tmp_path / "t.json")
    assert again.merges == trained.merges
    assert again.encode(REFERENCE[:9999]) == trained.encode(REFERENCE[:9999])


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"merges": 3}', '{"merges": [[0, 999]]}', '{"other": []}']
)
def test_a_broken_file_is_refused_in_one_line(text, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"t\.json is no saved BPETokenizer") as caught:
        BPETokenizer.load(path)
    assert "\n" not in str(caught.value)


def test_a_file_cut_anywhere_is_refused(trained, tmp_path):
    path = tmp_path / "t.json"
    trained.save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="no saved"):
            BPETokenizer.load(path)


def test_a_killed_save_loses_nothing(trained, tmp_path):
    path = tmp_path / "t.json"
    trained.save(path)
    code = (
        "import sys; from tinytorch.core.tokenization import BPETokenizer as T\n"
        "t = T.load(sys.argv[1]); print('ready', flush=True)\nwhile True: t.save(sys.argv[1])"
    )
    for wait in (0.0, 0.01, 0.023):
        run = [sys.executable, "-c", code, path]
        with subprocess.Popen(run, cwd=REPOSITORY, stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(wait)
            child.kill()
        assert BPETokenizer.load(path).merges == trained.merges


# GPT-2's layout


def gpt2_files(tokenizer: BPETokenizer, folder: Path) -> tuple[Path, Path]:
    save_gpt2(tokenizer, folder / "vocab.json", folder / "merges.txt")
    return folder / "vocab.json", folder / "merges.txt"


def test_gpt2_numbers_and_special_tokens(trained, tmp_path):
    vocab_path, merges_path = gpt2_files(trained, tmp_path)
    vocab = json.loads(vocab_path.read_text(encoding="utf-8"))
    symbols = sorted(byte_symbols().values())  # GPT-2 numbers bytes by their symbols
    moved = {
        name: symbols.index(name) if number < 256 else number for name, number in vocab.items()
    }
    vocab_path.write_text(json.dumps({**moved, "<|endoftext|>": 1000}), encoding="utf-8")
    loaded = load_gpt2(vocab_path, merges_path)
    assert loaded.vocab_size == 1001
    assert loaded.encode("!") == [0]
    assert loaded.decode([1000]) == "<|endoftext|>"
    for text in [*STRANGE, REFERENCE[:5000]]:
        assert loaded.decode(loaded.encode(text)) == text
        assert len(loaded.encode(text)) == len(trained.encode(text))


def test_gpt2_files_that_do_not_fit_are_refused(trained, tmp_path):
    vocab_path, merges_path = gpt2_files(trained, tmp_path)
    vocab_path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocab\.json has no"):
        load_gpt2(vocab_path, merges_path)


def test_another_library_encodes_alike(trained, tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    vocab_path, merges_path = gpt2_files(trained, tmp_path)
    other = tokenizers.ByteLevelBPETokenizer(str(vocab_path), str(merges_path))
    for text in [REFERENCE[100_000:130_000], *STRANGE[:4], *STRANGE[6:]]:
        assert load_gpt2(vocab_path, merges_path).encode(text) == other.encode(text).ids


def test_another_library_learns_the_same_merges():
    """Ties go to the smaller ids there too, but a byte's id is its place among GPT-2's symbols."""
    tokenizers = pytest.importorskip("tokenizers")
    other = tokenizers.ByteLevelBPETokenizer()
    other.train_from_iterator([REFERENCE[:100_000]], vocab_size=1000, show_progress=False)
    theirs = json.loads(other.to_str())["model"]["merges"]

    symbols = sorted(byte_symbols().values())
    id_of = {byte: symbols.index(symbol) for byte, symbol in byte_symbols().items()}
    words = Counter(split_words(REFERENCE[:100_000]))
    renumbered = {bytes(id_of[b] for b in word.encode()): n for word, n in words.items()}
    merges = train_merges(renumbered, 1000)
    names = ["".join(symbols[i] for i in token) for token in token_bytes(merges)]
    assert [[names[left], names[right]] for left, right in merges] == [list(x) for x in theirs]


# Speed, in processor time: other people's work on the machine does not count


@pytest.mark.slow
def test_a_megabyte_trains_and_encodes_in_time():
    tokenizer = BPETokenizer(4096)
    start = time.process_time()
    tokenizer.train(MEGABYTE)
    trained = time.process_time()
    tokenizer.encode(MEGABYTE)
    encoded = time.process_time()
    assert tokenizer.vocab_size == 4096
    assert trained - start < 20
    assert encoded - trained < 1


@pytest.mark.slow
def test_a_long_word_without_spaces_does_not_hang(trained):
    start = time.process_time()
    text = "".join(c for c in MEGABYTE if c.isalpha())[:300_000]
    assert trained.decode(trained.encode(text)) == text
    assert time.process_time() - start < 20
