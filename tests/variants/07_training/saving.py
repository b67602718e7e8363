"""Wrong answers to the notebook Saving, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 write_whole
_write = _wrong("write-whole")
_NAME = 'temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")'
_FLUSH = "file.flush()\n"
_SYNC = "os.fsync(file.fileno())\n"
_REPLACE = "        os.replace(temporary, path)\n"
_UNLINK = "temporary.unlink(missing_ok=True)"
_BODY = """    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
"""
WRITE = [
    _write("writes-in-place", f"{_NAME}\n{_BODY}", "path.write_bytes(content)\n",
        "Call os.fsync"),
    _write("syncs-in-place", f"{_NAME}\n{_BODY}", """with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
""", "Use os.replace, once"),
    _write("forgets-fsync", _SYNC, "\n", "Call os.fsync"),
    _write("forgets-flush", _FLUSH, "\n", "flush() first"),
    _write("flushes-after", "            file.flush()\n            os.fsync(file.fileno())\n",
        "            os.fsync(file.fileno())\n            file.flush()\n", "flush() first"),
    _write("replaces-before-closing", _BODY, """    try:
        with temporary.open("wb") as file:
            file.write(content[:100])
            file.flush()
            os.replace(temporary, path)
            file.write(content[100:])
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
""", "was not complete"),
    _write("copies-back", _REPLACE,
        "        path.write_bytes(temporary.read_bytes())\n        temporary.unlink()\n",
        "Use os.replace, once"),
    _write("deletes-the-old-first", _REPLACE,
        "        path.unlink(missing_ok=True)\n        temporary.rename(path)\n",
        "Use os.replace, once"),
    _write("deletes-before-writing", "    try:\n", "    path.unlink(missing_ok=True)\n    try:\n",
        "No such file"),
    _write("goes-to-another-folder", _NAME,
        "temporary = Path(os.path.dirname(path.parent)) / f'{path.name}.tmp'", "use path's folder"),
    _write("leaves-the-temporary", _UNLINK, "pass", "Delete the temporary file"),
    _write("swallows-the-error", "        raise\n", "", "an error to let through"),
    _write("deletes-the-old-on-failure", _UNLINK,
        "temporary.unlink(missing_ok=True)\n        path.unlink(missing_ok=True)",
        "the old file is gone"),
    _write("never-renames", _REPLACE, "", "No such file"),
    _write("writes-half", "file.write(content)", "file.write(content[:512])",
        "The new content did not arrive"),
]

# --- 2 checkpoint_of
_of = _wrong("checkpoint-of")
_MODEL = 'arrays = {f"model.{name}": x for name, x in training.model.state_dict().items()}'
_MEMORY = (
    'arrays |= {f"optimizer.{name}": x for name, x in state.items() if isinstance(x, np.ndarray)}'
)
_NUMBERS = '{name: x for name, x in state.items() if not isinstance(x, np.ndarray)}'
_CHANCE = '"generator": Random.generator.bit_generator.state,'
OF = [
    _of("forgets-the-optimizers-arrays", _MEMORY, "pass", "memory"),
    _of("forgets-the-optimizers-numbers", _NUMBERS, "{}", "facts['optimizer'] is"),
    _of("keeps-the-learning-rate-alone", _NUMBERS, '{"lr": training.optimizer.lr}',
        "facts['optimizer'] is"),
    _of("forgets-the-model", _MODEL, "arrays = {}", "Of the model"),
    _of("keeps-parameters-by-number", _MODEL,
        'arrays = {f"model.{i}": p.data for i, p in enumerate(training.model.parameters())}',
        "Of the model"),
    _of("forgets-the-word", 'f"model.{name}"', "name", "Of the model"),
    _of("writes-another-word", 'f"optimizer.{name}"', 'f"optim.{name}"', "memory"),
    _of("forgets-the-generator", _CHANCE, "", "The facts are"),
    _of("keeps-a-fresh-generator", _CHANCE,
        '"generator": np.random.default_rng().bit_generator.state,', "not the state of"),
    _of("keeps-the-generator-itself", _CHANCE, '"generator": Random.generator,',
        "JSON cannot hold"),
    _of("forgets-the-epoch", '"epoch": training.epoch,', "", "The facts are"),
    _of("counts-from-one", '"epoch": training.epoch,', '"epoch": training.epoch + 1,',
        "the facts say 4"),
    _of("forgets-the-history", '"history": training.history,', '"history": {},',
        "The history is"),
    _of("forgets-the-settings", '"settings": settings_of(training),', '"settings": {},',
        "The settings are"),
    _of("keeps-the-arrays-themselves", _MODEL,
        'arrays = {f"model.{name}": x.data for name, x in training.model.named_parameters()}',
        "Training on changed"),
]

# --- 3 restore
_back = _wrong("restore")
_SPLIT = """parts = {"model": {}, "optimizer": dict(facts["optimizer"])}
    for name, array in arrays.items():
        part, inner = name.split(".", 1)
        parts[part][inner] = array
"""
_LOAD = """    try:
        training.optimizer.load_state_dict(parts["optimizer"])
    except ValueError:
        training.model.load_state_dict(before)
        raise
