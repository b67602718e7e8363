"""PyTorch and HIPS autograd; None where they are not installed (`make compare` installs them)."""

from bench import THREADS

try:
    import torch

    torch.set_num_threads(THREADS)
except ModuleNotFoundError:
    torch = None

try:
    import autograd
    import autograd.numpy as anp
    from autograd.misc.optimizers import adam as adam_loop
except ModuleNotFoundError:
    autograd = anp = adam_loop = None

MISSING = {name for name, library in {"torch": torch, "autograd": autograd}.items() if not library}
