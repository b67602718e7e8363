"""The race is interleaved, refuses unequal work, and tells what it measured."""

import sys
import time

import numpy as np
import pytest
from rich.console import Console

from bench import __main__ as command
from bench.__main__ import BENCHES
from bench.rivals import MISSING
from bench.table import table
from bench.timing import OURS, WARM_UP, Bench, Outcome, check_equal, race


def work(name: str, log: list[str], seconds: float = 0.0):
    def run():
        log.append(name)
        time.sleep(seconds)
        return [np.ones(2)]

    return run


def test_each_runs_once_a_round_in_rotating_order():
    log: list[str] = []
    names = [OURS, "NumPy", "torch"]
    outcome = race(Bench("nothing", {name: work(name, log) for name in names}, {}), rounds=4)
    in_rounds = [log[i : i + 3] for i in range(0, len(log), 3)]
    assert in_rounds[0] == names  # the check
    assert [x[0] for x in in_rounds[1:4]] == names  # each begins a round
    assert all(sorted(x) == sorted(names) for x in in_rounds)
    assert len(in_rounds) == 1 + WARM_UP + 4
    assert {name: len(took) for name, took in outcome.seconds.items()} == dict.fromkeys(names, 4)


def test_a_contestant_that_computes_something_else_is_refused():
    bench = Bench("sum", {OURS: lambda: [np.ones(2)], "NumPy": lambda: [np.zeros(2)]}, {})
    with pytest.raises(ValueError, match="sum: result 0 of NumPy"):
        race(bench, rounds=1)


def test_ratios_are_taken_round_by_round():
    bench = Bench("adds", {}, {"NumPy": 1.5, "torch": 0.2, "autograd": 9.0}, repeats=10)
    outcome = Outcome(bench, {OURS: [1, 2, 30], "NumPy": [1, 1, 20], "torch": [2, 4, 60]})
    assert outcome.median(OURS) == 0.2
    assert outcome.ratio("NumPy") == (1.5, 1.0, 2.0)
    assert outcome.is_met("NumPy")
    assert not outcome.is_met("torch")
    assert not outcome.is_met("autograd")  # it was not there


def test_the_table_names_what_is_missing():
    bench = Bench("adds", {}, {"NumPy": 1.5, "torch": 1.0})
    outcome = Outcome(bench, {OURS: [0.002], "NumPy": [0.001]})
    console = Console(width=150)
    with console.capture() as captured:
        console.print(table([outcome], 1, {"torch"}))
    text = captured.get()
    assert "2.00x (2.00-2.00)" in text
    assert "<= 1.5x NumPy: not met" in text
    assert "<= 1.0x torch: not measured" in text
    assert "torch not installed" in text


def test_a_rival_without_a_column_tells_its_ratio_beside_its_target():
    bench = Bench("steps", {}, {"V = 10": 1.3})
    console = Console(width=150)
    with console.capture() as captured:
        console.print(table([Outcome(bench, {OURS: [0.003], "V = 10": [0.002]})], 1, set()))
    assert "<= 1.3x V = 10: not met, 1.50x" in captured.get()


def test_tokens_per_second_and_how_many_rounds_there_were():
    bench = Bench("words", {}, {}, rounds=2, tokens=3000)
    console = Console(width=150)
    with console.capture() as captured:
        console.print(table([Outcome(bench, {OURS: [2.0, 2.0], "gensim": [0.5, 0.5]})], 60, set()))
    text = captured.get()
    assert "words (2 rounds)" in text
    assert "1,500 tokens/s" in text
    assert "6,000 tokens/s" in text
    assert "4.00x (4.00-4.00)" in text


def test_a_bench_whose_calls_take_seconds_runs_fewer_rounds():
    bench = Bench("slow", {OURS: lambda: [np.ones(2)]}, {}, rounds=2)
    assert len(race(bench, rounds=60).seconds[OURS]) == 2
    assert len(race(bench, rounds=1).seconds[OURS]) == 1


@pytest.mark.parametrize("make", BENCHES, ids=lambda x: x.__name__)
def test_all_contestants_compute_the_same(make):
    check_equal(make().without(MISSING))


@pytest.mark.parametrize(
    ("options", "limit", "status"), [(["--check"], 1e9, 0), (["--check"], 1e-9, 1), ([], 1e-9, 0)]
)
def test_check_tells_by_its_exit_status(monkeypatch, capsys, options, limit, status):
    bench = Bench("one", {OURS: lambda: [1.0], "NumPy": lambda: [1.0]}, {"NumPy": limit})
    monkeypatch.setattr(command, "BENCHES", [lambda: bench])
    monkeypatch.setattr(sys, "argv", ["bench", "--rounds", "2", *options])
    if status:
        with pytest.raises(SystemExit, match=str(status)):
            command.main()
    else:
        command.main()
    assert "Medians of 2 interleaved rounds" in capsys.readouterr().out
