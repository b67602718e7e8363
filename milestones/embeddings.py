"""2003: words become vectors while a network learns which one comes next.

Y. Bengio, R. Ducharme, P. Vincent and C. Jauvin, "A neural probabilistic language model", Journal
of Machine Learning Research 3. The vectors of the last tokens, side by side, go through one hidden
layer. Text: Python's language reference, which comes with Python. No attention yet.
"""

import argparse
import time
from pathlib import Path
from pydoc_data.topics import topics

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

from milestones.plots import RESULTS, save_plot
from tinytorch.core.activations import Tanh
from tinytorch.core.embeddings import Embedding
from tinytorch.core.layers import Layer, Linear, manual_seed
from tinytorch.core.losses import CrossEntropyLoss
from tinytorch.core.optimizers import AdamW
from tinytorch.core.tensor import Tensor, no_grad
from tinytorch.core.tokenization import BPETokenizer

VOCAB, CONTEXT, DIM, HIDDEN = 1024, 6, 48, 128
STEPS, BATCH, LR = 800, 192, 4e-3
CHECKS = 10  # how often the held-out loss is taken


class NextToken(Layer):
    """Logits of the token after CONTEXT others: ids (batch, CONTEXT) -> (batch, VOCAB)."""

    def __init__(self, vocab_size: int):
        self.embedding = Embedding(vocab_size, DIM)
        self.hidden, self.tanh = Linear(CONTEXT * DIM, HIDDEN), Tanh()
        self.out = Linear(HIDDEN, vocab_size)

    def forward(self, ids: np.ndarray) -> Tensor:
        vectors = self.embedding(ids).reshape(len(ids), CONTEXT * DIM)
        return self.out(self.tanh(self.hidden(vectors)))


def split_pages(seed: int) -> tuple[list[str], list[str]]:
    """The pages of the reference, each once, in random order: nine tenths, and a tenth held out."""
    pages = sorted(set(topics.values()))
    order = np.random.default_rng(seed).permutation(len(pages))
    pages = [pages[i] for i in order]
    return pages[len(pages) // 10 :], pages[: len(pages) // 10]


def windows(pages: list[str], tokenizer: BPETokenizer) -> tuple[np.ndarray, np.ndarray]:
    """Every CONTEXT tokens in a row, (count, CONTEXT), and the token after them, (count,)."""
    rows = [np.array(tokenizer.encode(page)) for page in pages]
    rows = [row for row in rows if len(row) > CONTEXT]
    cut = [np.lib.stride_tricks.sliding_window_view(row, CONTEXT + 1) for row in rows]
    both = np.concatenate(cut)
    return both[:, :-1], both[:, -1]


def unigram_entropy(ids: np.ndarray) -> float:
    """Nats a token: what the best guesser pays who knows how often each comes, but not the past."""
    share = np.unique(ids, return_counts=True)[1] / len(ids)
    return float(-(share * np.log(share)).sum())


def mean_loss(model: Layer, contexts: np.ndarray, targets: np.ndarray) -> float:
    """Mean nats a token over all windows, a thousand at a time."""
    loss_fn, total = CrossEntropyLoss(), 0.0
    with no_grad():
        for i in range(0, len(targets), 1000):
            there = targets[i : i + 1000]
            total += loss_fn(model(contexts[i : i + 1000]), there).item() * len(there)
    return total / len(targets)


def main(seed: int = 0, quiet: bool = False, folder: Path = RESULTS, steps: int = STEPS) -> dict:
    """Train on nine tenths of the pages; the held-out loss beside the unigram entropy."""
    start, rng = time.perf_counter(), np.random.default_rng(seed)
    manual_seed(seed)
    pages, unseen = split_pages(seed)
    tokenizer = BPETokenizer(VOCAB)
    tokenizer.train(pages)
    (contexts, targets), held_out = windows(pages, tokenizer), windows(unseen, tokenizer)
    model, loss_fn = NextToken(VOCAB), CrossEntropyLoss()
    optimizer = AdamW(model.parameters(), lr=LR, weight_decay=0.01)
    line, losses, checks = unigram_entropy(held_out[1]), [], []
    for step in (bar := tqdm(range(steps), desc="steps", disable=quiet)):
        optimizer.lr = LR * (1 - step / steps)
        chosen = rng.integers(0, len(targets), BATCH)
        optimizer.zero_grad()
        loss = loss_fn(model(contexts[chosen]), targets[chosen])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if (step + 1) % max(1, steps // CHECKS) == 0:
            checks.append((step + 1, mean_loss(model, *held_out)))
            bar.set_postfix(held_out=f"{checks[-1][1]:.2f}", unigrams=f"{line:.2f}")
    seconds, last = time.perf_counter() - start, checks[-1][1]
    path = save_plot(draw(losses, checks, line, model, tokenizer, targets), folder, "embeddings")
    if not quiet:
        counts = f"{len(targets):,} tokens to learn from, {len(held_out[1]):,} held out"
        print(f"{counts}, of {VOCAB:,} kinds.")
        print(f"Held-out loss {last:.2f} nats a token; who ignores the past pays {line:.2f}.")
        print(f"{seconds:.0f} s.\n{path}")
    return {"loss": last, "unigram entropy": line, "seconds": seconds, "plot": path}


def common_words(tokenizer: BPETokenizer, ids: np.ndarray, count: int) -> list[tuple[int, str]]:
    """(id, word) of the most frequent tokens that begin a word, in small letters."""
    found = []
    for i in np.argsort(-np.bincount(ids, minlength=VOCAB), kind="stable"):
        text = tokenizer.tokens[int(i)].decode(errors="replace")
        word = text.removeprefix(" ")
        if word != text and len(word) > 1 and word.isascii() and word.isalpha() and word.islower():
            found.append((int(i), word))
    return found[:count]


def draw(
    losses: list[float],
    checks: list[tuple[int, float]],
    line: float,
    model: NextToken,
    tokenizer: BPETokenizer,
    targets: np.ndarray,
) -> plt.Figure:
    """The loss against the unigram entropy, and the vectors of common words in two dimensions."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6), width_ratios=(2, 3))
    left.plot(losses, color="0.8", label="a batch to learn from")
    left.plot(*zip(*checks, strict=True), "o-", ms=3, label="held-out pages")
    left.axhline(line, color="C3", ls="--", label=f"unigram entropy, {line:.2f}")
    left.set(xlabel="step", ylabel="nats a token", title=f"held out: ends at {checks[-1][1]:.2f}")
    left.legend(fontsize=8)
    words = common_words(tokenizer, targets, 80)
    vectors = model.embedding.weight.data[[i for i, _ in words]]
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    centred = vectors - vectors.mean(axis=0)
    left_vectors, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    x, y = (left_vectors[:, :2] * sizes[:2]).T
    right.scatter(x, y, s=4, color="0.7")
    for (_, word), a, b in zip(words, x, y, strict=True):
        right.annotate(word, (a, b), fontsize=8, ha="center", va="bottom")
    share = (sizes[:2] ** 2).sum() / (sizes**2).sum()
    right.set(xlabel="first direction", ylabel="second direction")
    right.set_title(
        f"{len(words)} beginnings of words: {share:.0%} of their spread is in this plane"
    )
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args().seed)
