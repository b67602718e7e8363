"""Wrong answers to the notebook Training, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str, test: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, test, old, new, says)


# --- 1 evaluating
_measure = _wrong("evaluating", "test-evaluating")
_LAYERS = "layers = [model, *(member for _, member in model.walk() if isinstance(member, Layer))]"
_BEFORE = "before = [layer.training for layer in layers]"
_YIELD = """    try:
        with no_grad():
            yield
    finally:
        for layer, mode in zip(layers, before, strict=True):
            layer.training = mode
"""
_BACK = """for layer, mode in zip(layers, before, strict=True):
            layer.training = mode
"""
EVALUATING = [
    _measure("forgets-eval", "    model.eval()\n", "", "every layer is in eval mode"),
    _measure("model-alone", "    model.eval()\n", "    model.training = False\n",
        "every layer is in eval mode"),
    _measure("builds-graphs", "        with no_grad():\n            yield\n", "        yield\n",
        "A graph was built"),
    _measure("does-not-restore", _BACK, "pass\n", "still in eval mode"),
    _measure("restores-with-train", _BACK, "model.train()\n", "its own mode back"),
    _measure("restores-the-models-mode", _BACK, "model.train(before[0])\n", "its own mode back"),
    _measure("forgets-the-model-itself", "layers = [model, *(", "layers = [*(",
        "still in eval mode"),
    _measure("top-level-only", "in model.walk() if", "in model.members() if",
        "its own mode back"),
    _measure("notes-too-late", f"{_BEFORE}\n    model.eval()", f"model.eval()\n    {_BEFORE}",
        "still in eval mode"),
    _measure("no-finally", _YIELD, """    with no_grad():
        yield
    for layer, mode in zip(layers, before, strict=True):
        layer.training = mode
""", "use try/finally"),
    _measure("swallows-errors", "    finally:\n",
        "    except KeyError:\n        pass\n    finally:\n",
        "must come through"),
    _measure("always-back-to-training", _BACK,
        "for layer, mode in zip(layers, before, strict=True):\n"
        "            layer.training = mode or layer is model\n", "in eval mode before"),
]

# --- 2 Trainer.train_epoch
_epoch = _wrong("trainer", "test-train-epoch")
_MODE = "self.model.train()\n"
_LR = """        if self.scheduler is not None:
            self.optimizer.lr = self.scheduler.get_lr(self.epoch)
"""
_CHECK = "            self.check_loss(loss, number)\n"
_CLIP = "clip_grad_norm(self.model.parameters(), self.grad_clip_norm)"
_IF_CLIP = "            if self.grad_clip_norm is not None:\n"
_STEP = "            self.optimizer.step()\n"
_SUM = "total, count = total + loss.item() * len(x), count + len(x)"
_END = """        mean = mean_of(total, count)
        self.epoch += 1
        return mean
