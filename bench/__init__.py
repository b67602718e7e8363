"""`make bench`: TinyTorch beside hand-written NumPy and other libraries, in one process."""

import os
import sys

THREADS = 2
if "numpy" not in sys.modules:  # it and torch read these once, when they are first imported
    for _library in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"):
        os.environ[f"{_library}_NUM_THREADS"] = str(THREADS)
