"""What Colab does to a notebook: its metadata, ids and outputs change, its sources do not."""

import copy
from collections.abc import Callable

from tests.grading.classroom import cell


def lose_all_metadata(nb: dict) -> None:
    for each in nb["cells"]:
        each["metadata"] = {}


def lose_some_marks(nb: dict) -> None:
    for name in ("double", "test-area", "start"):
        del cell(nb, name)["metadata"]["nbgrader"]


def change_ids(nb: dict) -> None:
    for number, each in enumerate(nb["cells"]):
        each["id"] = f"aB{number}xYz"


def add_metadata(nb: dict) -> None:
    for number, each in enumerate(nb["cells"]):
        execution = {"status": "ok", "timestamp": 1764000000000, "user_tz": -60, "elapsed": 3}
        each["metadata"] |= {
            "id": f"aB{number}xYz",
            "outputId": "5e2f-4",
            "executionInfo": execution,
            "colab": {"base_uri": "https://localhost:8080/"},
            "colab_type": "code",
        }


def keep_outputs(nb: dict) -> None:
    for number, each in enumerate(nb["cells"], 1):
        if each["cell_type"] == "code":
            each["execution_count"] = number
            each["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["12\n"]}]


def run_the_start_cell(nb: dict) -> None:
    said = ["To keep your work: File > Save a copy in Drive.\n"]
    start = cell(nb, "start")
    start["execution_count"] = 1
    start["outputs"] = [{"output_type": "stream", "name": "stdout", "text": said}]


def rename_the_kernel(nb: dict) -> None:
    nb["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "conda-base-py", "display_name": "My Python"},
        "accelerator": "GPU",
    }


def go_back_to_minor_0(nb: dict) -> None:
    """Format 4.0 has no cell ids; Colab keeps its own in the metadata."""
    nb["nbformat_minor"] = 0
    for number, each in enumerate(nb["cells"]):
        each.pop("id", None)
        each["metadata"] = {**each["metadata"], "id": f"aB{number}xYz"}


def all_at_once(nb: dict) -> None:
    for lose in (run_the_start_cell, keep_outputs, lose_all_metadata, add_metadata):
        lose(nb)
    rename_the_kernel(nb)
    go_back_to_minor_0(nb)


# What Colab does, and the cells that the report then names as repaired.
LOSSES: dict[Callable[[dict], None], str | None] = {
    lose_all_metadata: "start, setup, imports and 4 more",
    lose_some_marks: "start, double, test-area",
    change_ids: None,
    add_metadata: None,
    keep_outputs: None,
    run_the_start_cell: None,
    rename_the_kernel: None,
    go_back_to_minor_0: None,
    all_at_once: "start, setup, imports and 4 more",
}


def after(lose: Callable[[dict], None], nb: dict) -> dict:
    nb = copy.deepcopy(nb)
    lose(nb)
    return nb
