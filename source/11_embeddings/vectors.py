# %% [markdown]
# # Vectors
#
# > Words as points: neighbours by angle, analogies by differences, tables that others trained.
#
# **The question of this notebook:** somebody gives us a vector for each word. What can be read off them?
#
# Difficulty 2 of 5 · about 45 minutes · 2 exercises and a test over the notebook, 12 points · prerequisites: the notebook Embeddings.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `Embedding` | neighbours by cosine, analogies; given: loaders for GloVe and for one table of GPT-2 or BERT | learning such vectors (notebook Word vectors) |
#
# This notebook of module 11 ends up in `tinytorch/core/vectors.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.vectors

# %% nbgrader={"grade_id": "setup", "locked": true}
import os
import tempfile

import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def close(got, want, rtol=1e-5, atol=1e-6):
    """True when both have the same shape and, to float32 precision, the same values."""
    same = not isinstance(got, str) and np.shape(got) == np.shape(want)
    return same and np.allclose(got, want, rtol=rtol, atol=atol)


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import difflib
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from tinytorch.core.embeddings import Embedding
from tinytorch.core.tensor import Tensor

# %% [markdown]
# ## Exercise 1: neighbours
# *Difficulty 2 of 5 · 5 points · 15 minutes*
#
# Frequent words have longer vectors, whatever they mean; the meaning is in the direction. So we compare angles: the **cosine** of two vectors is their dot product after each is divided by its length. It is 1 for the same direction, 0 for a right angle, -1 for opposite ones.
#
# ```
#  [3, 4] · [4, 3] = 24     lengths 5 and 5     cosine 24 / 25 = 0.96
# ```
#
# Given: `WordVectors` holds words and their vectors. `vectors["king"]` is one of them, and a word it does not know gets an error with the nearest spelling.
#
# **Predict first:** by dot product alone, which is nearer to [3, 4]: [3, 4] itself or [30, 0]?
#
# <details><summary>Hints</summary>
#
# 1. `np.linalg.norm(x, axis=-1, keepdims=True)`; where it is 0, divide by 1.
# 2. In `rank`: `np.argsort(-cosines, kind="stable")` are the ids from the closest on. Leave words out first, then take `top_k`. Return Python floats.
#
# </details>


# %% nbgrader={"grade_id": "vectors", "locked": true}
#| export
class WordVectors:
    """Words, each once, and their vectors: table (len(words), embed_dim), float32."""

    def __init__(self, words: Iterable[str], table: ArrayLike):
        self.words, self.table = list(words), np.asarray(table, np.float32)
        self.ids = {word: i for i, word in enumerate(self.words)}
        if self.table.ndim != 2 or not len(self.table) == len(self.words) == len(self.ids):
            raise ValueError(
                f"{len(self.words)} words ({len(self.ids)} distinct) and a table "
                f"{self.table.shape}: give one row for each word, each word once."
            )

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, query: str | ArrayLike) -> np.ndarray:
        """The vector (embed_dim,) of a word; a vector is checked and comes back."""
        if isinstance(query, str):
            if query not in self.ids:
                near = difflib.get_close_matches(query.lower(), self.words, n=1)
                way = (
                    f"did you mean {near[0]!r}?" if near else "no spelling comes near: see .words."
                )
                raise ValueError(f"{query!r} is not among the {len(self)} words: {way}")
            return self.table[self.ids[query]]
        vector = np.asarray(query, np.float32)
        if vector.shape != self.table.shape[1:] or not np.isfinite(vector).all():
            raise ValueError(
                f"Give a word, or {self.table.shape[1]} finite numbers; got shape {vector.shape}."
            )
        return vector


