# %% [markdown]
# # Saving
#
# > All that a training depends on, in one file that is whole or not there, and back without leaving a mixture.
#
# **The question of this notebook:** training takes a night, and at four in the morning the power fails. What must have been on disk so that by breakfast nobody can tell the difference, not in a single bit?
#
# Difficulty 4 of 5 · about 1.5 hours · 3 exercises and a test over the notebook, 100 points · prerequisites: the notebook `loop`.
#
# | You have | You will build | Not yet |
# |---|---|---|
# | `state_dict()` of layers and optimizers, the parts of a loop | `write_whole`, `checkpoint_of`, `restore` | the `Trainer` that uses them (next notebook) |
#
# The notebook ends up in `tinytorch/core/saving.py`. Run the cells in order. Under each blank stands its test: it is locked, and it says what it expected.

# %%
#| default_exp core.saving

# %% nbgrader={"grade_id": "setup", "locked": true}
import tempfile

import matplotlib.pyplot as plt
import numpy as np

from tinytorch.core.layers import Dropout, Linear, Sequential, manual_seed
from tinytorch.core.loop import CosineSchedule, clip_grad_norm, minibatches
from tinytorch.core.losses import MSELoss
from tinytorch.core.optimizers import SGD, Adam

plt.rcParams.update({"figure.figsize": (8, 2.8), "figure.constrained_layout.use": True})
plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
challenge = np.random.default_rng(0)  # where tests draw numbers from; the grader seeds its own
folder = tempfile.TemporaryDirectory()  # goes away with the notebook


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Show a value to the grader. In your hands it does nothing."""


def attempt(call, *args):
    """What call(*args) returns or, as text, the error it ends in: "ValueError: ..."."""
    try:
        return call(*args)
    except NotImplementedError:
        raise  # a blank that is still to be filled
    except Exception as error:
        return f"{type(error).__name__}: {error}"


class Night:
    """A training by hand with everything whose state matters, on a plane with noise."""

    def __init__(self, optimizer=Adam, seed=0, epochs=8, width=6):
        manual_seed(seed)
        layers = Linear(2, width), Tensor.tanh, Dropout(0.4), Linear(width, 1)
        self.model, self.scheduler = Sequential(*layers), CosineSchedule(0.05, 0.001, epochs, 2)
        momentum = {"momentum": 0.9} if optimizer is SGD else {}
        self.optimizer = optimizer(self.model.parameters(), lr=0.05, **momentum)
        self.grad_clip_norm, self.epoch, self.history = 0.5, 0, {"loss": []}
        x = np.random.default_rng(1).normal(size=(12, 2))
        self.batches = minibatches(x, x @ [[1.0], [-2.0]] + 0.1 * x[:, :1] ** 2, 5)

    def train(self, epochs):
        for _ in range(epochs):
            self.optimizer.lr, total = self.scheduler.get_lr(self.epoch), 0.0
            for x, y in self.batches:
                self.optimizer.zero_grad()
                loss = MSELoss()(self.model(x), y)
                loss.backward()
                clip_grad_norm(self.model.parameters(), self.grad_clip_norm)
                self.optimizer.step()
                total += loss.item()
            self.epoch += 1
            self.history["loss"].append(total)
        return self

    def weights(self):
        return np.concatenate([p.data.ravel() for p in self.model.parameters()])


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import json
import os
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import safetensors.numpy

from tinytorch.core.layers import Layer, Random
from tinytorch.core.optimizers import Optimizer
from tinytorch.core.tensor import Tensor


class Training(Protocol):
    """What a checkpoint is taken of: `Night` above, and the `Trainer` of the next notebook."""

    model: Layer
    optimizer: Optimizer
    scheduler: Any
    grad_clip_norm: float | None
    epoch: int
    history: dict[str, list[float]]


# %% [markdown]
# ## Exercise 1: a file that is never half
# *Difficulty 3 of 5 · 28 points · 25 minutes*
#
# `open(path, "wb")` empties the file that was there, and only then are the new bytes written. A process killed in between leaves half a checkpoint, and **no old one either**. The remedy has four steps:
#
# 1. write everything into another file **in the same folder**;
# 2. `flush()`: Python hands its buffer to the system; then `os.fsync(file.fileno())`: the system hands its own to the disk;
# 3. `os.replace(temporary, path)`: within one file system a single act; whoever opens `path` sees all of the old or all of the new;
# 4. if anything fails on the way, delete the temporary file and let the error through.
#
# **Predict first:** why not write the temporary file into the system's own folder for such files?
#
# <details><summary>Hints</summary>
#
# `path.with_name(f"{path.name}.{os.getpid()}.tmp")` is a neighbour. `try: ... except BaseException: temporary.unlink(missing_ok=True); raise` also catches Ctrl-C. Leave the `with` block before you replace: Windows does not rename open files.
#
# </details>


# %% nbgrader={"grade_id": "write-whole", "solution": true}
#| export
def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that, whatever happens, all of the old one or all of the new one is there.

    Raises OSError, with the old file as it was, when the disk is full or the folder is missing.
    """
    ### BEGIN SOLUTION
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-write-whole", "grade": true, "points": 28}
def spied_write(path, content, full=False):
    """What write_whole did: the bytes on disk at each fsync, and the pair given to os.replace."""
    fsync, replace, seen = os.fsync, os.replace, {"synced": [], "replaced": []}

    def watch_fsync(file):
        seen["synced"].append(os.fstat(getattr(file, "fileno", lambda: file)()).st_size)
        if full:
            raise OSError(28, "No space left on device")
        fsync(file)

    def watch_replace(source, target, **options):
        seen["replaced"].append((Path(source), Path(source).read_bytes(), path.read_bytes()))
        replace(source, target, **options)

    os.fsync, os.replace = watch_fsync, watch_replace
    try:
        seen["error"] = str(attempt(write_whole, path, content))
    finally:
        os.fsync, os.replace = fsync, replace
    return seen


