"""Wrong answers to the notebook Changes, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 update_blocks
_blocks = _wrong("blocks")
_ROWS = "rows = max(1, BLOCK * len(param) // max(1, param.size))"
_LOOP = "for start in range(0, len(param), rows):"
_SLICE = "part = slice(start, start + rows)"
_BUFFERS = "blocks = {name: buffer[part] for name, buffer in buffers.items()}"
_CALL = "update(param[part], grad[part], step, **blocks)"
_BODY = f"""{_LOOP}
        {_SLICE}
        {_BUFFERS}
        {_CALL}
"""
BLOCKS = [
    _blocks("goes-whole", _ROWS, "rows = max(1, len(param))", "entries at a time"),
    _blocks("counts-rows-for-entries", _ROWS, "rows = BLOCK", "entries at a time"),
    _blocks("goes-row-by-row", _ROWS, "rows = 1", "fill the blocks"),
    _blocks("drops-the-last-rows", _LOOP, "for start in range(0, len(param) - rows, rows):",
        "All, in place?"),
    _blocks("drops-the-remainder", _LOOP, "for start in range(0, len(param) - rows + 1, rows):",
        "All, in place?"),
    _blocks("overlaps-by-a-row", _SLICE, "part = slice(start, start + rows + 1)",
        "each entry once"),
    _blocks("skips-a-row", _SLICE, "part = slice(start, start + rows - (start > 0))",
        "each entry once"),
    _blocks("reads-the-first-gradients", "grad[part], step",
        "grad[:rows][: len(param[part])], step", "All, in place?"),
    _blocks("copies-blocks", "update(param[part],", "update(param[part].copy(),", "All, in place?"),
    _blocks("cuts-a-reshaped-copy", _ROWS, "rows = BLOCK\n"
        "    param, grad = param.reshape(-1), grad.reshape(-1)\n"
        "    buffers = {name: buffer.reshape(-1) for name, buffer in buffers.items()}",
        "must be the same part of the buffer"),
    _blocks("copies-buffers", "buffer[part] for", "buffer[part].copy() for",
        "must be the same part of the buffer"),
    _blocks("shares-the-first-block-of-a-buffer", "buffer[part] for",
        "buffer[: len(param[part])] for", "must be the same part of the buffer"),
    _blocks("divides-by-an-empty-row", _ROWS, "rows = max(1, BLOCK // (param.size // len(param)))",
        "ZeroDivisionError"),
    _blocks("allows-no-long-row", _ROWS, "rows = BLOCK * len(param) // max(1, param.size) or 2",
        "entries at a time"),
    _blocks("counts-blocks-as-steps", _CALL,
        "update(param[part], grad[part], step + start // rows, **blocks)",
        "A turned parameter, two steps"),
    _blocks("returns-after-one", _CALL, f"{_CALL}\n        return", "All, in place?"),
]

# --- 2 update_rows
_rows = _wrong("rows")
_TAKE = "part = param[rows]"
_TAKEN = "taken = {name: buffer[rows] for name, buffer in buffers.items()}"
_UPDATE = "update(part, grad.values, step, **taken)"
_BACK = "param[rows] = part"
_BUFFERS_BACK = """    for name, buffer in buffers.items():
        buffer[rows] = taken[name]
"""
_WHOLE = f"""    rows = grad.rows
    {_TAKE}
    {_TAKEN}
    {_UPDATE}
    {_BACK}
{_BUFFERS_BACK}"""
ROWS = [
    _rows("leaves-the-copy", f"    {_BACK}\n", "", "put it back"),
    _rows("leaves-the-buffers", _BUFFERS_BACK, "", "Velocities of rows 0 and 4"),
    _rows("goes-dense", _WHOLE, "    update(param, grad.to_dense(), step, **buffers)\n",
        "Rows 1 to 3 were never used"),
    _rows("goes-dense-and-restores", _WHOLE, """    rows, old = grad.rows, param.copy()
    kept = {name: buffer.copy() for name, buffer in buffers.items()}
    update(param, grad.to_dense(), step, **buffers)
    old[rows] = param[rows]
    param[...] = old
    for name, buffer in buffers.items():
        kept[name][rows] = buffer[rows]
        buffer[...] = kept[name]
