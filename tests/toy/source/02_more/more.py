# %% [markdown]
# # More
# > A lesson that stands on the toy lesson before it.

# %%
#| default_exp core.more

# %% nbgrader={"grade_id": "setup", "locked": true}
import numpy as np

challenge = np.random.default_rng(0)


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Does nothing here; the grader records the value."""


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
from tinytorch.core.toy import double


# %% nbgrader={"grade_id": "quadruple", "solution": true}
#| export
def quadruple(x):
    """Four times x, by doubling twice."""
    ### BEGIN SOLUTION
    return double(double(x))
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-quadruple", "grade": true, "points": 10}
def test_quadruple():
    assert quadruple(3) == 12, "quadruple(3) is 12: did you double once?"
    ### BEGIN HIDDEN TESTS
    x = challenge.standard_normal((2, 3))
    observe("quadruple", quadruple(x))
    assert np.allclose(quadruple(x), 4 * x), "quadruple works on arrays too"
    ### END HIDDEN TESTS


test_quadruple()
