"""The rows as a table, a file and a summary."""

import io

import pytest
from rich.console import Console

from tito.errors import TitoError
from tito.grading.report import (
    GRADED,
    MISSING,
    Row,
    load_rows,
    no_formula,
    remarks,
    save_rows,
    summary,
    table,
)
from tito.grading.text import one_line

ROW = Row(
    "ann",
    "01_toy",
    GRADED,
    score=4,
    max_score=10,
    is_late=True,
    points=(("test-double", 4, 4), ("test-area", 0, 6)),
    reasons=(("test-area", "[red]pi[/] is 3"),),
    notes=("a note",),
)


def shown(*parts) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(*parts)
    return console.file.getvalue()


def test_table_shows_the_score_and_the_status():
    assert "4/10" in shown(table([ROW]))
    assert "graded, late" in shown(table([ROW]))


def test_what_students_wrote_is_shown_as_text():
    assert "test-area: [red]pi[/] is 3" in shown(remarks([ROW], why=True))


def test_lost_points_are_explained_on_request_and_notes_always():
    assert "a note" in shown(remarks([ROW], why=False))
    assert "is 3" not in shown(remarks([ROW], why=False))


def test_exercises_lost_for_one_reason_share_a_line():
    reasons = tuple((f"test-{n}", "blank: still to fill") for n in range(5))
    row = Row("ann", "01_toy", GRADED, score=0, max_score=5, reasons=reasons)
    assert row.note == "test-0, test-1, test-2 and 2 more: blank: still to fill"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1"])
def test_formulas_are_neutralised(text):
    assert no_formula(text) == f"'{text}"


def test_other_text_is_left_alone():
    assert no_formula("ann-marie = me") == "ann-marie = me"


def test_rows_are_kept_as_they_were(toy):
    module = toy.module("01")
    save_rows(toy, module, [ROW], replace_all=True)
    save_rows(toy, module, [Row("bob", "01_toy", MISSING)], replace_all=False)
    assert load_rows(toy, module) == [ROW, Row("bob", "01_toy", MISSING)]
    save_rows(toy, module, [ROW], replace_all=True)
    assert load_rows(toy, module) == [ROW]


def test_broken_report_file_says_what_to_do(toy):
    save_rows(toy, toy.module("01"), [ROW], replace_all=True)
    (toy.root / ".grading" / "01_toy.json").write_text("[{}", encoding="utf-8")
    with pytest.raises(TitoError, match="remove it and run `tito grade 01`"):
        load_rows(toy, toy.module("01"))


def test_summary_counts_every_status():
    rows = [ROW, Row("bob", "01_toy", MISSING)]
    assert summary(rows) == "graded 1, after repair 0, in part 0, not graded 0, missing 1, late 1"


def test_one_line_drops_colours_controls_and_length():
    assert one_line("\x1b[31mred\x1b[0m\n\ttext\x07") == "red text"
    assert len(one_line("x" * 10_000)) == 300
