"""Module 07 as a package: checkpoints under a kill, bit-identical nights, clipping, refusals."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import REPOSITORY
from tinytorch.core.autograd import RowSparseGrad
from tinytorch.core.layers import Dropout, Linear, Random, Sequential, manual_seed
from tinytorch.core.losses import CrossEntropyLoss, MSELoss
from tinytorch.core.optimizers import SGD, Adam, AdamW
from tinytorch.core.saving import checkpoint_of, to_bytes
from tinytorch.core.tensor import Tensor
from tinytorch.core.training import CosineSchedule, Trainer, clip_grad_norm, minibatches

X = np.random.default_rng(1).normal(size=(22, 3)).astype(np.float32)


def trainer(optimizer=Adam, width=8, seed=0, **options):
    manual_seed(seed)
    model = Sequential(Linear(3, width), Tensor.tanh, Dropout(0.3), Linear(width, 1))
    made = optimizer(model.parameters(), lr=0.02, **options)
    return Trainer(model, made, MSELoss(), CosineSchedule(0.02, 0.001, 6, 2), grad_clip_norm=0.7)


def batches():
    return minibatches(X, X @ np.float32([[1], [-2], [0.5]]), 5)


def state(of: Trainer) -> bytes:
    return to_bytes(*checkpoint_of(of))


@pytest.mark.parametrize("k", range(6))
@pytest.mark.parametrize(
    ("optimizer", "options"),
    [(SGD, {}), (SGD, {"momentum": 0.9}), (Adam, {}), (AdamW, {"weight_decay": 0.1})],
)
def test_a_night_in_two_parts_has_the_bits_of_one(optimizer, options, k, tmp_path):
    whole = trainer(optimizer, **options)
    whole.fit(batches(), 6, batches())
    first = trainer(optimizer, **options)
    first.fit(batches(), k, batches())
    first.save_checkpoint(tmp_path / "night")
    second = trainer(optimizer, seed=5, **options)
    second.load_checkpoint(tmp_path / "night")
    second.fit(batches(), 6 - k, batches())
    for mine, theirs in zip(second.model.parameters(), whole.model.parameters(), strict=True):
        assert mine.data.tobytes() == theirs.data.tobytes()
    assert second.history == whole.history


SAVE_FOR_EVER = """
import sys
import numpy as np
from tinytorch.core.layers import Linear
from tinytorch.core.losses import MSELoss
from tinytorch.core.optimizers import SGD
from tinytorch.core.training import Trainer

model = Linear(500, 1000)
trainer = Trainer(model, SGD(model.parameters(), lr=0.1), MSELoss())
for number in range(10_000):
    model.weight.data[...] = number
    trainer.save_checkpoint(sys.argv[1])
    print(number, flush=True)
