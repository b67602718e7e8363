"""The student's path: start, test, complete, hand in, catch up."""
