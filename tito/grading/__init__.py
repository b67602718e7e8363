"""From a folder of submissions to grades: collect, repair, run, compare, hand to nbgrader."""
