"""The numbers that the lessons' prose states, each beside what computes it: one file a module."""
