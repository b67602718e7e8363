# %% [markdown]
# # Most
# > A second notebook of its module: it stands on the first.

# %%
#| default_exp core.most

# %% nbgrader={"grade_id": "setup", "locked": true}
import numpy as np

challenge = np.random.default_rng(0)


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Does nothing here; the grader records the value."""


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
from tinytorch.core.more import quadruple


# %% nbgrader={"grade_id": "octuple", "solution": true}
#| export
def octuple(x):
    """Eight times x."""
    ### BEGIN SOLUTION
    return quadruple(x) + quadruple(x)
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-octuple", "grade": true, "points": 10}
def test_octuple():
    assert octuple(3) == 24, "octuple(3) is 24: add two quadruples"
    ### BEGIN HIDDEN TESTS
    x = challenge.standard_normal((2, 3))
    observe("octuple", octuple(x))
    assert np.allclose(octuple(x), 8 * x), "octuple works on arrays too"
    ### END HIDDEN TESTS


test_octuple()
