"""`make bench`: TinyTorch beside hand-written NumPy and other libraries, in one process."""

import os
import sys

THREADS = 2
if "numpy" not in sys.modules:  # it and torch read these once, when they are first imported
    for _library in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"):
        os.environ[f"{_library}_NUM_THREADS"] = str(THREADS)
    # NumPy's idle threads spin for 30 ms on the core that a rival needs: PyTorch's small steps then
    # take 37 ms instead of 1. This lets them sleep at once, which costs NumPy and us the waking up.
    os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"
