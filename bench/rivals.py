"""PyTorch, HIPS autograd, gensim; None where not installed (`make compare` installs them)."""

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

try:
    from gensim.models import Word2Vec
except ModuleNotFoundError:
    Word2Vec = None

_LIBRARIES = {"torch": torch, "autograd": autograd, "gensim": Word2Vec}
MISSING = {name for name, library in _LIBRARIES.items() if not library}
