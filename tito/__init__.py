"""The course tool: builds the lessons, serves the student, grades the class."""