""", "are 12 numbers"),
    _rows("adds-instead-of-putting", _BACK, "param[rows] += part", "As by hand"),
    _rows("counts-rows-from-the-top", "rows = grad.rows", "rows = np.arange(len(grad.rows))",
        "As by hand"),
    _rows("takes-a-range", "rows = grad.rows",
        "rows = slice(grad.rows.min(initial=0), grad.rows.min(initial=0) + len(grad.rows))",
        "As by hand"),
    _rows("puts-back-reversed", _BACK, "param[rows[::-1]] = part", "As by hand"),
    _rows("feeds-whole-buffers", "name: buffer[rows] for", "name: buffer[: len(rows)] for",
        "Velocities of rows never used"),
    _rows("starts-buffers-anew", "name: buffer[rows] for", "name: 0 * buffer[rows] for",
        "Velocities of rows 0 and 4"),
    _rows("adds-to-the-buffers", "buffer[rows] = taken[name]", "buffer[rows] += taken[name]",
        "Velocities of rows 0 and 4"),
    _rows("fills-the-whole-buffer", "buffer[rows] = taken[name]", "buffer[...] = taken[name][:1]",
        "Velocities of rows"),
    _rows("starts-steps-at-one", "grad.values, step,", "grad.values, 1,", "go as dense"),
    _rows("counts-a-step-a-row", _WHOLE,
        """    for k, (row, value) in enumerate(zip(grad.rows, grad.values)):
        part = slice(row, row + 1)
        blocks = {name: buffer[part] for name, buffer in buffers.items()}
        update(param[part], value[None], step + k, **blocks)
""", "go as dense"),
    _rows("scales-the-gradient", _UPDATE, f"{_UPDATE}\n    grad *= 0.5", "is read, not written"),
]

MUTANTS = [*BLOCKS, *ROWS]

ALTERNATIVES = [
    Alternative("rows-of-a-row", "blocks", _ROWS,
        "row = param[:1].size or 1\n    rows = BLOCK // row if row < BLOCK else 1"),
    Alternative("while", "blocks", _BODY, """start = 0
    while start < len(param):
        stop = start + rows
        blocks = {name: buffer[start:stop] for name, buffer in buffers.items()}
        update(param[start:stop], grad[start:stop], step, **blocks)
        start = stop
"""),
    Alternative("ceil-of-blocks", "blocks", _BODY, """for k in range(-(-len(param) // rows)):
        part = slice(k * rows, min(len(param), (k + 1) * rows))
        cut = {}
        for name in buffers:
            cut[name] = buffers[name][part]
        update(param=param[part], grad=grad[part], step=step, **cut)
"""),
    Alternative("array-split", "blocks", _BODY,
        """parts = range(rows, len(param), rows)
    names = list(buffers)
    pieces = [np.split(x, parts) for x in (param, grad, *buffers.values())]
    for p, g, *rest in zip(*pieces):
        update(p, g, step, **dict(zip(names, rest)))
"""),
    Alternative("np-take", "rows", f"    {_TAKE}\n", "    part = np.take(param, rows, axis=0)\n"),
    Alternative("row-by-row-in-views", "rows", _WHOLE,
        """    for row, value in zip(grad.rows, grad.values):
        views = {name: buffer[row : row + 1] for name, buffer in buffers.items()}
        update(param[row : row + 1], value[None], step, **views)
"""),
    Alternative("all-in-one-dictionary", "rows", _WHOLE, """    rows = grad.rows
    taken = {"param": param[rows]} | {name: x[rows] for name, x in buffers.items()}
    update(grad=grad.values, step=step, **taken)
    for name, x in ({"param": param} | buffers).items():
        x[rows] = taken[name]
"""),
    Alternative("assigns-a-mask", "rows", "rows = grad.rows",
        "rows = np.zeros(len(param), bool)\n    rows[grad.rows] = True"),
]