"""
EPOCH = [
    _epoch("forgets-zero-grad", "            self.optimizer.zero_grad()\n", "",
        "gradients added up"),
    _epoch("zeroes-once", "        for number, (x, y)", "        self.optimizer.zero_grad()\n"
        "        self.optimizer.zero_grad = lambda: None\n        for number, (x, y)",
        "gradients added up"),
    _epoch("zeroes-before-the-step", "loss.backward()\n",
        "loss.backward()\n            self.optimizer.zero_grad()\n", "-2.5"),
    _epoch("forgets-train-mode", _MODE, "pass\n", "train mode at the start"),
    _epoch("trains-in-eval-mode", _MODE, "self.model.eval()\n", "train mode at the start"),
    _epoch("forgets-backward", "            loss.backward()\n", "", "-2.5"),
    _epoch("forgets-the-step", _STEP, "", "then one step"),
    _epoch("steps-twice", _STEP, _STEP * 2, "then one step"),
    _epoch("one-step-an-epoch", f"{_STEP}            {_SUM}\n", f"            {_SUM}\n"
        "        self.optimizer.step()\n", "then one step"),
    _epoch("mean-of-means", _SUM, "total, count = total + loss.item(), count + 1",
        "have the mean 7 / 5"),
    _epoch("sum-of-means", _SUM, "total, count = total + loss.item(), count + len(x)",
        "have the mean 7 / 5"),
    _epoch("loss-of-the-last-batch", _SUM, "total, count = loss.item() * len(x), len(x)",
        "have the mean 7 / 5"),
    _epoch("keeps-the-graph", _SUM, "total, count = loss * len(x) + total, count + len(x)",
        "Return a float"),
    _epoch("forgets-the-epoch", "        self.epoch += 1\n", "", "trainer.epoch is 0"),
    _epoch("counts-batches", f"{_STEP}            {_SUM}\n",
        f"{_STEP}            {_SUM}\n            self.epoch += 1\n", "trainer.epoch is 3"),
    _epoch("forgets-the-schedule", _LR, "", "Set the lr before the epoch"),
    _epoch("schedule-after-the-epoch", "get_lr(self.epoch)",
        "get_lr(self.epoch - 1) if self.epoch else self.optimizer.lr",
        "Set the lr before the epoch"),
    _epoch("schedule-one-ahead", "get_lr(self.epoch)", "get_lr(self.epoch + 1)",
        "Set the lr before the epoch"),
    _epoch("schedule-first-epoch-for-ever", "get_lr(self.epoch)", "get_lr(0)",
        "Set the lr before the epoch"),
    _epoch("forgets-to-clip", _CLIP, "pass", "clipped to 1/4"),
    _epoch("clips-to-one", _CLIP, "clip_grad_norm(self.model.parameters(), 1.0)",
        "clipped to 1/4"),
    _epoch("clips-after-the-step", f"{_IF_CLIP}                {_CLIP}\n{_STEP}",
        f"{_STEP}{_IF_CLIP}                {_CLIP}\n", "clipped to 1/4"),
    _epoch("clips-before-backward",
        f"            loss.backward()\n{_IF_CLIP}                {_CLIP}\n",
        f"{_IF_CLIP}                {_CLIP}\n            loss.backward()\n", "clipped to 1/4"),
    _epoch("does-not-check", _CHECK, "", "must say which batch"),
    _epoch("checks-after-the-step", f"{_CHECK}            loss.backward()\n",
        f"            loss.backward()\n            self.optimizer.step()\n{_CHECK}",
        "then one step"),
    _epoch("names-the-epoch-for-the-batch", "check_loss(loss, number)",
        "check_loss(loss, self.epoch)", "must say which batch"),
    _epoch("counts-broken-epochs", f"{_MODE}{_LR}", f"{_MODE}{_LR}        self.epoch += 1\n",
        "trainer.epoch is 2"),
]

# --- 2 Trainer.evaluate
_evaluate = _wrong("trainer", "test-evaluate")
_WITH = "with evaluating(self.model):"
_PASS = "total += self.loss_fn(self.model(x), y).item() * len(x)\n"
_COUNT = "                count += len(x)\n"
EVALUATE = [
    _evaluate("stays-in-train-mode", _WITH, "if True:", "in eval mode"),
    _evaluate("eval-without-restoring", _WITH, "self.model.eval()\n        if True:",
        "Afterwards the model is in train mode"),
    _evaluate("trains", _WITH,
        "self.train_epoch(batches)\n        with evaluating(self.model):", "the mean is 2"),
    _evaluate("mean-of-means-again", f"{_PASS}{_COUNT}",
        "total += self.loss_fn(self.model(x), y).item()\n                count += 1\n",
        "the mean is 2"),
    _evaluate("sum", "        return mean_of(total, count)\n", "        return total\n",
        "the mean is 2"),
    _evaluate("last-batch", f"{_PASS}{_COUNT}",
        "total, count = self.loss_fn(self.model(x), y).item(), 1\n", "the mean is 2"),
    _evaluate("counts-an-epoch", "        return mean_of(total, count)\n",
        "        self.epoch += 1\n        return mean_of(total, count)\n", "no epoch of training"),
    _evaluate("nothing-is-nought", "        return mean_of(total, count)\n",
        "        return total / max(count, 1)\n", "No batches"),
]

# --- 2 Trainer.fit
_fit = _wrong("trainer", "test-fit")
_BAR = 'bar = tqdm(range(epochs), desc="epochs")'
_RECORD = 'record = {"train_loss": self.train_epoch(batches), "lr": self.optimizer.lr}'
_KEEP = "self.history.setdefault(name, []).append(value)"
_SHOW = """bar.set_postfix(loss=f"{record['train_loss']:.4f}")"""
_VALIDATE = """            if validation is not None:
                record["val_loss"] = self.evaluate(validation)
