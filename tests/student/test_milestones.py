"""Milestones: what each must reach on the reference package, and `tito milestone` in words."""

import shutil
import subprocess
import sys

import pytest

from milestones import digits, perceptron, xor
from tests.conftest import REPOSITORY
from tito.commands.milestone import MILESTONES

SECONDS = 20


@pytest.mark.parametrize("seed", range(3))
def test_rosenblatts_rule_and_the_engine_find_the_same_line(seed, tmp_path):
    found = perceptron.main(seed, quiet=True, folder=tmp_path)
    assert found["accuracy"] == 1
    assert found["difference"] < 1e-4
    assert found["epochs"] < 100
    assert found["plot"].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("seed", range(3))
def test_one_layer_stays_at_three_of_four_and_two_solve_it(seed, tmp_path):
    found = xor.main(seed, quiet=True, folder=tmp_path)
    assert found["one layer"] <= 0.75
    assert found["two layers"] == 1
    assert found["plot"].is_file()


@pytest.mark.parametrize("seed", range(3))
def test_digits_are_read(seed, tmp_path):
    found = digits.main(seed, quiet=True, folder=tmp_path)
    assert found["accuracy"] >= 0.97
    assert found["seconds"] < SECONDS
    assert found["plot"].is_file()


def test_held_out_digits_are_held_out():
    pixels, labels, unseen, truth = digits.digits(0)
    assert (len(labels), len(truth)) == (1438, 359)
    assert not {row.tobytes() for row in unseen} & {row.tobytes() for row in pixels}


def test_a_milestone_runs_as_a_script_with_a_bar(tmp_path):
    shutil.copytree(REPOSITORY / "milestones", tmp_path / "milestones")
    shutil.copytree(REPOSITORY / "tinytorch", tmp_path / "tinytorch")
    command = [sys.executable, "-m", "milestones.xor", "--seed", "1"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "two layers: loss 0.0" in ran.stdout
    assert str(tmp_path / "milestones/results/xor.png") in ran.stdout
    assert "500/500" in ran.stderr
    assert (tmp_path / "milestones/results/xor.png").is_file()


def test_the_list_names_every_milestone_and_what_it_needs(tito, student):
    seen = tito("milestone", "list")
    assert seen.status == 0
    assert [name for name in MILESTONES if name not in seen.out] == []


def test_a_missing_module_is_named(tito):
    seen = tito("milestone", "run", "xor")
    assert seen.status == 1
    assert "needs 01_toy in your package: `tito module complete 01`" in seen.error


def test_an_unknown_milestone_is_answered_with_those_there_are(tito):
    seen = tito("milestone", "run", "chess")
    assert seen.status == 1
    assert seen.error.endswith(f"the milestones are {', '.join(MILESTONES)}.")


def test_a_milestone_that_fails_says_so_in_one_line(tito, student, fill):
    fill("01")
    fill("02")
    tito("module", "complete", "01")
    tito("module", "complete", "02")
    (student.root / "milestones").mkdir(exist_ok=True)
    (student.root / "milestones/xor.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    seen = tito("milestone", "run", "xor")
    assert seen.status == 1
    assert "ended with status 3" in seen.error
    (student.root / "milestones/xor.py").unlink()
    assert "restore it" in tito("milestone", "run", "xor").error