def test_write_whole():
    """Through a neighbour, flushed and synced, replaced at once; a full disk leaves the old file."""
    home = Path(tempfile.mkdtemp(dir=folder.name))
    path = home / "model.safetensors"
    write_whole(path, b"old")
    assert path.read_bytes() == b"old", "Where there was no file, there must be one."
    content = bytes(range(256)) * 3
    seen = spied_write(path, content)
    assert path.read_bytes() == content, "The new content did not arrive."
    assert seen["synced"], "Call os.fsync, or a power cut may leave an empty file."
    assert seen["synced"][0] == len(content), (
        f"At os.fsync {seen['synced'][0]} of {len(content)} bytes had left Python: flush() first."
    )
    assert len(seen["replaced"]) == 1, (
        "Use os.replace, once: writing into the file itself tears it."
    )
    source, written, old = seen["replaced"][0]
    assert old == b"old", "Before os.replace the old file must still be whole."
    assert written == content, "At os.replace the temporary file was not complete: close it before."
    assert source.parent == home, f"The temporary file was in {source.parent}: use path's folder."
    assert os.listdir(home) == [path.name], f"Left behind: {os.listdir(home)}."
    seen = spied_write(path, b"new", full=True)
    assert "No space" in seen["error"], f"A full disk is an error to let through: {seen['error']}"
    assert path.exists(), "The disk was full, and the old file is gone: keep it until os.replace."
    assert path.read_bytes() == content, "The disk was full, and the old file is no longer whole."
    assert os.listdir(home) == [path.name], f"Delete the temporary file: {os.listdir(home)}."
    said = str(attempt(write_whole, home / "missing" / "x", b"new"))
    assert "FileNotFoundError" in said, f"A missing folder is an error to let through: {said}"
    ### BEGIN HIDDEN TESTS
    path, content = home / "other", challenge.bytes(5000)
    path.write_bytes(b"")
    seen = spied_write(path, content)
    observe("bytes", np.frombuffer(path.read_bytes(), np.uint8))
    observe("synced", seen["synced"][0])
    observe("full", "No space" in spied_write(path, b"1", full=True)["error"])
    observe("after", len(path.read_bytes()))
    ### END HIDDEN TESTS