"""
FIT = [
    _fit("draws-no-bar", _BAR, 'bar = tqdm(range(epochs), desc="epochs", disable=True)',
        "A bar over the epochs"),
    _fit("shows-no-loss", _SHOW, "pass", "Show the loss beside"),
    _fit("fits-in-total", "range(epochs)", "range(self.epoch, epochs)", "goes on in the same"),
    _fit("one-epoch-more", "range(epochs)", "range(epochs + 1)", "is two epochs, not 3"),
    _fit("history-anew", _BAR, f"self.history = {{}}\n        {_BAR}", "goes on in the same"),
    _fit("keeps-the-last", _KEEP, "self.history[name] = [value]", "not ["),
    _fit("keeps-train-loss-alone", _RECORD, 'record = {"train_loss": self.train_epoch(batches)}',
        "The history has"),
    _fit("notes-the-lr-before", _RECORD,
        'record = {"lr": self.optimizer.lr, "train_loss": self.train_epoch(batches)}', "lr: ["),
    _fit("never-validates", _VALIDATE, "", "The history has"),
    _fit("validates-first", f"            {_RECORD}\n{_VALIDATE}",
        "            measured = validation and self.evaluate(validation)\n"
        f"            {_RECORD}\n            if measured:\n"
        '                record["val_loss"] = measured\n', "evaluate after each epoch"),
    _fit("validates-on-training-data", "self.evaluate(validation)", "self.evaluate(batches)",
        "evaluate after each epoch"),
    _fit("needs-validation", "if validation is not None:", "if True:", "NoneType"),
    _fit("returns-a-copy", "        return self.history\n", "        return dict(self.history)\n",
        "returns the trainer's history"),
    _fit("returns-nothing", "        return self.history\n", "", "returns the trainer's history"),
]

MUTANTS = [*EVALUATING, *EPOCH, *EVALUATE, *FIT]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("dictionary-of-modes", "evaluating", f"{_LAYERS}\n    {_BEFORE}",
        """layers, before = [model], [model.training]
    for _, member in model.walk():
        if isinstance(member, Layer):
            layers.append(member)
            before.append(member.training)"""),
    Alternative("train-false", "evaluating", "model.eval()", "model.train(False)"),
    Alternative("graph-outside", "evaluating", _YIELD, """    with no_grad():
        try:
            yield
        finally:
            for i in range(len(layers)):
                layers[i].training = before[i]
"""),
    Alternative("lists", "trainer", _SUM,
        "total += float(loss.data) * x.shape[0]\n            count += x.shape[0]"),
    Alternative("running-mean", "trainer", f"{_SUM}\n{_END}",
        """count += len(x)
            total += (loss.item() - total) * len(x) / count
        self.epoch += bool(count)
        return mean_of(total * count, count)
"""),
    Alternative("zero-after-the-step", "trainer", "            self.optimizer.zero_grad()\n"
        "            loss = self.loss_fn(self.model(x), y)\n",
        "            for p in self.model.parameters():\n                p.zero_grad()\n"
        "            loss = self.loss_fn(self.model.forward(x), y)\n"),
    Alternative("while-no-enumerate", "trainer", "for number, (x, y) in enumerate(batches):",
        "number = -1\n        for x, y in batches:\n            number += 1"),
    Alternative("sum-of-pairs", "trainer", f"{_PASS}{_COUNT}",
        """loss = self.loss_fn(self.model(x), y)
                total, count = total + float(loss) * len(y), count + len(y)
"""),
    Alternative("trange-by-hand", "trainer", f"{_BAR}\n        for _ in bar:",
        "bar = tqdm(total=epochs)\n        for _ in range(epochs):\n            bar.update(1)"),
    Alternative("history-by-name", "trainer",
        f"for name, value in record.items():\n                {_KEEP}",
        """for name in record:
                if name not in self.history:
                    self.history[name] = []
                self.history[name] += [record[name]]"""),
]