"""


def test_a_killed_save_leaves_a_whole_checkpoint(tmp_path):
    path, rng = tmp_path / "night.safetensors", np.random.default_rng(3)
    for _ in range(4):
        command = [sys.executable, "-c", SAVE_FOR_EVER, str(path)]
        with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE) as child:
            child.stdout.readline()  # one is on disk; the next is being written
            time.sleep(rng.uniform(0, 0.05))
            child.send_signal(signal.SIGKILL)
        model = Linear(500, 1000)
        loaded = Trainer(model, SGD(model.parameters(), lr=0.1), MSELoss())
        loaded.load_checkpoint(path)
        weight = model.weight.data
        assert (weight == weight[0, 0]).all(), "half of one state and half of another"


def test_a_file_cut_anywhere_is_refused_and_changes_nothing(tmp_path):
    path, mine = tmp_path / "night", trainer()
    mine.fit(batches(), 1)
    mine.save_checkpoint(path)
    content, before = path.read_bytes(), state(mine)
    for length in [*range(0, len(content), 97), len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="night: not a whole safetensors file"):
            mine.load_checkpoint(path)
        assert state(mine) == before
    path.write_bytes(content[:8] + b"}" + content[9:])
    with pytest.raises(ValueError, match="night: not a whole"):
        mine.load_checkpoint(path)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (lambda: trainer(width=9), r"\(3, 8\) is not \(3, 9\)"),
        (lambda: trainer(SGD), "saved with optimizer Adam, here it is SGD"),
        (lambda: trainer(AdamW), "saved with optimizer Adam, here it is AdamW"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_and_changes_nothing(other, says, tmp_path):
    trainer().save_checkpoint(tmp_path / "night")
    mine = other()
    before, chance = state(mine), Random.generator
    with pytest.raises(ValueError, match=says):
        mine.load_checkpoint(tmp_path / "night")
    assert state(mine) == before
    assert Random.generator is chance


def test_another_schedule_is_refused_until_after_loading(tmp_path):
    trainer().save_checkpoint(tmp_path / "night")
    mine = trainer()
    mine.scheduler = CosineSchedule(0.02, 0.001, 60, 2)
    with pytest.raises(ValueError, match=r"saved with schedule .*'total_epochs': 6"):
        mine.load_checkpoint(tmp_path / "night")
    with pytest.raises(FileNotFoundError):
        mine.load_checkpoint(tmp_path / "absent")


def test_a_checkpoint_is_no_pickle(tmp_path):
    trainer().save_checkpoint(tmp_path / "night")
    content = (tmp_path / "night").read_bytes()
    assert content[8:9] == b"{"
    assert [path.name for path in tmp_path.iterdir()] == ["night"]


def test_clipping_does_not_depend_on_the_size_of_the_table():
    seconds = {}
    for rows in (1_000, 1_000_000):
        table = Tensor(np.zeros((rows, 16)), requires_grad=True)
        values = np.ones((64, 16), np.float32)
        table.grad = RowSparseGrad(np.arange(64), values, table.shape)
        start = time.perf_counter()
        for _ in range(50):
            assert clip_grad_norm([table], 1.0) > 0.99
        seconds[rows] = time.perf_counter() - start
    assert seconds[1_000_000] < 10 * seconds[1_000] + 0.05


@pytest.mark.parametrize(
    ("rate", "says"),
    [(float("nan"), "max_norm must be above 0"), (-1.0, "max_norm must be above 0, not -1.0")],
)
def test_a_limit_that_is_none_is_refused(rate, says):
    with pytest.raises(ValueError, match=says):
        clip_grad_norm([], rate)
    with pytest.raises(ValueError, match="grad_clip_norm must be above 0"):
        Trainer(Linear(1, 1), None, None, grad_clip_norm=rate)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # inf times 0
def test_a_loss_that_explodes_stops_before_the_step():
    mine = trainer(SGD)
    x = X.copy()
    x[7] = np.inf
    source = minibatches(x, X[:, :1], 5, shuffle=False)
    with pytest.raises(ValueError, match=r"loss is (nan|inf) at batch 1 of epoch 0") as caught:
        mine.fit(source, 2)
    assert "lr (0.00667)" in str(caught.value)
    assert "grad_clip_norm (0.7)" in str(caught.value)
    assert all(np.isfinite(p.data).all() for p in mine.model.parameters())
    assert mine.epoch == 0


@pytest.mark.parametrize("measure", ["train_epoch", "evaluate"])
def test_what_a_loss_refuses_goes_through_unchanged(measure):
    model = Linear(3, 4)
    mine = Trainer(model, SGD(model.parameters(), lr=0.1), CrossEntropyLoss())
    labels = np.zeros(22, int)
    for targets, says in ((labels + 4, "Label 4"), (labels[:, None], r"\(22,\), got \(22, 1\)")):
        with pytest.raises(ValueError, match=says):
            getattr(mine, measure)(minibatches(X, targets, 22))
    with pytest.raises(ValueError, match="No batches, no mean"):
        getattr(mine, measure)([])
    with pytest.raises(ValueError, match="at least one"):
        minibatches(X[:0], labels[:0], 4)


def test_the_bar_is_on_stderr(capfd):
    trainer().fit(batches(), 2)
    seen = capfd.readouterr()
    assert seen.out == ""
    assert "2/2" in seen.err
    assert "loss=" in seen.err


def test_one_import_has_all_of_training():
    from tinytorch.core import training

    names = ["CosineSchedule", "clip_grad_norm", "minibatches", "Trainer", "evaluating"]
    assert [name for name in names if not hasattr(training, name)] == []
    assert Path(training.__file__).name == "training.py"
