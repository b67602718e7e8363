"""One interleaved run: every contestant once a round, so that a busy machine slows all alike."""

import gc
import statistics
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

OURS = "TinyTorch"
WARM_UP = 3  # rounds that do not count
# Bytes. Once a block of this size was freed, the C library keeps smaller ones instead of giving
# them back to the system, where an array of 800 kB costs 160 page faults each time that it is made.
# A process that has worked for a while is in this state; in a fresh one it is a matter of luck.
LARGE = 31 * 2**20
PAUSE = 0.003  # seconds; PyTorch's idle threads spin for about a millisecond before they sleep


@dataclass(frozen=True)
class Bench:
    """One piece of work, and who does it.

    contestants: name -> does the work and returns arrays, on which all must agree when they are
        called for the first time.
    targets: rival -> the largest allowed ratio of our time to the rival's.
    repeats: how often one call does the work; times are told for once.
    rounds: the most that are run, where one call takes seconds.
    tokens: how many the work goes through, where tokens per second are told instead of times.
    """

    name: str
    contestants: dict[str, Callable[[], list[np.ndarray]]]
    targets: dict[str, float]
    repeats: int = 1
    rounds: int | None = None
    tokens: int | None = None
    rtol: float = 1e-4
    atol: float = 1e-5

    def without(self, names: Collection[str]) -> "Bench":
        """The same work, done by the others."""
        there = {name: run for name, run in self.contestants.items() if name not in names}
        return replace(self, contestants=there)


@dataclass(frozen=True)
class Outcome:
    """How long each contestant took: name -> seconds of each round."""

    bench: Bench
    seconds: dict[str, list[float]]

    def median(self, name: str) -> float:
        """Seconds for the work done once."""
        return statistics.median(self.seconds[name]) / self.bench.repeats

    def ratio(self, rival: str) -> tuple[float, float, float]:
        """Our time over the rival's in the same round: median, smallest, largest."""
        pairs = zip(self.seconds[OURS], self.seconds[rival], strict=True)
        ratios = [ours / theirs for ours, theirs in pairs]
        return statistics.median(ratios), min(ratios), max(ratios)

    def is_met(self, rival: str) -> bool:
        """Whether the target against this rival is reached: never, if the rival is missing."""
        return rival in self.seconds and self.ratio(rival)[0] <= self.bench.targets[rival]


def check_equal(bench: Bench) -> None:
    """Call each contestant once; a ValueError names the one that computes something else."""
    expected = bench.contestants[OURS]()
    for name, run in bench.contestants.items():
        if name == OURS:
            continue
        for i, (ours, theirs) in enumerate(zip(expected, run(), strict=True)):
            if not np.allclose(ours, theirs, bench.rtol, bench.atol):
                raise ValueError(f"{bench.name}: result {i} of {name} is not that of {OURS}.")


def race(bench: Bench, rounds: int) -> Outcome:
    """Check that all compute the same, then time each once a round, in rotating order."""
    check_equal(bench)
    rounds = min(rounds, bench.rounds or rounds)
    names = list(bench.contestants)
    seconds = {name: [] for name in names}
    gc.collect()
    gc.freeze()  # so that nobody's garbage collection walks over what others have loaded
    np.empty(LARGE, np.uint8)  # made and freed
    for k in range(WARM_UP + rounds):
        start = k % len(names)
        for name in names[start:] + names[:start]:
            time.sleep(PAUSE)
            begin = time.perf_counter()
            bench.contestants[name]()
            took = time.perf_counter() - begin
            if k >= WARM_UP:
                seconds[name].append(took)
    gc.unfreeze()
    return Outcome(bench, seconds)
