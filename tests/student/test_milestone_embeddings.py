"""The milestone `embeddings`: below the unigram entropy on pages it has not seen, in time."""

import math

import numpy as np
import pytest

from milestones import embeddings
from tinytorch.core.tokenization import BPETokenizer

SECONDS = 90


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_held_out_loss_falls_below_the_unigram_entropy(seed, tmp_path):
    found = embeddings.main(seed, quiet=True, folder=tmp_path, steps=300)
    assert found["loss"] < found["unigram entropy"] - 0.3
    assert found["plot"].read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_whole_run_is_far_below_it_and_in_time(tmp_path):
    found = embeddings.main(quiet=True, folder=tmp_path)
    assert found["loss"] < found["unigram entropy"] - 1.4
    assert found["seconds"] < SECONDS


def test_held_out_pages_are_held_out():
    pages, unseen = embeddings.split_pages(0)
    assert unseen
    assert not set(pages) & set(unseen)
    assert embeddings.split_pages(1)[1] != unseen


def test_windows_stay_within_a_page_and_their_target_is_the_next_token():
    tokenizer = BPETokenizer(256)
    tokenizer.adopt([])
    contexts, targets = embeddings.windows(["abcdefgh", "short", "ABCDEFG"], tokenizer)
    assert [bytes(row.tolist()).decode() for row in contexts] == ["abcdef", "bcdefg", "ABCDEF"]
    assert bytes(targets.tolist()).decode() == "ghG"


def test_the_unigram_entropy_of_tokens():
    assert embeddings.unigram_entropy(np.array([5, 5, 5, 5])) == 0
    assert embeddings.unigram_entropy(np.array([0, 1, 2, 3])) == pytest.approx(math.log(4))


def test_a_model_that_knows_nothing_pays_more_than_the_unigram_entropy():
    model = embeddings.NextToken(embeddings.VOCAB)
    contexts = np.random.default_rng(0).integers(0, 50, size=(1500, embeddings.CONTEXT))
    targets = contexts[:, 0]
    assert embeddings.mean_loss(model, contexts, targets) > embeddings.unigram_entropy(targets)