"""
_COUNTS = 'training.epoch, training.history = facts["epoch"], facts["history"]'
BACK = [
    _back("does-not-put-back", "        training.model.load_state_dict(before)\n", "",
        "something was changed all the same"),
    _back("puts-back-what-is-new", "before = training.model.state_dict()\n    "
        'training.model.load_state_dict(parts["model"])\n',
        'training.model.load_state_dict(parts["model"])\n'
        "    before = training.model.state_dict()\n",
        "something was changed all the same"),
    _back("keeps-no-copy", "before = training.model.state_dict()",
        "before = {name: p.data for name, p in training.model.named_parameters()}",
        "something was changed all the same"),
    _back("swallows-the-refusal", "        raise\n", "", "must be refused"),
    _back("never-restores-the-optimizer", _LOAD, "", "the first epoch after the break"),
    _back("never-restores-the-model", 'training.model.load_state_dict(parts["model"])\n', "pass\n",
        "the first epoch after the break"),
    _back("never-restores-the-epoch", _COUNTS, 'training.history = facts["history"]',
        "the epoch is 3, not 0"),
    _back("never-restores-the-history", _COUNTS,
        'training.epoch = facts["epoch"]', "The history is"),
    _back("never-restores-the-generator", "    Random.generator = generator\n", "",
        "are weights, memory and Random.generator"),
    _back("keeps-the-generator-to-itself", "    Random.generator = generator\n",
        "    training.generator = generator\n", "are weights, memory and Random.generator"),
    _back("counts-too-early", "before = training.model.state_dict()",
        'before = training.model.state_dict()\n    training.epoch = facts["epoch"]',
        "something was changed all the same"),
    _back("draws-too-early", "before = training.model.state_dict()",
        "before = training.model.state_dict()\n    Random.generator = generator",
        "leave Random.generator alone"),
    _back("optimizer-first", '    training.model.load_state_dict(parts["model"])\n' + _LOAD,
        '    training.optimizer.load_state_dict(parts["optimizer"])\n'
        '    training.model.load_state_dict(parts["model"])\n',
        "something was changed all the same"),
    _back("loads-what-fits", '    training.model.load_state_dict(parts["model"])\n',
        "    for name, p in training.model.named_parameters():\n"
        '        if p.shape == parts["model"][name].shape:\n'
        '            p.data[...] = parts["model"][name]\n', "must be refused"),
    _back("loads-one-by-one", '    training.model.load_state_dict(parts["model"])\n',
        "    for name, p in training.model.named_parameters():\n"
        '        p.data[...] = parts["model"][name] * 1\n', "something was changed all the same"),
    _back("shifts-the-epoch", _COUNTS,
        'training.epoch, training.history = facts["epoch"] + 1, facts["history"]',
        "the epoch is 3, not 4"),
]

MUTANTS = [*WRITE, *OF, *BACK]

# Right answers, three or more to an exercise.
ALTERNATIVES = [
    Alternative("path-replace", "write-whole", _REPLACE, "        temporary.replace(path)\n"),
    Alternative("open-and-finally", "write-whole", _BODY, """    file = temporary.open("wb", 0)
    try:
        try:
            file.write(content)
            os.fsync(file)
        finally:
            file.close()
        os.replace(temporary, path)
    finally:
        if temporary.exists():
            temporary.unlink()
"""),
    Alternative("with-a-dot", "write-whole", _NAME,
        'temporary = path.parent / ("." + path.name)'),
    Alternative("descriptor", "write-whole", _BODY, """    try:
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            with os.fdopen(number, "wb", closefd=False) as file:
                file.write(content)
            os.fsync(number)
        finally:
            os.close(number)
        os.replace(str(temporary), str(path))
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
"""),
    Alternative("two-loops", "checkpoint-of",
        f"{_MODEL}\n    {_MEMORY}", """arrays, numbers = {}, {}
    for name, x in training.model.state_dict().items():
        arrays["model." + name] = x
    for name, x in state.items():
        if isinstance(x, np.ndarray):
            arrays["optimizer." + name] = x
        else:
            numbers[name] = x"""),
    Alternative("joined", "checkpoint-of", f"{_MODEL}\n    {_MEMORY}",
        """memory = {name: x for name, x in state.items() if isinstance(x, np.ndarray)}
    parts = {"model": training.model.state_dict(), "optimizer": memory}
    arrays = {f"{part}.{name}": x for part in parts for name, x in parts[part].items()}"""),
    Alternative("by-what-is-in-arrays", "checkpoint-of", _NUMBERS,
        '{name: x for name, x in state.items() if f"optimizer.{name}" not in arrays}'),
    Alternative("history-copied", "checkpoint-of", '"history": training.history,',
        '"history": {name: list(values) for name, values in training.history.items()},'),
    Alternative("prefixes", "restore", _SPLIT, """parts = {
        part: {name[len(part) + 1 :]: x for name, x in arrays.items() if name.startswith(part)}
        for part in ("model", "optimizer")
    }
    parts["optimizer"].update(facts["optimizer"])
"""),
    Alternative("any-exception", "restore", "except ValueError:", "except Exception:"),
    Alternative("in-place-generator", "restore", "    Random.generator = generator\n",
        '    Random.generator = np.random.default_rng()\n'
        '    Random.generator.bit_generator.state = facts["generator"]\n'),
    Alternative("optimizer-first-and-back", "restore",
        "    before = training.model.state_dict()\n"
        '    training.model.load_state_dict(parts["model"])\n' + _LOAD,
        """    old = training.optimizer.state_dict()
    training.optimizer.load_state_dict(parts["optimizer"])
    try:
        training.model.load_state_dict(parts["model"])
    except ValueError as error:
        training.optimizer.load_state_dict(old)
        raise error
"""),
]
