# %% [markdown]
# # Toy
# > A two-blank lesson for the tests of the pipeline.

# %%
#| default_exp core.toy

# %% nbgrader={"grade_id": "setup", "locked": true}
import numpy as np

challenge = np.random.default_rng(0)


def observe(name, value, rtol=1e-5, atol=1e-6):
    """Does nothing here; the grader records the value."""


# %% nbgrader={"grade_id": "imports", "locked": true}
#| export
import math


# %% nbgrader={"grade_id": "double", "solution": true}
#| export
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-double", "grade": true, "points": 4}
def test_double():
    assert double(3) == 6, "double(3) is 6: did you add 2?"
    ### BEGIN HIDDEN TESTS
    x = challenge.standard_normal(5)
    observe("double", double(x))
    assert np.allclose(double(x), x + x), "double works on arrays too"
    ### END HIDDEN TESTS


test_double()


# %% nbgrader={"grade_id": "area", "solution": true}
#| export
def area(r):
    """Area of a circle of radius r."""
    ### BEGIN SOLUTION
    return math.pi * r * r
    ### END SOLUTION


# %% nbgrader={"grade_id": "test-area", "grade": true, "points": 6}
def test_area():
    assert abs(area(1) - 3.14159265) < 1e-6, "the unit circle has area pi"
    ### BEGIN HIDDEN TESTS
    r = float(challenge.uniform(1, 3))
    observe("area", area(r))
    ### END HIDDEN TESTS


test_area()