# %% nbgrader={"grade_id": "neighbours", "solution": true}
#| export
def unit(vectors: np.ndarray) -> np.ndarray:
    """(..., embed_dim) -> the same directions at length 1; a vector of zeros stays."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)
    ### END SOLUTION


def rank(
    direction: np.ndarray, vectors: WordVectors, top_k: int, leave_out: Iterable
) -> list[tuple[str, float]]:
    """The top_k (word, cosine with direction), best first, without the words in leave_out."""
    if top_k < 1:
        raise ValueError(f"top_k must be at least 1, not {top_k}.")
    left_out = {word for word in leave_out if isinstance(word, str)}
    ### BEGIN SOLUTION
    cosines = unit(vectors.table) @ unit(direction)
    order = np.argsort(-cosines, kind="stable")
    found = [(vectors.words[i], float(cosines[i])) for i in order]
    return [(word, cosine) for word, cosine in found if word not in left_out][:top_k]
    ### END SOLUTION


def nearest_by_cosine(
    query: str | ArrayLike, vectors: WordVectors, top_k: int = 5
) -> list[tuple[str, float]]:
    """The words closest in angle to a word, itself left out, or to a vector (embed_dim,)."""
    return rank(vectors[query], vectors, top_k, [query])


# %% nbgrader={"grade_id": "test-neighbours", "grade": true, "points": 5}
def test_neighbours():
    """Angles, not lengths; order, left-out words, vectors, zeros; refusals."""
    table = [[3, 4], [30, 40], [4, 3], [-3, -4], [0, 0], [0, 0.1], [1, 0]]
    vectors = WordVectors(["a", "long", "b", "minus", "zero", "up", "right"], table)
    for given, want in [
        ([3, 4], [0.6, 0.8]),
        ([0, 0], [0, 0]),
        ([[0, 2], [-5, 0]], [[0, 1], [-1, 0]]),
    ]:
        got = unit(np.array(given, float))
        assert close(got, want), (
            f"unit({given}) is {want}, not {got}: one length a vector, 0 stays."
        )
    found = nearest_by_cosine("a", vectors, 10)
    names = [word for word, _ in found]
    assert "a" not in names, "The word of the question is left out of the answer."
    want = ["long", "b", "up", "right", "zero", "minus"]
    assert names == want, (
        f"By angle to [3, 4], best first: {want}, not {names}. Lengths divided out?"
    )
    got = [cosine for _, cosine in found]
    assert close(got, [1, 0.96, 0.8, 0.6, 0, -1]), f"Cosines 1, 0.96, 0.8, 0.6, 0, -1, not {got}."
    assert all(type(c) is float for c in got), f"Cosines as Python floats, not {type(got[0])}."
    got = nearest_by_cosine([6, 8], vectors, 2)
    assert [word for word, _ in got] == ["a", "long"], f"For a vector nothing is left out: {got}."
    assert len(nearest_by_cosine("b", vectors)) == 5, "Five answers unless told: after leaving out."
    for word, near in [("log", "long"), ("Zero", "zero")]:
        said = str(attempt(nearest_by_cosine, word, vectors))
        assert near in said, (
            f"{word!r}: an error with the nearest spelling, kept as given. Got {said}"
        )
    said = str(attempt(nearest_by_cosine, "a", vectors, 0))
    assert "top_k" in said, f"top_k = 0: keep the given check. Got {said}"
    ### BEGIN HIDDEN TESTS
    drawn = WordVectors([f"w{i}" for i in range(40)], challenge.normal(size=(40, 6)))
    for query in ("w7", challenge.normal(size=6)):
        found = nearest_by_cosine(query, drawn, 4)
        observe(f"words {np.shape(query)}", " ".join(word for word, _ in found))
        observe(f"cosines {np.shape(query)}", np.array([cosine for _, cosine in found]), 1e-4)
    ### END HIDDEN TESTS


test_neighbours()

# %% [markdown]
# ## Exercise 2: analogies
# *Difficulty 2 of 5 · 4 points · 15 minutes*
#
# If the step from man to woman is the same as the one from king to queen, then four vectors form a **parallelogram**, and the fourth can be reached from the other three:
#
# ```
#  man is to woman as king is to ?        unit(woman) - unit(man) + unit(king)
#  analogy("man", "woman", "king")   ->   the words in that direction, without man, woman, king
# ```
#
# Each vector gets length 1 first, or the longest of the three would decide alone. The words of the question are left out, as everybody does; the next notebook looks at what that hides.


# %% nbgrader={"grade_id": "analogy", "solution": true}
#| export
def analogy(
    a: str | ArrayLike, b: str | ArrayLike, c: str | ArrayLike, vectors: WordVectors, top_k: int = 5
) -> list[tuple[str, float]]:
    """a is to b as c is to ...: the words nearest to unit(b) - unit(a) + unit(c), without a, b, c.

    Words or vectors. Source: Mikolov, Yih and Zweig 2013, section 4.
    """
    ### BEGIN SOLUTION
    direction = unit(vectors[b]) - unit(vectors[a]) + unit(vectors[c])
    return rank(direction, vectors, top_k, [a, b, c])
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-analogy", "grade": true, "points": 4}
GRID = WordVectors(
    ["man", "woman", "king", "queen", "dog"],
    [[4, 0, 0], [0, 2, 0], [6, 0, 6], [0, 1, 1], [1, 1, 1]],
)


def test_analogy():
    """The parallelogram of unit vectors, what is left out, words and vectors, refusals."""
    got = analogy("man", "woman", "king", GRID, 9)
    names = [word for word, _ in got]
    assert not {"man", "woman", "king"} & set(names), f"Leave out the question's words: {names}."
    assert names[0] == "queen", (
        f"man : woman = king : queen, not {names[0]!r}. Is it unit(b) - unit(a) + unit(c)?"
    )
    direction = np.array([2**-0.5 - 1, 1, 2**-0.5])
    want = [float(unit(GRID[word]) @ unit(direction)) for word in names]
    got = [cosine for _, cosine in got]
    assert close(got, want), f"Make each word unit length first: cosines {want}, not {got}."
    back = analogy("woman", "man", "queen", GRID, 1)
    assert [word for word, _ in back] == ["king"], (
        f"And back: woman : man = queen : king, not {back}."
    )
    mixed = analogy(GRID["man"], "woman", "king", GRID, 9)
    assert len(mixed) == 3, f"a may be a vector; then only b and c are left out: {mixed}."
    for word, near in [("quen", "queen"), ("King", "king")]:
        said = str(attempt(analogy, "man", word, "dog", GRID))
        assert near in said, f"{word!r}: name the nearest spelling; use vectors[b]. Got {said}"
    ### BEGIN HIDDEN TESTS
    drawn = WordVectors([f"w{i}" for i in range(40)], challenge.normal(size=(40, 6)))
    found = analogy("w1", "w2", drawn["w3"], drawn, 6)
    observe("words", " ".join(word for word, _ in found))
    observe("cosines", np.array([cosine for _, cosine in found]), 1e-4)
    ### END HIDDEN TESTS


test_analogy()

# %% [markdown]
# Vectors made by hand, of three numbers that mean something: how royal, how female, how young. Given is `share_right`: of all analogies among some pairs, the share whose first answer is right, optionally without the rule that leaves words out.


# %% nbgrader={"grade_id": "share", "locked": true}
#| export
def share_right(
    vectors: WordVectors, pairs: list[tuple[str, str]], leave_out: bool = True
) -> float:
    """Of the analogies a : b = c : d among pairs of one relation, the share with d as first answer."""
    right = []
    for a, b in pairs:
        for c, d in [pair for pair in pairs if pair != (a, b)]:
            asked = (a, b, c) if leave_out else (vectors[a], vectors[b], vectors[c])
            right.append(analogy(*asked, vectors, 1)[0][0] == d)
    return float(np.mean(right))


# %%
words = ["man", "woman", "king", "queen", "boy", "girl", "prince", "princess"]
corners = np.array(
    [(royal, female, young) for young in (-1, 1) for royal in (-1, 1) for female in (-1, 1)]
)
hand = WordVectors(words, corners)
places = corners @ [[1, 0], [0, 1], [0.45, 0.3]]  # a cube, seen from the side
for (x, y), (x_end, y_end) in zip(places[::2], places[1::2], strict=True):
    plt.plot([x, x_end], [y, y_end], "o-", color="C0")
for word, place in zip(words, places, strict=True):
    plt.annotate(word, place, xytext=(6, 0), textcoords="offset points")
plt.gca().set(
    xlabel="how royal (and how young)", ylabel="how female (and how young)", xlim=(-1.7, 2)
)
plt.title("Four pairs, one step")
plt.show()
print("man : woman = king :", analogy("man", "woman", "king", hand, 3))
pairs = list(zip(words[::2], words[1::2], strict=True))
print(
    f"{share_right(hand, pairs):.0%} right; {share_right(hand, pairs, False):.0%} if all may answer"
)

# %% [markdown]
# ## A small world
#
# In a real text nobody knows which analogies are true. So here is a world that we make: royals, villagers and a family, animals and their young, countries and their capitals. Each sentence says what one of them does. Nothing in it says that a king is to a queen as a man is to a woman, except that `his` stands near one and `her` near the other.


# %% nbgrader={"grade_id": "world", "locked": true}
#| export
# house: man woman boy girl of it | what they do | what they have
PEOPLE = """king queen prince princess | rules governs inherits | crown throne palace
man woman boy girl | tills buys mends | field cart market
father mother son daughter | loves hugs helps | home family supper"""
ANIMALS = """dog puppy | barks wags | bone kennel
cat kitten | purrs meows | mouse sofa
horse foal | neighs gallops | hay stable
cow calf | moos grazes | grass barn
sheep lamb | bleats huddles | wool fold
goose gosling | honks swims | pond feathers"""
PLACES = """france paris | praise sell | cheese french perfume
italy rome | praise sell | pasta italian opera
japan tokyo | praise sell | sushi japanese silk
egypt cairo | praise sell | dates egyptian papyrus
greece athens | praise sell | olives greek marble
peru lima | praise sell | potatoes peruvian llamas"""


def make_world(sentences: int = 3000, seed: int = 0) -> tuple[list[list[str]], dict[str, list]]:
    """Sentences, as lists of words, and relations: name -> pairs of words that stand in it."""
    rng = np.random.default_rng(seed)

    def pick(words: str) -> str:
        return str(rng.choice(words.split()))

    made = []
    kinds = [[line.split("|") for line in kind.splitlines()] for kind in (PEOPLE, ANIMALS, PLACES)]
    for kind in rng.integers(3, size=sentences):
        names, does, has = kinds[kind][rng.integers(len(kinds[kind]))]
        i = rng.integers(len(names.split()))
        who = names.split()[i]
        if kind == 0:
            age, whose = ["old wise stern", "young little playful"][i // 2], ["his", "her"][i % 2]
            made.append(f"the {pick(age)} {who} {pick(does)} {whose} {pick(has)}".split())
        elif kind == 1:
            age = ["old grown heavy", "young little tiny"][i]
            made.append(f"the {pick(age)} {who} {pick(does)} near its {pick(has)}".split())
        else:
            part = ["borders fields coasts", "streets mayor trams"][i]
            made.append(f"the {pick(part)} of {who} {pick(does)} {pick(has)}".split())
    people, animals, places = [[tuple(line[0].split()) for line in kind] for kind in kinds]
    relations = {
        "man : woman": [pair for m, w, b, g in people for pair in ((m, w), (b, g))],
        "old : young": [pair for m, w, b, g in people for pair in ((m, b), (w, g))],
        "animal : its young": animals,
        "country : capital": places,
    }
    return made, relations


# %% [markdown]
# The oldest word vectors are counts: for each word a row that says how often each other word stands in the same sentence. Here as logarithms of 1 + count, or `the` would outweigh everything.

# %%
sentences, relations = make_world()
words = sorted({word for sentence in sentences for word in sentence})
is_in = np.array([[word in sentence for word in words] for sentence in sentences], float)
counts = is_in.T @ is_in * (1 - np.eye(len(words)))
counted = WordVectors(words, np.log1p(counts))
rows = ["king", "queen", "man", "woman", "dog", "puppy"]
columns = ["his", "her", "its", "crown", "field", "old", "young", "bone"]
block = counts[np.ix_([counted.ids[w] for w in rows], [counted.ids[w] for w in columns])]
plt.imshow(block, cmap="Blues", aspect="auto")
plt.xticks(range(len(columns)), columns)
plt.yticks(range(len(rows)), rows)
plt.colorbar(label="sentences with both")
plt.gca().set(xlabel="context", ylabel="word", title="Sex, rank and age are columns of counts")
plt.show()
print(f"{len(sentences):,} sentences: {' '.join(sentences[0])}, {' '.join(sentences[1])}, ...")
print("king:", nearest_by_cosine("king", counted, 3))
for name, related in relations.items():
    print(f"{name:20} {share_right(counted, related):.0%} of {len(related) * (len(related) - 1)}")
print(f"{np.mean(counts == 0):.0%} of the {counts.size:,} counts are 0")

# %% [markdown]
# So the analogies are in the company already. But a row is as long as the vocabulary, and most of it is empty: the next notebook learns short vectors instead.
#
# ## Vectors that others trained
#
# Given are two loaders. `load_glove` reads the text format of GloVe: a word and its numbers on each line. `load_pretrained_embedding` reads one table of a real model out of a *safetensors* file: a header says where each tensor lies, so one can be read and the rest left on the disk.


# %% nbgrader={"grade_id": "loaders", "locked": true}
#| export
def load_glove(path: str | Path, vocab: Iterable[str] | None = None) -> WordVectors:
    """Read GloVe's text format: lines of a word and its numbers, separated by single spaces.

    vocab: keep these words only. Of a word that comes twice the first line counts. Raises
    ValueError, naming the line, for one that is no word with as many finite numbers as line 1 has.
    """
    wanted, words, rows, size = None if vocab is None else set(vocab), {}, [], 0
    with (
        Path(path).open("rb") as file,
        tqdm(total=Path(path).stat().st_size, unit="B", unit_scale=True) as bar,
    ):
        for number, line in enumerate(file, 1):
            bar.update(len(line))
            fields = line.rstrip().split(b" ")
            size = size or len(fields) - 1
            word = b" ".join(fields[:-size]).decode("utf-8", "replace")  # may hold spaces: ". . ."
            try:
                row = np.array([float(field) for field in fields[-size:]], np.float32)
            except ValueError:
                row = np.array([np.nan])
            extra = re.search(r" -?[\d.]*\d$", word)  # one number too many is no part of the word
            if not word or extra or size < 2 or not np.isfinite(row).all():
                raise ValueError(
                    f"{Path(path).name}, line {number}: {line[:40]!r} is no word with "
                    f"{max(size, 2)} finite numbers. Is it GloVe's text format, and complete?"
                )
            if word not in words and (wanted is None or word in wanted):
                words[word] = None
                rows.append(row)
    if not rows:
        raise ValueError(f"{Path(path).name} holds none of the words: check the file and vocab.")
    return WordVectors(words, np.stack(rows))


TOKEN_TABLES = ("wte.weight", "word_embeddings.weight", "embed_tokens.weight")  # GPT-2, BERT, Llama


def find_model_file(source: str | Path) -> Path:
    """A local file, a folder with model.safetensors, or (by huggingface_hub) a model of the hub."""
    path = Path(source)
    if path.is_file():
        return path
    if path.is_dir() and (path / "model.safetensors").is_file():
        return path / "model.safetensors"
    is_hub_id = re.fullmatch(r"[\w.-]+(/[\w.-]+)?", str(source)) and path.suffix != ".safetensors"
    if not is_hub_id or path.exists():
        raise ValueError(f"No safetensors file at {source}: check the path.")
    try:
        from huggingface_hub import hf_hub_download
    except ImportError:
        raise ValueError(
            f"{source!r} is no file here, and to fetch it from the hub huggingface_hub is missing: "
            "pip install huggingface_hub, or pass the path of a model.safetensors."
        ) from None
    try:
        return Path(hf_hub_download(str(source), "model.safetensors"))
    except Exception as error:  # no network, no such model, no right to it: its library says which
        first = str(error).strip().split("\n")[0]
        raise ValueError(
            f"{source!r} could not be fetched: {first} Or pass a local path."
        ) from None


def load_pretrained_embedding(source: str | Path, tensor_name: str | None = None) -> Embedding:
    """One table of a safetensors file as an Embedding; nothing else of the file is read.

    source: a path, or the id of a model on the hub ("gpt2", "bert-base-uncased"). tensor_name: its
    name or the end of it ("wpe.weight" finds "transformer.wpe.weight"); None: the token table.
    """
    from safetensors import SafetensorError, safe_open

    path = find_model_file(source)
    try:
        with safe_open(path, framework="numpy") as file:
            names, ends = list(file.keys()), (tensor_name,) if tensor_name else TOKEN_TABLES
            exact = [name for name in names if name in ends]
            found = exact or [n for n in names if n.endswith(tuple(f".{end}" for end in ends))]
            if len(found) != 1:
                raise ValueError(
                    f"{path.name}: {len(found)} tensors are named {' or '.join(ends)}. "
                    f"Pass tensor_name, one of {', '.join(names[:6])}{', ...' * (len(names) > 6)}"
                )
            part = file.get_slice(found[0])
            if len(part.get_shape()) != 2 or part.get_dtype() not in ("F64", "F32", "F16"):
                raise ValueError(
                    f"{found[0]} is {part.get_dtype()} {part.get_shape()}: an Embedding needs a "
                    "table (words, numbers) of F16, F32 or F64. Choose another, or convert the file."
                )
            table = Tensor(file.get_tensor(found[0]), requires_grad=True)
    except SafetensorError as error:
        raise ValueError(f"{path.name} is no whole safetensors file: {error}") from None
    embedding = Embedding(1, table.shape[1])  # random numbers of the real size would be waste
    embedding.vocab_size, embedding.weight = table.shape[0], table
    return embedding


# %% [markdown]
# Both on small files made here: a GloVe file of three words, and a model with GPT-2's names.

# %%
from safetensors.numpy import save_file

with tempfile.TemporaryDirectory() as folder:
    glove_file, model_file = Path(folder, "glove.txt"), Path(folder, "model.safetensors")
    glove_file.write_text("sun 0.1 0.9\nmoon 0.2 0.8\nbread 0.9 0.1\n", encoding="utf-8")
    print(nearest_by_cosine("sun", load_glove(glove_file)))
    tables = {
        "transformer.wte.weight": np.ones((100, 8), np.float32),
        "transformer.wpe.weight": np.zeros((16, 8), np.float32),
    }
    save_file(tables, model_file)
    print("tokens   :", load_pretrained_embedding(model_file))
    print("positions:", load_pretrained_embedding(model_file, "wpe.weight"))
    print(attempt(load_pretrained_embedding, model_file, "wqe.weight"))

# %% [markdown]
# What is in the tables of real models? The sizes are published; the files are large and optional. GPT-2 and BERT both **learn** their positions; BERT adds a third table of two rows, for the first and the second sentence (token types).

# %%
published = {
    "gpt2": {"wte.weight": (50257, 768), "wpe.weight": (1024, 768)},
    "bert-base-uncased": {
        "word_embeddings.weight": (30522, 768),
        "position_embeddings.weight": (512, 768),
        "token_type_embeddings.weight": (2, 768),
    },
}
data = Path(os.environ.get("TINYTORCH_DATA", Path.home() / ".cache" / "tinytorch"))
for model_name, tables in published.items():
    here = data / model_name / "model.safetensors"
    for name, (rows, columns) in tables.items():
        line = f"{model_name:18}{name:29}{rows:6,} x {columns} = {rows * columns * 4 / 1e6:6.1f} MB"
        if here.is_file():
            table = load_pretrained_embedding(here, name).weight.data
            line += (
                f"  {table.shape}, mean length of a row {np.linalg.norm(table, axis=1).mean():.2f}"
            )
        print(line)
glove_path = data / "glove.6B.50d.txt"
if glove_path.is_file():
    glove = load_glove(glove_path)
    print("man : woman = king :", analogy("man", "woman", "king", glove, 3))
else:
    print("GloVe is not here. To get it (862 MB), in a terminal: tito data get glove")

# %% [markdown]
# ## All together
# *3 points.*


# %% nbgrader={"grade_id": "test-all-vectors", "grade": true, "points": 3}
def test_all_vectors():
    """A lattice of steps: all its analogies, its neighbours, and lengths that change nothing."""
    rng = np.random.default_rng(6)
    kinds, step = rng.normal(size=(8, 12)), rng.normal(size=12)
    words = [f"{name}{i}" for name in ("old", "new") for i in range(8)]
    table = np.concatenate([unit(kinds), unit(kinds) + 0.5 * unit(step)])
    vectors = WordVectors(words, table)
    pairs = list(zip(words[:8], words[8:], strict=True))
    got = share_right(vectors, pairs)
    assert got > 0.9, f"Built of one step, {got:.0%} of the analogies are right: more than 90 %."
    long = WordVectors(words, table * rng.uniform(0.1, 9, size=(16, 1)))
    for ask in (
        lambda v: nearest_by_cosine("old3", v),
        lambda v: analogy("old1", "new1", "old2", v),
    ):
        plain, stretched = ([word for word, _ in ask(v)] for v in (vectors, long))
        assert plain == stretched, f"Longer vectors, other answers: {plain}, {stretched}."
        assert len(plain) == 5, f"Five answers unless told, not {len(plain)}."
    ### BEGIN HIDDEN TESTS
    drawn = WordVectors(words, table + challenge.normal(size=table.shape))
    observe("share", np.array([share_right(drawn, pairs), share_right(drawn, pairs, False)]))
    observe("near", " ".join(word for word, _ in nearest_by_cosine("new5", drawn, 6)))
    observe("unit", unit(challenge.normal(size=(3, 2, 4))))
    ### END HIDDEN TESTS


test_all_vectors()

# %% [markdown]
# ## Measure it: one table or the whole file
#
# A file of 12 tables, as a model has layers. **Predict first:** how much of it is read for one of them?

# %%
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "model.safetensors")
    names = ["wte.weight", *(f"h.{i}.weight" for i in range(11))]
    save_file({name: np.zeros((4000, 128), np.float32) for name in names}, path)
    table = load_pretrained_embedding(path).weight.data
    share = table.nbytes / path.stat().st_size
    print(
        f"{path.stat().st_size / 1e6:.1f} MB in the file, {table.nbytes / 1e6:.1f} in the table: {share:.1%}"
    )

# %% [markdown]
# ## Check your understanding
#
# 1. What is the cosine of [1, 2] and [2, 4], and of [1, 2] and [-2, 1]?
# 2. GPT-2's token table has 50,257 x 768 numbers. How many MB in float32, how many in float16?
#
# <details><summary>Answers</summary>
#
# 1. 1 and 0: the same direction, a right angle.
# 2. 154.4 and 77.2.
#
# </details>

# %%
print("1.", unit(np.array([1, 2])) @ unit(np.array([[2, 4], [-2, 1]])).T)
print("2.", 50_257 * 768 * 4 / 1e6, 50_257 * 768 * 2 / 1e6)

# %% [markdown]
# ## In production
#
# | ours | elsewhere | the difference |
# |---|---|---|
# | `nearest_by_cosine(word, vectors)` | `gensim`'s `KeyedVectors.most_similar` | theirs keeps the unit vectors; for millions of words, FAISS finds them approximately |
# | `load_glove(path)` | `gensim.downloader.load("glove-wiki-gigaword-50")` | theirs downloads and keeps a fast copy |
# | `load_pretrained_embedding("gpt2")` | `AutoModel.from_pretrained("gpt2").get_input_embeddings()` | theirs reads the whole model |
#
# ## Recap
#
# 1. The meaning of a word vector is in its direction: compare by cosine.
# 2. A relation is a difference; an analogy completes a parallelogram of unit vectors.
# 3. The words of the question are left out of the answer.
# 4. A safetensors file gives one table without reading the rest.
# 5. GPT-2 and BERT learn a table of positions beside the one of tokens; BERT has token types too.
#
# ## Further reading
#
# - T. Mikolov, W. Yih and G. Zweig, "Linguistic regularities in continuous space word representations" (2013): analogies.
# - J. Pennington, R. Socher and C. Manning, "GloVe: Global vectors for word representation" (2014). <https://nlp.stanford.edu/projects/glove/>
# - The safetensors format: <https://huggingface.co/docs/safetensors>
#
# **Next:** run `tito module complete 11` in a terminal, then the notebook Word vectors: where such vectors come from.