test_write_whole()

# %%
path = Path(folder.name, "demo")
write_whole(path, b"an old checkpoint")
with path.open("wb") as file:
    file.write(b"a new one, half ")
    print("opened with 'wb', and killed here:", path.read_bytes())
write_whole(path, b"an old checkpoint")
print("write_whole, with a full disk:", spied_write(path, b"a new one", full=True)["error"])
print("still there:", path.read_bytes())

# %% [markdown]
# ## Exercise 2: what a checkpoint must hold
# *Difficulty 3 of 5 · 24 points · 25 minutes*
#
# The weights, of course. But the next step also depends on the optimizer's memory (momentum, Adam's two moments and its count of steps), on the epoch (through the learning rate), and on what the random generator will draw next: the next order, the next dropout. Leave one of them out and training goes on, without complaint, *differently*.
#
# Arrays go into the file as **safetensors**: 8 bytes that say how long the header is, a JSON header with name, dtype, shape and place of each array, then the bytes of the arrays. All else is JSON, in the header's metadata. Why not `pickle`? A pickle is a program: whoever loads one from a stranger runs it. Here nothing in a file can run.
#
# So `checkpoint_of` returns two dictionaries, and `to_bytes` and `from_bytes`, given, make a file of them and back:
#
# | | what | under |
# |---|---|---|
# | `arrays` | the model's `state_dict()` | `"model."` + name, such as `model.0.weight` |
# | | the arrays in the optimizer's `state_dict()` | `"optimizer."` + name |
# | `facts` | what is no array in the optimizer's `state_dict()` | `"optimizer"`: a dictionary |
# | | `epoch` and `history` of the training | `"epoch"`, `"history"` |
# | | what the generator will draw next | `"generator"` |
# | | `settings_of(training)` | `"settings"` |
#
# The generator is `Random.generator`, and `Random.generator.bit_generator.state` a dictionary of plain numbers.
#
# **Predict first:** a file for a model of 1,000,000 float32 weights, trained with Adam: how many megabytes?
#
# <details><summary>Hints</summary>
#
# `{f"model.{name}": array for name, array in ...items()}` puts a word before each name. `isinstance(value, np.ndarray)` tells arrays from numbers. `a | b` joins two dictionaries.
#
# </details>


# %% nbgrader={"grade_id": "file-format", "locked": true}
#| export
KEYS = {"optimizer", "epoch", "history", "generator", "settings"}


def settings_of(training: Training) -> dict[str, str]:
    """What must be the same again for training to go on as before, in words."""
    parts = {"optimizer": training.optimizer, "scheduler": training.scheduler}
    settings = {name: type(part).__name__ for name, part in parts.items()}
    settings["schedule"] = str(getattr(training.scheduler, "__dict__", None))
    return settings | {"grad_clip_norm": str(training.grad_clip_norm)}


def to_bytes(arrays: dict[str, np.ndarray], facts: dict) -> bytes:
    """A safetensors file of the arrays, with the facts as JSON in its metadata."""
    return safetensors.numpy.save(arrays, {"tinytorch": json.dumps(facts)})


def from_bytes(content: bytes) -> tuple[dict[str, np.ndarray], dict]:
    """The arrays and facts of a file; a ValueError for anything else than a whole checkpoint."""
    try:
        arrays = safetensors.numpy.load(content)
        length = int.from_bytes(content[:8], "little")
        metadata = json.loads(content[8 : 8 + length]).get("__metadata__", {})
    except Exception as error:  # safetensors has an error of its own for each way to be broken
        raise ValueError(
            f"not a whole safetensors file ({len(content)} bytes: {error}). Take an earlier one."
        ) from error
    facts = json.loads(metadata.get("tinytorch", "{}"))
    if set(facts) != KEYS:
        raise ValueError("a safetensors file, but no checkpoint: make one with save_checkpoint.")
    return arrays, facts


