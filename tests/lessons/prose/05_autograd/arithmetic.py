"""Slopes by hand, one operation at a time."""

import numpy as np

from tests.lessons.prose.claim import Claim
from tests.lessons.prose.recount import gpt2_small, grads
from tinytorch.core.arithmetic import unbroadcast


def f(a, b):
    return a * b + a


def out_of(a, b):
    return (a * b + a) / b


GRAD = np.array([[1, 2, 3], [10, 20, 30]])
BY_HAND = grads(out_of, 2.0, 4.0)

CLAIMS = [
    Claim("at a = 2, b = 3: the result is {8}", lambda: f(2, 3)),
    Claim("a to 2.001 and the result becomes {8.004}", lambda: f(2.001, 3)),
    Claim("it moved **{4} times** as far", lambda: grads(f, 2.0, 3.0)[0]),
    Claim("Nudge b to 3.001: {8.002}, **{2} times**", lambda: (f(2, 3.001), grads(f, 2.0, 3.0)[1])),
    Claim("its **gradient**: ({4, 2})", lambda: grads(f, 2.0, 3.0)),
    Claim("GPT-2 has {124} million", lambda: gpt2_small() / 1e6),
    Claim("moves {30} times as far as a", lambda: grads(lambda a: a * 3 * 10, 1.0)),
    Claim("becomes `[{11, 22, 33}]` for an input `(3,)`", lambda: unbroadcast(GRAD, (3,))),
    Claim("`[{[6], [60]}]` for `(2, 1)`", lambda: unbroadcast(GRAD, (2, 1))),
    Claim("and {66} for `()`", lambda: unbroadcast(GRAD, ())),
    Claim("sum over axis 1, but keep it: ({2, 1})", lambda: unbroadcast(GRAD, (2, 1)).shape),
    Claim(
        "the gradient of a is [{50, 700}], that of b is [{10, 200}]",
        lambda: grads(lambda a, b: a * b, [1, 2], [5, 7], grad=[10, 100]),
    ),
    Claim(
        "12 / 3.001 = {3.99867}, a move of {-0.00133} for 0.001",
        lambda: (12 / 3.001, 12 / 3.001 - 4),
    ),
    Claim(
        "the slope is **{-1.333}**, which is {-12/9}",
        lambda: grads(lambda a, b: a / b, 12.0, 3.0)[1:] * 2,
    ),
    Claim("-4 / 3 is {-1.333} as well", lambda: -4 / 3),
    Claim("the slope of 1 / b is a million", lambda: grads(lambda b: 1 / b, 0.001)[0] == -1e6),
    Claim("the product is {8}, the sum {10}, out {2.5}", lambda: (2 * 4, f(2, 4), out_of(2, 4))),
    Claim("`div` gives the sum {1/4} = {0.25}", lambda: (1 / 4, grads(lambda s: s / 4, 10.0))),
    Claim(
        "and b the gradient {-10/16} = {-0.625}", lambda: (-10 / 16, grads(lambda b: 10 / b, 4.0))
    ),
    Claim(
        "gives a 0.25 * 4 = {1}, and b 0.25 * 2 = {0.5}",
        lambda: grads(lambda a, b: a * b, 2.0, 4.0, grad=0.25),
    ),
    Claim("0.25 + 1 = {1.25} for a", lambda: BY_HAND[0]),
    Claim("-0.625 + 0.5 = {-0.125} for b", lambda: BY_HAND[1]),
    Claim("in a is indeed 1 + {1/4}, and that in b {-2/16}", lambda: (BY_HAND[0] - 1, BY_HAND[1])),
    Claim("gives {4} to its x and {2} to x * x", lambda: grads(lambda x, s: s * x, 2.0, 4.0)),
    Claim("gives x twice 2 * 2 = {4}", lambda: grads(lambda a, b: a * b, 2.0, 2.0, grad=2.0)[0]),
    Claim("Together 4 + 4 + 4 = {12} = 3x²", lambda: grads(lambda x: x * x * x, 2.0)),
    Claim("Each entry was used 32 times: {32}", lambda: unbroadcast(np.ones((32, 10)), (10,))[0]),
]
