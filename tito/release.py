"""notebooks/ -> release/: the students' notebooks, with blanks and locked tests, by nbgrader."""

from pathlib import Path

from nbformat import NotebookNode

from tito.nbgrader_bridge import load_config


def to_release(nb: NotebookNode, course_root: Path) -> NotebookNode:
    """The student version of a solved notebook (`nb` is changed).

    These are the steps of `nbgrader generate_assignment` without its gradebook, so that a build
    never touches anybody's grades. The checksums are computed again once the hidden tests are gone.
    """
    from nbgrader import preprocessors as steps

    config = load_config(course_root)
    resources: dict = {}
    for step in (
        steps.LockCells,
        steps.ClearSolutions,
        steps.ClearOutput,
        steps.CheckCellMetadata,
        steps.ClearHiddenTests,
        steps.ComputeChecksums,
        steps.CheckCellMetadata,
    ):
        nb, resources = step(config=config).preprocess(nb, resources)
    return nb