# %% nbgrader={"grade_id": "checkpoint-of", "solution": true}
#| export
def checkpoint_of(training: Training) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """All that the next step depends on: arrays by name, and facts that JSON can hold."""
    ### BEGIN SOLUTION
    state = training.optimizer.state_dict()
    arrays = {f"model.{name}": x for name, x in training.model.state_dict().items()}
    arrays |= {f"optimizer.{name}": x for name, x in state.items() if isinstance(x, np.ndarray)}
    facts = {
        "optimizer": {name: x for name, x in state.items() if not isinstance(x, np.ndarray)},
        "epoch": training.epoch,
        "history": training.history,
        "generator": Random.generator.bit_generator.state,
        "settings": settings_of(training),
    }
    return arrays, facts
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-checkpoint-of", "grade": true, "points": 24}
def test_checkpoint_of():
    """Everything under its name, for SGD with momentum and Adam; a file can hold it."""
    for optimizer in (SGD, Adam):
        night, name = Night(optimizer).train(3), optimizer.__name__
        arrays, facts = checkpoint_of(night)
        assert set(facts) == KEYS, f"The facts are {sorted(KEYS)}, not {sorted(facts)}."
        state, own = night.optimizer.state_dict(), night.model.state_dict()
        missing = [x for x in own if f"model.{x}" not in arrays]
        assert not missing, f"Of the model, {missing} are missing; the names are {sorted(arrays)}."
        memory = {x for x in state if isinstance(state[x], np.ndarray)}
        missing = sorted(x for x in memory if f"optimizer.{x}" not in arrays)
        assert not missing, f"Of {name}'s memory, {missing} are missing in the arrays."
        more = len(arrays) - len(own) - len(memory)
        assert not more, f"{more} arrays too many, or under a wrong name: {sorted(arrays)}."
        for part, values in (("model", own), ("optimizer", {x: state[x] for x in memory})):
            other = [x for x in values if not np.array_equal(arrays[f"{part}.{x}"], values[x])]
            assert not other, f"Other numbers than in the {part}'s state_dict: {other}."
        numbers = {x: state[x] for x in state if x not in memory}
        assert facts["optimizer"] == numbers, (
            f"facts['optimizer'] is {facts['optimizer']}, {name}'s numbers are {numbers}."
        )
        assert facts["epoch"] == 3, f"Three epochs are done, the facts say {facts['epoch']}."
        assert facts["history"] == night.history, f"The history is {facts['history']}."
        assert facts["settings"] == settings_of(night), f"The settings are {facts['settings']}."
        said = str(attempt(json.dumps, facts))
        assert "TypeError" not in said, f"JSON cannot hold all of the facts: {said}"
        again = np.random.default_rng()
        assert isinstance(facts["generator"], dict), "The generator's state is a dictionary."
        again.bit_generator.state = facts["generator"]
        drawn = again.random(), Random.generator.random()
        assert drawn[0] == drawn[1], "facts['generator'] is not the state of Random.generator."
        before = arrays["model.0.weight"].copy()
        night.train(1)
        same = np.array_equal(before, arrays["model.0.weight"])
        assert same, "Training on changed the checkpoint: take the copies of state_dict()."
    ### BEGIN HIDDEN TESTS
    night = Night(Adam, int(challenge.integers(100)), width=int(challenge.integers(3, 9))).train(2)
    arrays, facts = from_bytes(to_bytes(*checkpoint_of(night)))
    observe("names", " ".join(sorted(arrays)))
    observe("arrays", np.concatenate([arrays[x].ravel() for x in sorted(arrays)]), 1e-4, 1e-5)
    observe("loss", np.array(facts["history"]["loss"]), 1e-4)
    observe("lr", facts["optimizer"]["lr"])
    ### END HIDDEN TESTS


test_checkpoint_of()

# %%
content = to_bytes(*checkpoint_of(Night().train(2)))
length = int.from_bytes(content[:8], "little")
header = json.loads(content[8 : 8 + length])
facts = json.loads(header.pop("__metadata__")["tinytorch"])
print(len(content), "bytes; the header has", length)
for name, where in list(header.items())[:4]:
    print(f"{name:15} {where['dtype']} {where['shape']!s:7} bytes {where['data_offsets']}")
