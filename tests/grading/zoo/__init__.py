"""The zoo: every kind of submission that a class has been seen to hand in, built by code."""
