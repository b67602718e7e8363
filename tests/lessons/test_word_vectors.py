"""Word vectors as a package: pairs, sparse gradients, analogies, real text, and the two loaders."""

import re
import subprocess
import sys
import time
from collections import Counter
from pydoc_data.topics import topics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from tests.conftest import REPOSITORY
from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.embeddings import Embedding
from tinytorch.core.layers import manual_seed
from tinytorch.core.word_vectors import (
    SkipGramEmbeddingModel,
    WordVectors,
    analogy,
    load_glove,
    load_pretrained_embedding,
    make_skipgram_pairs,
    make_world,
    nearest_by_cosine,
    negative_sampling_loss,
    share_right,
    train_skipgram,
)


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 25))
def test_pairs_are_those_of_the_definition(ids, window):
    want = [
        (ids[i], ids[j])
        for i in range(len(ids))
        for j in range(len(ids))
        if 0 < abs(i - j) <= window
    ]
    assert np.transpose(make_skipgram_pairs(ids, window)).tolist() == [list(p) for p in want]


def test_the_gradient_does_not_see_the_vocabulary():
    model = SkipGramEmbeddingModel(50_000, 8)
    loss = negative_sampling_loss(model, np.array([1, 2]), np.array([3, 3]), np.array([[4], [5]]))
    loss.backward()
    grads = [model.centres.weight.grad, model.contexts.weight.grad]
    assert all(isinstance(grad, RowSparseGrad) for grad in grads)
    assert [grad.rows.tolist() for grad in grads] == [[1, 2], [3, 4, 5]]


@pytest.mark.parametrize(("seed", "negatives"), [(0, 5), (1, 5), (2, 5), (0, 0)])
def test_the_world_gives_its_analogies_back(seed, negatives):
    began = time.process_time()
    sentences, relations = make_world()
    words = sorted({word for sentence in sentences for word in sentence})
    ids = {word: i for i, word in enumerate(words)}
    pairs = [make_skipgram_pairs([ids[word] for word in sentence], 3) for sentence in sentences]
    centres, contexts = (np.concatenate(part) for part in zip(*pairs, strict=True))
    manual_seed(seed)
    model = SkipGramEmbeddingModel(len(words), 16)
    history = train_skipgram(model, centres, contexts, epochs=3, negatives=negatives, seed=seed)
    assert history[-1] < history[0]
    vectors = WordVectors(words, model.centres.weight.data)
    assert analogy("man", "woman", "king", vectors, 1)[0][0] == "queen"
    for name, related in relations.items():
        assert share_right(vectors, related) >= 0.9, name
    assert time.process_time() - began < 60


@pytest.mark.slow
def test_the_language_reference_in_a_minute():
    prose = re.findall(r"[a-z_]+", "\n".join(topics.values()).lower())
    words = [word for word, count in Counter(prose).most_common() if count >= 10]
    ids = {word: i for i, word in enumerate(words)}
    text = np.array([ids[word] for word in prose if word in ids])
    frequency = np.bincount(text) / len(text)
    text = text[np.random.default_rng(0).random(len(text)) < np.sqrt(1e-3 / frequency[text])]
    manual_seed(0)
    model = SkipGramEmbeddingModel(len(words), 48)
    began = time.process_time()
    pairs = make_skipgram_pairs(text, 4)
    train_skipgram(model, *pairs, epochs=3, lr=0.01, batch_size=1024, seed=0)
    assert time.process_time() - began < 60
    vectors = WordVectors(words, model.centres.weight.data)
    for word, near in [("true", "false"), ("left", "right"), ("keyword", "positional")]:
        assert near in [found for found, _ in nearest_by_cosine(word, vectors)]


# GloVe's text format


def glove(folder, text):
    path = folder / "glove.txt"
    path.write_bytes(text.encode())
    return path


def test_glove_is_read(tmp_path):
    text = "sun 0.5 -1\n. . . 1 2\nn\x85a 3 4e-1\nsun 9 9\n日本 0 1\r\n"
    vectors = load_glove(glove(tmp_path, text))
    assert vectors.words == ["sun", ". . .", "n\x85a", "日本"]
    assert np.allclose(vectors.table, [[0.5, -1], [1, 2], [3, 0.4], [0, 1]])
    assert vectors.table.dtype == np.float32
    assert load_glove(tmp_path / "glove.txt", vocab=["日本", "no"]).words == ["日本"]