print("epoch", facts["epoch"], "and the settings", facts["settings"])

# %% [markdown]
# ## Exercise 3: back, all or nothing
# *Difficulty 4 of 5 · 30 points · 30 minutes*
#
# `restore` puts a checkpoint into a training that was built anew. The danger is a **mixture**: the new weights with the old optimizer, or half of the weights. Nothing would be right, and nothing would complain. So either everything is put in, or nothing is.
#
# Given: settings that differ are refused first, and a generator is made of its state, put nowhere yet. Yours, in this order:
#
# 1. Sort the arrays into the model's and the optimizer's, and take the words off their names; the optimizer's numbers are in `facts["optimizer"]`.
# 2. Load the model. A state that does not fit is refused there, *before* anything is written.
# 3. Load the optimizer. It may refuse as well, but now the model is already new: **put its old weights back**, and let the error through.
# 4. What cannot fail comes last: `epoch`, `history`, and `Random.generator = generator`.
#
# **Predict first:** would it help to load the optimizer first?
#
# <details><summary>Hints</summary>
#
# `{name.removeprefix("model."): x for name, x in arrays.items() if name.startswith("model.")}`. Before step 2, `training.model.state_dict()` is a copy of the old weights. An `except ValueError:` that ends in a bare `raise` lets the error go on.
#
# </details>


