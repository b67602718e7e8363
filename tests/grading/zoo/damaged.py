"""Notebooks whose tests, metadata or files were changed, by accident or not."""

import json

from tests.grading.classroom import cell, code
from tests.grading.zoo.animal import AREA_POINTS, WRONG, damaged, raw
from tito.grading.report import GRADED


def each_mark(**values):
    def change(nb: dict) -> None:
        for one in nb["cells"]:
            if "nbgrader" in one["metadata"]:
                one["metadata"]["nbgrader"].update(values)

    return change


def set_test(**fields):
    return lambda nb: cell(nb, "test-double").update(fields)


def mark_test(**values):
    return lambda nb: cell(nb, "test-double")["metadata"]["nbgrader"].update(values)


def delete_test(nb: dict) -> None:
    nb["cells"].remove(cell(nb, "test-double"))


def strip(nb: dict) -> None:
    for number, one in enumerate(nb["cells"]):
        one["metadata"], one["id"] = {}, f"colab{number}"


def copy_cell(name: str):
    return lambda nb: nb["cells"].append({**cell(nb, name), "id": "copy"})


def junk_cells(nb: dict) -> None:
    nb["cells"][1:1] = [3, None, "text", {"cell_type": "code", "source": {"a": 1}}]


DAMAGED = [
    damaged(
        "edited-test",
        set_test(source="print('all tests passed')"),
        "test-double was edited: the original was run",
        double=WRONG,
        score=AREA_POINTS,
    ),
    damaged(
        "markdown-test",
        set_test(cell_type="markdown"),
        "test-double was a markdown cell: made code again",
        double=WRONG,
        score=AREA_POINTS,
    ),
    damaged(
        "deleted-test",
        delete_test,
        "test-double was missing: put back",
        double=WRONG,
        score=AREA_POINTS,
    ),
    damaged("stripped", strip, "nbgrader's marks on start"),
    damaged(
        "hundred-points",
        mark_test(points=100),
        "marks on test-double were changed: restored",
        double=WRONG,
        score=AREA_POINTS,
    ),
    damaged("flipped-flags", mark_test(grade=False, solution=True), "were changed: restored"),
    damaged("renamed-id", mark_test(grade_id="my-test"), "test-double"),
    damaged("old-schema", each_mark(schema_version=2), "were changed: restored"),
    damaged("same-ids", each_mark(grade_id="double"), "were changed: restored"),
    damaged("double-test", copy_cell("test-double"), "test-double was there twice"),
    damaged("double-answer", copy_cell("double"), "double was there twice: both answers were run"),
    damaged("junk-cells", junk_cells, "cells that are no cells were left out"),
    damaged(
        "ten-thousand-cells",
        lambda nb: nb["cells"].extend(code(f"x = {number}") for number in range(10_000)),
        status=GRADED,
    ),
    damaged(
        "reversed", lambda nb: nb["cells"].reverse(), "cells were out of order: the lesson's order"
    ),
]

FILES = [
    raw("cut", "ends in the middle", lambda nb: {"toy.ipynb": nb[: len(nb) // 2]}),
    raw("web-page", "is not JSON", lambda nb: {"toy.ipynb": b"<html>please log in</html>"}),
    raw("not-text", "is not UTF-8", lambda nb: {"toy.ipynb": b"\xff\xfe\x00junk"}),
    raw("no-notebook", "JSON but no notebook", lambda nb: {"toy.ipynb": b'{"a": 1}'}),
    raw("nested", "nested too deep", lambda nb: {"toy.ipynb": b"[" * 10**6}),
    raw("empty-folder", "the folder is empty: ask for toy.ipynb", lambda nb: {}),
    raw("homework.docx", "only answer.docx was handed in", lambda nb: {"answer.docx": b"PK"}),
    raw("zipped", "toy.zip", lambda nb: {"toy.zip": b"PK no zip"}),
    raw("huge", "is larger than 50 MB", lambda nb: {"toy.ipynb": nb + b" " * 60_000_000}),
    raw(
        "other-lesson",
        "none of this lesson's exercises",
        lambda nb: {"toy.ipynb": json.dumps({"cells": [code("1")]}).encode()},
    ),
]
