"""What Hypothesis draws: shapes, values away from kinks, and layouts in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


def shapes(min_dims: int, sides: list[int]) -> st.SearchStrategy[tuple[int, ...]]:
    """Up to three dimensions, all numbers of them alike often."""
    dims = st.sampled_from(range(3, min_dims - 1, -1))
    return dims.flatmap(lambda n: st.tuples(*[st.sampled_from(sides)] * n))


ANY = shapes(0, [2, 3, 4, 1, 0])
FILLED = shapes(1, [2, 3, 4, 1])
LAYOUTS = ("in a row", "transposed", "strided", "reversed")

Values = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


@dataclass
class Problem:
    """One call of an operation: `function(*inputs, **options)` with float64 inputs."""

    inputs: list[np.ndarray]
    options: dict = field(default_factory=dict)


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(rng.standard_normal(shape))


def positive(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(rng.uniform(0.5, 2, shape))


def chances(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(rng.uniform(0.1, 0.9, shape))


def not_near_zero(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Of both signs, and at least 0.5 from the kink of abs and relu."""
    return np.asarray(positive(rng, shape) * rng.choice([-1.0, 1.0], shape))


def no_ties(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Any two entries differ by 0.1: which is the largest does not change within a small step."""
    count = int(np.prod(shape, dtype=int))
    return np.asarray(0.1 * rng.permutation(count).reshape(shape) - 1)


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same entries, arranged otherwise in memory."""
    if layout == "transposed":
        return array.T.copy().T
    if layout == "strided":
        wide = np.zeros([2 * size for size in array.shape], array.dtype)
        view = wide[(..., *[slice(None, None, 2)] * array.ndim)]
        view[...] = array
        return view
    if layout == "reversed":
        back = (..., *[slice(None, None, -1)] * array.ndim)
        return array[back].copy()[back]
    return array.copy()


def seeds() -> st.SearchStrategy[np.random.Generator]:
    return st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def entrywise(draw, values: Values = normal, **options: st.SearchStrategy):
    """One input of a drawn shape, and drawn options."""
    inputs = [values(draw(seeds()), draw(ANY))]
    return Problem(inputs, {name: draw(option) for name, option in options.items()})


@st.composite
def broadcasting(draw, left: Values = normal, right: Values = normal, signature: str | None = None):
    """Two inputs whose shapes meet; of a drawn one, now and then, a side is stretched."""
    if signature is None:
        pairs = hnp.mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_side=4)
    else:
        pairs = hnp.mutually_broadcastable_shapes(
            signature=signature, min_side=0, max_dims=2, max_side=3
        )
    first, second = draw(pairs).input_shapes
    rng = draw(seeds())
    return Problem([left(rng, first), right(rng, second)])


@st.composite
def alike(draw, left: Values, right: Values):
    """Two inputs of one shape."""
    shape, rng = draw(FILLED), draw(seeds())
    return Problem([left(rng, shape), right(rng, shape)])


@st.composite
def reduced(draw, values: Values = normal, empty: bool = False):
    """One input, the axes to reduce over, and whether to keep them."""
    array = values(draw(seeds()), draw(ANY if empty else FILLED))
    axes = st.none()
    if array.ndim:
        one = st.integers(-array.ndim, array.ndim - 1)
        axes = axes | one | hnp.valid_tuple_axes(array.ndim)
    return Problem([array], {"axis": draw(axes), "keepdims": draw(st.booleans())})


@st.composite
def along(draw, option: str):
    """One input with entries and an axis of it; rows may be missing, never the axis itself."""
    shape = list(draw(ANY.filter(len)))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    shape[axis] = max(shape[axis], 1)
    return Problem([normal(draw(seeds()), tuple(shape))], {option: axis})


@st.composite
def reshaped(draw):
    array = normal(draw(seeds()), draw(ANY))
    others = [array.shape[::-1], (1, *array.shape), (array.size,), (array.size, 1)]
    if array.size:
        others += [(-1,), (1, -1)]
    return Problem([array], {"shape": draw(st.sampled_from(others))})


@st.composite
def transposed(draw):
    array = normal(draw(seeds()), draw(ANY))
    if array.ndim == 0 or draw(st.booleans()):
        return Problem([array])
    axis = st.integers(-array.ndim, array.ndim - 1)
    return Problem([array], {"dim0": draw(axis), "dim1": draw(axis)})


@st.composite
def permuted(draw):
    array = normal(draw(seeds()), draw(ANY))
    axes = draw(st.permutations(range(array.ndim)))
    signs = draw(st.tuples(*[st.sampled_from([0, array.ndim])] * array.ndim))
    return Problem([array], {"axes": tuple(a - s for a, s in zip(axes, signs, strict=True))})


@st.composite
def indexed(draw):
    """Slices and new axes; or numbers of rows, which may repeat; or a mask."""
    shape = draw(FILLED)
    index = hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True, max_dims=5)
    rows = hnp.integer_array_indices(
        shape[:1], result_shape=hnp.array_shapes(max_dims=2, min_side=0, max_side=5)
    )
    pairs = hnp.integer_array_indices(shape, result_shape=hnp.array_shapes(max_dims=1, max_side=6))
    masks = hnp.arrays(bool, shape) | hnp.arrays(bool, shape[:1])
    return Problem([normal(draw(seeds()), shape)], {"index": draw(index | rows | pairs | masks)})


@st.composite
def classified(draw):
    """Logits (..., C), labels (...) and the label that does not count; one label does."""
    *batch, classes = draw(FILLED)
    rng = draw(seeds())
    scale = draw(st.sampled_from([1.0, 10.0]))  # 10: large enough for the shifted branch
    labels = np.asarray(rng.integers(0, classes, batch))
    ignored = draw(st.sampled_from([-100, -1]))
    if labels.size > 1:
        labels.reshape(-1)[rng.integers(1, labels.size, labels.size // 2)] = ignored
    logits = scale * rng.standard_normal((*batch, classes))
    return Problem([logits, labels], {"ignore_index": ignored})


@st.composite
def looked_up(draw):
    """A table (V, D) and whole numbers of rows, of any shape, which may repeat."""
    table = normal(draw(seeds()), draw(FILLED.filter(lambda shape: len(shape) == 2)))
    return Problem([table, draw(seeds()).integers(0, len(table), draw(ANY))])


@st.composite
def of_pairs(draw):
    """One input whose last axis has an even size."""
    shape = draw(ANY.filter(len))
    return Problem([normal(draw(seeds()), (*shape[:-1], 2 * shape[-1]))])
