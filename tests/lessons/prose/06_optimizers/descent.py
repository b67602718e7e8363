"""The bowl, walked by hand, and velocities."""

import math

import numpy as np

from tests.lessons.prose.claim import Claim
from tinytorch.core.descent import SGD
from tinytorch.core.tensor import Tensor


def on_the_bowl(lr: float, steps: int) -> list[list[float]]:
    """Gradient and place after each step of SGD on (x**2 + 25 * y**2) / 2 from (10, 1)."""
    point = Tensor([10.0, 1.0], requires_grad=True)
    optimizer, path = SGD([point], lr), []
    for _ in range(steps):
        point.grad = point.data * np.float32([1, 25])
        optimizer.step()
        path.append([*point.grad.tolist(), *point.data.tolist()])
    return path


def velocities(gradient: float, count: int) -> list[float]:
    point = Tensor([0.0], requires_grad=True)
    optimizer, found = SGD([point], 0.1, 0.9), []
    for _ in range(count):
        point.grad = np.float32([gradient])
        optimizer.step()
        found.append(optimizer.buffers[0]["velocity"].item())
    return found


def one_step(param, grad, velocity, **options) -> tuple[float, float]:
    """Velocity and parameter after a step that began with this velocity."""
    param = np.float32([param])
    optimizer = SGD([Tensor(param, requires_grad=True)], 0.1, **options)
    velocity = np.float32([velocity])
    optimizer.update(param, np.float32([grad]), 2, velocity=velocity)
    return velocity.item(), param.item()


PATH = on_the_bowl(0.07, 2)

CLAIMS = [
    Claim("gradient ({10, 25}) step to", lambda: PATH[0][:2]),
    Claim("1 - 0.07 * 25) = ({9.3, -0.75})", lambda: PATH[0][2:]),
    Claim("gradient ({9.3, -18.75}) step to", lambda: PATH[1][:2]),
    Claim("-0.75 + 0.07 * 18.75) = ({8.649, 0.5625})", lambda: PATH[1][2:]),
    Claim(
        "multiplies x by 1 - 0.07 = {0.93} and y by 1 - 0.07 * 25 = {-0.75}",
        lambda: (1 - 0.07, 1 - 0.07 * 25),
    ),
    Claim("weight_decay 0.5: grad = {2}", lambda: 1 + 0.5 * 2),
    Claim(
        "velocity = {11} param = param - lr * velocity lr 0.1: param = {0.9}",
        lambda: one_step(2, 1, 10, momentum=0.9, weight_decay=0.5),
    ),
    Claim(
        "up to g / (1 - momentum)", lambda: math.isclose(velocities(3.0, 300)[-1], 30, rel_tol=1e-5)
    ),
    Claim("1. {1, 1.9, 2.71}, and in", lambda: velocities(1.0, 3)),
    Claim("the end 1 / (1 - 0.9) = {10}: with", lambda: velocities(1.0, 300)[-1]),
    Claim("2. 2 / 25 = {0.08}. There", lambda: 2 / 25),
    Claim(
        "the largest lr that does not climb out",
        lambda: abs(on_the_bowl(0.0799, 99)[-1][3]) < 1 < abs(on_the_bowl(0.0801, 99)[-1][3]),
    ),
    Claim(
        "There x shrinks by {0.92} a step: {56} steps",
        lambda: (1 - 0.08, math.ceil(math.log(1 / 100) / math.log(0.92))),
    ),
]