@pytest.mark.parametrize(
    "bad", ["moon 1", "moon 1 2 3", "moon 1 x", "moon 1 nan", "moon 1 inf", "1 2", "", "moon"]
)
def test_a_bad_line_is_named(tmp_path, bad):
    with pytest.raises(ValueError, match="line 2") as caught:
        load_glove(glove(tmp_path, f"sun 0.5 -1\n{bad}\nearth 1 2\n"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "says"), [("", "none of the words"), ("400000 50\n", "line 1")])
def test_no_vectors_at_all(tmp_path, text, says):
    with pytest.raises(ValueError, match=says):
        load_glove(glove(tmp_path, text))


# Tables of other people's models


def model_file(folder, **tables):
    path = folder / "model.safetensors"
    save_file({name.replace("__", "."): table for name, table in tables.items()}, path)
    return path


def table(rows, columns=4, dtype=np.float32):
    return np.arange(rows * columns).reshape(rows, columns).astype(dtype)


@pytest.mark.parametrize("prefix", ["", "transformer."])
def test_gpt2_by_its_names(tmp_path, prefix):
    names = {f"{prefix}wte.weight": table(6), f"{prefix}wpe.weight": table(3) + 1}
    path = model_file(tmp_path, **names, **{f"{prefix}h.0.attn.c_attn.weight": table(2)})
    tokens = load_pretrained_embedding(path)
    assert isinstance(tokens, Embedding)
    assert np.array_equal(tokens.weight.data, table(6))
    assert np.array_equal(tokens([[1, 5]]).data, [table(6)[[1, 5]]])
    tokens([1]).sum().backward()
    assert tokens.weight.grad.rows.tolist() == [1]
    for name in ("wpe.weight", f"{prefix}wpe.weight"):
        found = load_pretrained_embedding(tmp_path, name)
        assert np.array_equal(found.weight.data, table(3) + 1)
    assert str(Embedding(6, 4)) == str(tokens)
    with pytest.raises(ValueError, match="Index out of range"):
        tokens([6])


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_bert_by_its_names(tmp_path, prefix):
    names = [
        f"{prefix}embeddings.{x}_embeddings.weight" for x in ("word", "position", "token_type")
    ]
    path = model_file(tmp_path, **{name: table(i + 2) for i, name in enumerate(names)})
    assert load_pretrained_embedding(path).weight.shape == (2, 4)
    for i, name in enumerate(names):
        assert load_pretrained_embedding(path, name).weight.shape == (i + 2, 4)
        short = name.rsplit("embeddings.", 2)[-2] + "embeddings.weight"
        assert load_pretrained_embedding(path, short).weight.shape == (i + 2, 4)


def test_half_precision_becomes_float32(tmp_path):
    found = load_pretrained_embedding(model_file(tmp_path, wte__weight=table(3, dtype=np.float16)))
    assert found.weight.dtype == np.float32


@pytest.mark.parametrize(
    ("tables", "name", "says"),
    [
        ({"a.weight": table(2)}, None, "0 tensors are named"),
        ({"wte.weight": table(2)}, "wqe.weight", "wte.weight"),
        ({"a.wte.weight": table(2), "b.wte.weight": table(2)}, None, "2 tensors are named"),
        ({"wte.weight": np.ones(3, np.float32)}, None, r"F32 \[3\]"),
        ({"wte.weight": table(2, dtype=np.int64)}, None, "I64"),
    ],
)
def test_a_table_that_is_not_there_is_refused(tmp_path, tables, name, says):
    path = model_file(tmp_path, **tables)
    with pytest.raises(ValueError, match=says) as caught:
        load_pretrained_embedding(path, name)
    assert "\n" not in str(caught.value)


def test_a_broken_file_or_path_is_refused_in_one_line(tmp_path):
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"not a header")
    for source in (broken, tmp_path / "absent.safetensors", tmp_path):
        with pytest.raises(ValueError, match=r"no whole|check the path") as caught:
            load_pretrained_embedding(source)
        assert "\n" not in str(caught.value)


def test_a_hub_id_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ValueError, match="pip install huggingface_hub"):
        load_pretrained_embedding("gpt2")


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_only_that_table_is_read(tmp_path):
    rest = {f"h.{i}.weight": np.ones((5000, 1000), np.float32) for i in range(8)}  # 160 MB
    path = model_file(tmp_path, wte__weight=np.ones((1000, 1000), np.float32), **rest)
    code = """import resource, sys
from safetensors import safe_open
from tinytorch.core.word_vectors import load_pretrained_embedding
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
load_pretrained_embedding(sys.argv[1])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(peak * (1 if sys.platform == "darwin" else 1024))"""
    run = [sys.executable, "-c", code, path]
    out = subprocess.run(run, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    assert int(out) < 20e6, "4 MB are in the table, 164 in the file"
