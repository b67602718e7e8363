"""The bench of word vectors: skip-gram with negative sampling beside gensim's, tokens per second.

The text is Python's language reference, as in the lesson: words seen 10 times or more, frequent
ones thinned out beforehand, so that both train on the very same tokens with the same window. Both
draw, so they must agree on how many tokens they went through, not on what they learned: ours takes
steps of Adam on batches, gensim steps of SGD pair by pair in compiled code.
"""

import io
import re
from collections import Counter
from contextlib import redirect_stderr
from pydoc_data.topics import topics

import numpy as np

from bench import THREADS
from bench.rivals import Word2Vec
from bench.timing import OURS, Bench
from tinytorch.core.layers import manual_seed
from tinytorch.core.word_vectors import SkipGramEmbeddingModel, make_skipgram_pairs, train_skipgram

DIM, WINDOW, NEGATIVES, MIN_COUNT, KEEP = 48, 4, 5, 10, 1e-3


def language_reference() -> list[str]:
    """Its words in order, without the rare ones and with the frequent ones thinned out."""
    prose = re.findall(r"[a-z_]+", "\n".join(topics.values()).lower())
    counts = Counter(prose)
    text = [word for word in prose if counts[word] >= MIN_COUNT]
    chance = np.sqrt([KEEP * len(text) / counts[word] for word in text])
    is_kept = np.random.default_rng(0).random(len(text)) < chance
    return [word for word, kept in zip(text, is_kept, strict=True) if kept]


def skip_gram(piece: int = 1000) -> Bench:
    """One epoch over the text, the making of its pairs included."""
    text = language_reference()
    words, ids = np.unique(text, return_inverse=True)
    manual_seed(0)
    model = SkipGramEmbeddingModel(len(words), DIM)

    def ours():
        pairs = make_skipgram_pairs(ids, WINDOW)
        with redirect_stderr(io.StringIO()):  # its progress bar
            train_skipgram(model, *pairs, epochs=1, lr=0.01, negatives=NEGATIVES, batch_size=1024)
        return [len(words), len(ids)]

    if Word2Vec:
        # gensim cuts a text after 10,000 words, and hands its workers whole pieces
        pieces = [text[i : i + piece] for i in range(0, len(text), piece)]
        rival = Word2Vec(
            vector_size=DIM,
            window=WINDOW,
            shrink_windows=False,  # by default it draws a window from 1 to this one, and does half
            sg=1,
            negative=NEGATIVES,
            min_count=1,  # rare words are gone already
            sample=0,  # and so are the superfluous ones
            alpha=0.025,
            min_alpha=0.025,  # one rate: it is called again and again
            workers=THREADS,
            batch_words=piece,
        )
        rival.build_vocab(pieces)

    def in_gensim():
        tokens, _ = rival.train(pieces, total_examples=len(pieces), epochs=1)
        return [len(rival.wv), tokens]

    return Bench(
        f"skip-gram, {NEGATIVES} negatives, window {WINDOW}, {len(words):,} x {DIM}, "
        f"{len(ids):,} tokens",
        {OURS: ours, "gensim": in_gensim},
        {},
        rounds=5,
        tokens=len(ids),
    )


BENCHES = (skip_gram,)
