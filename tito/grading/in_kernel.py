"""What runs inside a student's kernel: its source is injected before every graded cell."""


def challenge_and_observe(seed: list[int]):
    """The pair (`challenge`, `observe`) for one graded cell.

    It stands alone, imports included, because only its source travels to the kernel. Values leave
    as text in a JSON message, so that the grader reads them without unpickling or evaluating.
    """
    import numpy as np

    mime = "application/vnd.tinytorch.observation+json"
    most_values = 10_000

    def observe(name: str, value, rtol: float = 1e-5, atol: float = 1e-6) -> None:
        """Report `value`, a number, bool, string or NumPy array, for comparison."""
        from IPython.display import display

        if not isinstance(value, bool | int | float | str | np.generic | np.ndarray):
            raise TypeError(
                f"observe({name!r}) takes a number, bool, string or NumPy array, not "
                f"{type(value).__name__}: for a Tensor pass its .data."
            )
        if isinstance(value, int) and not isinstance(value, bool):
            shape, kind, values = (), "int", [int(value)]  # any size: NumPy stops at 64 bits
        else:
            array = np.asarray(value)
            kind = {"b": "bool", "i": "int", "u": "int", "f": "float", "U": "str"}.get(
                array.dtype.kind
            )
            if kind is None:
                raise TypeError(f"observe({name!r}) cannot take an array of {array.dtype}.")
            if array.size > most_values:
                raise TypeError(
                    f"observe({name!r}) takes at most {most_values} values, not {array.size}."
                )
            if kind == "float":
                array = array.astype(np.float64)  # a longdouble's repr is no Python float
            shape, values = array.shape, array.ravel().tolist()
        as_text = str if kind == "str" else repr
        message = {
            "name": str(name),
            "shape": list(shape),
            "kind": kind,
            "values": [as_text(v) for v in values],
            "rtol": repr(float(rtol)),
            "atol": repr(float(atol)),
        }
        display({mime: message}, raw=True)

    return np.random.default_rng(seed), observe
