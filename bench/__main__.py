"""`python -m bench [--rounds N] [--check]`: run every bench, print one table."""

import argparse
import sys

from rich.console import Console

from bench import embeddings, engine, word_vectors
from bench.rivals import MISSING
from bench.table import table
from bench.timing import race

BENCHES = (*engine.BENCHES, *embeddings.BENCHES, *word_vectors.BENCHES)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="how often each runs")
    parser.add_argument("--check", action="store_true", help="exit 1 if a target is not met")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds must be at least 1, not {options.rounds}")

    console = Console()
    outcomes = []
    for make in BENCHES:
        bench = make().without(MISSING)
        with console.status(bench.name):
            outcomes.append(race(bench, options.rounds))
    # as wide as the table wants to be, in a file or a narrow window too
    Console(width=max(console.width, 170)).print(table(outcomes, options.rounds, MISSING))
    if options.check and not all(x.is_met(rival) for x in outcomes for rival in x.bench.targets):
        sys.exit(1)


if __name__ == "__main__":
    main()