# %% nbgrader={"grade_id": "restore", "solution": true}
#| export
def restore(training: Training, arrays: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
    """Put a checkpoint into a training and `Random.generator`, all of it or nothing.

    Raises ValueError when it does not fit the model, the optimizer or the settings.
    """
    mine, saved = settings_of(training), facts["settings"]
    for name in mine:
        if saved.get(name) != mine[name]:
            raise ValueError(
                f"saved with {name} {saved.get(name)}, here it is {mine[name]}: build the same "
                "one; after loading you may change it."
            )
    generator = np.random.default_rng()
    generator.bit_generator.state = facts["generator"]
    ### BEGIN SOLUTION
    parts = {"model": {}, "optimizer": dict(facts["optimizer"])}
    for name, array in arrays.items():
        part, inner = name.split(".", 1)
        parts[part][inner] = array
    before = training.model.state_dict()
    training.model.load_state_dict(parts["model"])
    try:
        training.optimizer.load_state_dict(parts["optimizer"])
    except ValueError:
        training.model.load_state_dict(before)
        raise
    training.epoch, training.history = facts["epoch"], facts["history"]
    Random.generator = generator
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-restore", "grade": true, "points": 30}
def test_restore():
    """Training after it, bit by bit, against a night without a break; refusals without a trace."""
    for optimizer in (SGD, Adam):
        name, whole = optimizer.__name__, Night(optimizer).train(8)
        drawn, half = Random.generator.random(), Night(optimizer).train(3)
        file = to_bytes(*checkpoint_of(half))
        half.train(1)
        later = Night(optimizer, seed=99)
        restore(later, *from_bytes(file))
        assert later.epoch == 3, f"After restore the epoch is 3, not {later.epoch}."
        assert len(later.history["loss"]) == 3, f"The history is {later.history}, not of 3 epochs."
        later.train(5)
        got, want = later.history["loss"], whole.history["loss"]
        assert got[3] == want[3], (
            f"{name}: the first epoch after the break has loss {got[3]}, without a break "
            f"{want[3]}: are weights, memory and Random.generator as they were?"
        )
        assert got == want, f"{name}: {got}, not {want}: is the optimizer's memory as it was?"
        same = later.weights().tobytes() == whole.weights().tobytes()
        assert same, f"{name}: other weights than without a break: is its whole memory loaded?"
        assert Random.generator.random() == drawn, "Other random numbers than without a break."
    arrays, facts = from_bytes(file)
    for part in ("model", "optimizer"):
        broken = dict(arrays)
        name = max(x for x in broken if x.startswith(part) and broken[x].ndim == 2)
        broken[name] = np.ones((7, 7), np.float32)
        target = Night(seed=5).train(1)
        before, chance = to_bytes(*checkpoint_of(target)), Random.generator
        said = str(attempt(restore, target, broken, facts))
        assert "ValueError" in said, f"{name} of shape (7, 7) must be refused; got: {said}"
        assert Random.generator is chance, f"{name} was refused; leave Random.generator alone."
        assert to_bytes(*checkpoint_of(target)) == before, (
            f"The {part} did not fit, and something was changed all the same: the model must get "
            "its old weights back, and the rest comes last."
        )
    ### BEGIN HIDDEN TESTS
    night = Night(SGD, int(challenge.integers(100))).train(2)
    file, later = to_bytes(*checkpoint_of(night)), Night(SGD, 99)
    restore(later, *from_bytes(file))
    observe("weights", later.train(3).weights(), 1e-4, 1e-5)
    observe("loss", np.array(later.history["loss"]), 1e-4)
    observe("epoch", later.epoch)
    ### END HIDDEN TESTS


test_restore()

# %% [markdown]
# ## All together
# *18 points.* The two functions that are left put your three together. Then real files, and some that are none.


# %% nbgrader={"grade_id": "files", "locked": true}
#| export
def save_checkpoint(training: Training, path: str | Path) -> None:
    """Write the state into one file, whole or not at all. Between epochs: a batch is not kept."""
    write_whole(Path(path), to_bytes(*checkpoint_of(training)))


def load_checkpoint(training: Training, path: str | Path) -> None:
    """Go on from a file; a ValueError that names it, and nothing changed, if it does not fit."""
    try:
        restore(training, *from_bytes(Path(path).read_bytes()))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


# %% nbgrader={"grade_id": "test-saving-module", "grade": true, "points": 18}
def test_saving_module():
    """Saved, broken off, resumed; truncated, foreign and mismatched files named and harmless."""
    home = Path(tempfile.mkdtemp(dir=folder.name))
    path, whole, later = home / "night.safetensors", Night().train(6), Night(seed=7)
    half = Night()
    for _ in range(4):
        save_checkpoint(half.train(1), path)
    load_checkpoint(later, str(path))
    same = later.train(2).weights().tobytes() == whole.weights().tobytes()
    assert same, "4 + 2 epochs through a file must give the same bits as 6 epochs."
    assert os.listdir(home) == [path.name], f"One file, one name; there are {os.listdir(home)}."
    content, before = path.read_bytes(), to_bytes(*checkpoint_of(later))
    for name, wrong in {
        "cut": content[: len(content) - 1],
        "beheaded": content[:100],
        "empty": b"",
        "text": b"not a checkpoint at all, but long enough to look like one",
        "foreign": safetensors.numpy.save({"weight": np.ones(3, np.float32)}),
    }.items():
        (home / name).write_bytes(wrong)
        said = str(attempt(load_checkpoint, later, home / name))
        named = said.startswith("ValueError") and name in said
        assert named, f"The {name} file must be refused and named; got: {said}"
        assert to_bytes(*checkpoint_of(later)) == before, f"The {name} file changed the training."
    for part, other in [
        ("is not (", Night(width=9)),
        ("optimizer Adam", Night(SGD)),
        ("schedule", Night(epochs=9)),
    ]:
        before = to_bytes(*checkpoint_of(other))
        said = str(attempt(load_checkpoint, other, path))
        named = said.startswith("ValueError") and part in said
        assert named, f"Say that {part} does not fit; got: {said}"
        assert to_bytes(*checkpoint_of(other)) == before, f"{part}: the training was changed."
    ### BEGIN HIDDEN TESTS
    night, later = Night(seed=int(challenge.integers(100))).train(2), Night(seed=100)
    save_checkpoint(night, home / "hidden")
    load_checkpoint(later, home / "hidden")
    observe("weights", later.train(2).weights(), 1e-4, 1e-5)
    cut = int(challenge.integers(1, 3000))
    (home / "hidden").write_bytes(content[:-cut])
    observe("cut", "ValueError" in str(attempt(load_checkpoint, later, home / "hidden")))
    ### END HIDDEN TESTS


test_saving_module()

# %% [markdown]
# ## Measure it: leave one thing out
#
# Ten epochs, a checkpoint, thirty more. Then again from checkpoints in which one thing is as on the first day. How far do the weights get from those of a night without a break?

# %%
saved, fresh = (to_bytes(*checkpoint_of(Night(epochs=40).train(n))) for n in (10, 0))
whole = Night(epochs=40)
restore(whole, *from_bytes(saved))
undisturbed = [whole.weights()] + [whole.train(1).weights() for _ in range(30)]
fig, ax = plt.subplots()
for left_out in ("nothing", "optimizer", "epoch", "generator"):
    night, (arrays, facts), (first, start) = Night(epochs=40), from_bytes(saved), from_bytes(fresh)
    if left_out != "nothing":
        facts[left_out] = start[left_out]
    if left_out == "optimizer":
        arrays |= {name: x for name, x in first.items() if name.startswith("optimizer.")}
    restore(night, arrays, facts)
    found = [night.weights()] + [night.train(1).weights() for _ in range(30)]
    distances = [np.linalg.norm(a - b) for a, b in zip(found, undisturbed, strict=True)]
    ax.plot(range(10, 41), distances, label=f"{left_out} left out: {distances[-1]:.2f}")
ax.set(xlabel="epoch", ylabel="distance of the weights", ylim=(-0.02, 0.95))
ax.legend(fontsize=8, ncols=4, loc="upper left")
ax.set_title("Leave out any part of the state, and training takes another path")
plt.show()

# %% [markdown]
# Another path need not be a worse one. With the epoch forgotten, the learning rate is high again; with the moments forgotten, Adam's first steps have full size. But an experiment that becomes another one when it is interrupted is none: nobody can say any more what made the difference.
#
# ## Check your understanding
#
# Answer first, then unfold; the cell below computes every number.
#
# 1. How many bytes for each float32 weight has a checkpoint with plain SGD, SGD with momentum, Adam?
# 2. A disk writes 200 MB a second, a model has 124 million weights (GPT-2 small) and Adam. How long does a checkpoint take, and how often can one save if it shall cost 1 % of the time?
# 3. Why not write the temporary file into the system's folder for temporary files?
#
# <details><summary>Answers</summary>
#
# 1. 4, 8, 12: the weights, and one or two arrays of their size.
# 2. 1.5 GB, 7.4 seconds: every 12 minutes.
# 3. It may lie on another disk. Renaming from disk to disk is copying, and a copy can be half.
#
# </details>

# %%
for name, copies in (("SGD", 1), ("momentum", 2), ("Adam", 3)):
    print(f"1. {name:9} {4 * copies:2} bytes a weight")
seconds = 124e6 * 12 / 200e6
print(f"2. {124e6 * 12 / 1e9:.2f} GB, {seconds:.1f} s, every {100 * seconds / 60:.0f} minutes")

# %% [markdown]
# ## In production
#
# | ours | elsewhere | the difference |
# |---|---|---|
# | `save_checkpoint(training, path)` | `torch.save({...}, path)` | theirs is a pickle, written in place |
# | `load_checkpoint(training, path)` | `torch.load(path)` | since 2.6 theirs refuses pickled code unless asked |
# | `write_whole` | databases, editors, package managers | the same four steps, and an fsync of the folder |
#
# ## Recap
#
# 1. Write beside, flush, sync, replace: a file is whole or not there.
# 2. The state is weights, optimizer, epoch *and* chance; leave one out and it is another training.
# 3. Arrays as safetensors, the rest as JSON; a pickle is a program.
# 4. Check before you write, write what can fail first, and be able to go back.
# 5. Resuming is tested by bits, not by eye: 4 + 2 epochs are 6.
#
# ## Further reading
#
# - T. S. Pillai and others, "All file systems are not created equal", OSDI 2014: what a crash leaves of a file, and who gets it wrong.
# - The safetensors format: <https://huggingface.co/docs/safetensors>
# - Python's own warning: <https://docs.python.org/3/library/pickle.html>
#
# **Next:** the last notebook of the module, `training`: the loop as a class.
